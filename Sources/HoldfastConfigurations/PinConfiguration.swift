public import Holdfast

/// The pins in another system's configuration, read into a table.
///
/// Reading is strict: anything misspelt, of the wrong kind or not understood is an error, never a
/// host that is silently left unpinned.
public struct PinConfiguration: Sendable {
  /// The format from which it was read.
  public let format: Format

  /// Its contents as a table of pins.
  public let table: PinTable

  /// The differences between the other system's behavior and the table's, and at the end what
  /// happens to hosts that the configuration does not name.
  public let remarks: [Remark]

  /// Whether certificates of hosts that the configuration does not name must be in public logs, as
  /// Android's `<base-config>` says; nil if it says nothing.
  public let transparencyOfOtherHosts: TransparencyCheck.Exception?

  /// The formats of other systems.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// TrustKit's dictionary, as a property list or a literal.
    case trustKit
    /// Android's network security configuration.
    case android
    /// `NSPinnedDomains` of App Transport Security.
    case nsPinnedDomains
    /// OkHttp's `CertificatePinner`: a pattern and its pins on each line, or the calls of `add`.
    case okHttp
    /// The value of curl's `--pinnedpubkey`.
    case curl
  }

  /// A difference, with its place in the file.
  public struct Remark: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1, if the format has lines.
    public var line: Int?
    /// The host or key concerned.
    public var subject: String
    /// A description of the difference.
    public var message: String

    /// `good.com (line 7): Android stops pinning on …`.
    public var description: String {
      "\(subject)\(line.map { " (line \($0))" } ?? ""): \(message)"
    }
  }

  /// The inputs of a reader that are not in the file.
  public struct Context: Sendable, Hashable {
    /// The name of the file, for errors.
    public var name: String?
    /// The host, for curl's pins, which do not name it.
    public var host: String?
    /// What happens when pins expire, whatever the other system does.
    public var expiryAction: PinSet.Expiry.Action

    /// Creates the inputs of a reader.
    ///
    /// - Parameters:
    ///   - name: The name of the file, which errors state.
    ///   - host: The host of curl's pins, which do not name it; other formats ignore it.
    ///   - expiryAction: What happens when pins expire, whatever the other system does.
    public init(
      name: String? = nil, host: String? = nil,
      expiryAction: PinSet.Expiry.Action = .failClosed
    ) {
      self.name = name
      self.host = host
      self.expiryAction = expiryAction
    }
  }

  /// The size in bytes of the largest configuration that is read.
  public static let maximumSize = 1 << 20

  /// Reads a configuration from a file; without `format`, recognizes its format. Errors name the
  /// file.
  ///
  /// - Parameter context: What the file does not say; for curl's pins, `host` is required.
  public init(
    file path: String, as format: Format? = nil, _ context: Context = Context()
  ) throws(ConfigurationError) {
    try self.init(file: path, as: format, context, from: .system)
  }

  init(
    file path: String, as format: Format? = nil, _ context: Context = Context(),
    from files: FileReading
  ) throws(ConfigurationError) {
    var context = context
    if context.name == nil { context.name = path }
    let bytes: [UInt8]
    do throws(Platform.FileError) {
      bytes = try files.bytes(path, PinConfiguration.maximumSize)
    } catch {
      var problem = ConfigurationError(.unreadable(error.message))
      problem.file = context.name
      throw problem
    }
    try self.init(bytes, as: format, context)
  }

  /// Reads a configuration; without `format`, recognizes its format.
  ///
  /// - Parameters:
  ///   - bytes: The file, of at most `maximumSize` bytes.
  ///   - context: What the file does not say; for curl's pins, `host` is required.
  public init(
    _ bytes: [UInt8], as format: Format? = nil, _ context: Context = Context()
  ) throws(ConfigurationError) {
    try self.init(context) { () throws(ConfigurationError) in
      guard bytes.count <= PinConfiguration.maximumSize else {
        throw ConfigurationError(.tooLarge(limit: PinConfiguration.maximumSize))
      }
      guard let format = format ?? Format(looksOf: bytes) else {
        throw ConfigurationError(.unknownFormat)
      }
      switch format {
      case .trustKit: return try TrustKitReader.read(try PropertyList(xml: bytes), context)
      case .nsPinnedDomains:
        return try PinnedDomainsReader.read(try PropertyList(xml: bytes), context)
      case .android: return try AndroidReader.read(bytes, context)
      case .okHttp: return try OkHttpReader.read(try PinConfiguration.text(bytes), context)
      case .curl: return try CurlReader.read(try PinConfiguration.text(bytes), context)
      }
    }
  }

  /// Reads the dictionary of TrustKit or of App Transport Security, recognized by its keys.
  public init(
    _ list: PropertyList, _ context: Context = Context()
  ) throws(ConfigurationError) {
    try self.init(context) { () throws(ConfigurationError) in
      PinnedDomainsReader.isLikely(list)
        ? try PinnedDomainsReader.read(list, context) : try TrustKitReader.read(list, context)
    }
  }

  /// Reads a configuration; an error gets the name of the file.
  private init(
    _ context: Context, _ read: () throws(ConfigurationError) -> PinConfiguration
  ) throws(ConfigurationError) {
    do throws(ConfigurationError) {
      self = try read()
    } catch {
      var error = error
      error.file = context.name
      throw error
    }
  }

  init(
    _ format: Format, _ entries: [PinTable.Entry], overlap: PinTable.Overlap = .mostSpecific,
    _ remarks: Remarks, transparencyOfOtherHosts: TransparencyCheck.Exception? = nil
  ) throws(ConfigurationError) {
    self.format = format
    self.transparencyOfOtherHosts = transparencyOfOtherHosts
    var remarks = remarks
    remarks.add(format.name, nil, format.otherHostsWords)
    self.remarks = remarks.all
    do throws(PinTableError) {
      table = try PinTable(entries, overlap: overlap)
    } catch {
      throw ConfigurationError(.badTable(error))
    }
    guard entries.contains(where: { $0.pins != nil }) else {
      throw ConfigurationError(.nothingPinned)
    }
  }

  private static func text(_ bytes: [UInt8]) throws(ConfigurationError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(.malformed("not UTF-8"))
    }
    return text
  }
}

