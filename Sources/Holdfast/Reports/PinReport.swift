public import HoldfastCertificates
internal import HoldfastPaths

/// A report of pins that were missed, as RFC 7469 §3 and TrustKit have it.
///
/// Nothing here sends it; `json` is what is posted, and `init(json:)` reads what was.
public struct PinReport: Sendable, Hashable {
  /// When the pins were missed.
  public var time: Timestamp
  /// The host that was asked for.
  public var host: String
  /// The port; TrustKit always says 0.
  public var port: Int
  /// The host of the entry whose pins counted.
  public var notedHost: String
  /// Whether the entry is for subdomains, too.
  public var includesSubdomains: Bool
  /// When the pins expire, if they do.
  public var expiry: Timestamp?
  /// The chain as it was sent; TrustKit does not report it.
  public var servedChain: [Certificate]
  /// The path that was validated.
  public var validatedChain: [Certificate]
  /// The pins that were expected.
  public var knownPins: [Pin]
  /// What TrustKit says besides; nil for a report of RFC 7469.
  public var app: App?

  /// What TrustKit's reports have besides those of RFC 7469.
  public struct App: Sendable, Hashable {
    /// `app-bundle-id`.
    public var bundle = ""
    /// `app-version`.
    public var version = ""
    /// `app-platform`.
    public var platform = ""
    /// `app-platform-version`.
    public var platformVersion = ""
    /// `app-vendor-id`, which tells one installation from others.
    public var vendor = ""
    /// `trustkit-version`.
    public var trustKitVersion = ""
    /// Whether the connection was refused.
    public var isEnforced = true
    /// What the validation came to.
    public var result = Result.noMatchingPin

    /// Nothing is known.
    public init() {}

    /// TrustKit's numbers of results.
    public enum Result: Int, Sendable, Hashable, CaseIterable {
      /// A pin was there.
      case success = 0
      /// No pin was there.
      case noMatchingPin = 1
      /// The chain was not valid.
      case invalidChain = 2
      /// The arguments made no sense.
      case invalidParameters = 3
      /// The chain ends at an anchor of the user's own.
      case userDefinedAnchor = 4
      /// A key was of a kind that TrustKit cannot digest.
      case undigestibleKey = 5
    }
  }

  /// The report of a mismatch.
  public init(_ mismatch: PinMismatch, port: Int = 443, app: App? = nil) {
    time = mismatch.time
    host = "\(mismatch.host)"
    self.port = port
    notedHost = "\(mismatch.pattern.host)"
    includesSubdomains = mismatch.pattern.reach != .host
    expiry = mismatch.pins.expiry?.time
    servedChain = mismatch.presented
    validatedChain = mismatch.paths.first?.path.certificates ?? []
    knownPins = mismatch.pins.pins.map(\.pin)
    self.app = app
  }

  /// Whether two reports are of the same thing at two times: those that need not be sent twice.
  public func isSameMatter(as other: PinReport) -> Bool {
    var copy = other
    copy.time = time
    return copy == self
  }
}

extension PinReport {
  /// The report as a JSON object: TrustKit's if there is an `app`, otherwise that of RFC 7469 §3.
  public var json: String {
    var object = JSONObject()
    if let app {
      object.add("app-bundle-id", app.bundle)
      object.add("app-version", app.version)
      object.add("app-platform", app.platform)
      object.add("app-platform-version", app.platformVersion)
      object.add("app-vendor-id", app.vendor)
      object.add("trustkit-version", app.trustKitVersion)
    }
    object.add("date-time", "\(time)")
    object.add("hostname", host)
    object.add("port", port)
    if app == nil, let expiry { object.add("effective-expiration-date", "\(expiry)") }
    object.add("include-subdomains", raw: "\(includesSubdomains)")
    object.add("noted-hostname", notedHost)
    if app == nil { object.add("served-certificate-chain", raw: PinReport.chain(servedChain)) }
    object.add("validated-certificate-chain", raw: PinReport.chain(validatedChain))
    object.add(
      "known-pins", raw: JSONObject.array(knownPins.map { JSONObject.string($0.text(.header)) }))
    if let app {
      object.add("enforce-pinning", raw: "\(app.isEnforced)")
      object.add("validation-result", app.result.rawValue)
      let date = expiry.map { JSONObject.string(String("\($0)".prefix(10))) }
      object.add("known-pins-expiration-date", raw: date ?? "null")
    }
    return object.text
  }

  private static func chain(_ certificates: [Certificate]) -> String {
    JSONObject.array(certificates.map { JSONObject.string($0.pem) })
  }
}

/// Why a text is no report: the member, and what is wrong with it.
public struct PinReportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The member; empty if the text as a whole is no JSON object.
  public let member: String

  /// What is wrong.
  public let problem: Problem

  /// What is wrong.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// No JSON, from this place in its UTF-8 on.
    case notJSON(offset: Int)
    /// The member is missing.
    case missing
    /// The member is of another kind.
    case wrongKind
    /// The report has no such member.
    case unknown
    /// Not a time.
    case badTime(String)
    /// Not a pin.
    case badPin(PinError)
    /// Not a certificate.
    case badCertificate(CertificateError)
  }

  /// What is wrong, and where.
  public var description: String {
    let words =
      switch problem {
      case .notJSON(let offset): "not a JSON object from byte \(offset) on"
      case .missing: "missing"
      case .wrongKind: "a value of another kind"
      case .unknown: "no report has this member"
      case .badTime(let text): "\"\(text)\" is no time"
      case .badPin(let error): "\(error)"
      case .badCertificate(let error): "\(error)"
      }
    return member.isEmpty ? words : "\(member): \(words)"
  }
}
