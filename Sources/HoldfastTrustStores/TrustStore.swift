public import HoldfastCertificates
internal import HoldfastDER
public import HoldfastPaths

/// The anchors that a root program or a company publishes, with what it demands of paths to them.
///
/// ```swift
/// let store = try TrustStore(file: "certdata.txt")
/// let validator = PathValidator(anchors: store.anchors)
/// ```
public struct TrustStore: Sendable {
  /// The format that the store was read from.
  public let format: Format
  /// The program that publishes it.
  public let program: RootProgram
  /// The anchors, in the order of the file. Those that the program does not trust are here too.
  public let entries: [Entry]
  /// What was left out, and why. The certificates concerned are not trusted.
  public let problems: [TrustStoreError]

  /// The formats of stores.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// Certificates in PEM or DER, each of them an anchor without constraints.
    case certificates
    /// `certdata.txt` of Mozilla's NSS.
    case certdata
    /// A `.p11-kit` file, as Fedora and Red Hat have it.
    case p11Kit
    /// Chrome's `root_store.textproto`, with the certificates of `root_store.certs`.
    case chrome
    /// Our own JSON.
    case json
  }

  /// An anchor of a store.
  public struct Entry: Sendable, Hashable {
    /// The certificate.
    public let certificate: Certificate
    /// The name that the store gives it.
    public let label: String
    /// The line of the file at which it begins; nil in JSON.
    public let line: Int?
    /// What the store demands of paths to it.
    public internal(set) var constraints: TrustAnchor.Constraints
    /// Whether it is a root of the web, rather than one of a company.
    public internal(set) var isPublic: Bool

    /// The anchor.
    public var anchor: TrustAnchor {
      TrustAnchor(certificate, constraints: constraints, isPublic: isPublic)
    }

    /// Whether the store trusts it for a purpose, perhaps under further conditions.
    public func isTrusted(for purpose: OID) -> Bool {
      constraints.programs.allSatisfy { program in
        program.alternatives.contains { $0.purposes?.contains(purpose) ?? true }
      }
    }

    /// The last moment at which a server below it may have been issued; nil for any.
    package var serversIssuedUntil: Timestamp? {
      constraints.programs.flatMap { $0.alternatives }
        .filter { $0.purposes?.contains(.serverAuth) ?? true }.compactMap { $0.issuedUntil }.min()
    }
  }

  /// The maximum number of entries in a store.
  static let maximumEntries = 10_000

  /// The maximum size of a file in bytes.
  package static let maximumSize = 16 << 20

  init(
    _ format: Format, _ program: RootProgram, _ entries: [Entry], _ problems: [TrustStoreError]
  ) {
    self.format = format
    self.program = program
    self.entries = entries
    self.problems = problems
  }

  /// Reads a store in any format but Chrome's, which takes two files. The format is found out from
  /// the content.
  ///
  /// - Parameters:
  ///   - source: How errors and constraints name the document: `certdata.txt of NSS 3.132`. Our own
  ///     JSON may name another.
  ///   - date: When it was published, if that is known. The date in our own JSON takes precedence.
  public init(
    _ bytes: [UInt8], source: String, date: Timestamp? = nil
  ) throws(TrustStoreError) {
    guard bytes.count <= TrustStore.maximumSize else {
      throw TrustStoreError(.tooLarge(limit: TrustStore.maximumSize))
    }
    switch TrustStore.format(of: bytes) {
    case .certdata:
      self = try CertdataReader.read(bytes, RootProgram("Mozilla", date: date, source: source))
    case .p11Kit:
      self = try P11KitReader.read(bytes, RootProgram("p11-kit", date: date, source: source))
    case .json: self = try CompanyStoreReader.read(bytes, source: source, date: date)
    case .chrome: throw TrustStoreError(.certificatesMissing)
    case .certificates:
      let bundle = CertificateBundle(bytes)
      guard !bundle.certificates.isEmpty else {
        throw bundle.errors.first.map { TrustStoreError(.certificate($0)) }
          ?? TrustStoreError(.noAnchors)
      }
      self.init(
        .certificates, RootProgram("the caller", date: date, source: source),
        bundle.certificates.map {
          Entry(
            certificate: $0, label: $0.shortName, line: nil,
            constraints: TrustAnchor.Constraints(), isPublic: false)
        },
        bundle.errors.map { TrustStoreError(.certificate($0)) })
    }
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file, whose name becomes the source of `init(_:source:date:)`.
  ///   - date: When the store was published, if that is known.
  public init(file path: String, date: Timestamp? = nil) throws(TrustStoreError) {
    let bytes: [UInt8]
    do throws(Platform.FileError) {
      bytes = try Platform.readFile(path, limit: TrustStore.maximumSize)
    } catch {
      throw TrustStoreError(.unreadable(error.message), in: path)
    }
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
    do throws(TrustStoreError) {
      try self.init(bytes, source: name ?? path, date: date)
    } catch {
      throw TrustStoreError(error.problem, in: path, line: error.line, label: error.label)
    }
  }

  /// Reads Chrome's store: the text of `root_store.textproto` and the certificates of
  /// `root_store.certs`, as Chrome's newest version understands them.
  ///
  /// - Parameter date: When the store was published, if that is known.
  public init(
    chrome textproto: [UInt8], certificates: [UInt8], date: Timestamp? = nil
  ) throws(TrustStoreError) {
    guard max(textproto.count, certificates.count) <= TrustStore.maximumSize else {
      throw TrustStoreError(.tooLarge(limit: TrustStore.maximumSize))
    }
    self = try ChromeStoreReader.read(textproto, certificates, date: date)
  }

  /// Returns the format of a file, by its first lines.
  static func format(of bytes: [UInt8]) -> Format {
    // DER has no lines, although a name in it may contain some.
    if PEMText.isStructure(bytes) { return .certificates }
    var lines = TextLines(bytes)
    if lines.first?.isJSON == true { return .json }
    // A comment may fill many lines.
    for _ in 0..<2000 {
      guard let line = lines.next() else { break }
      if line.has(prefix: "BEGINDATA") || line.has(prefix: "CKA_") { return .certdata }
      if line.has(prefix: "[p11-kit-object-v1]") { return .p11Kit }
      if line.has(prefix: "-----BEGIN ") { return .certificates }
      if line.has(prefix: "trust_anchors") || line.has(prefix: "version_major") { return .chrome }
    }
    return .certificates
  }

  /// The anchors. Those that the program does not trust are among them, so that an error names the
  /// program: no path to them is valid.
  public var anchors: AnchorSet { AnchorSet(entries.map { $0.anchor }) }
}

extension TrustStore: CustomStringConvertible {
  /// `certdata.txt (certdata): 169 certificates, 118 for servers`.
  public var description: String {
    let servers = entries.count { $0.isTrusted(for: .serverAuth) }
    return "\(program.source) (\(format.rawValue)): \(entries.count) "
      + "certificate\(entries.count == 1 ? "" : "s"), \(servers) for servers"
  }
}

extension TrustStore.Entry: CustomStringConvertible {
  /// The name that the store gives it, and its line.
  public var description: String { label + (line.map { " (line \($0))" } ?? "") }
}
