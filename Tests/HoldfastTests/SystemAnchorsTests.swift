import Foundation
import HoldfastCertificates
import HoldfastConformance
import TestSupport
import Testing

@testable import Holdfast

/// Where the anchors of the system are looked for, in a folder that the test makes.
@Suite("System anchors") final class SystemAnchorsTests {
  private let folder =
    FileManager.default.temporaryDirectory.path + "/holdfast-\(UUID().uuidString)"
  private let roots: [Certificate]

  init() throws {
    roots = try (1...4).map { try SignedCertificate.root("Root \($0)", UInt64($0)) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: folder) } catch {}
  }

  private func write(_ name: String, _ certificates: [Certificate], _ more: String = "") throws
    -> String
  {
    let path = "\(folder)/\(name)"
    let location = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: location.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data((certificates.map(\.pem).joined() + more).utf8).write(to: location)
    return path
  }

  private func found(
    file: String? = nil, folders: String? = nil, updated: String? = nil, _ files: [String] = [],
    _ others: [String] = []
  ) throws -> (certificates: [Certificate], report: SystemAnchorsReport) {
    let (anchors, report) = try SystemAnchorPlaces(
      file: file, folders: folders, updatedFolder: updated ?? "\(folder)/absent",
      systemFiles: files, systemFolders: others
    ).read()
    return (anchors.anchors.compactMap(\.certificate), report)
  }

  @Test("the first file with a certificate is used, and the files tried before are reported")
  func order() throws {
    let empty = try write("empty.pem", [])
    let first = try write("first.pem", [roots[0], roots[1]])
    let second = try write("second.pem", [roots[2]])
    let (certificates, report) = try found(["\(folder)/none.pem", empty, first, second], [folder])
    #expect(certificates == [roots[0], roots[1]])
    #expect(report.files.map(\.path) == ["\(folder)/none.pem", empty, first])
    #expect(report.files.map(\.loaded) == [0, 0, 2])
    #expect(report.files[0].problem?.contains("No such file") == true)
    #expect(report.loaded == 2)
  }

  @Test("a bad block is skipped and named, and does not affect the others")
  func skipped() throws {
    let bad = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"
    let file = try write("bundle.pem", [roots[0]], bad + roots[1].pem)
    let (certificates, report) = try found([file])
    #expect(certificates == [roots[0], roots[1]])
    #expect(report.files[0].skipped.compactMap(\.block?.block) == [2])
  }

  @Test("without a file the first folder with certificates is used, by file name extension")
  func folders() throws {
    _ = try write("hashed/5ed36f99.0", [roots[1]])
    _ = try write("hashed/root.pem", [roots[0]])
    _ = try write("hashed/README", [roots[2]])
    _ = try write("hashed/5ed36f9.0", [roots[3]])
    _ = try write("other/root.pem", [roots[2]])
    let (certificates, report) = try found([], ["\(folder)/hashed", "\(folder)/other"])
    #expect(Set(certificates) == Set(roots[0..<2]))
    #expect(
      report.files.map(\.path) == ["5ed36f99.0", "root.pem"].map { "\(folder)/hashed/\($0)" })
  }

  @Test("Android's updatable folder comes first and alone; without it the old one counts")
  func android() throws {
    let file = try write("bundle.pem", [roots[3]])
    _ = try write("old/5ed36f99.0", [roots[0]])
    _ = try write("old/6b99d060.0", [roots[1]])
    _ = try write("new/6b99d060.0", [roots[1]])
    let (updated, old) = ("\(folder)/new", "\(folder)/old")
    // The system has removed the first root.
    let (certificates, report) = try found(updated: updated, [file], [old])
    #expect(certificates == [roots[1]])
    #expect(report.files.map(\.path) == ["\(updated)/6b99d060.0"])
    #expect(Set(try found(updated: "\(folder)/none", [], [old]).certificates) == Set(roots[0...1]))
    #expect(try found(file: file, updated: updated, [], [old]).certificates == [roots[3]])
    // What cannot be read does not bring removed roots back.
    let bad = try write("bad/6b99d060.0", [], "?")
    let noFolder = try write("not-a-folder", [])
    let rows = [("\(folder)/bad", bad, "no certificate"), (noFolder, noFolder, "cannot be read")]
    for (place, path, problem) in rows {
      let error = #expect(throws: SystemAnchorsError.self) {
        try found(updated: place, [file], [old])
      }
      #expect(error?.report.files.map(\.path) == [path])
      #expect(error?.description.contains(problem) == true)
    }
    #expect(SystemAnchorPlaces().updatedFolder == "/apex/com.android.conscrypt/cacerts")
    #expect(SystemAnchorPlaces().systemFolders.last == "/system/etc/security/cacerts")
  }

  @Test("SSL_CERT_FILE and SSL_CERT_DIR replace the default places")
  func environment() throws {
    let system = try write("system.pem", [roots[3]])
    let own = try write("own.pem", [roots[0]])
    _ = try write("a/one.pem", [roots[1]])
    _ = try write("b/two.pem", [roots[2]])
    #expect(try found(file: own, [system]).certificates == [roots[0]])
    let all = try found(file: own, folders: "\(folder)/a:\(folder)/b", [system])
    #expect(all.certificates == Array(roots[0..<3]))
    let error = #expect(throws: SystemAnchorsError.self) {
      try found(file: "\(folder)/none.pem", folders: "\(folder)/none", [system])
    }
    #expect(error?.report.files.count == 2)
    #expect(error?.description.contains("\(folder)/none: no such folder") == true)
  }

  @Test("finding no anchors is an error that names the places, not an empty set")
  func nothing() throws {
    let empty = try write("empty.pem", [])
    let error = #expect(throws: SystemAnchorsError.self) { try found([empty], ["\(folder)/none"]) }
    #expect(error?.report.files.map(\.path) == [empty, "\(folder)/none"])
    #expect(error?.report.loaded == 0)
  }
}
