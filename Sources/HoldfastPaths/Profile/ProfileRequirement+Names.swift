internal import HoldfastCertificates
internal import HoldfastDER

// MARK: Requirements on names, addresses and texts

extension ProfileRequirement {
  static let names: [ProfileRequirement] = [
    ProfileRequirement(
      .nameSyntax, .both, .all,
      "alternative names that are host names, mailboxes and absolute URIs where they claim to be"
    ) {
      misspelled($0.extensions.subjectAlternativeNames)
        + misspelled($0.extensions.issuerAlternativeNames)
    },
    ProfileRequirement(
      .nameSyntax, .both, .all, "absolute URIs as locations and distribution points",
      "RFC 5280 §4.2.1.13, §4.2.2"
    ) { certificate in
      let extensions = certificate.extensions
      let locations =
        extensions.authorityInformationAccess.map(\.location)
        + extensions.subjectInformationAccess.map(\.location)
        + distributionPoints(of: certificate).flatMap(\.fullNames)
      return misspelled(
        locations.filter { if case .uri = $0 { true } else { false } }, isLocation: true)
    },
    ProfileRequirement(
      .constraintSyntax, .both, .authority,
      "name constraints in the syntax of their form, without minimum and maximum"
    ) { certificate in
      guard let constraints = certificate.extensions.nameConstraints else { return [] }
      let sets = [constraints.permitted, constraints.excluded].map {
        SubtreeSet($0, isExcluded: false, allowsLeadingDot: false)
      }
      let isMalformed = sets.contains {
        !$0.malformed.isEmpty || !$0.unsupported.isDisjoint(with: .comparable)
      }
      return isMalformed ? [Finding(at: certificate.range(of: .nameConstraints))] : []
    },
    ProfileRequirement(
      .emailAddressAlone, .both, .all, "the subject's e-mail addresses among the alternative names"
    ) { certificate in
      let attributes = certificate.subject.attributes.filter {
        $0.type == .emailAddress
      }
      guard !attributes.isEmpty else { return [] }
      var names: Set<[UInt8]> = []
      for case .email(let text) in certificate.extensions.subjectAlternativeNames {
        names.insert(text.bytes.map(Bytes.lowercased))
      }
      return attributes.first { !names.contains($0.value.map(Bytes.lowercased)) }
        .map { [Finding(.text("\($0)"), at: $0.value.range)] } ?? []
    },
    ProfileRequirement(
      .distributionPoint, .both, .all,
      "a CRL distribution point for all reasons, and no CRL issuer that is the certificate's"
    ) { certificate in
      let points = certificate.extensions.crlDistributionPoints
      let covered = points.isEmpty || points.contains { $0.reasons == nil || $0.reasons == .all }
      let isRedundant = points.contains { point in
        point.crlIssuer.contains { name in
          if case .directory(let issuer) = name { issuer == certificate.issuer } else { false }
        }
      }
      guard !covered || isRedundant else { return [] }
      return [Finding(at: certificate.range(of: .cRLDistributionPoints))]
    },
    ProfileRequirement(
      .noticeEncoding, .both, .all, "policy notices in UTF8String",
      // RFC 5280 forbids VisibleString and BMPString, RFC 6818 IA5String.
      "RFC 5280 §4.2.1.4, RFC 6818 §3"
    ) { certificate in
      notices(of: certificate).first { $0.tag != .utf8String }
        .map { [Finding(.text("\($0.tag)"), at: $0.value.range)] } ?? []
    },
    ProfileRequirement(
      .noticeTooLong, .both, .all, "policy notices of at most 200 characters"
    ) { certificate in
      notices(of: certificate).first { $0.length > 200 }
        .map { [Finding(.limit($0.length, allowed: 200), at: $0.value.range)] } ?? []
    },
    ProfileRequirement(
      .reservedLabel, .web, .server, "no hyphens in the third and fourth place but in A-labels"
    ) { certificate in
      for case .dns(let text) in certificate.extensions.subjectAlternativeNames
      where NameSyntax.hasReservedLabel(text.bytes) {
        return [Finding(.name(.dns(text)), at: text.bytes.range)]
      }
      return []
    },
  ]

  /// Returns the first of the names that is not in the syntax of its form.
  private static func misspelled(
    _ names: some Sequence<GeneralName>, isLocation: Bool = false
  ) -> [Finding] {
    for name in names {
      let (text, isCorrect): (ASCIIText, Bool)
      switch name {
      case .dns(let host):
        (text, isCorrect) = (host, NameSyntax.isHost(host.bytes, allowsWildcard: true))
      case .email(let mailbox): (text, isCorrect) = (mailbox, NameSyntax.isMailbox(mailbox.bytes))
      case .uri(let uri):
        (text, isCorrect) = (uri, NameSyntax.isURI(uri.bytes, isLocation: isLocation))
      case .other, .x400, .directory, .ediParty, .ip, .registeredID: continue
      }
      if !isCorrect { return [Finding(.name(name), at: text.bytes.range)] }
    }
    return []
  }

  static func distributionPoints(of certificate: Certificate) -> [DistributionPoint] {
    Array(certificate.extensions.crlDistributionPoints) + certificate.extensions.freshestCRL
  }

  /// Returns the explicit texts of all notices.
  private static func notices(of certificate: Certificate) -> [PolicyQualifier.Text] {
    certificate.extensions.certificatePolicies.flatMap(\.qualifiers).compactMap(\.explicitText)
  }
}

