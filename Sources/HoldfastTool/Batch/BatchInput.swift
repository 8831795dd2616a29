internal import HoldfastDER
internal import HoldfastSystem

/// The files of a run, in their order: those that were named, and the files of folders in the byte
/// order of their names.
///
/// Folders are listed when they are reached, so that millions of files take no memory. Names that
/// begin with a dot are passed over.
struct BatchInput: Sendable {
  /// Whether answers name their file: there are several, or it was found in a folder.
  private(set) var namesFiles: Bool

  /// Files, and folders that were not yet listed, the last first.
  private var pending: [String]

  /// - Parameter paths: Files and folders of lines; none is standard input.
  init(paths: [String]) {
    pending = paths.isEmpty ? ["-"] : paths.reversed()
    namesFiles = paths.count > 1
  }

  /// The path of the next file; nil at the end.
  mutating func next() -> String? {
    while let path = pending.popLast() {
      guard path != "-", let names = Invocation.names(inFolder: path) else { return path }
      // A second listing beforehand could fail where this one does not.
      namesFiles = true
      pending += names.reversed().map { "\(path)/\($0)" }
    }
    return nil
  }

  /// The number of bytes of all files after a place; nil if it cannot be known.
  func size(after start: BatchPosition?) -> Int? {
    var (rest, size) = (self, 0)
    var isBefore = start != nil
    while let file = rest.next() {
      if isBefore, file != start?.file { continue }
      guard file != "-", let status = System.status(of: file) else { return nil }
      size += status.size - (isBefore ? start?.offset ?? 0 : 0)
      isBefore = false
    }
    return size
  }
}

/// A place in the input, after some answers.
struct BatchPosition: Sendable, Hashable {
  /// The path of the file.
  var file: String
  /// The number of bytes of it that are answered.
  var offset = 0
  /// The number of the next line, from 1.
  var line = 1
  /// Whether the place is in a line that is too long, and was answered.
  var isSkipping = false
  /// The number of bytes of the file; nil if it is not a regular file.
  var size: Int?
}
