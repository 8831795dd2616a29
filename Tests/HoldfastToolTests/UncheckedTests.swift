import Foundation
import HoldfastCertificates
import HoldfastDER
import HoldfastTool
import TestSupport
import Testing

/// What an answer must not pass over in silence: a certificate that demands a staple, where nothing
/// is known of a handshake. RFC 7633.
@Suite("Unchecked items on the command line") struct UncheckedTests {
  private static let item =
    "the certificate demands a stapled OCSP response, and none was required"

  private let scratch: ScratchFolder
  private let root: Certificate

  init() throws {
    scratch = try ScratchFolder()
    root = try SignedCertificate.root()
    _ = try scratch.file("root.pem", PEMBlock.text(label: "CERTIFICATE", bytes: root.der).utf8)
  }

  private func leaf(demandsStaple: Bool) throws -> Certificate {
    try SignedCertificate.leaf(by: "Root", 1) {
      let feature = Made.der(0x30, Made.der(0x02, [5]))
      if demandsStaple { $0.extensions.append(Made.extension("1.3.6.1.5.5.7.1.24", feature)) }
    }
  }

  @Test("verify and batch list the staple that a leaf demands", arguments: [true, false])
  func mustStaple(demandsStaple: Bool) throws {
    let leaf = try leaf(demandsStaple: demandsStaple)
    let path = try scratch.file(
      "leaf.pem", PEMBlock.text(label: "CERTIFICATE", bytes: leaf.der).utf8)
    let anchors = ["--anchors", "\(scratch.path)/root.pem"]
    let question = [path, "--host", SignedCertificate.host, "--at", "2026-01-01"] + anchors
    for command in [["verify"], ["verify", "-v"]] {
      let text = CLIRun(words: command + question)
      #expect(text.status == .trusted)
      #expect(text.results.contains("unchecked: \(Self.item)") == demandsStaple, "\(command)")
      let json = CLIRun(words: command + question + ["--json"])
      #expect(json.results.contains("\"unchecked\":[\"\(Self.item)\"]") == demandsStaple)
    }
    let line =
      "{\"chain\":[\"\(Data(leaf.der).base64EncodedString())\"],"
      + "\"host\":\"\(SignedCertificate.host)\",\"time\":\"2026-01-01T00:00:00Z\"}\n"
    let batch = CLIRun(
      words: ["batch", try scratch.file("line.ndjson", line.utf8)] + anchors)
    #expect(batch.results.contains("\"verdict\":\"trusted\""))
    #expect(batch.results.contains("\"unchecked\":[\"\(Self.item)\"]") == demandsStaple)
  }
}
