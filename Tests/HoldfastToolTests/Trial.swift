import Foundation
import HoldfastConformance
import HoldfastTool

/// Runs of the tool inside of the test.
struct Trial {
  let status: ExitStatus
  let results: String
  let messages: String
  let octets: [UInt8]

  init(_ words: String...) {
    self.init(words: words)
  }

  init(words: [String]) {
    var console = Console(captured: true)
    status = Command.run(words, &console)
    results = console.resultText
    messages = console.messageText
    octets = console.resultOctets
  }

  /// A file of the demo.
  static func demo(_ name: String) -> String {
    "\(VectorSuites.packageRoot ?? ".")/Vectors/demo/\(name)"
  }

  /// The bytes of a file of the demo.
  static func demoOctets(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: demo(name))))
  }
}

/// A directory for one test, gone after it.
final class Scratch {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("holdfast-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch {}
  }

  /// A file with these bytes, by its path.
  func file(_ name: String, _ octets: some Sequence<UInt8>) throws -> String {
    let file = "\(path)/\(name)"
    try Data(octets).write(to: URL(fileURLWithPath: file))
    return file
  }
}
