import Holdfast
import HoldfastCertificates
import HoldfastCompatibility
import HoldfastConfigurations
import HoldfastIdentities
import HoldfastPaths
import Testing

/// The messages about pins, configurations and identities.
extension MessageRows {
  private static let key = "rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo="
  private static let time = Timestamp("2026-03-01") ?? .now

  static let pins: [MessageRow] = {
    let all: [(String, PinError.Problem)] = [
      ("empty", .empty), ("tooLong", .tooLong), ("unknownFunction", .unknownFunction("sha1")),
      ("badCharacter", .badCharacter(0x20)), ("urlAlphabet", .urlAlphabet),
      ("badPadding", .badPadding(characters: 43)), ("notBase64", .notBase64),
      ("badLength", .badLength(bytes: 20, expected: 32)), ("encodedTwice", .encodedTwice),
      ("missingQuote", .missingQuote), ("certificateText", .certificateText),
    ]
    return all.map { MessageRow($0, PinError($1, at: 7)) }
  }()

  static func pinSets() throws -> [MessageRow] {
    let pin = try Pin(base64: key)
    let all: [(String, PinSetError)] = [
      ("noPins", .noPins), ("noBackup", .noBackup(pin)), ("noScope", .noScope(pin)),
      ("pinnedAndDenied", .pinnedAndDenied(pin)),
      ("expiresBeforeItBegins", .expiresBeforeItBegins(time)),
      ("nothingToAnchor", .nothingToAnchor), ("badTime", .badTime("tomorrow")),
    ]
    return all.map { MessageRow($0, $1) }
  }

  static func patterns() throws -> [MessageRow] {
    let host = try HostName("1.2.3.4")
    let all: [(String, HostPatternError)] = [
      ("badHost", .badHost("exa mple.com", try badHost())),
      ("misplacedWildcard", .misplacedWildcard("www.*.com")),
      ("wildcardWithSubdomains", .wildcardWithSubdomains("*.example.com")),
      ("addressWithReach", .addressWithReach(host)),
    ]
    return all.map { MessageRow($0, $1) }
  }

  static func tables() throws -> [MessageRow] {
    let all: [(String, PinTableError)] = [
      ("duplicate", .duplicate(try HostPattern("**.example.com"))),
      ("nothingToExclude", .nothingToExclude(try HostPattern("www.example.com"))),
      ("badPattern", .badPattern(.misplacedWildcard("www.*.com"))),
      ("badPin", .badPin("example.com", PinError(.empty, at: 0))),
      ("badPins", .badPins("example.com", .noPins)),
    ]
    return all.map { MessageRow($0, $1) }
  }

