import Foundation
@testable import HoldfastConfigurations
import TestSupport
import Testing

/// Trust that is made of files, in a folder as Kubernetes mounts it.
@Suite("Trust of files") struct FilesTrustTests {
  private static let time = SignedCertificate.time

  /// A folder whose files are links into `..data`, which is a link to the folder of a version.
  private struct Mount {
    let folder: ScratchFolder
    var path: String { folder.path }

    init() throws {
      folder = try ScratchFolder()
      for name in ["ca.pem", "ca.crl"] {
        try FileManager.default.createSymbolicLink(
          atPath: "\(path)/\(name)", withDestinationPath: "..data/\(name)")
      }
    }

    /// Makes a version: a root, and its list.
    func make(_ version: String, _ root: [UInt8], _ list: [UInt8]) throws {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(version)", withIntermediateDirectories: true)
      try folder.file("\(version)/ca.pem", root)
      try folder.file("\(version)/ca.crl", list)
    }

    func make(_ name: String, _ key: UInt64) throws {
      try make(
        name, SignedCertificate.root(name, key).der, SignedRevocation.list(by: name, key).der)
    }

    /// Swaps the link, at once.
    func use(_ version: String) throws {
      let new = "\(path)/..new"
      try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: version)
      // SAFETY: both names live until the call has returned.
      #expect(unsafe rename(new, "\(path)/..data") == 0)
    }

