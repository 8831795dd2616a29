internal import HoldfastBase
internal import HoldfastHashes
public import Holdfast
internal import HoldfastIdentities
internal import HoldfastTrustStores

/// The files of which a service's trust is made, and how strictly they are applied.
///
/// ```swift
/// var files = TrustFiles()
/// files.anchors = ["/etc/trust/ca.pem"]
/// files.crls = ["/etc/trust/ca.crl"]
/// files.identity = ("/etc/trust/tls.crt", "/etc/trust/tls.key")
/// let trust = try FilesTrust(files)
/// ```
public struct TrustFiles: Sendable {
  /// Files of anchors, or folders of them. Without any, and without bundles, the anchors are the
  /// system's, whose files are looked at, too.
  public var anchors: [String] = []
  /// Files of SPIFFE bundles, each with its trust domain, such as `("/run/spiffe/bundle.pem",
  /// "example.org")`: `SPIFFEBundle`.
  public var bundles: [(file: String, trustDomain: String)] = []
  /// A file of pins that ``PinConfiguration`` reads; nil for none.
  public var pins: String?
  /// Files of CRLs.
  public var crls: [String] = []
  /// The folder in which upki keeps filters; nil for none.
  public var filters: String?
  /// A list of logs; nil not to look at timestamps.
  public var logList: String?
  /// The files of the certificate and of the key of this service; nil for none.
  public var identity: (certificates: String, key: String)?
  /// The password of the key.
  public var password: String?
  /// The rules of validation.
  public var rules = ValidationRules.webPKI
  /// How strictly revocation is checked, if there are CRLs or filters.
  public var revocation = Revocation.Demand.ifAvailable
  /// Makes the check of transparency from the log list. By default it rejects no server.
  public var transparency: @Sendable (LogList) -> TransparencyCheck = { .report($0) }

  /// Where the system's anchors are looked for.
  var system = SystemAnchorPlaces.current

  /// Creates a description without files: the system's anchors.
  public init() {}

  private var hasSystemAnchors: Bool { anchors.isEmpty && bundles.isEmpty }

  /// What the files hold.
  struct Contents: Sendable {
    let manager: TrustManager
    let identity: Identity?
  }

  /// Reads all of them.
  func read(from reading: FileReading) throws -> Contents {
    var list: [TrustAnchor] = []
    for path in anchors {
      let isFolder = reading.names(path) != nil
      let certificates =
        isFolder
        ? try Certificate.certificates(inFolder: path, from: reading)
        : try Certificate.certificates(inFile: path, from: reading)
      list += AnchorSet(certificates).anchors
    }
    list += try AnchorSet(
      bundles: bundles.map { bundle throws in
        try SPIFFEBundle(
          file: bundle.file, of: SPIFFETrustDomain(bundle.trustDomain), from: reading)
      }
    ).anchors
    let anchors = hasSystemAnchors ? try system.read().anchors : AnchorSet(list)
    var data: Revocation?
    if !crls.isEmpty || filters != nil {
      data = Revocation(
        revocation,
        crls: try crls.flatMap { path throws in try CRL.crls(inFile: path, from: reading) },
        filters: try filters.map { folder throws in try UpkiCache(folder: folder).filters } ?? [])
    }
    let check = try logList.map { path throws in
      transparency(try LogList(file: path, from: reading))
    }
    let manager =
      if let pins {
        TrustManager(
          configuration: try PinConfiguration(file: pins, from: reading), anchors: anchors,
          rules: rules, revocation: data, transparency: check)
      } else {
        TrustManager(anchors: anchors, rules: rules, revocation: data, transparency: check)
      }
    let identity = try identity.map { files throws in
      try Identity(
        certificateFile: files.certificates, keyFile: files.key, password: password, from: reading)
    }
    return Contents(manager: manager, identity: identity)
  }

  /// The files and folders that are looked at. Of filters it is their list, which has the digest of
  /// each.
  fileprivate var paths: [String] {
    var paths = anchors + bundles.map { $0.file } + crls
    paths += [pins, logList, identity?.certificates, identity?.key].compactMap { $0 }
    for folder in filters.map({ ["\($0)/revocation", $0] }) ?? [] {
      paths += ["\(folder)/manifest.json", "\(folder)/index.bin"]
    }
    if hasSystemAnchors { paths += system.paths }
    return paths
  }
}

