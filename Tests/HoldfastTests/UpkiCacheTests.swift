import Foundation
import HoldfastDER
import HoldfastHashes
import HoldfastPaths
import TestSupport
import Testing

@testable import Holdfast

/// The folder in which upki keeps its filters.
@Suite("upki's cache") struct UpkiCacheTests {
  private static let log = [UInt8](repeating: 0x10, count: 32)
  private static let end = UInt64(1_767_139_200_000)  // 2025-12-31T00:00:00Z
  private static let base = "20251230-0-default.filter"
  private static let deltas = [
    "20251230-1-default.filter.delta", "20251231-0-default.filter.delta",
  ]
  private static let names = [base] + deltas

  private let folder: ScratchFolder
  private let root: Certificate
  private let leaf: Certificate

  /// Writes a base and two deltas; the last delta revokes the leaf.
  init() throws {
    folder = try ScratchFolder()
    root = try SignedCertificate.root()
    leaf = try SignedCertificate.leaf(by: "Root", 1) {
      $0.extensions.append(Made.timestamps([(UpkiCacheTests.log, UpkiCacheTests.end - 9)]))
    }
    try FileManager.default.createDirectory(
      atPath: folder.path + "/revocation", withIntermediateDirectories: true)
    for (index, name) in UpkiCacheTests.names.enumerated() {
      try folder.file("revocation/\(name)", file(index, revokesLeaf: index == 2))
    }
    try writeManifest()
    try folder.file("revocation/index.bin", UpkiCacheTests.index(UpkiCacheTests.names, width: 2))
  }

  private func file(_ index: Int, revokesLeaf: Bool) -> [UInt8] {
    var builder = ClubcardBuilder()
    builder.add(
      log: UpkiCacheTests.log,
      1_700_000_000_000...(UpkiCacheTests.end + 3_600_000 * UInt64(index)))
    let key = root.publicKey.der
    var block = ClubcardBuilder.Block(
      HashAlgorithm.sha256.hash(key.input, in: key.range).array, revoked: [[2]], good: [[3]])
    if revokesLeaf { block.revoked.append([1]) } else { block.good.append([1]) }
    builder.blocks = [block]
    return builder.file(version: 4)
  }

  private func writeManifest(
    _ names: [String] = names, member: String = "filters", hashes: [String: String] = [:]
  ) throws {
    let files = names.map { name in
      let path = "\(folder.path)/revocation/\(name)"
      let bytes = FileManager.default.contents(atPath: path).map(Array.init) ?? []
      let hash = hashes[name] ?? Bytes(HashAlgorithm.sha256.hash(bytes).array).description
      return #"{"filename":"\#(name)","size":\#(bytes.count),"hash":"\#(hash)"}"#
    }
    let text =
      #"{"generated_at":1767139200,"comment":"made","\#(member)":["#
      + files.joined(separator: ",") + "]}"
    try folder.file("revocation/manifest.json", Array(text.utf8))
  }

  /// An index with one log that all files cover.
  private static func index(_ names: [String], width: Int) -> [UInt8] {
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var bytes = Array("upkiidx\(width - 1)".utf8) + number(names.count, width) + number(1, 4)
    for name in names {
      bytes += Array(name.utf8) + [UInt8](repeating: 0, count: 32 - name.utf8.count)
    }
    bytes += log + number(bytes.count + 42, 8) + number(names.count, 2)
    for file in names.indices { bytes += number(file, width) + number(0, 8) + number(1, 8) }
    return bytes
  }

  private func status(_ cache: UpkiCache, of leaf: Certificate? = nil) -> String {
    do throws(PathError) {
      let path = try PathValidator(anchors: AnchorSet([root])).validate(
        [leaf ?? self.leaf], for: .server(named: SignedCertificate.host),
        at: SignedCertificate.time, revocation: Revocation(filters: cache.filters))
      return path.revocation.first.map { $0.summary { "\($0)" } } ?? "not asked"
    } catch {
      return error.rejections.first?.rule.name ?? "\(error)"
    }
  }

  private func opened() throws(FilterError) -> UpkiCache { try UpkiCache(folder: folder.path) }

  @Test("the files of the manifest are one filter, and a delta that revokes wins")
  func whole() throws {
    let cache = try opened()
    #expect(cache.folder == folder.path + "/revocation")
    #expect(cache.generatedAt == Timestamp("2025-12-31T00:00:00Z"))
    #expect(cache.filters.map { $0.cards.map(\.name) } == [UpkiCacheTests.names])
    #expect(cache.filters.first?.cards.map(\.isDelta) == [false, true, true])
    #expect(cache.problems.isEmpty)
    #expect(status(cache) == "revoked")
    // The folder of the files itself, and the present name of the list.
    try writeManifest(member: "files")
    let inner = try UpkiCache(folder: folder.path + "/revocation")
    #expect(inner.problems.isEmpty && status(inner) == "revoked")
    let revocation = try Revocation.upkiCache(.required(of: .leaf), folder: folder.path)
    #expect(revocation.filters.count == 1 && revocation.demand == .required(of: .leaf))
  }

