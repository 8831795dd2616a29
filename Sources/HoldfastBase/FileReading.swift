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

/// Follows symbolic links, each of them once, so that files behind one link are of one moment.
///
/// Kubernetes replaces the files of a mounted folder with the link `..data`, through which each of them
/// is reached.
package struct LinkResolver {
  /// Where links lead; nil for what is none. The keys are bytes, of which no two sequences are equal.
  private var links: [[UInt8]: String?] = [:]

  /// The maximum number of links in a path, as Linux has it.
  private static let maximumLinks = 40

  /// Creates a resolver that has seen no link.
  package init() {}

  /// Returns the path of the same file without links, as far as they have been there.
  package mutating func resolve(_ path: String) -> String {
    var pending = LinkResolver.names(of: path)
    var resolved = LinkResolver.isAbsolute(path) ? "" : "."
    var count = 0
    while let name = pending.popLast() {
      let next = "\(resolved)/\(name)"
      guard name != "..", let link = destination(of: next) else {
        resolved = next
        continue
      }
      count += 1
      guard count <= LinkResolver.maximumLinks else { return path }
      if LinkResolver.isAbsolute(link) { resolved = "" }
      pending += LinkResolver.names(of: link)
    }
    return resolved.isEmpty ? "/" : resolved
  }

  private mutating func destination(of path: String) -> String? {
    let key = Array(path.utf8)
    if let known = links[key] { return known }
    let link = Platform.destination(ofLink: path)
    links[key] = .some(link)
    return link
  }

  private static func isAbsolute(_ path: String) -> Bool { path.utf8.first == 0x2F }

  /// Returns the names of which a path consists, the last one first.
  private static func names(of path: String) -> [String] {
    path.utf8.split(separator: 0x2F).reversed().map { String(Substring($0)) }
  }
}
