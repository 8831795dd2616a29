import Holdfast
import HoldfastCertificates
import HoldfastDER
import HoldfastPaths

/// A row of Sources/Messages.md: the case of an enum and what a user reads.
struct MessageRow {
  let name: String
  let message: String
  let section: String?

  init(_ name: String, _ message: some CustomStringConvertible, _ section: String? = nil) {
    self.name = name
    self.message = "\(message)"
    self.section = section
  }
}

/// The messages of errors that stand in enums. Each list has a row for every case; the test reads the
/// names of the cases from the sources.
enum MessageRows {
  private static let time = Timestamp("2026-03-01") ?? .now

  static func rules(_ certificate: Certificate) throws -> [MessageRow] {
    let name = certificate.extensions.subjectAlternativeNames.first.map { $0 }
    let host = ReferenceIdentity.host(try HostName("www.example.com"))
    return try Rule.allCases.map { rule in
      let detail: Violation.Detail? =
        switch rule {
        case .untrustedRoot: .text("self-signed")
        case .weakDigest: .text("SHA-1")
        case .weakKey: .limit(1024, allowed: 2048)
        case .unevenKey: .number(2047)
        case .oversizedKey: .limit(16_384, allowed: 8192)
        case .oversizedExponent: .limit(34, allowed: 33)
        case .curveNotAllowed: .text("secp256k1")
        case .notYetValid, .expired: .time(time)
        case .validityTooLong: .limit(400 * 86_400, allowed: 398 * 86_400)
        case .revocationUnknown: .text("\(CertificateRevocation.Status.unknown(.nothingGiven))")
        case .revoked: .text("was revoked at \(time) (\(RevocationReason.keyCompromise))")
        case .nameNotPermitted, .nameExcluded, .nameMalformed: name.map { .name($0) }
        case .issuerVersion, .version: .number(1)
        case .pathLength: .number(0)
        case .keyUsage: .keyUsage(.keyCertSign)
        case .unknownCriticalExtension: .extension("1.2.3.4")
        case .extendedKeyUsage: .purpose(.serverAuth)
        case .hostName, .wildcardTooWide: .identity(host)
        case .emailAddress: .identity(.mailbox(try Mailbox("me@example.com")))
        case .extensionCritical, .extensionNotCritical, .extensionMissing, .extensionMisplaced,
          .extensionValue:
          .extension(.keyUsage)
        case .encoding: .encoding(.serialNumberZero)
        case .uniqueIdentifier: .text("issuerUniqueID")
        case .nameSyntax, .reservedLabel, .alternativeNameForm, .locationNotHTTP:
          name.map { .name($0) }
        case .emailAddressAlone: .text("E=me@example.com")
        case .accessMethod: .text("1.2.3.4")
        case .noticeEncoding: .text("BMPString")
        case .noticeTooLong: .limit(201, allowed: 200)
        case .policyForbidden: .text("anyPolicy")
        case .reservedPolicies, .multipleAttributes: .number(2)
        case .keyUsageForbidden: .text("keyEncipherment")
        case .extendedKeyUsageForbidden: .purpose(.codeSigning)
        case .attributeValue: .text("C is a UTF8String")
        case .attributeOrder, .repeatedAttribute, .attributeMissing, .attributeForbidden:
          .text("O")
        case .digestOfCurve: .text("SHA-256 under a key on P-384")
        case .veto: .text("our paths have at most three certificates")
        default: nil
        }
      let violation = Violation(rule, detail)
      return MessageRow(rule.name, violation, violation.citation)
    }
  }

