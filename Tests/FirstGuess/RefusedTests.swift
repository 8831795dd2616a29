import Foundation
import TestSupport
import Testing

/// The guesses in `Refused`, which the compiler reads against the modules of this build.
@Suite("First guesses that are refused") struct RefusedTests {
  private static let folder = "\(CommittedVectors.root)/Tests/FirstGuess"
  #if Curl
    private static let files = ["Refused.swift", "RefusedWithCurl.swift"]
    private static let flags = ["-DCurl", "-DOpenSSL"]
  #else
    private static let files = ["Refused.swift"]
    private static let flags: [String] = []
  #endif

  /// The compiler of the command path.
  private static let compiler: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/swiftc" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }()

  /// The modules, which stand beside the tests that were built with them.
  private static let build = URL(fileURLWithPath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent().path

  /// A line of a file, from 1.
  private struct Place: Hashable {
    let file: String
    let line: Int
  }

  @Test(
    "each is refused with the line to write instead, and nothing else is wrong with them",
    .enabled(
      if: compiler != nil && FileManager.default.fileExists(atPath: "\(build)/Modules"),
      "ABSENT: swiftc, refused guesses are not compiled"))
  func refusals() throws {
    var expected: [Place: String] = [:]
    for file in Self.files {
      for (index, line) in try Self.lines(of: "Refused/\(file)").enumerated() {
        guard let mark = line.range(of: "// refused: ") else { continue }
        expected[Place(file: file, line: index + 2)] = String(line[mark.upperBound...])
      }
    }
    #expect(expected.count == (Self.files.count == 2 ? 23 : 14))
    var found: Set<Place> = []
    for (place, message) in try Self.errors() {
      let words = expected[place]
      #expect(
        words.map { message.contains($0) } == true,
        "\(place.file):\(place.line): \(message), and not \(words ?? "an error")")
      found.insert(place)
    }
    let silent = Set(expected.keys).subtracting(found).map { "\($0.file):\($0.line)" }
    #expect(silent.isEmpty, "they compile")
  }

  @Test("a hundred compile, each with a number of its own")
  func numbers() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    let numbers = try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
      try Self.lines(of: file).compactMap { line in
        line.firstMatch(of: #/^ *//+ (\d+)\. /#).flatMap { Int($0.1) }
      }
    }
    #expect(numbers.sorted() == Array(1...108))
  }

  private static func lines(of file: String) throws -> [Substring] {
    try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Returns the errors of all files, each with its place.
  private static func errors() throws -> [(Place, String)] {
    let sources = "\(CommittedVectors.root)/Sources"
    let maps = try FileManager.default.contentsOfDirectory(atPath: sources)
      .map { "\(sources)/\($0)/module.modulemap" }
      .filter { FileManager.default.fileExists(atPath: $0) }
    let process = Process()
    process.executableURL = compiler.map { URL(fileURLWithPath: $0) }
    // Without `-wmo` the driver ends after the first file with an error.
    process.arguments =
      ["-typecheck", "-wmo", "-swift-version", "6", "-parse-as-library"] + flags
      + ["-diagnostic-style", "llvm", "-module-cache-path", "\(build)/ModuleCache"]
      + ["-I", "\(build)/Modules"]
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
      + files.map { "\(folder)/Refused/\($0)" }
    let output = ChildProcess.pipe()
    process.standardError = output
    try ChildProcess.begin(process)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    // The driver repeats an error in which several files take part.
    let pattern = #/(?:^|\n)[^\n]*?(\w+\.swift):(\d+):\d+: error: ([^\n]*)/#
    let errors = text.matches(of: pattern).compactMap { match in
      Int(match.2).map { (Place(file: String(match.1), line: $0), String(match.3)) }
    }
    #expect(!errors.isEmpty, "\(text)")
    return errors
  }
}
