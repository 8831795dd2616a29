/// How a reader of files gets what is in them, so that several readers see files of one moment.
package struct FileReading {
  /// Returns the bytes of a file; throws if there are more than the limit.
  package let bytes: (_ path: String, _ limit: Int) throws(Platform.FileError) -> [UInt8]

  /// Returns the names in a folder, in no particular order; nil if it cannot be read.
  package let names: (_ folder: String) -> [String]?

  /// Creates a way to read files.
  package init(
    bytes: @escaping (_ path: String, _ limit: Int) throws(Platform.FileError) -> [UInt8],
    names: @escaping (_ folder: String) -> [String]?
  ) {
    self.bytes = bytes
    self.names = names
  }

  /// Reads what is there at the moment of each call.
  package static var system: FileReading {
    FileReading { path, limit throws(Platform.FileError) in
      try Platform.readFile(path, limit: limit)
    } names: {
      Platform.names(inFolder: $0)
    }
  }
}

/// Finds files, and looks at each folder and each symbolic link of their paths once, so that all files
/// behind one of them are of one moment.
///
/// Kubernetes replaces the files of a mounted folder with the link `..data`, through which each of them
/// is reached; others rename a folder, and another one to its place.
package struct FileResolver {
  /// Where a file is.
  package struct Place {
    /// Its folder, which is open; nil if the path is one of the process.
    package let folder: Platform.Folder?
    /// The path in the folder.
    package let path: String
  }

  private enum Entry {
    case folder(Platform.Folder)
    case link(String)
    /// A file, or nothing.
    case other
  }

  /// What was found. The keys are the bytes of paths, of which no two sequences are equal.
  private var entries: [[UInt8]: Entry] = [:]

  /// The maximum number of links in a path, as Linux has it.
  private static let maximumLinks = 40

  /// Creates a resolver that has seen nothing.
  package init() {}

  /// Returns the place of a file, as its folders and links were when they were looked at.
  package mutating func resolve(_ path: String) -> Place {
    var pending = FileResolver.names(of: path)
    if pending.last != "/" { pending.append(".") }
    var route: [String] = []
    var folder: Platform.Folder?
    var links = 0
    while let name = pending.popLast() {
      if name == "/" { (route, folder) = ([], nil) }
      if name == "..", let last = route.last, last != "..", last != "." {
        // The root is its own parent.
        if last != "/" { route.removeLast() }
        if case .folder(let known) = entry(route, in: nil) { folder = known }
        continue
      }
      switch entry(route + [name], in: folder) {
      case .folder(let next):
        route.append(name)
        folder = next
      case .link(let target):
        links += 1
        guard links <= FileResolver.maximumLinks else { return Place(folder: nil, path: path) }
        pending += FileResolver.names(of: target)
      case .other:
        // Nothing is in what is no folder.
        return Place(folder: folder, path: pending.isEmpty ? name : "\(name)/")
      }
    }
    return Place(folder: folder, path: ".")
  }

  /// Looks at the last one of some names, of which each is in the one before, the first time.
  private mutating func entry(_ route: [String], in folder: Platform.Folder?) -> Entry {
    let (name, key) = (route.last ?? ".", Array(route.joined(separator: "/").utf8))
    if let known = entries[key] { return known }
    let new: Entry =
      if let target = Platform.destination(ofLink: name, in: folder) {
        .link(target)
      } else if let opened = Platform.Folder(name, in: folder) {
        .folder(opened)
      } else {
        .other
      }
    entries[key] = new
    return new
  }

  /// Returns the names of which a path consists, the last one first, after all of them the root's.
  private static func names(of path: String) -> [String] {
    let names = path.utf8.split(separator: 0x2F).map { String(Substring($0)) }.filter { $0 != "." }
    return names.reversed() + (path.utf8.first == 0x2F ? ["/"] : [])
  }
}
