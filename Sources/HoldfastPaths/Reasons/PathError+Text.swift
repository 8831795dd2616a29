public import HoldfastCertificates

extension PathError: CustomStringConvertible {
  /// The headline, what to do, and the attempts and why they failed, nearest miss first: at most
  /// 4 KiB, ASCII except for the § of citations.
  ///
  /// ```
  /// CN=Example Issuing CA 3 expired 20 days ago, at 2026-03-01T00:00:00Z
  ///   hint: renew it
  ///   CN=example.com < CN=Example Issuing CA 3
  ///     1: expired at 2026-03-01T00:00:00Z, bytes 187–201 [RFC …]
  /// ```
  public var description: String {
    var lines = entry.map { ["  only the trust of the entry \($0) counts for the host"] } ?? []
    lines += hints.map { "  hint: \($0)" }
    for attempt in attempts {
      let rejections = attempt.rejections
      if let first = rejections.first { lines.append("  " + first.pathLine) }
      for rejection in rejections { lines.append("    " + rejection.line) }
    }
    if omitted > 0 { lines.append("  \(omitted) more paths were tried") }
    var text = headline
    for (index, line) in lines.enumerated() {
      // 40 bytes are kept for the last line.
      guard text.utf8.count + line.utf8.count < 4096 - 40 else {
        return text + "\n  and \(lines.count - index) more lines"
      }
      text += "\n" + line
    }
    return text
  }
}

extension PathError.Rejection: Loggable {
  /// The path and what is wrong with it.
  public var description: String { "\(pathLine)\n  \(line)" }

  /// The field of the certificate that breaks the rule, by its name in RFC 5280 §4.1: `notAfter`,
  /// `signatureValue`, `nameConstraints`. Nil if it is not a single field.
  public var field: String? {
    guard let certificate else { return nil }
    if let bytes { return "\(certificate.field(at: bytes.lowerBound))" }
    if case .extension(let oid)? = violation.detail {
      return "\(ParseError.Field.extension(oid))"
    }
    return rule.row.field
  }

  /// The names on the path: `CN=example.com < CN=Example CA`.
  fileprivate var pathLine: String {
    var names = path.map { $0.shortName }
    if let anchor { names.append("anchor " + anchor.name.short) }
    return names.joined(separator: " < ")
  }

  /// `1: expired at …, bytes 187–201 [RFC 5280 §6.1.3 (a)(2)]`.
  fileprivate var line: String {
    // The names say more than where they are.
    let location =
      namesFound == nil ? bytes.map { ", bytes \($0.lowerBound)-\($0.upperBound - 1)" } ?? "" : ""
    return "\(index): \(finding())\(location) [\(violation.citation)]"
  }

  /// What is wrong, and the names that were found instead of the expected one:
  /// `not valid for www.example.com, found DNS:example.net`; or those that a CA may give.
  package func finding(naming name: CertificateRevocation.Naming = { "\($0)" }) -> String {
    Short.text(violation.message(naming: name), 300) + (namesFound.map { ", found \($0)" } ?? "")
      + (namesPermitted.map { ", permitted is \($0)" } ?? "") + missingFeatures
  }

  /// `: feature 5 of its issuer is missing`; nothing if another rule is broken.
  private var missingFeatures: String {
    guard rule == .extensionValue, violation.detail == .extension(.tlsFeature), let certificate
    else { return "" }
    let issuers = path.dropFirst(index + 1) + [anchor?.certificate].compactMap { $0 }
    let missing = issuers.flatMap { $0.extensions.tlsFeatures }.first {
      !certificate.extensions.tlsFeatures.contains($0)
    }
    return missing.map { ": feature \($0) of its issuer is missing" } ?? ""
  }

  /// `DNS:example.net and 3 more`; nil if no name is missing, or there is none at all.
  package var namesFound: String? {
    guard let found, !found.isEmpty else { return nil }
    return Short.list(of: found, atMost: 8) { $0.text(limit: 80) }
  }