  @Test("a damaged or missing file is named, and the rest is used")
  func damaged() throws {
    try folder.file("revocation/\(UpkiCacheTests.deltas[0])", [4, 0, 0])
    var cache = try opened()
    #expect(cache.problems == [FilterError(.otherHash, in: UpkiCacheTests.deltas[0])])
    #expect(status(cache) == "revoked")
    // What the base covers, it still answers; the delta after the gap does not.
    try folder.file("revocation/\(UpkiCacheTests.deltas[1])", file(2, revokesLeaf: false))
    try writeManifest(hashes: [UpkiCacheTests.deltas[0]: String(repeating: "0", count: 64)])
    cache = try opened()
    #expect(
      status(cache)
        == "is not revoked: \(UpkiCacheTests.base), which covers until 2025-12-31T00:00:00Z")
    let young = try SignedCertificate.leaf(by: "Root", 1) {
      $0.extensions.append(Made.timestamps([(UpkiCacheTests.log, UpkiCacheTests.end + 9)]))
    }
    #expect(
      status(cache, of: young)
        == "has unknown revocation status: none of the given sources can be used "
        + "(\(UpkiCacheTests.deltas[0]): is not the file that the manifest lists; "
        + "\(UpkiCacheTests.base): does not cover the certificate: "
        + "issued after the filter of 2025-12-31T00:00:00Z)")
    try writeManifest(UpkiCacheTests.names + ["20260101-0-default.filter.delta"])
    cache = try opened()
    #expect(
      cache.problems.map(\.problem) == [
        .otherFiles, .truncated, .unreadableFile("No such file or directory"),
      ])
  }

  @Test("a delta that neither list has is missed by the names of the others, as if unreadable")
  func unlisted() throws {
    let names = [UpkiCacheTests.base, UpkiCacheTests.deltas[1]]
    // The second run of 2025-12-30 may not have been; a first one without the second has.
    let skipped = "20251231-1-default.filter.delta"
    try folder.file("revocation/\(UpkiCacheTests.deltas[1])", file(2, revokesLeaf: false))
    try folder.file("revocation/\(skipped)", file(2, revokesLeaf: false))
    func opened(_ names: [String]) throws -> UpkiCache {
      try writeManifest(names)
      try folder.file("revocation/index.bin", UpkiCacheTests.index(names, width: 2))
      return try self.opened()
    }
    #expect(try opened(names).problems.isEmpty)
    let young = try SignedCertificate.leaf(by: "Root", 1) {
      $0.extensions.append(Made.timestamps([(UpkiCacheTests.log, UpkiCacheTests.end + 9)]))
    }
    #expect(status(try opened(names), of: young).hasPrefix("is not revoked"))
    let cache = try opened([UpkiCacheTests.base, skipped])
    #expect(cache.problems == [FilterError(.unlistedDelta, in: skipped)])
    #expect(
      "\(cache.problems[0])"
        == "20251231-1-default.filter.delta: follows a delta that is not listed")
    #expect(status(cache, of: young).hasPrefix("has unknown revocation status"))
    // It still shows what it revokes.
    try folder.file("revocation/\(skipped)", file(2, revokesLeaf: true))
    #expect(status(try opened([UpkiCacheTests.base, skipped])) == "revoked")
  }

  @Test(
    "a run follows another with the next number or on the next day",
    arguments: [
      ("20251230-0", "20251230-0", false), ("20251230-0", "20251230-1", false),
      ("20251230-0", "20251230-2", true), ("20251230-1", "20251231-0", false),
      ("20251230-1", "20251231-1", true), ("20251231-1", "20260101-0", false),
      ("20251230-1", "20260101-0", true), ("20240228-1", "20240229-0", false),
      ("20251230-1", "20251229-0", false),
    ])
  func runs(first: String, second: String, isGap: Bool) throws {
    let runs = try [first, second].map {
      try #require(FilterRun(ofFile: "\($0)-default.filter.delta"))
    }
    #expect(runs[1].isBeyondNext(of: runs[0]) == isGap)
    for name in ["base.filter", "20251330-0-x", "2025123-0-x", "20251230-a-x", "20251230-0", "--"] {
      #expect(FilterRun(ofFile: name) == nil, "\(name)")
    }
  }

  @Test("without a readable manifest the index names the files, and without both nothing is read")
  func lists() throws {
    try folder.file("revocation/manifest.json", Array("{".utf8))
    for width in 1...2 {
      try folder.file(
        "revocation/index.bin", UpkiCacheTests.index(UpkiCacheTests.names, width: width))
      let cache = try opened()
      #expect(cache.problems.map(\.file) == ["manifest.json"])
      #expect(cache.generatedAt == nil && status(cache) == "revoked")
    }
    try folder.file("revocation/index.bin", Array("upkiidx2".utf8))
    let error = #expect(throws: FilterError.self) { try opened() }
    #expect(error?.file == "manifest.json")
    try writeManifest()
    #expect(try opened().problems == [FilterError(.badIndex, in: "index.bin")])
    #expect(status(try opened()) == "revoked")
    let none = try ScratchFolder()
    #expect(throws: FilterError(.noCache, in: none.path)) { try UpkiCache(folder: none.path) }
  }

  @Test(
    "a manifest with a wrong member is rejected, and a name that leaves the folder is not followed")
  func manifests() throws {
    let hash = String(repeating: "0", count: 64)
    for text in [
      "[]", "{}", #"{"filters":[]}"#, #"{"filters":[{}]}"#,
      #"{"filters":[{"filename":"a","size":1}]}"#,
      #"{"filters":[{"filename":"a","size":1,"hash":"00"}]}"#,
      #"{"filters":[{"filename":"a","size":1,"hash":"\#(hash.dropLast())g"}]}"#,
      #"{"filters":[{"filename":"a","size":-1.5,"hash":"\#(hash)"}]}"#,
    ] {
      try folder.file("revocation/manifest.json", Array(text.utf8))
      #expect(try opened().problems.map(\.file) == ["manifest.json"], "\(text)")
    }
    for name in ["../x", "a/b", ".hidden", "", "a\\u0000b", "a b"] {
      let text = #"{"filters":[{"filename":"\#(name)","size":1,"hash":"\#(hash)"}]}"#
      try folder.file("revocation/manifest.json", Array(text.utf8))
      #expect(
        try opened().problems.map(\.problem) == [.otherFiles, .badFileName], "\(name)")
    }
  }

  @Test("an index that is cut or changed anywhere is rejected or names files", arguments: 1...2)
  func hostileIndex(width: Int) throws {
    let bytes = UpkiCacheTests.index(UpkiCacheTests.names, width: width)
    #expect(try UpkiIndex.fileNames(bytes) == UpkiCacheTests.names)
    for count in bytes.indices {
      #expect(throws: FilterError(.badIndex, in: "index.bin")) {
        try UpkiIndex.fileNames(Array(bytes[..<count]))
      }
    }
    var rejected = 0
    for index in bytes.indices {
      for change: UInt8 in [1, 0x80, 0xFF] {
        var bytes = bytes
        bytes[index] ^= change
        do throws(FilterError) {
          #expect(try !UpkiIndex.fileNames(bytes).isEmpty)
        } catch {
          rejected += 1
        }
      }
    }
    #expect(rejected > 60)
  }

  @Test("upki's configuration comes before the user's cache, and that before the system's")
  func places() {
    let environment = ["HOME": "/h", "XDG_CACHE_HOME": "/c"]
    var asked: [String] = []
    func configured(_ path: String) -> String? {
      asked.append(path)
      return path == "/etc/xdg/upki/config.toml" ? "/d" : nil
    }
    func nowhere(_ path: String) -> String? { nil }
    #expect(
      UpkiCache.places({ environment[$0] }, configured: configured)
        == ["/d", "/c/upki", "/var/cache/upki"])
    #expect(asked == ["/h/.config/upki/config.toml", "/etc/xdg/upki/config.toml"])
    #expect(UpkiCache.places(nowhere, configured: nowhere) == ["/var/cache/upki"])
    #expect(
      UpkiCache.places({ ["HOME": "/h"][$0] }, configured: nowhere)
        == ["/h/.cache/upki", "/var/cache/upki"])
  }

  @Test(
    "the folder in the configuration is a plain string before the first table",
    arguments: [
      ("cache-dir = \"/var/cache/upki\"\n\n[revocation]\nfetch-url = \"x\"\n", "/var/cache/upki"),
      ("# comment\n  cache-dir='/a b' # more\r\n", "/a b"), ("cache-dir = \"/a\\n\"", nil),
      ("[revocation]\ncache-dir = \"/a\"", nil), ("cache-dir = /a", nil), ("cache-dir = \"/a", nil),
      ("cache-dir = \"/a\" x", nil), ("cache-directory = \"/a\"", nil), ("", nil), ("=", nil),
    ])
  func configuration(text: String, folder: String?) {
    #expect(UpkiCache.cacheFolder(inConfiguration: Array(text.utf8)) == folder)
  }
}
