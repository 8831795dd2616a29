/// The revocation filters that upki keeps on this machine.
///
/// ```swift
/// let validator = PathValidator(anchors: try .system(), revocation: try .upkiCache())
/// ```
///
/// upki fetches the filters of CRLite twice a day into a folder of the system or of the user. They
/// are read here without upki and without the network. A file that is missing or is not the one of
/// its manifest is named in the facts of each certificate, and the rest is used. The manifest does
/// not say what a delta builds on; that one is not listed shows only if the names leave out a number
/// or a day.
public struct UpkiCache: Sendable {
  /// The folder of the files.
  public let folder: String

  /// When the list of the files was made; nil if only the index tells what they are.
  package let generatedAt: Timestamp?

  /// The filters, one for each base file.
  public let filters: [RevocationFilter]

  /// What is wrong with files and their list.
  public var problems: [FilterError] { filters.flatMap { $0.problems } }

  /// The maximum number of files. The limit is ours: a base has about 90 deltas.
  static let maximumFiles = 1_024
  /// The maximum size of the manifest and of the index.
  static let maximumListSize = 4 << 20

  /// Opens the cache.
  ///
  /// - Parameter folder: The folder of the files, or the one above it; by default the first of the
  ///   places that has any: upki's configuration, the user's cache, `/var/cache/upki`.
  public init(folder: String? = nil) throws(FilterError) {
    var problems: [FilterError] = []
    let places =
      folder.map { [$0] }
      ?? UpkiCache.places(Platform.environment) { UpkiCache.configuredFolder($0, &problems) }
    for place in places.flatMap({ ["\($0)/revocation", $0] }) {
      let names = Set(Platform.names(inFolder: place) ?? [])
      guard names.contains(UpkiCache.manifest) || names.contains(UpkiCache.index) else { continue }
      try self.init(opening: place, problems)
      return
    }
    throw FilterError(.noCache, in: places.last ?? "upki")
  }

  private static let manifest = "manifest.json"
  private static let index = "index.bin"

  private init(opening folder: String, _ others: [FilterError]) throws(FilterError) {
    self.folder = folder
    var problems = others
    let list: UpkiManifest
    let indexed = Result { () throws(FilterError) in
      try UpkiIndex.fileNames(UpkiCache.bytes(UpkiCache.index, in: folder))
    }
    do throws(FilterError) {
      list = try UpkiManifest(UpkiCache.bytes(UpkiCache.manifest, in: folder))
      switch indexed {
      case .success(let names) where names == list.files.map({ $0.name }): break
      case .success: problems.append(FilterError(.otherFiles, in: UpkiCache.index))
      case .failure(let error): problems.append(error)
      }
    } catch {
      // The index names the same files, without their hashes.
      guard case .success(let names) = indexed else { throw error }
      problems.append(error)
      list = UpkiManifest(names)
    }
    generatedAt = list.generatedAt
    var files: [Result<Clubcard, FilterError>] = []
    var last: FilterRun?
    for file in list.files {
      let run = FilterRun(ofFile: file.name)
      if let last, let run, Clubcard.isDelta(named: file.name), run.isBeyondNext(of: last) {
        files.append(.failure(FilterError(.unlistedDelta, in: file.name)))
      }
      last = run
      files.append(Result { () throws(FilterError) in try UpkiCache.open(file, in: folder) })
    }
    var filters = RevocationFilter.all(of: files)
    if !filters.isEmpty { filters[0].problems.insert(contentsOf: problems, at: 0) }
    self.filters = filters
  }

  private static func open(
    _ file: UpkiManifest.File, in folder: String
  ) throws(FilterError) -> Clubcard {
    guard isFileName(file.name) else { throw FilterError(.badFileName, in: manifest) }
    return try Clubcard(file: "\(folder)/\(file.name)", hash: file.hash)
  }

  /// Whether a name is one of a file in the folder, and can be printed.
  private static func isFileName(_ name: String) -> Bool {
    name.utf8.first != 0x2E && (1...255).contains(name.utf8.count)
      && name.utf8.allSatisfy { Bytes.isAlphanumeric($0) || "-._".utf8.contains($0) }
  }

  private static func bytes(_ name: String, in folder: String) throws(FilterError) -> [UInt8] {
    do throws(Platform.FileError) {
      return try Platform.readFile("\(folder)/\(name)", limit: maximumListSize)
    } catch {
      throw FilterError(.unreadableFile(error.message), in: name)
    }
  }

  // MARK: Where the cache is

  /// Returns the folders to search, in order.
  ///
  /// - Parameter configured: Returns the folder that a configuration file states, if it is there.
  static func places(
    _ environment: (String) -> String?, configured: (String) -> String?
  ) -> [String] {
    let home = environment("HOME")
    var places: [String] = []
    let configuration = environment("XDG_CONFIG_HOME") ?? home.map { "\($0)/.config" }
    for place in [configuration, "/etc/xdg", "/etc"].compactMap({ $0 }) {
      guard let folder = configured("\(place)/upki/config.toml") else { continue }
      places.append(folder)
      break
    }
    let cache = environment("XDG_CACHE_HOME") ?? home.map { "\($0)/.cache" }
    return places + [cache.map { "\($0)/upki" }, "/var/cache/upki"].compactMap { $0 }
  }

  /// Returns the folder that a configuration file states; nil if the file is not there.
  private static func configuredFolder(
    _ path: String, _ problems: inout [FilterError]
  ) -> String? {
    do throws(Platform.FileError) {
      let text = try Platform.readFile(path, limit: maximumListSize)
      let folder = cacheFolder(inConfiguration: text)
      if folder == nil { problems.append(FilterError(.badConfiguration, in: path)) }
      return folder
    } catch {
      return nil
    }
  }

  /// Returns the value of `cache-dir` before the first table of a TOML document: a string of one
  /// line without escapes. toml.io/en/v1.0.0.
  static func cacheFolder(inConfiguration text: [UInt8]) -> String? {
    func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      let text = text.drop { $0 == 0x20 || $0 == 0x09 }
      return text.prefix(upTo: (text.lastIndex { $0 > 0x20 } ?? text.startIndex - 1) + 1)
    }
    for line in text.split(separator: 0x0A) {
      let line = trimmed(line)
      if line.first == 0x5B { return nil }
      guard let equals = line.firstIndex(of: 0x3D),
        trimmed(line[..<equals]).elementsEqual("cache-dir".utf8)
      else { continue }
      let value = trimmed(line[(equals + 1)...])
      guard let quote = value.first, quote == 0x22 || quote == 0x27,
        let end = value.dropFirst().firstIndex(of: quote)
      else { return nil }
      let folder = value[(value.startIndex + 1)..<end]
      let rest = trimmed(value[(end + 1)...])
      guard !folder.contains(0x5C), rest.isEmpty || rest.first == 0x23 else { return nil }
      return String(decoding: folder, as: UTF8.self)
    }
    return nil
  }
}

extension Revocation {
  /// Returns the filters that upki keeps on this machine, as revocation data.
  ///
  /// - Parameter folder: See `UpkiCache.init(folder:)`.
  public static func upkiCache(
    _ demand: Demand = .ifAvailable, folder: String? = nil
  ) throws(FilterError) -> Revocation {
    Revocation(demand, filters: try UpkiCache(folder: folder).filters)
  }
}
