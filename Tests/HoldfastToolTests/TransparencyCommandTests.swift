import HoldfastDER
import HoldfastTool
import TestSupport
import Testing

/// `batch` with a log list; the other commands have golden files.
@Suite("Transparency in the tool") struct TransparencyCommandTests {
  private let scratch: ScratchFolder
  private let inputs = "\(CommittedVectors.root)/Tests/HoldfastToolTests/Golden/inputs"

  init() throws { scratch = try ScratchFolder() }

  /// What `batch` says of the chain of a file.
  private func answer(_ file: String, _ words: [String], _ more: String = "") throws -> CLIRun {
    let text = try Platform.readFile("\(inputs)/\(file)", limit: 1 << 20)
    let chain = PEMText(text).blocks.map { "\"\(Base64.text(of: $0.bytes))\"" }
    let line = "{\"chain\":[\(chain.joined(separator: ","))],\"host\":\"www.example.com\"\(more)}"
    let requests = try scratch.file("requests", Array(line.utf8))
    return CLIRun(
      words: [
        "batch", requests, "--anchors", "\(inputs)/logged-root.pem", "--rules", "rfc5280", "--at",
        "2026-06-10",
      ] + words)
  }

  @Test("batch says what timestamps prove, and rejects only what it is asked to")
  func batch() throws {
    let list = ["--log-list", CommittedVectors.path("transparency/logs.json")]
    let rows: [(String, [String], String, String)] = [
      ("logged.pem", [], "trusted", "\"verdict\":\"trusted\""),
      ("logged.pem", list + ["--ct", "require"], "trusted", "\"result\":\"complies\""),
      ("not-logged.pem", list, "trusted", "\"result\":\"violates\""),
      (
        "not-logged.pem", list + ["--ct", "require"], "rejected",
        "\"rule\":\"insufficientTransparency\""
      ),
    ]
    for (file, words, status, text) in rows {
      let cli = try answer(file, words)
      #expect(
        "\(cli.status)" == status && cli.results.contains(text), "\(file) \(words): \(cli.results)")
    }
    #expect(try answer("logged.pem", ["--ct", "require"]).messages.contains("--log-list"))
  }

  @Test("what a configuration requires, batch requires of lines with pins of their own, too")
  func ownPins() throws {
    let pin = try #require(
      CLIRun("pin", "\(inputs)/not-logged.pem").results.split(separator: " ").first)
    let list = ["--log-list", CommittedVectors.path("transparency/logs.json")]
    for (enabled, verdict) in [("true", "rejected"), ("false", "trusted")] {
      let pins = try scratch.file(
        "pins.xml",
        """
        <network-security-config>
        <base-config><certificateTransparency enabled="\(enabled)"/></base-config>
        <domain-config><domain>pinned.example</domain><pin-set>
        <pin digest="SHA-256">\(pin.dropFirst(7))</pin></pin-set></domain-config>
        </network-security-config>
        """.utf8)
      for more in ["", ",\"pins\":[\"\(pin)\"]"] {
        let cli = try answer("not-logged.pem", list + ["--pins", pins], more)
        #expect(cli.results.contains("\"verdict\":\"\(verdict)\""), "\(more): \(cli.results)")
      }
    }
  }

  @Test("a list that is too old to tell rejects with require, and not with require-soft-fail")
  func unusableList() throws {
    let text = try CommittedVectors.text("transparency/logs.json")
    let rows: [(String, String, String)] = [
      ("2026-01-01T00:00:00Z", "require", "rejected"),
      ("2026-01-01T00:00:00Z", "require-soft-fail", "trusted"),
      ("2026-01-01T00:00:00Z", "report", "trusted"),
      ("2026-07-01T00:00:00Z", "require", "rejected"),
      ("2026-07-01T00:00:00Z", "require-soft-fail", "trusted"),
      ("2026-06-01T00:00:00Z", "require", "trusted"),
    ]
    for (time, demand, status) in rows {
      let list = try scratch.file(
        "\(demand)-\(time.prefix(10))",
        Array(text.replacing("2026-06-01T00:00:00Z\"", with: "\(time)\"").utf8))
      let cli = try answer("logged.pem", ["--log-list", list, "--ct", demand])
      #expect("\(cli.status)" == status, "\(time) \(demand): \(cli.results)")
      let isUsable = time.hasPrefix("2026-06")
      #expect(cli.results.contains("\"result\":\"notEvaluated\"") != isUsable)
      // Text, JSON and status of `verify` are one word, too.
      let words = [
        "verify", "\(inputs)/logged.pem", "--anchors", "\(inputs)/logged-root.pem", "--rules",
        "rfc5280", "--at", "2026-06-10", "--host", "www.example.com", "--log-list", list, "--ct",
        demand,
      ]
      let text = CLIRun(words: words)
      #expect("\(text.status)" == status, "\(time) \(demand): \(text.results)")
      #expect(text.results.hasPrefix(status == "trusted" ? "✓ trusted" : "✗ rejected"))
      // It is said once, and what helps.
      let said = text.results.split(separator: "Transparency was not evaluated")
      #expect(said.count == (isUsable ? 1 : 2), "\(text.results)")
      let hasHint = text.results.contains("require-soft-fail trusts")
      #expect(hasHint == (status == "rejected"), "\(text.results)")
      let document = CLIRun(words: words + ["--json"])
      #expect(document.status == text.status)
      #expect(document.results.contains("\"verdict\":\"\(status)\""), "\(document.results)")
    }
  }

  @Test("inspect says that the issuer is lacking, and does not call timestamps bad without it")
  func withoutIssuer() throws {
    let text = try Platform.readFile("\(inputs)/logged.pem", limit: 1 << 20)
    let block = try #require(PEMText(text).blocks.first)
    let leaf = try scratch.file(
      "leaf.pem", Array(PEMBlock.text(label: block.label, bytes: block.bytes).utf8))
    let words = [
      "inspect", leaf, "--at", "2026-06-10", "--log-list",
      CommittedVectors.path("transparency/logs.json"),
    ]
    let alone = CLIRun(words: words)
    #expect(alone.status == .rejected)
    #expect(alone.results.contains("- Transparency was not evaluated: logs sign the issuer's key"))
    #expect(alone.results.contains("not verified: the issuer's key is not known"))
    #expect(!alone.results.contains("bad signature"))
    #expect(CLIRun(words: words + ["--json"]).results.contains("\"result\": \"notEvaluated\""))
    let both = CLIRun(words: words + ["\(inputs)/logged.pem"])
    #expect(!both.results.contains("not evaluated"), "\(both.results)")
  }
}