  static let der: [MessageRow] = {
    let all: [(String, DERError.Problem)] = [
      ("missing", .missing(.sequence)), ("truncated", .truncated), ("highTag", .highTag),
      ("indefiniteLength", .indefiniteLength), ("overlongLength", .overlongLength),
      ("excessiveLength", .excessiveLength),
      ("unexpectedTag", .unexpectedTag(found: .integer, expected: .sequence)),
      ("unexpectedChoice", .unexpectedChoice(found: .integer)), ("trailingData", .trailingData),
      ("empty", .empty), ("tooMany", .tooMany(limit: 64)), ("tooDeep", .tooDeep(limit: 32)),
      ("tooLarge", .tooLarge(limit: 65_536)), ("badBoolean", .badBoolean),
      ("badInteger", .badInteger), ("integerOutOfRange", .integerOutOfRange),
      ("badNull", .badNull), ("badBitString", .badBitString), ("badNamedBits", .badNamedBits),
      ("badObjectIdentifier", .badObjectIdentifier), ("badString", .badString(.printableString)),
      ("badTime", .badTime), ("unsortedSet", .unsortedSet), ("encodedDefault", .encodedDefault),
      ("duplicate", .duplicate), ("notInThisVersion", .notInThisVersion), ("badValue", .badValue),
    ]
    return all.map { MessageRow($0, $1, $1.citation) }
  }()

  static let pem: [MessageRow] = {
    let all: [(String, PEMError.Problem)] = [
      ("noBlock", .noBlock), ("missingEnd", .missingEnd), ("missingBegin", .missingBegin),
      ("labelMismatch", .labelMismatch), ("badBoundary", .badBoundary), ("headers", .headers),
      ("badCharacter", .badCharacter(0x2A)), ("badPadding", .badPadding),
      ("nonZeroPadBits", .nonZeroPadBits), ("emptyBlock", .emptyBlock),
      ("tooLarge", .tooLarge(limit: 16 << 20)), ("tooManyBlocks", .tooManyBlocks(limit: 10_000)),
    ]
    return all.map { name, problem in
      let error = PEMError(problem: problem, block: 2, line: 31)
      return MessageRow(name, error.message, error.citation)
    }
  }()

  static let deviations: [MessageRow] = {
    let all: [(String, EncodingDeviation)] = [
      ("serialNumberZero", .serialNumberZero), ("serialNumberNegative", .serialNumberNegative),
      ("serialNumberTooLong", .serialNumberTooLong),
      ("rsaParametersAbsent", .rsaParametersAbsent(at: 40)),
      ("signatureAlgorithmsDiffer", .signatureAlgorithmsDiffer),
      ("defaultEncoded", .defaultEncoded(at: 400)),
      ("generalizedTimeBefore2050", .generalizedTimeBefore2050(at: 108)),
      ("trailingZeroBits", .trailingZeroBits(at: 400)), ("setNotSorted", .setNotSorted(at: 60)),
      ("badString", .badString(at: 60)), ("badTimestampList", .badTimestampList(at: 500)),
      ("emptyExtension", .emptyExtension(.keyUsage)),
      ("pathLengthWithoutCA", .pathLengthWithoutCA),
      ("emptyRevokedCertificates", .emptyRevokedCertificates(at: 90)),
      ("otherNameWithoutTag", .otherNameWithoutTag(at: 400)),
      ("emptyEntryExtensions", .emptyEntryExtensions(at: 90)),
      ("invalidityDateInUTCTime", .invalidityDateInUTCTime(at: 90)),
      ("criticalExtension", .criticalExtension(.keyUsage)),
    ]
    return all.map { name, deviation in
      let text = "\(deviation)"
      return MessageRow(
        name, text.replacing(" [\(deviation.citation)]", with: ""), deviation.citation)
    }
  }()

  /// Real text, which each problem comes from.
  static var hostNames: [MessageRow] {
    let texts = [
      ("empty", ""), ("notASCII", "münchen.example"), ("url", "https://example.com/"),
      ("port", "example.com:443"), ("emailAddress", "me@example.com"),
      ("wildcard", "*.example.com"), ("zoneIdentifier", "fe80::1%eth0"),
      ("badCharacter", "exa mple.com"), ("emptyLabel", "www..example.com"),
      ("labelTooLong", String(repeating: "a", count: 64) + ".example"),
      ("nameTooLong", String(repeating: "abcdefghi.", count: 26) + "example"),
      ("hyphenAtEdge", "-www.example.com"), ("numericLastLabel", "www.123"),
      ("badIPv4Address", "1.2.3.256"), ("badIPv6Address", "[1::2::3]"),
    ]
    var rows: [MessageRow] = []
    for (name, text) in texts {
      do throws(HostNameError) {
        rows.append(MessageRow(name, "accepted: \(try HostName(text))"))
      } catch {
        rows.append(MessageRow(name, error))
      }
    }
    do throws(HostNameError) {
      rows.append(MessageRow("badMailbox", "accepted: \(try Mailbox("example.com"))"))
    } catch {
      rows.append(MessageRow("badMailbox", error))
    }
    return rows
  }

