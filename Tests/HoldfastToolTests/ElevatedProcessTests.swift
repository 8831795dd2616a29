import Foundation
import HoldfastTool
import TestSupport
import Testing

/// The tool with more rights than its caller, who must not choose what it trusts.
@Suite("A program with more privileges than its caller") struct ElevatedProcessTests {
  /// Copies a program into a folder that everybody may read.
  private static func copy(
    _ program: String, to scratch: ScratchFolder, _ name: String, mode: Int
  ) throws -> String {
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.path)
    let path = "\(scratch.path)/\(name)"
    try manager.copyItem(atPath: program, toPath: path)
    try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  /// Whether a set-user-ID program can be tried here: by root, on a file system that honors it.
  private static let isPossible: Bool = {
    guard getuid() == 0, let setpriv = ToolProcess.path(of: "setpriv"),
      let identity = ToolProcess.path(of: "id")
    else { return false }
    do {
      let scratch = try ScratchFolder()
      let run = try ToolProcess.shell(
        #""$1" --reuid 65534 --clear-groups "$2" -u"#, setpriv,
        copy(identity, to: scratch, "id", mode: 0o4755))
      return run.output == "0\n"
    } catch {
      return false
    }
  }()

  @Test(
    "the caller's SSL_CERT_FILE is used unless the program is set-user-ID",
    .enabled(
      if: isPossible, "ABSENT: root, setpriv or a file system for it: no set-user-ID program"))
  func environment() throws {
    let scratch = try ScratchFolder()
    let setpriv = try #require(ToolProcess.path(of: "setpriv"))
    let chain = try scratch.file("chain.pem", CLIRun.demoBytes("chain.pem"))
    let root = try scratch.file("root.pem", CLIRun.demoBytes("root.pem"))
    func verdict(mode: Int) throws -> String {
      try ToolProcess.shell(
        #"SSL_CERT_FILE="$3" "$1" --reuid 65534 --clear-groups "$2" verify "$4" "#
          + #"--host www.demo.example --at 2026-11-21 2>&1"#,
        setpriv, Self.copy(ToolProcess.path, to: scratch, "tool-\(mode)", mode: mode), root, chain
      ).output
    }
    #expect(try verdict(mode: 0o755).hasPrefix("✓ trusted: "))
    // The anchors of the system, where there are some, do not have the demo's root.
    let elevated = try verdict(mode: 0o4755)
    #expect(
      elevated.hasPrefix("✗ rejected: ") || elevated.hasPrefix("holdfast: no anchors found"),
      "\(elevated)")
  }
}
