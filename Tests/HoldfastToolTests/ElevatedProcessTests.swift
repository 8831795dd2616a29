import Foundation
import HoldfastTool
import TestSupport
import Testing

/// The tool with more rights than its caller, who must not choose what it trusts.
@Suite("A program with more privileges than its caller") struct ElevatedProcessTests {
  @Test("the caller's SSL_CERT_FILE is used unless the program is set-user-ID")
  func environment() throws {
    let scratch = try ScratchFolder()
    guard getuid() == 0, let setpriv = ToolProcess.path(of: "setpriv"),
      let identity = ToolProcess.path(of: "id")
    else {
      print("ABSENT: root and setpriv, a set-user-ID program is not tried")
      return
    }
    func copy(_ program: String, _ name: String, mode: Int) throws -> String {
      let path = "\(scratch.path)/\(name)"
      try FileManager.default.copyItem(atPath: program, toPath: path)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      return path
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: scratch.path)
    let isHonored = try ToolProcess.shell(
      #""$1" --reuid 65534 --clear-groups "$2" -u"#, setpriv,
      copy(identity, "id", mode: 0o4755)
    ).output
    guard isHonored == "0\n" else {
      print("ABSENT: \(scratch.path) is mounted nosuid, a set-user-ID program is not tried")
      return
    }
    let chain = try scratch.file("chain.pem", CLIRun.demoBytes("chain.pem"))
    let root = try scratch.file("root.pem", CLIRun.demoBytes("root.pem"))
    func verdict(mode: Int) throws -> String {
      try ToolProcess.shell(
        #"SSL_CERT_FILE="$3" "$1" --reuid 65534 --clear-groups "$2" verify "$4" "#
          + #"--host www.demo.example --at 2026-11-21 2>&1"#,
        setpriv, copy(ToolProcess.path, "tool-\(mode)", mode: mode), root, chain
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