  static func hints(_ certificate: Certificate) -> [MessageRow] {
    let all: [(String, PathError.Hint)] = [
      ("missingIntermediate", .missingIntermediate(certificate.issuer, locations: [])),
      ("missingRoot", .missingRoot(certificate.issuer, locations: [])),
      ("unknownRoot", .unknownRoot(certificate, anchors: 139)),
      ("anchorWithOtherKey", .anchorWithOtherKey(TrustAnchor(certificate))),
      ("host", .host(.onlyInCommonName)), ("host", .host(.addressInDNSName)),
      ("host", .host(.wildcardTooWide)), ("host", .host(.trailingDot)),
      ("host", .host(.noAlternativeNames)), ("outsideValidity", .outsideValidity(certificate)),
      ("leafExpired", .leafExpired(certificate)),
      ("leafNotYetValid", .leafNotYetValid(certificate)),
      ("isAnchorItself", .isAnchorItself(certificate)), ("noAnchors", .noAnchors),
    ]
    return all.map { MessageRow($0, $1) }
  }

  static let limits: [MessageRow] = [
    ("publicKeyOperations", LimitReached.publicKeyOperations(100)), ("steps", .steps(2000)),
    ("nameComparisons", .nameComparisons(250_000)), ("comparedBytes", .comparedBytes(8 << 20)),
    ("policyNodes", .policyNodes(1000)), ("constraintSubtrees", .constraintSubtrees(4096)),
    ("pathLength", .pathLength(10)), ("candidates", .candidates(256)),
  ].map { MessageRow($0, $1) }

  static let sources: [MessageRow] = {
    let all: [(String, CertificateRevocation.SourceOutcome)] = [
      ("notRevoked", .notRevoked(.all)), ("revoked", .revoked(at: time, reason: .keyCompromise)),
      ("removed", .removed), ("unknownToResponder", .unknownToResponder),
      ("otherIssuer", .otherIssuer), ("otherCertificate", .otherCertificate),
      ("otherDistributionPoint", .otherDistributionPoint), ("otherKind", .otherKind),
      ("unexpectedlyIndirect", .unexpectedlyIndirect), ("nothingNew", .nothingNew),
      ("deltaWithoutBase", .deltaWithoutBase), ("notYetValid", .notYetValid(time)),
      ("stale", .stale(time)), ("tooOld", .tooOld(time)), ("noNextUpdate", .noNextUpdate),
      ("criticalExtension", .criticalExtension("1.2.3.4")), ("noSigner", .noSigner),
      ("signature", .signature), ("algorithm", .algorithm), ("keyUsage", .keyUsage),
      ("doubtfulIssuer", .doubtfulIssuer), ("deviation", .deviation(.serialNumberZero)),
      ("nonce", .nonce), ("noAnswer", .noAnswer(.tryLater)),
    ]
    return all.map { MessageRow($0, $1) } + unreadableList
  }()

  /// Real text: a list of version 3.
  private static var unreadableList: [MessageRow] {
    do throws(ParseError) {
      let algorithm: [UInt8] = [0x30, 10, 6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2]
      _ = try CertificateList(der: [0x30, 20, 0x30, 3, 2, 1, 2] + algorithm + [3, 1, 0])
      return []
    } catch {
      return [MessageRow("unreadable", CertificateRevocation.SourceOutcome.unreadable(error))]
    }
  }

  static let unknownReasons: [MessageRow] = {
    let all: [(String, CertificateRevocation.UnknownReason)] = [
      ("nothingGiven", .nothingGiven), ("nothingUsable", .nothingUsable),
      ("reasonsNotCovered", .reasonsNotCovered(.keyCompromise)),
      ("unknownToResponder", .unknownToResponder), ("unreadableList", .unreadableList),
      ("mustStaple", .mustStaple),
    ]
    return all.map { MessageRow($0, CertificateRevocation.Status.unknown($1)) }
  }()
}