/// What was in the files of a description at one moment, as digests.
///
/// Each file is the same from before it is digested until after all have been read: it has the same
/// state, with the time of its last change, and the same digest. So there was a moment at which all were
/// as they were read, even if files are replaced and put back. Each folder is opened once, and each
/// symbolic link is followed once, so that none of them is of two moments.
final class TrustFileDigests {
  /// The digest of all files.
  private(set) var digest: [UInt8] = []

  private let onAccess: (_ path: String) -> Void
  private var resolver = FileResolver()
  /// The names in folders, and the digests of files, empty for those that cannot be read. The keys are
  /// bytes, of which no two sequences are equal.
  private var names: [[UInt8]: [String]] = [:]
  private var digests: [[UInt8]: [UInt8]] = [:]
  /// The files and folders before they were read.
  private var states: [(path: String, place: FileResolver.Place, state: Platform.FileState?)] = []
  /// Whether what was read has the digests.
  private var hasDigests = true

  /// The most bytes of a file that is looked at.
  private static let maximumSize = 256 << 20

  /// Looks at the files.
  ///
  /// - Parameter onAccess: Called before the system is asked about a path, for tests.
  init(_ files: TrustFiles, onAccess: @escaping (_ path: String) -> Void = { _ in }) {
    self.onAccess = onAccess
    var all: [UInt8] = []
    for path in files.paths {
      let place = noteState(path)
      guard let names = Platform.names(inFolder: place.path, in: place.folder) else {
        all += note(path, place)
        continue
      }
      let relevant = names.filter(SystemAnchorPlaces.isCertificate).sorted()
      self.names[Array(path.utf8)] = relevant
      for name in relevant { all += note("\(path)/\(name)", noteState("\(path)/\(name)")) }
    }
    digest = HashAlgorithm.sha256.hash(all).array
  }

  /// Whether what was read since is what was digested, and nothing has changed.
  var isSteady: Bool {
    hasDigests
      && states.allSatisfy { path, place, state in
        onAccess(path)
        return state?.isSettled != false
          && Platform.state(ofFile: place.path, in: place.folder) == state
      }
  }

  /// Notes the state of a file, and returns its place.
  private func noteState(_ path: String) -> FileResolver.Place {
    onAccess(path)
    let place = resolver.resolve(path)
    states.append((path, place, Platform.state(ofFile: place.path, in: place.folder)))
    return place
  }

  private func read(
    _ path: String, at place: FileResolver.Place, limit: Int
  ) throws(Platform.FileError) -> [UInt8] {
    onAccess(path)
    return try Platform.readFile(place.path, in: place.folder, limit: limit)
  }

  /// Reads a file, and returns the digest of its path and its bytes.
  private func note(_ path: String, _ place: FileResolver.Place) -> [UInt8] {
    var found: [UInt8] = []
    do throws(Platform.FileError) {
      var bytes = try read(path, at: place, limit: TrustFileDigests.maximumSize)
      found = HashAlgorithm.sha256.hash(bytes).array
      // It may be a private key.
      SecretBytes.overwrite(&bytes)
    } catch {}
    digests[Array(path.utf8)] = found
    return HashAlgorithm.sha256.hash(Array(path.utf8)).array + [UInt8(found.count)] + found
  }

  /// Reads the files that were digested.
  var reading: FileReading {
    FileReading { path, limit throws(Platform.FileError) in
      let known = self.digests[Array(path.utf8)]
      do throws(Platform.FileError) {
        let bytes = try self.read(path, at: self.resolver.resolve(path), limit: limit)
        if HashAlgorithm.sha256.hash(bytes).array != known { self.hasDigests = false }
        return bytes
      } catch {
        if case .unreadable = error, known?.isEmpty != true { self.hasDigests = false }
        throw error
      }
    } names: {
      self.names[Array($0.utf8)]
    }
  }
}
