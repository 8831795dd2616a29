import Foundation

/// A file of the repository, its lines taken apart into code, comments and literals.
struct SourceFile {
  /// The path from the root of the package.
  let path: String
  let lines: [Line]

  struct Line {
    /// The number of the line, from 1.
    let number: Int
    /// The line as it stands.
    let text: String
    /// The code alone: comments and the content of string literals are blank.
    let code: String
    /// The text of comments, with their slashes.
    let comment: String
    /// The content of string literals.
    let literal: String
  }

  /// Takes a file apart. What is not Swift or C has no code, all of it is comment.
  init(path: String, text: String) {
    self.path = path
    var isCode = false
    for ending in [".swift", ".h", ".c"] where path.hasSuffix(ending) { isCode = true }
    if isCode {
      var scanner = SourceScanner(Array(text.utf8))
      lines = scanner.lines()
    } else {
      lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
        Line(number: $0 + 1, text: String($1), code: "", comment: String($1), literal: "")
      }
    }
  }

  /// The target a source file belongs to: the folder below `Sources`.
  var target: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  var isSwift: Bool { path.hasSuffix(".swift") }
}

/// The files of the repository that the rules read.
enum SourceTree {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let files: [SourceFile] = {
    let folders = ["Sources", "Tests", "Benchmarks", "Examples", "Scripts", ".ci"]
    let loose = ["Package.swift", "README.md", "STYLE.md", "SECURITY.md", "Vectors/README.md"]
    var files: [SourceFile] = []
    for name in loose {
      if let text = text(of: name) { files.append(SourceFile(path: name, text: text)) }
    }
    for folder in folders {
      let below = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
      for case let name as String in below ?? .init() {
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        let isScript = folder == "Scripts" || folder == ".ci"
        guard isScript || ["swift", "h", "c", "md", "py"].contains(ending) else { continue }
        guard !name.split(separator: "/").contains(".build") else { continue }
        let path = "\(folder)/\(name)"
        if let text = text(of: path) { files.append(SourceFile(path: path, text: text)) }
      }
    }
    return files.sorted { $0.path < $1.path }
  }()

  /// The content of a file; nil if there is none.
  static func text(of path: String) -> String? {
    try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}

extension SourceFile {
  /// A part of a file.
  init(path: String, lines: [Line]) {
    self.path = path
    self.lines = lines
  }
}
