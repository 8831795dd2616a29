import Foundation

/// The files of the repository that the tests of its documents read.
enum SourceTree {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The path of a file on this machine.
  static func path(of path: String) -> String {
    path.isEmpty ? root.path + "/" : root.appendingPathComponent(path).path
  }

  /// Writes a file.
  static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: root.appendingPathComponent(path))
  }

  /// The content of a file; nil if it does not exist.
  static func text(of path: String) -> String? {
    try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Whether there is such a file or folder.
  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }

  /// The paths, below a folder, of the files whose path has this ending.
  static func paths(in folder: String, ending: String) -> [String] {
    (FileManager.default.subpaths(atPath: root.appendingPathComponent(folder).path) ?? [])
      .filter { $0.hasSuffix(ending) }
  }

  /// The contents of the files below a folder whose path has this ending and contains `part`.
  static func texts(in folder: String, ending: String, within part: String = "") -> [String] {
    let names = FileManager.default.subpaths(atPath: root.appendingPathComponent(folder).path) ?? []
    return names.filter { $0.hasSuffix(ending) && (part.isEmpty || $0.contains(part)) }
      .compactMap { text(of: "\(folder)/\($0)") }
  }
}