  /// What the path permits of the form of a name that is not permitted; nil if another rule is broken,
  /// or if several CAs permit some, of which each may be the one that leaves the name out.
  private var namesPermitted: String? {
    guard violation.rule == .nameNotPermitted, case .name(let name)? = violation.detail else {
      return nil
    }
    let form = name.formBit
    let constraints =
      path.dropFirst(index + 1).compactMap { $0.extensions.nameConstraints }
      + (anchor.map { [$0.constraints.names].compactMap { $0 } + $0.constraints.moreNames } ?? [])
    let permitted = constraints.map { $0.permitted.filter { $0.base.name.formBit == form } }
      .filter { !$0.isEmpty }
    guard let subtrees = permitted.first, permitted.count == 1 else { return nil }
    return Short.list(of: subtrees, atMost: 8) { "\($0.base)" }
  }
}

extension PathError.Hint: CustomStringConvertible {
  /// The text of the hint.
  public var description: String {
    switch self {
    case .missingIntermediate(let name, let locations):
      return "send the intermediate \(name.short)" + PathError.Hint.text(of: locations)
    case .missingRoot(let name, let locations):
      return "send \(name.short) if it is an intermediate; add it to the trust anchors if it is "
        + "your root"
        + PathError.Hint.text(of: locations)
    case .unreadable(let certificate):
      return "replace certificate \(certificate.number) by a copy that is not damaged, or have it "
        + "issued anew"
    case .unknownRoot(let certificate, let count):
      let anchors =
        count == 1
        ? "the only trust anchor is another" : "it is not among the \(count) trust anchors"
      return "add \(certificate.shortName) to the trust anchors, if it is yours: \(anchors)"
    case .anchorWithOtherKey(let anchor):
      return
        "the anchor \(anchor.name.short) has the issuer's name but another key: add the anchor "
        + "of the key that signed"
    case .otherSigner(let certificate, let identifier):
      guard let identifier else {
        return "have another copy of \(certificate.shortName) sent, or the certificate of the "
          + "\(certificate.issuer.short) that signed it: no key identifier tells which is wrong"
      }
      return "send the certificate of \(certificate.issuer.short) with the key identifier "
        + identifier.shortHexadecimal
    case .changed(let certificate):
      return "replace this copy of \(certificate.shortName) by a fresh one from its CA"
    case .notFirst(let certificate): return "put \(certificate.shortName) first"
    case .otherNames(let identity, let certificate):
      let names = certificate.extensions.subjectAlternativeNames
      return "add \(identity.alternativeName) to the certificate"
        + (names.isEmpty
          ? "" : ": it names only \(Short.list(of: names, atMost: 4) { $0.text(limit: 80) })")
    case .host(.onlyInCommonName):
      return "the host is only in the common name, which is ignored"
    case .host(.addressInDNSName): return "the address is in a dNSName, not in an iPAddress"
    case .host(.wildcardTooWide): return "a wildcard would match, but is wider than allowed"
    case .host(.trailingDot): return "a name would match without its trailing dot"
    case .host(.space): return "a name would match without its space"
    case .precertificate(let certificate):
      return "use the final certificate that its CA has issued for \(certificate.shortName)"
    case .onHold(let certificate):
      return "\(certificate.shortName) is on hold, and not revoked for good: ask its CA to end the "
        + "hold and give its next CRL or OCSP response, or use another certificate"
    case .outsideValidity(let certificate):
      return "send a current certificate of \(certificate.shortName): this one is valid from "
        + "\(certificate.notBefore) to \(certificate.notAfter)"
    case .crossSigned(let certificate):
      return "trust \(certificate.subject.short), which was sent below an expired root: that root "
        + "needs no trust any more"
    case .noBundle(let domain): return "no bundle of the trust domain \(domain) is given"
    case .leafExpired(let certificate):
      return "renew this certificate: it was valid until \(certificate.notAfter)"
    case .leafNotYetValid(let certificate):
      return "wait until \(certificate.notBefore), or check the clock"
    case .isAnchorItself(let certificate):
      return "\(certificate.shortName) is itself an anchor; the rules rfc5280 and apple accept that"
    case .noAnchors: return "no trust anchors were given"
    case .remedy(let rule): return rule.row.remedy
    case .remedyAboveLeaf(let rule, let certificate):
      return "\(certificate.shortName): \(rule.row.remedy); or use a certificate of another CA"
    case .source(let outcome): return outcome.remedy ?? Rule.revocationUnknown.row.remedy
    case .acceptedBy(let preset): return "the rules \(preset) accept it"
    case .limit(let limit): return "\(limit.remedy), or raise Limits.\(limit.name)"
    }
  }

