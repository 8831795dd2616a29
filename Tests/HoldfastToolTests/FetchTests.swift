import Holdfast
import HoldfastOnline
@testable import HoldfastTool
import Testing

/// `--fetch`, as far as it goes without a server; `Scripts/wire` runs it with some.
@Suite("Fetching on the command line") struct FetchTests {
  @Test("the line on the terminal names one host and how many requests more")
  func progress() {
    #expect(FetchProgress.text([]) == "")
    #expect(FetchProgress.text([(.issuers, "ca.example")]) == "asking ca.example for issuers")
    #expect(
      FetchProgress.text([(.ocsp, "o.example"), (.crl, "c.example"), (.crl, "c.example")])
        == "asking o.example for an OCSP response, and 2 more")
    let long = String(repeating: "a.", count: 120) + "example"
    #expect(FetchProgress.text([(.crl, long), (.crl, long)]).utf8.count < 80)
  }

  @Test("a piece is cut into its lines, of which each keeps its number")
  func lines() {
    let piece = BatchPiece(
      firstLine: 7, text: Array("{}\n\nlast".utf8), count: 2, isOverlong: false)
    #expect(piece.lines.map { String(decoding: $0.text, as: UTF8.self) } == ["{}\n", "\n", "last"])
    #expect(piece.lines.map(\.firstLine) == [7, 8, 9])
    let overlong = BatchPiece(firstLine: 3, text: [], count: 1, isOverlong: true)
    #expect(overlong.lines.map(\.isOverlong) == [true])
  }

  @Test(
    "--fetch has its forms, and what belongs to it needs it",
    arguments: [
      (["verify", "FILE", "--host", "a", "--fetch", "all,crl"], "--fetch all,crl: expected"),
      (["verify", "FILE", "--host", "a", "--cache", "x"], "--fetch WHAT"),
      (["batch", "FILE", "--fetch-rate", "5"], "--fetch WHAT"),
      (["batch", "FILE", "--fetch", "crl", "--fetch-rate", "0"], "a number from 1 to 1000"),
      (["verify", "FILE", "--host", "a", "--fetch-rate", "5"], "--fetch-rate"),
    ])
  func wrong(words: [String], message: String) {
    let anchors = ["--anchors", CLIRun.demo("root.pem")]
    let cli = CLIRun(words: words.map { $0 == "FILE" ? CLIRun.demo("chain.pem") : $0 } + anchors)
    #expect(cli.status == .usage, "\(cli.messages)")
    #expect(cli.messages.contains(message), "\(cli.messages)")
  }
}
