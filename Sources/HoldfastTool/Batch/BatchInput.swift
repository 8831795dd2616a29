internal import HoldfastDER
internal import HoldfastSystem

/// The files of a run, in their order: those that were named, the files of folders in the byte
/// order of their names, or the data tiles of a log in the order of its entries.
///
/// Folders are listed when they are reached, so that millions of tiles take no memory. Names that
/// begin with a dot are passed over.
struct BatchInput: Sendable {
  /// A file.
  struct File: Sendable {
    let path: String
    /// The tile, if it is one.
    var tile: DataTileName?

    /// How answers name it.
    var name: String { tile.map { "\($0)" } ?? path }
  }

  /// The folder of a log; nil for lines.
  let log: String?
  /// Whether answers name their file: there are several, or it was found in a folder.
  private(set) var namesFiles: Bool

  /// Files, and folders that were not yet listed, the last first.
  private var pending: [String]
  /// The next tiles, the last first, and the folders with those after them.
  private var tiles: [DataTileName] = []
  private var folders: [String] = []

  /// - Parameter paths: Files and folders of lines; none is standard input.
  init(paths: [String]) {
    log = nil
    pending = paths.isEmpty ? ["-"] : paths.reversed()
    namesFiles = paths.count > 1
  }

  /// The data tiles of a log.
  init(log: String) {
    self.log = log
    namesFiles = true
    pending = ["tile/data"]
  }

  /// The next file; nil at the end.
  mutating func next() throws(UsageError) -> File? {
    if let log {
      return try nextTile(log).map { File(path: "\(log)/\($0)", tile: $0) }
    }
    while let path = pending.popLast() {
      guard path != "-", let names = BatchInput.names(inFolder: path) else {
        return File(path: path)
      }
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
    do throws(UsageError) {
      while let file = try rest.next() {
        if isBefore, file.path != start?.file { continue }
        guard file.path != "-", let status = System.status(of: file.path) else { return nil }
        size += status.size - (isBefore ? start?.offset ?? 0 : 0)
        isBefore = false
      }
    } catch {
      return nil
    }
    return size
  }

  /// The names in a folder, in the order of their bytes; nil if it is no folder.
  private static func names(inFolder path: String) -> [String]? {
    Platform.names(inFolder: path)?.filter { !$0.hasPrefix(".") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Goes through the folders level by level: the tiles of `x001` come after `999`.
  private mutating func nextTile(_ log: String) throws(UsageError) -> DataTileName? {
    while true {
      if let tile = tiles.popLast() { return tile }
      if pending.isEmpty {
        guard !folders.isEmpty else { return nil }
        (pending, folders) = (folders.reversed(), [])
      }
      try list(pending.removeLast(), of: log)
    }
  }

  private mutating func list(_ folder: String, of log: String) throws(UsageError) {
    guard let names = BatchInput.names(inFolder: "\(log)/\(folder)") else {
      throw .about("\(log)/\(folder)", "no folder of data tiles")
    }
    for name in names {
      let path = "\(folder)/\(name)"
      if name.hasPrefix("x") {
        folders.append(path)
      } else if name.hasSuffix(".p") {
        // A tile that is complete has all entries of its parts.
        guard !names.contains(String(name.dropLast(2))) else { continue }
        let widths = BatchInput.names(inFolder: "\(log)/\(path)") ?? []
        guard
          let widest = widths.compactMap({ DataTileName("\(path)/\($0)") }).max(by: {
            $0.width < $1.width
          })
        else { throw .about("\(log)/\(path)", "no part of a data tile") }
        tiles.append(widest)
      } else if let tile = DataTileName(path) {
        tiles.append(tile)
      } else {
        throw .about("\(log)/\(path)", "not the name of a data tile")
      }
    }
    tiles.reverse()
  }
}

/// A place in the input, after some answers.
struct BatchPosition: Sendable, Hashable {
  /// The path of the file.
  var file: String
  /// The number of bytes of it that are answered. Of a tile it is all.
  var offset = 0
  /// The number of the next line, from 1.
  var line = 1
  /// Whether the place is in a line that is too long, and was answered.
  var isSkipping = false
  /// The number of bytes of the file; nil if it is not a regular file.
  var size: Int?
}