  static func trust(_ certificate: Certificate) throws -> [MessageRow] {
    let bad = #expect(throws: ParseError.self) { try Certificate(der: [0x30, 0x03]) }
    let badStaple = #expect(throws: ParseError.self) { try OCSPResponse(der: [0x30, 0x03]) }
    let all: [(String, TrustError)] = [
      ("invalidHost", .invalidHost("exa mple.com", try badHost())),
      ("emptyChain", .emptyChain(host: "example.com")),
      ("invalidCertificate", .invalidCertificate(index: 1, try #require(bad))),
      ("invalidStaple", .invalidStaple(try #require(badStaple))),
      ("unknownHost", .unknownHost("example.com")),
      (
        "noPinFound",
        .noPinFound(host: "example.com", expected: [try Pin(base64: key)], seen: [certificate])
      ),
      ("pinsExpired", .pinsExpired(try HostName("example.com"), time)),
    ]
    return all.map { MessageRow($0, $1) }
  }

  static let unchecked: [MessageRow] = {
    let all: [(String, UncheckedItem)] = [
      ("everything", .everything), ("host", .host), ("path", .path), ("pins", .pins),
      ("expiredPins", .expiredPins), ("revocation", .revocation),
      ("mustStaple", .mustStaple),
    ]
    return all.map { MessageRow($0, $1) }
  }()

  static func pathReasons(_ certificate: Certificate) throws -> [MessageRow] {
    let pin = ScopedPin(try Pin(base64: key), in: .leaf)
    let all: [(String, PinnedPath.Reason)] = [
      ("noPin", .noPin), ("denied", .denied(PinMatch(pin, at: 1, .intermediate))),
      ("wrongPlace", .wrongPlace(PinMatch(pin, at: 1, .intermediate))),
      ("scopeMissing", .scopeMissing(.leaf)),
    ]
    return all.map { MessageRow($0, $1) }
  }

  static func pinHints(_ certificate: Certificate) throws -> [MessageRow] {
    let pin = try Pin(base64: key)
    let all: [(String, PinMismatch.Hint)] = [
      ("digestOfCertificate", .digestOfCertificate(pin, certificate)),
      ("digestOfRawKey", .digestOfRawKey(pin, certificate)),
      ("onlyPresented", .onlyPresented(pin, certificate)),
    ]
    return all.map { MessageRow($0, $1) }
  }

  static func warnings() throws -> [MessageRow] {
    let all: [(String, Verdict.Warning)] = [
      ("debugPin", .debugPin(ScopedPin(try Pin(base64: key)))),
      ("onlyThroughPath", .onlyThroughPath(2)), ("reportedOnly", .reportedOnly),
      ("expiresSoon", .expiresSoon(time)), ("expired", .expired(time)),
    ]
    return all.map { MessageRow($0, $1) }
  }

  static func configurations() throws -> [MessageRow] {
    let all: [(String, ConfigurationError.Problem)] = [
      ("tooLarge", .tooLarge(limit: 1 << 20)), ("unknownFormat", .unknownFormat),
      ("malformed", .malformed("unterminated comment")),
      ("unknownKey", .unknownKey("TSKEnforcePining", nearest: "TSKEnforcePinning")),
      ("duplicateKey", .duplicateKey("TSKEnforcePinning")),
      ("missing", .missing("TSKPublicKeyHashes")),
      ("wrongKind", .wrongKind(found: "string", expected: "array")),
      ("badValue", .badValue(found: "tomorrow", expected: "a date like 2027-01-31")),
      ("badPin", .badPin("abc", PinError(.badPadding(characters: 3), at: 0))),
      ("badPins", .badPins(.noPins)),
      ("badHost", .badHost(.misplacedWildcard("www.*.com"))),
      ("badTable", .badTable(.duplicate(try HostPattern("example.com")))),
      ("nothingPinned", .nothingPinned),
      ("unsupported", .unsupported("an IP address: TrustKit does not accept one")),
      ("cannotExpress", .cannotExpress("TrustKit has no pins for addresses")),
    ]
    return all.map { MessageRow($0, $1) }
  }

  static let identities: [MessageRow] =
    [
      ("file", IdentityError.Locked.file), ("contents", .contents),
      ("contentsOnly", .contentsOnly), ("privateKey", .privateKey),
    ].map { MessageRow($0, $1) }

  static let identityLimits: [MessageRow] = {
    let all: [(String, IdentityError.Limit)] = [
      ("fileSize", .fileSize(found: 9_000_000, most: 8_388_608)), ("bags", .bags(most: 1000)),
      ("nesting", .nesting(most: 8)),
      ("iterations", .iterations(found: 20_000_000, most: 10_000_000)),
      ("totalIterations", .totalIterations(found: 50_000_000, most: 20_000_000)),
      ("scryptMemory", .scryptMemory(found: 2_000_000_000, most: 268_435_456)),
    ]
    return all.map { MessageRow($0, $1) }
  }()

  static let noIdentity: [MessageRow] =
    [
      ("noKey", IdentityError.NoIdentity.noKey), ("noCertificate", .noCertificate),
      ("noMatch", .noMatch), ("several", .several(count: 2)),
    ].map { MessageRow($0, $1) }

  private static func badHost() throws -> HostNameError {
    do throws(HostNameError) {
      _ = try HostName("exa mple.com")
    } catch {
      return error
    }
    throw Accepted()
  }

  private struct Accepted: Error {}
}
