internal import HoldfastDER
internal import HoldfastJSON
internal import HoldfastSystem

/// One file of a suite: its name, where it came from, and its octets after unpacking.
public struct VectorFile: Sendable {
  /// The file's own name, without folders and without `.xz`.
  public let name: String
  /// The file on disk, for messages. For a file of an archive: the archive, a colon, the name.
  public let path: String
  /// The content.
  public let bytes: [UInt8]

  /// A file that is in memory already.
  public init(name: String, path: String, bytes: [UInt8]) {
    self.name = name
    self.path = path
    self.bytes = bytes
  }

  /// Reads a file, an archive (`.tar`) or a folder, with or without `.xz` around it; `-` is standard
  /// input.
  public static func files(
    at path: String, limit: Int = VectorSuites.sizeLimit
  ) throws(VectorError) -> [VectorFile] {
    if let names = Platform.names(inFolder: path) {
      return try files(named: names.sorted(), inFolder: path, limit: limit)
    }
    var name = path.split(separator: "/").last.map(String.init) ?? path
    let bytes: [UInt8]
    if name.hasSuffix(".xz") {
      name.removeLast(3)
      bytes = try unpack(path, limit: limit)
    } else {
      bytes = try read(path, limit: limit)
    }
    if name.hasSuffix(".tar") { return try TarReader.files(in: bytes, at: path) }
    return [VectorFile(name: name, path: path, bytes: bytes)]
  }

  /// The content as text, which must be valid UTF-8.
  public func text() throws(VectorError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .malformed(path: path, reason: "is not UTF-8")
    }
    return text
  }

  /// Decodes the content as JSON.
  func decode<Content: Decodable>(_ type: Content.Type) throws(VectorError) -> Content {
    do {
      return try JSONValue(parsing: bytes).decode(type)
    } catch let problem as JSONReader.Problem {
      throw .malformed(
        path: path, reason: "is not JSON: \(problem.message) at byte \(problem.offset)")
    } catch {
      throw .malformed(path: path, reason: VectorFile.words(for: error))
    }
  }

  /// Which member of the JSON is wrong, and how.
  private static func words(for error: any Error) -> String {
    guard let error = error as? DecodingError else { return "is not JSON" }
    let (context, problem): (DecodingError.Context, String)
    switch error {
    case .keyNotFound(let key, let place):
      (context, problem) = (place, "there is no member \(key.stringValue)")
    case .typeMismatch(_, let place), .valueNotFound(_, let place):
      (context, problem) = (place, place.debugDescription)
    case .dataCorrupted(let place):
      (context, problem) = (
        place, place.codingPath.isEmpty ? "is not JSON" : place.debugDescription
      )
    @unknown default: return "is not JSON of this suite"
    }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
    return path.isEmpty ? problem : "\(path.joined(separator: ".")): \(problem)"
  }

  private static func files(
    named names: [String], inFolder path: String, limit: Int
  ) throws(VectorError) -> [VectorFile] {
    var files: [VectorFile] = []
    for name in names where name.hasSuffix(".json") || name.hasSuffix(".rsp") {
      let file = "\(path)/\(name)"
      files.append(VectorFile(name: name, path: file, bytes: try read(file, limit: limit)))
    }
    return files
  }

  private static func unpack(_ path: String, limit: Int) throws(VectorError) -> [UInt8] {
    do throws(System.ProgramError) {
      return try System.output(of: ["xz", "-dc", "--", path], limit: limit)
    } catch {
      switch error {
      case .ended(let status): throw .unpacking(path: path, status: status)
      case .tooLarge(let limit): throw .tooLarge(path: path, limit: limit)
      }
    }
  }

  private static func read(_ path: String, limit: Int) throws(VectorError) -> [UInt8] {
    do throws(Platform.FileError) {
      return try Platform.readFile(path, limit: limit)
    } catch {
      switch error {
      case .tooLarge(let limit): throw .tooLarge(path: path, limit: limit)
      case .unreadable: throw .unreadable(path: path, reason: error.message)
      }
    }
  }
}
