import Foundation
import HoldfastConformance
import HoldfastTool
import TestSupport

/// Runs of the tool inside of the test.
struct CLIRun {
  let status: ExitStatus
  let results: String
  let messages: String
  let bytes: [UInt8]

  init(_ words: String...) {
    self.init(words: words)
  }

  init(words: [String]) {
    let console = Console(captured: true)
    status = Command.run(words, console)
    results = console.resultText
    messages = console.messageText
    bytes = console.resultBytes
  }

  /// The commands that help lists.
  static let commands = CLIRun("help").results.split(separator: "\n").compactMap { line in
    line.hasPrefix("  holdfast ") ? String(line.split(separator: " ")[1]) : nil
  }

  /// A page without what keeps its times on one line.
  static func unmarked(_ page: String) -> String {
    page.replacing(/<span class="time">(.*?)<\/span>/) { "\($0.1)" }
  }

  /// A file of the demo.
  static func demo(_ name: String) -> String {
    CommittedVectors.path("demo/\(name)")
  }

  /// The bytes of a file of the demo.
  static func demoBytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: demo(name))))
  }
}