extension PinConfiguration: CustomStringConvertible {
  /// `TrustKit` and the table, then a line for each remark.
  public var description: String {
    "\(format.name)\n\(table)" + remarks.map { "\n\($0)" }.joined()
  }
}

extension PinConfiguration.Format {
  /// Recognizes the format of a file; nil if it is unknown.
  init?(looksOf bytes: [UInt8]) {
    let start = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
    let trimmed = start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    func has(_ word: String) -> Bool { FieldText.range(of: word, in: start[...]) != nil }
    if bytes.starts(with: "bplist".utf8) || trimmed.hasPrefix("<") {
      if has("<network-security-config") {
        self = .android
      } else if has("NSPinnedDomains") || has("NSAppTransportSecurity") {
        self = has("TSKPinnedDomains") ? .trustKit : .nsPinnedDomains
      } else {
        self = .trustKit
      }
    } else if trimmed.hasPrefix("sha256//") || trimmed.hasPrefix("--pinnedpubkey") {
      self = .curl
    } else if !"{[".contains(trimmed.first ?? "{"), has("sha256/") || has("sha1/") {
      // Not JSON, in which none of these systems has pins.
      self = .okHttp
    } else {
      return nil
    }
  }

  /// The name of the system.
  public var name: String {
    switch self {
    case .trustKit: "TrustKit"
    case .android: "Android"
    case .nsPinnedDomains: "NSPinnedDomains"
    case .okHttp: "OkHttp"
    case .curl: "curl"
    }
  }
}

extension PinConfiguration.Format {
  /// What the system does with hosts that a configuration does not name.
  var otherHosts: TrustManager.OtherHosts {
    switch self {
    // TrustKit's `TSKTrustDecisionDomainNotPinned` leaves such a host to the default validation;
    // `<pin-set>` stands only in `<domain-config>`, and `<base-config>`, which covers other
    // destinations, has none; App Transport Security pins "named domains"; OkHttp finds no pins for
    // the host, and `CertificatePinner.check` returns.
    case .trustKit, .android, .nsPinnedDomains, .okHttp: .validate
    // A curl with `--pinnedpubkey` has no host without pins. That they are not compared after a
    // redirect to another origin, as `CURLOPT_PINNEDPUBLICKEY` says since 2026, is no reason to
    // trust other hosts: curl 7.88 compares them there, too.
    case .curl: .reject
    }
  }

  /// The same in words, beside what happens here.
  fileprivate var otherHostsWords: String {
    switch self {
    case .trustKit, .android, .nsPinnedDomains, .okHttp:
      "hosts without an entry need a valid path and no pins, as in \(name); "
        + "`TrustManager(configuration:)` and --pins do the same, `TrustManager(pins:)` rejects them"
    case .curl:
      "curl compares these pins with the server of every URL, older versions also after a redirect "
        + "to another host; here they are for one host, and other hosts are rejected"
    }
  }
}

extension PinConfiguration {
  /// What happens to hosts that the configuration does not name: what its system does. TrustKit,
  /// Android, NSPinnedDomains and OkHttp accept them without pins; curl, whose pins are for every
  /// server, does not.
  public var otherHosts: TrustManager.OtherHosts { format.otherHosts }

  /// Whether a remark is the one on hosts that the configuration does not name.
  package func isAboutOtherHosts(_ remark: Remark) -> Bool {
    remark == Remark(subject: format.name, message: format.otherHostsWords)
  }
}

extension TrustManager {
  /// Creates a manager with the pins of another system, which treats other hosts as that system
  /// does.
  ///
  /// Where Android's configuration requires certificate transparency and there is no `transparency`,
  /// it is not checked: the verdict has a warning, and the configuration a remark.
  ///
  /// - Parameters:
  ///   - cache: Where verified signatures are cached, or nil to verify all of them each time.
  ///   - revocation: Revocation data; nil not to check revocation.
  ///   - transparency: The log list and what is required of hosts of which the configuration says
  ///     nothing; nil not to check.
  ///   - onMismatch: Called if no valid path of a host satisfies its pins.
  public init(
    configuration: PinConfiguration, anchors: AnchorSet, rules: ValidationRules = .webPKI,
    cache: SignatureCache? = SignatureCache(),
    revocation: Revocation? = nil, transparency: TransparencyCheck? = nil,
    onMismatch: (@Sendable (PinMismatch) -> Void)? = nil
  ) {
    var transparency = transparency
    if configuration.transparencyOfOtherHosts == .require { transparency?.isRequired = true }
    self.init(
      pins: configuration.table, anchors: anchors, rules: rules, cache: cache,
      revocation: revocation, transparency: transparency, otherHosts: configuration.otherHosts,
      onMismatch: onMismatch)
    transparencyOfOtherHosts = configuration.transparencyOfOtherHosts
  }
}