    var files: TrustFiles {
      var files = TrustFiles()
      files.anchors = ["\(path)/ca.pem"]
      files.crls = ["\(path)/ca.crl"]
      files.rules = .rfc5280
      files.revocation = .required(of: .everyCertificate)
      return files
    }
  }

  private func trusts(_ trust: LiveTrust, _ issuer: String, _ key: UInt64) throws -> Bool {
    let leaf = try SignedCertificate.leaf(by: issuer, key)
    do throws(TrustError) {
      _ = try trust.value.evaluate([leaf], host: SignedCertificate.host, at: Self.time)
      return true
    } catch {
      return false
    }
  }

  @Test("files that change are in use after a look, and those that cannot be read are not")
  func reload() async throws {
    let mount = try Mount()
    try mount.make("A", 1)
    try mount.make("B", 2)
    try mount.make("bad", SignedCertificate.root("B", 2).der, [1, 2, 3])
    try mount.use("A")
    let files = try FilesTrust(mount.files, every: nil, clock: { Self.time })
    var events = files.events.makeAsyncIterator()
    #expect(try trusts(files.trust, "A", 1) && !trusts(files.trust, "B", 2))
    #expect(!files.reload())

    // Neither the new anchor nor the list counts.
    try mount.use("bad")
    #expect(!files.reload() && !files.reload())
    #expect(try trusts(files.trust, "A", 1) && !trusts(files.trust, "B", 2))
    #expect(files.status.error is ParseError && files.status.failing == Self.time)
    #expect(files.status.generation == 0)

    try mount.use("B")
    #expect(files.reload())
    #expect(try !trusts(files.trust, "A", 1) && trusts(files.trust, "B", 2))
    #expect(files.status.error == nil && files.status.failing == nil)
    #expect(files.status.generation == 1 && files.trust.generation == 1)
    // The error once, although it was found twice.
    guard case .failed? = await events.next(), case .updated(generation: 1)? = await events.next()
    else {
      Issue.record("other events")
      return
    }
  }

  @Test("files that cannot be read at the beginning are an error")
  func beginning() throws {
    let mount = try Mount()
    #expect(throws: ParseError.self) { try FilesTrust(mount.files, every: nil) }
  }

  @Test("a look on the interval finds what has changed")
  func interval() async throws {
    let mount = try Mount()
    try mount.make("A", 1)
    try mount.make("B", 2)
    try mount.use("A")
    let files = try FilesTrust(mount.files, every: .milliseconds(5))
    var events = files.events.makeAsyncIterator()
    try mount.use("B")
    guard case .updated? = await events.next() else {
      Issue.record("no update")
      return
    }
    #expect(try trusts(files.trust, "B", 2))
  }

  @Test("files that are swapped while they are read are never those of two versions")
  func swaps() async throws {
    let mount = try Mount()
    try mount.make("A", 1)
    try mount.make("B", 2)
    try mount.use("A")
    let files = try FilesTrust(mount.files, every: nil)
    let swapper = Task.detached {
      var count = 0
      while !Task.isCancelled {
        count += 1
        try mount.use(count % 2 == 0 ? "A" : "B")
        await Task.yield()
      }
      return count
    }
    var seen: Set<[String]> = []
    let start = ContinuousClock.now
    while start.duration(to: .now) < .milliseconds(200) {
      files.reload()
      // The anchor and the list.
      seen.insert(files.status.endings.map(\.name).sorted())
      await Task.yield()
    }
    swapper.cancel()
    #expect(try await swapper.value > 0)
    #expect(seen.isSubset(of: [["CN=A", "CN=A"], ["CN=B", "CN=B"]]) && !seen.isEmpty)
  }

  @Test("a link that is swapped in the middle of a look is not followed again")
  func linkOnce() throws {
    let mount = try Mount()
    try mount.make("A", 1)
    try mount.make("B", 2)
    try mount.use("A")
    settle()
    let digests = TrustFileDigests(mount.files)
    try mount.use("B")
    let contents = try mount.files.read(from: digests.reading)
    #expect(digests.isSteady && contents.manager.endings.map(\.name) == ["CN=A", "CN=A"])
    // A file that is replaced alone is noticed, and one that is gone, too.
    let other = TrustFileDigests(mount.files)
    try mount.folder.file("B/ca.crl", SignedRevocation.list(by: "A", 1).der)
    _ = try mount.files.read(from: other.reading)
    #expect(!other.isSteady)
    settle()
    let last = TrustFileDigests(mount.files)
    #expect(last.isSteady)
    try FileManager.default.removeItem(atPath: "\(mount.path)/B")
    #expect(throws: ParseError.self) { try mount.files.read(from: last.reading) }
    #expect(!last.isSteady)
  }

  /// Waits until the system gives changes another time than those before.
  private func settle() { Thread.sleep(forTimeInterval: 0.03) }

  /// Two plain files, of which one is read before each swap and the other after it, in both passes.
  private final class Swapper {
    let folder: ScratchFolder
    private(set) var count = 0

    init() throws {
      folder = try ScratchFolder()
      try swap()
    }

    /// Writes the next version: A, B, A and so on.
    func swap() throws {
      let (name, key): (String, UInt64) = count % 2 == 0 ? ("A", 1) : ("B", 2)
      count += 1
      try folder.file("ca.pem", SignedCertificate.root(name, key).pem.utf8)
      try folder.file("ca.crl", SignedRevocation.list(by: name, key).der)
    }
  }

  @Test("plain files that are replaced and put back in step with a look are never mixed")
  func swapsInStep() throws {
    let swapper = try Swapper()
    var files = TrustFiles()
    files.anchors = ["\(swapper.folder.path)/ca.pem"]
    files.crls = ["\(swapper.folder.path)/ca.crl"]
    settle()
    var isSwapping = true
    let swap = { (path: String) in
      // A is there when `ca.pem` is looked at, and B when `ca.crl` is.
      guard isSwapping, path.hasSuffix("crl") == (swapper.count % 2 == 1) else { return }
      do { try swapper.swap() } catch { Issue.record(error) }
    }
    let mixed = TrustFileDigests(files, onAccess: swap)
    let contents = try files.read(from: mixed.reading)
    #expect(Set(contents.manager.endings.map(\.name)) == ["CN=A", "CN=B"])
    #expect(swapper.count == 4 && !mixed.isSteady)

    // What has changed a moment ago may change again at the same time.
    isSwapping = false
    #expect(!TrustFileDigests(files).isSteady)
    settle()
    let whole = TrustFileDigests(files)
    _ = try files.read(from: whole.reading)
    #expect(whole.isSteady)
  }

  @Test(
    "folders that are renamed away and back in step with a look are never mixed",
    arguments: [("", ""), ("/anchors", "/lists")])
  func foldersInStep(anchors: String, lists: String) throws {
    let folder = try ScratchFolder()
    for (place, name, key) in [("trust", "A", 1), ("next", "B", 2)] as [(String, String, UInt64)] {
      for part in [anchors, lists] {
        try FileManager.default.createDirectory(
          atPath: "\(folder.path)/\(place)\(part)", withIntermediateDirectories: true)
      }
      try folder.file("\(place)\(anchors)/ca.pem", SignedCertificate.root(name, key).pem.utf8)
      try folder.file(
        "\(place)\(lists)/ca.crl", SignedRevocation.list(by: name, key).der)
    }
    settle()
    let trust = "\(folder.path)/trust"
    var files = TrustFiles()
    files.anchors = ["\(trust)\(anchors)/ca.pem"]
    files.crls = ["\(trust)\(lists)/ca.crl"]
    var isFirst = true
    let digests = TrustFileDigests(files) { path in
      guard path.hasSuffix("crl") == isFirst else { return }
      isFirst.toggle()
      do {
        for (old, new) in [("trust", "away"), ("next", "trust"), ("away", "next")] {
          try FileManager.default.moveItem(
            atPath: "\(folder.path)/\(old)", toPath: "\(folder.path)/\(new)")
        }
      } catch {
        Issue.record(error)
      }
    }
    let contents = try files.read(from: digests.reading)
    let names = Set(contents.manager.endings.map(\.name))
    #expect(names.count == 1 || !digests.isSteady)
  }

  @Test("the system's anchors are read again when their file has changed")
  func systemAnchors() throws {
    let folder = try ScratchFolder()
    let bundle = try folder.file("bundle.crt", SignedCertificate.root("A", 1).pem.utf8)
    var description = TrustFiles()
    (description.system.file, description.system.folders) = (bundle, nil)
    let files = try FilesTrust(description, every: nil)
    #expect(try trusts(files.trust, "A", 1) && !files.reload())
    try folder.file("bundle.crt", SignedCertificate.root("B", 2).pem.utf8)
    #expect(files.reload())
    #expect(try !trusts(files.trust, "A", 1) && trusts(files.trust, "B", 2))
    // As long as there is none, those that were read last go on.
    try folder.file("bundle.crt", [])
    #expect(!files.reload() && files.status.error is SystemAnchorsError)
    #expect(try trusts(files.trust, "B", 2))
  }

  @Test("the system's anchors may be in a folder, under names that are hashes")
  func systemFolder() throws {
    let folder = try ScratchFolder()
    try folder.file("5ed36f99.0", SignedCertificate.root("A", 1).pem.utf8)
    var description = TrustFiles()
    (description.system.file, description.system.folders) = (nil, folder.path)
    let files = try FilesTrust(description, every: nil)
    #expect(!files.reload())
    try folder.file("6b99d060.0", SignedCertificate.root("B", 2).pem.utf8)
    #expect(files.reload())
    #expect(try trusts(files.trust, "A", 1) && trusts(files.trust, "B", 2))
  }

  @Test("a folder's certificates and a SPIFFE bundle are anchors, and are replaced")
  func foldersAndBundles() throws {
    let folder = try ScratchFolder()
    try folder.file("a.pem", SignedCertificate.root("A", 1).pem.utf8)
    let bundle = try folder.file("bundle", SignedCertificate.root("B", 2).pem.utf8)
    var description = TrustFiles()
    description.anchors = [folder.path]
    description.bundles = [(bundle, "example.org")]
    let files = try FilesTrust(description, every: nil)
    func anchors() -> [[String]] {
      files.validator.value.anchors.anchors.map { anchor in
        [anchor.certificate?.shortName ?? ""]
          + (anchor.constraints.trustDomains ?? []).map { "\($0)" }
      }
    }
    #expect(anchors() == [["CN=A"], ["CN=B", "example.org"]])
    try folder.file("c.crt", SignedCertificate.root("C", 3).pem.utf8)
    try folder.file("notes.txt", [1, 2, 3])
    #expect(files.reload() && anchors() == [["CN=A"], ["CN=C"], ["CN=B", "example.org"]])
    try folder.file("notes.txt", [4])
    #expect(!files.reload())
    try folder.file("bundle", SignedCertificate.root("D", 4).pem.utf8)
    #expect(files.reload() && anchors() == [["CN=A"], ["CN=C"], ["CN=D", "example.org"]])
    #expect(files.validator.generation == 2 && files.trust.generation == 2)
  }

  @Test("what ends within the days of warning is told once")
  func endsSoon() async throws {
    let mount = try Mount()
    try mount.make("A", 1)
    try mount.use("A")
    let files = try FilesTrust(mount.files, every: nil, warningDays: 32, clock: { Self.time })
    var events = files.events.makeAsyncIterator()
    files.reload()
    files.reload()
    try mount.make("B", 2)
    try mount.use("B")
    files.reload()
    guard case .ends(let first)? = await events.next(), first.name == "CN=A",
      case .updated? = await events.next(), case .ends(let second)? = await events.next(),
      second.name == "CN=B", second.kind == .crl
    else {
      Issue.record("other events")
      return
    }
  }

  @Test("everything that ends is named with its end, and whether connections fail then")
  func endings() throws {
    let mount = try Mount()
    try mount.make("A", 1)
    try mount.use("A")
    let key = try Certificate(file: "\(mount.path)/ca.pem").pin
    let backup = "sha256/AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    let expiry = try #require(Timestamp("2026-03-01T00:00:00Z"))
    var files = mount.files
    let manager = try FilesTrust(files, every: nil).trust.value
    let list = try #require(Timestamp("2026-02-01T00:00:00Z"))
    let anchor = try #require(Timestamp("2027-01-01T00:00:00Z"))
    #expect(manager.endings.map(\.kind) == [.crl, .anchor])
    #expect(manager.endings.map(\.end) == [list, anchor])
    #expect(manager.endings.map(\.failsAfter) == [list, nil])
    #expect(manager.endings.map { $0.days(from: Self.time) } == [31, 365])
    #expect(manager.endings[0].days(from: list.advanced(bySeconds: 1)) == -1)

    files.revocation = .ifAvailable
    files.rules = .webPKI
    let lenient = try FilesTrust(files, every: nil).trust.value
    #expect(lenient.endings.map(\.failsAfter) == [nil, nil])

    for (action, failsAfter) in [
      (PinSet.Expiry.Action.failClosed, expiry.advanced(bySeconds: -1)), (.failOpen, nil),
    ] as [(PinSet.Expiry.Action, Timestamp?)] {
      let set = try PinSet([key, Pin(backup)], expiry: .init(at: expiry, action: action))
      let pinned = TrustManager(pins: try PinTable(["a.example": set]), anchors: AnchorSet([]))
      #expect(pinned.endings.map(\.kind) == [.pins] && pinned.endings[0].name == "a.example")
      #expect(pinned.endings[0].failsAfter == failsAfter)
    }
    let own = TrustEnding(clientCertificate: try SignedCertificate.leaf(by: "A", 1))
    #expect(own.failsAfter == anchor && own.kind == .clientCertificate)
  }
}