  /// Whether it is about the leaf as it is, whatever other paths there may be.
  var isOfLeafAlone: Bool {
    switch self {
    case .unreadable, .notFirst, .host, .leafExpired, .leafNotYetValid, .isAnchorItself,
      .otherNames, .noAnchors, .noBundle, .precertificate:
      true
    case .missingIntermediate, .missingRoot, .unknownRoot, .crossSigned,
      .anchorWithOtherKey, .otherSigner, .changed, .outsideValidity, .remedy, .remedyAboveLeaf,
      .onHold, .source, .acceptedBy, .limit:
      false
    }
  }

  private static func text(of locations: [ASCIIText]) -> String {
    let locations = locations.prefix(4).map { Short.text($0.text(limit: 200), 200) }
    return locations.isEmpty ? "" : "; it is at " + locations.joined(separator: ", ")
  }
}

extension Certificate {
  /// Whether the validity ends before it begins.
  var neverIsValid: Bool { notAfter < notBefore }

  /// Whether the subject has this identity, which counts in a text alone. RFC 9525 §6.3.
  func hasSubject(_ identity: ReferenceIdentity) -> Bool {
    let own = Bytes(Array("\(identity)".utf8))
    return subject.attributes.contains {
      ($0.type == .commonName || $0.type == .emailAddress) && $0.value.equalsIgnoringCase(own)
    }
  }

  /// The truncated subject, or the serial number of a certificate without one.
  package var shortName: String {
    subject.isEmpty ? "serial number \(serialNumber.short)" : subject.short
  }
}

extension Bytes {
  /// A key identifier in hexadecimal, truncated at the length of a SHA-1 digest.
  var shortHexadecimal: String {
    Hexadecimal.text(of: prefix(20)) + (count > 20 ? "..." : "")
  }
}

extension SerialNumber {
  /// The number in hexadecimal, truncated at twice the length that RFC 5280 §4.1.2.2 allows.
  package var short: String {
    let digits = bytes.first == 0 ? bytes.dropFirst() : bytes[...]
    return digits.count <= 40 ? "\(self)" : Hexadecimal.text(of: digits.prefix(40)) + "..."
  }
}

extension DistinguishedName {
  /// The name, truncated.
  package var short: String { isEmpty ? "an empty name" : Short.text(text(limit: 120), 120) }
}

/// Escapes and truncates text from untrusted bytes, for one line of an explanation.
private enum Short {
  /// Returns the first of some names: `DNS:example.com, DNS:example.net and 3 more`.
  static func list<Names: Collection>(
    of names: Names, atMost maximum: Int, as name: (Names.Element) -> String
  ) -> String {
    let some = names.prefix(maximum).map { text(name($0), 80) }
    return some.joined(separator: ", ")
      + (names.count > maximum ? " and \(names.count - maximum) more" : "")
  }

  /// Returns at most this number of characters, all of them printable ASCII or §.
  static func text(_ text: String, _ maximum: Int) -> String {
    if text.utf8.count <= maximum, text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text }
    var short = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < maximum else { return short + "..." }
      if 0x20...0x7E ~= scalar.value || scalar == "§" {
        short.unicodeScalars.append(scalar)
        count += 1
      } else {
        let escape = "\\u{" + String(scalar.value, radix: 16) + "}"
        short += escape
        count += escape.utf8.count
      }
    }
    return short
  }
}