extension DistributionPoint {
  /// The names, unless the distribution point is named relative to the issuer.
  var fullNames: [GeneralName] { if case .full(let names)? = name { Array(names) } else { [] } }
}

/// The syntax of names as CAs must write them, which is narrower than what is compared.
enum NameSyntax {
  /// Whether text is a host name of letters, digits and inner hyphens. RFC 5280 §4.2.1.6: the
  /// preferred name syntax of RFC 1034 §3.5, as modified by RFC 1123 §2.1.
  static func isHost(_ text: Bytes, allowsWildcard: Bool = false) -> Bool {
    let isWildcard = allowsWildcard && text.starts(with: [0x2A, 0x2E])
    let host = isWildcard ? text.from(text.startIndex + 2) : text
    guard PresentedName.labelCount(host) != nil else { return false }
    return host.split(separator: 0x2E).allSatisfy {
      !$0.contains(0x5F) && $0.first != 0x2D && $0.last != 0x2D
    }
  }

  /// Whether a label of a host has hyphens in the third and the fourth place and is no A-label.
  /// RFC 5890 §2.3.1.
  static func hasReservedLabel(_ host: Bytes) -> Bool {
    host.split(separator: 0x2E).contains { label in
      label.dropFirst(2).starts(with: [0x2D, 0x2D])
        && !label.prefix(2).map(Bytes.lowercased).elementsEqual("xn".utf8)
    }
  }

  /// Whether text is a `Mailbox` of RFC 5321 §4.1.2: a dot-string or a quoted string, and a host or
  /// an address in brackets.
  static func isMailbox(_ text: Bytes) -> Bool {
    guard let at = text.lastIndex(of: 0x40) else { return false }
    let (local, host) = (text.upTo(at), text.from(at + 1))
    guard PresentedMailbox.localPart(local) != nil else { return false }
    if local.first != 0x22,
      local.split(separator: 0x2E, omittingEmptySubsequences: false).contains(where: \.isEmpty)
    {
      return false
    }
    return isHost(host) || isAddressLiteral(host)
  }

  private static func isAddressLiteral(_ text: Bytes) -> Bool {
    guard text.first == 0x5B, text.last == 0x5D, text.count > 2 else { return false }
    var literal = text.from(text.startIndex + 1).upTo(text.endIndex - 1)
    let tag = Array("IPv6:".utf8)
    let isVersion6 = literal.prefix(tag.count).elementsEqual(tag)
    if isVersion6 { literal = literal.from(literal.startIndex + tag.count) }
    guard let address = IPAddress(String(decoding: literal, as: UTF8.self)) else { return false }
    return (address.bytes.count == 16) == isVersion6
  }

  /// Whether text is an absolute URI of RFC 3986 with a scheme, something after it and, if it has
  /// an authority, a host or an address there. RFC 5280 §4.2.1.6.
  ///
  /// - Parameter isLocation: Whether an LDAP URI may omit the host. RFC 5280 §4.2.1.13, §4.2.2.1.
  static func isURI(_ text: Bytes, isLocation: Bool = false) -> Bool {
    guard let colon = text.firstIndex(of: 0x3A), let first = text.first,
      0x61...0x7A ~= first | 0x20, text.upTo(colon).allSatisfy(isSchemeCharacter),
      colon + 1 < text.endIndex, isEncoded(text.from(colon + 1))
    else { return false }
    var rest = text.from(colon + 1)
    let scheme = text.upTo(colon).map(Bytes.lowercased)
    guard rest.starts(with: [0x2F, 0x2F]) else {
      // RFC 9110 §4.2.1: an HTTP URI has an authority.
      return !scheme.elementsEqual("http".utf8) && !scheme.elementsEqual("https".utf8)
    }
    rest = rest.from(rest.startIndex + 2)
    let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? rest.endIndex
    var host = rest.upTo(end)
    if let at = host.lastIndex(of: 0x40) { host = host.from(at + 1) }
    if host.first == 0x5B {
      guard let close = host.firstIndex(of: 0x5D), isPort(host.from(close + 1)) else {
        return false
      }
      return IPAddress(String(decoding: host.upTo(close + 1), as: UTF8.self)) != nil
    }
    if let port = host.firstIndex(of: 0x3A) {
      guard isPort(host.from(port)) else { return false }
      host = host.upTo(port)
    }
    if host.isEmpty {
      return isLocation && scheme.elementsEqual("ldap".utf8)
    }
    // A trailing dot only says that the name is complete.
    if host.last == 0x2E { host = host.upTo(host.endIndex - 1) }
    return PresentedName.labelCount(host) != nil
  }

  private static func isPort(_ text: Bytes) -> Bool {
    text.isEmpty || text.first == 0x3A && text.dropFirst().allSatisfy(Bytes.isDigit)
  }

  private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
    Bytes.isAlphanumeric(byte) || "+-.".utf8.contains(byte)
  }

  /// Whether all characters may be in a URI, and each `%` precedes two hexadecimal digits.
  private static func isEncoded(_ text: Bytes) -> Bool {
    for range in text.indices {
      let byte = text[range]
      if byte == 0x25 {
        let digits = text.from(range + 1).prefix(2)
        guard digits.count == 2, digits.allSatisfy(isHexadecimal) else { return false }
      } else if !Bytes.isAlphanumeric(byte), !"-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
        return false
      }
    }
    return true
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    Bytes.isDigit(byte) || 0x61...0x66 ~= byte | 0x20
  }
}
