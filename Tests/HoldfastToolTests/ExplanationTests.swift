import Foundation
import HoldfastConformance
import HoldfastTool
import TestSupport
import Testing

/// The twelve broken chains of `Vectors/explanations`: their explanations, word for word, and that
/// it names what `cases.txt` says it must.
@Suite("Explanations") struct ExplanationTests {
  private static let folder = CommittedVectors.path("explanations")

  private static let cases: [[String]] = {
    do {
      let text = try String(contentsOfFile: "\(folder)/cases.txt", encoding: .utf8)
      return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
        $0.split(separator: " ").map(String.init)
      }
    } catch {
      return []
    }
  }()

  private func explain(_ words: [String], _ more: String...) -> CLIRun {
    CLIRun(
      words: [
        "verify", "-v", "\(Self.folder)/\(words[0]).pem", "--anchors",
        "\(Self.folder)/\(words[0]).anchor.pem", "--at", "2026-06-01T00:00:00Z",
      ] + words.dropFirst(4) + more)
  }

  /// The chain of the demo, which is valid for www.demo.example.
  private func explainDemo(for host: String, _ more: String...) -> CLIRun {
    CLIRun(
      words: [
        "verify", "-v", CLIRun.demo("chain.pem"), "--anchors", CLIRun.demo("root.pem"),
        "--host", host, "--at", "2026-11-21",
      ] + more)
  }

  @Test("there are twelve explanations")
  func count() {
    #expect(Self.cases.count == 12)
  }

  @Test("each explanation names the right certificate, field and rule", arguments: cases)
  func names(words: [String]) throws {
    let cli = explain(words, "--json")
    #expect(cli.status == .rejected)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(cli.bytes)) as? [String: Any])
    if words[3] == "pins" {
      // Not a rule of paths: the path is valid and reported as such, but is not pinned.
      #expect(document["verdict"] as? String == "pinMismatch")
      #expect(cli.results.contains(words[7]))
      return
    }
    let rejections = try #require(document["rejections"] as? [[String: Any]])
    let broken = rejections.filter {
      $0["path"] as? [String] == rejections.first?["path"] as? [String]
    }
    #expect(broken.count == 1 && document["verdict"] as? String == "rejected")
    #expect(broken.first?["index"] as? Int == Int(words[1]))
    let field = words[2].replacingOccurrences(of: "_", with: " ")
    #expect(broken.first?["field"] as? String == (field == "-" ? nil : field))
    #expect(broken.first?["rule"] as? String == words[3])
  }

  @Test("each explanation equals its reviewed text", arguments: cases)
  func golden(words: [String]) throws {
    let path = "\(Self.folder)/\(words[0]).txt"
    let said = explain(words).results
    #expect(try GoldenFile.text(path, renewedAs: said) == said)
  }

  @Test("the article shows the tool's output")
  func article() throws {
    let cli = explainDemo(for: "www.other.example")
    let article = try String(
      contentsOfFile: "\(CommittedVectors.root)/Sources/Holdfast/Holdfast.docc/"
        + "ReadingAnExplanation.md", encoding: .utf8)
    #expect(article.contains("```\n\(cli.results)```\n"))
  }

  @Test("colors are used on request, and the text is the same without them")
  func colors() {
    let words = Self.cases[0]
    let plain = explain(words)
    let colored = explain(words, "--color", "always")
    #expect(!plain.results.contains("\u{1B}") && colored.results.contains("\u{1B}[31m"))
    #expect(
      colored.results.replacing(#/\u{1B}\[[0-9]+m/#, with: "") == plain.results)
    #expect(explain(words, "--color", "never").results == plain.results)
    #expect(explain(words, "--color", "pink").status == .usage)
  }

  @Test("the page has the verdict, the paths, the times and the pins, and fetches nothing")
  func page() throws {
    for words in Self.cases {
      let page = explain(words, "--html", "-").results
      #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
      #expect(page.contains("<svg") && page.contains("sha256/") && page.contains("✗"))
      #expect(words[3] != "pins" || page.contains("<h2>Pins</h2>"))
      // The box and the card of the certificate that is at fault are marked.
      #expect(page.contains(" wrong\"><title>") && page.contains("class=\"card wrong\""))
      #expect(!page.contains("<script") && !page.contains("src=") && !page.contains("href="))
    }
  }

  @Test("a box describes the problem in words next to its dates, without the rule's code name")
  func boxes() {
    let page = explainDemo(for: "www.other.example", "--html", "-").results
    #expect(page.contains(">2025-01-01 – 2035-01-01</text><text class=\"problem\""))
    #expect(!page.contains("hostName"))
  }

  @Test("each line of a tooltip is a separate line")
  func tooltips() {
    let chain = CLIRun.demo("chain.pem")
    let page = CLIRun(
      "verify", chain, "--anchors", CLIRun.demo("root.pem"), "--host", "www.demo.example", "--at",
      "2026-11-21", "--html", "-"
    ).results
    for text in [page, CLIRun("graph", chain).results] {
      #expect(text.contains("<title>www.demo.example\nEC P-256, "))
      #expect(!text.contains("\\u{A}"))
    }
  }

  @Test("verify writes a page beside its answer, or alone to standard output")
  func verifyPage() throws {
    let question = [
      CLIRun.demo("chain.pem"), "--anchors", CLIRun.demo("root.pem"), "--host", "www.other.example",
      "--at", "2026-11-21",
    ]
    let scratch = try ScratchFolder()
    let path = try scratch.file("page.html", [])
    let verified = CLIRun(words: ["verify"] + question + ["--html", path, "--force"])
    #expect(verified.status == .rejected)
    #expect(verified.results == CLIRun(words: ["verify"] + question).results)
    let page = try String(contentsOfFile: path, encoding: .utf8)
    #expect(page == CLIRun(words: ["verify", "-v"] + question + ["--html", "-"]).results)
    #expect(page == CLIRun(words: ["verify"] + question + ["--html", "-"]).results)
  }

  @Test("a page replaces a file only if it is told to")
  func replacing() throws {
    let scratch = try ScratchFolder()
    let path = try scratch.file("page.html", [1])
    let rejected = explain(Self.cases[0], "--html", path)
    #expect(rejected.status == .unreadable && rejected.messages.contains("--force replaces it"))
    #expect(explain(Self.cases[0], "--html", path, "--force").status == .rejected)
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
  }

  @Test("a page of a valid path marks it")
  func trusted() {
    let page = explainDemo(for: "www.demo.example", "--html", "-").results
    #expect(page.contains("class=\"accepted\"") && page.contains("<h1 class=\"good\">"))
    #expect(!page.contains("class=\"rejected\""))
  }

  /// `hostile.pem` has names of markup, quotes, control and bidirectional characters.
  @Test("names that contain markup stay text in the page, in SVG and in DOT")
  func hostile() throws {
    let chain = "\(Self.folder)/hostile.pem"
    let page = CLIRun(
      "verify", chain, "--anchors", chain, "--purpose", "any", "--at", "2026-06-01", "--html", "-"
    ).results
    let svg = CLIRun("graph", chain).results
    let dot = CLIRun("graph", chain, "--format", "dot").results
    for text in [page, svg] {
      #expect(!text.contains("<script") && !text.contains("<img") && !text.contains("onload=\""))
      #expect(text.contains("&lt;script&gt;"))
    }
    for text in [page, svg, dot] {
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
    }
    // Each quote inside of a label is escaped: without the escaped ones, labels hold none.
    for line in dot.split(separator: "\n") where line.contains("label=") {
      let rest = line.replacing("\\\\", with: "").replacing("\\\"", with: "")
      #expect(rest.count { $0 == "\"" } == 2)
    }
  }

  @Test("a picture of a bundle has a box for each certificate and a line for each signature")
  func graph() throws {
    let words = [
      "graph", CLIRun.demo("chain.pem"), CLIRun.demo("root.pem"), CLIRun.demo("proxy-chain.pem"),
      CLIRun.demo("proxy-root.pem"),
    ]
    let svg = CLIRun(words: words).results
    #expect(svg.components(separatedBy: "<rect class=\"box\"").count - 1 == 5)
    #expect(svg.components(separatedBy: "class=\"linked\"").count - 1 == 3)
    let dot = CLIRun(words: words + ["--format", "dot"]).results
    #expect(dot.contains("n2 -> n1;") && dot.contains("n1 -> n0;") && dot.contains("n4 -> n3;"))
    let parser = XMLRun(svg)
    #expect(parser.isWellFormed)
    // Who has signed without being a CA is shown, too.
    let wrong = CLIRun(
      "graph", CommittedVectors.path("flaws/path-authority-no-webPKI.case"), "--format", "dot"
    ).results
    #expect(wrong.contains("n1 -> n0 [") && wrong.contains("not a CA"), "\(wrong)")
  }
}

/// Whether a text is XML as far as tags go: each is closed, in order.
private struct XMLRun {
  let isWellFormed: Bool

  init(_ text: String) {
    var open: [Substring] = []
    for match in text.matches(of: #/<(\/?)([A-Za-z]+)[^>]*?(\/?)>/#) {
      if !match.output.3.isEmpty { continue }
      if match.output.1.isEmpty {
        open.append(match.output.2)
      } else if open.popLast() != match.output.2 {
        isWellFormed = false
        return
      }
    }
    isWellFormed = open.isEmpty
  }
}
