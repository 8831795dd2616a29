import Foundation
import Holdfast
import TestSupport
import Testing

@testable import HoldfastTool

/// Folders in place of files, and what stands in an unusual order.
@Suite("Folders and orders") struct FolderTests {
  /// A folder with the demo's chain and its root.
  private func folder() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try folder.file("b-chain.pem", try CLIRun.demoBytes("chain.pem"))
    try folder.file("a-root.pem", try CLIRun.demoBytes("root.pem"))
    try folder.file(".hidden", [7])
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/below", withIntermediateDirectories: true)
    try folder.file("below/senseless", [7])
    return folder
  }

  @Test(
    "inspect, pin and lint read the files of a folder as if each were named",
    arguments: ["inspect", "pin", "lint"])
  func folders(command: String) throws {
    let folder = try folder()
    let files = ["a-root.pem", "b-chain.pem"].map { "\(folder.path)/\($0)" }
    let (whole, named) = (
      CLIRun(command, folder.path), CLIRun(words: [command] + files)
    )
    #expect(whole.status == named.status && whole.results == named.results)
    #expect(!whole.results.isEmpty || command == "lint")
    let empty = try ScratchFolder()
    // Beside another file, it is an error all the same.
    for files in [[empty.path], [empty.path, "\(folder.path)/b-chain.pem"]] {
      let bare = CLIRun(words: [command] + files)
      #expect(bare.status == .unreadable)
      #expect(bare.messages.contains("\(empty.path): no file in this folder\n"))
    }
  }

  @Test("roots reads a folder of anchors")
  func roots() throws {
    let folder = try folder()
    let cli = CLIRun("roots", folder.path)
    #expect(cli.results.contains("Demo Root X1"), "\(cli.messages)")
  }

  @Test("batch takes a file of certificates for a chain, and the lines of others as before")
  func batch() throws {
    let folder = try ScratchFolder()
    try folder.file("chain.pem", try CLIRun.demoBytes("chain.pem"))
    let chain = try Certificate.chain(file: CLIRun.demo("chain.pem"))
    try folder.file("leaf.der", chain[0].der)
    let cli = CLIRun(
      "batch", folder.path, "--anchors", CLIRun.demo("root.pem"), "--at", "2026-11-21")
    let lines = cli.results.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains("\"verdict\":\"trusted\""), "\(lines[0])")
    #expect(lines[1].contains("\"code\":\"issuer_not_found\""), "\(lines[1])")
  }

  @Test("lint judges by the rules of a day: what was short enough is too long in 2029")
  func asOf() throws {
    let path = CLIRun.demo("chain.pem")
    let late = CLIRun("lint", "--as-of", "2029-03-15", path)
    #expect(late.results.contains("leaf-at-most-47-days"), "\(late.results)")
    #expect(!CLIRun("lint", "--as-of", "2014-01-01", path).results.contains("leaf-at-most-"))
  }

  @Test("a trusted chain in another order than its path gets a note, and one in order does not")
  func order() throws {
    let folder = try ScratchFolder()
    let chain = try Certificate.chain(file: CLIRun.demo("chain.pem"))
    let root = try Certificate(file: CLIRun.demo("root.pem"))
    func hints(_ certificates: [Certificate]) throws -> String {
      let path = try folder.file(
        "\(UUID().uuidString).pem", Array(certificates.map(\.pem).joined().utf8))
      let cli = CLIRun(
        "verify", path, "--host", "www.demo.example", "--anchors", CLIRun.demo("root.pem"), "--at",
        "2026-11-21")
      #expect(cli.status == .trusted)
      return cli.results
    }
    #expect(try !hints(chain).contains("unusual"))
    #expect(try !hints(chain + [root]).contains("unusual"))
    let mixed = try hints([chain[0], root] + chain.dropFirst())
    #expect(
      mixed.contains("hint: the order of the chain is unusual: ") && mixed.contains("RFC 8446"),
      "\(mixed)")
  }
}
