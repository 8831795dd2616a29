package import HoldfastCertificates

/// The name constraints of the certificates processed so far, and the check of the next certificate
/// against them: `permitted_subtrees` and `excluded_subtrees` of RFC 5280 §6.1.
///
/// RFC 5280 intersects the permitted subtrees of one authority with those of the next. Here they
/// stay separate and a name must lie in each, which is equivalent and needs no arithmetic on names.
/// A form that an authority does not mention is unconstrained by it.
///
/// A constraint that is malformed or unsupported rejects every name of its form, and a malformed
/// name of a constrained form is rejected. A constraint on a form that no certificate uses has no
/// effect.
package struct NameConstraintChecks: ~Copyable {
  /// One for each issuer that has constraints, highest first.
  private var layers: [Layer] = []
  /// The name forms that some issuer constrains.
  private var mentioned: NameForms = []
  private let allowsLeadingDot: Bool

  /// The constraints of one issuer.
  private struct Layer: Sendable {
    var permitted: SubtreeSet
    var excluded: SubtreeSet

    var malformed: NameForms { permitted.malformed.union(excluded.malformed) }
    var unsupported: NameForms { permitted.unsupported.union(excluded.unsupported) }
  }

  /// Starts with every name permitted and none excluded. RFC 5280 §6.1.2 (b), (c).
  ///
  /// - Parameter allowsLeadingDot: Whether a dNSName constraint may begin with a dot, which then
  ///   stands for at least one label.
  package init(allowsLeadingDot: Bool) {
    self.allowsLeadingDot = allowsLeadingDot
  }

  /// More subtrees in the constraints of one issuer cost more than any budget has, since what is made
  /// of them takes memory.
  private static let maximumSubtrees = 2_048

  /// Adds the constraints of an issuer. RFC 5280 §6.1.4 (g). Reading them costs as much as
  /// comparing one name with each: by their number before they are read, and then by their lengths.
  package mutating func add(
    _ constraints: NameConstraints, _ budget: inout Budget
  ) throws(CheckFailure) {
    let count = constraints.permitted.count + constraints.excluded.count
    guard count <= NameConstraintChecks.maximumSubtrees else {
      throw .limitReached(.work(budget.limits.work))
    }
    try budget.spendNameComparisons(count)
    let layer = Layer(
      permitted: SubtreeSet(
        of: constraints, isExcluded: false, allowsLeadingDot: allowsLeadingDot),
      excluded: SubtreeSet(
        of: constraints, isExcluded: true, allowsLeadingDot: allowsLeadingDot))
    try budget.spendNameComparisons(
      layer.permitted.comparisons + layer.excluded.comparisons - count)
    mentioned.formUnion(layer.permitted.mentioned.union(layer.excluded.mentioned))
    layers.append(layer)
  }

  /// Checks the names of a certificate, up to the first that breaks a rule. RFC 5280 §6.1.3 (b), (c).
  ///
  /// - Parameter isLast: Whether this is the final certificate of the path; other self-issued ones
  ///   are exempt.
  package mutating func check(
    _ certificate: Certificate, isLast: Bool, _ log: inout Violations, _ budget: inout Budget
  ) throws(CheckFailure) {
    guard !layers.isEmpty, isLast || !certificate.isSelfIssued else { return }
    try log.report(found: violation(by: certificate, &budget))
  }

  private mutating func violation(
    by certificate: Certificate, _ budget: inout Budget
  ) throws(CheckFailure) -> Violation? {
    let names = certificate.extensions.subjectAlternativeNames
    try budget.spendNameComparisons(names.count)
    for name in names {
      if let violation = try violation(by: name, &budget) { return violation }
    }
    let subject = GeneralName.directory(certificate.subject)
    guard !certificate.subject.isEmpty else { return nil }
    if let violation = try violation(by: subject, &budget) { return violation }
    // RFC 5280 §4.2.1.10 applies constraints on mailboxes to the attribute emailAddress.
    //
    // Departs: the RFC asks for this only if there is no subjectAltName. Like OpenSSL, this always
    // does it; otherwise adding another name would free the address from its constraint.
    guard mentions(.email) else { return nil }
    for attribute in certificate.subject.attributes where attribute.type == .emailAddress {
      let range = attribute.value.range
      guard var mailbox = PresentedMailbox(attribute.value) else {
        return Violation(.nameMalformed, .text("emailAddress of the subject"), at: range)
      }
      mailbox.isAttribute = true
      if let violation = try violation(
        by: .email(mailbox), .email, .email(ASCIIText(mailbox)), range, &budget)
      {
        return violation
      }
    }
    return nil
  }

  private func mentions(_ form: NameForms) -> Bool { !mentioned.isDisjoint(with: form) }

  private mutating func violation(
    by name: GeneralName, _ budget: inout Budget
  ) throws(CheckFailure) -> Violation? {
    let form = NameForms(of: name)
    guard mentions(form) else {
      // RFC 9598 §6: constraints on mailboxes also apply to those with non-ASCII local parts.
      guard case .other(.smtpUTF8Mailbox, let value) = name, mentions(.email) else { return nil }
      return Violation(
        .constraintUnsupported, .text("on mailboxes, of which one is not in ASCII"),
        at: value.range)
    }
    guard !form.isDisjoint(with: .comparable) else {
      return Violation(
        .constraintUnsupported, .text("on the form of \(name.text(limit: 80))"), at: name.range)
    }
    guard let constrained = ConstrainedName(name) else {
      return Violation(.nameMalformed, .name(name), at: name.range)
    }
    return try violation(by: constrained, form, name, name.range, &budget)
  }

  private mutating func violation(
    by constrained: ConstrainedName, _ form: NameForms, _ name: GeneralName, _ range: Range<Int>?,
    _ budget: inout Budget
  ) throws(CheckFailure) -> Violation? {
    for index in layers.indices {
      if layers[index].malformed.contains(form) {
        return Violation(.constraintMalformed, at: range)
      }
      if layers[index].unsupported.contains(form) {
        return Violation(
          .constraintUnsupported, .text("one with a minimum or a maximum"), at: range)
      }
      if layers[index].permitted.mentioned.contains(form),
        try !layers[index].permitted.holds(constrained, &budget)
      {
        return Violation(.nameNotPermitted, .name(name), at: range)
      }
      if layers[index].excluded.mentioned.contains(form),
        try layers[index].excluded.holds(constrained, &budget)
      {
        return Violation(.nameExcluded, .name(name), at: range)
      }
    }
    return nil
  }
}

extension NameConstraints {
  /// Whether all subtrees are in the syntax of their form, without minimum and maximum, whatever their
  /// forms: RFC 5280 §4.2.1.10 as CAs must write it.
  package var isWellFormed: Bool {
    [false, true].allSatisfy {
      let set = SubtreeSet(of: self, isExcluded: $0, allowsLeadingDot: false)
      return set.malformed.isEmpty && set.unsupported.isEmpty
    }
  }
}

/// A name parsed for comparison with constraints.
enum ConstrainedName {
  /// A host, or a wildcard pattern including its `*.`.
  case dns(Bytes)
  case email(PresentedMailbox)
  /// The host of a URI.
  case uri(Bytes)
  case directory(DistinguishedName)
  case ip(IPAddress)

  /// Parses a name of a comparable form; nil if it is malformed.
  fileprivate init?(_ name: GeneralName) {
    switch name {
    case .dns(let text):
      guard PresentedName(text.bytes) != nil else { return nil }
      self = .dns(text.bytes)
    case .email(let text):
      guard let mailbox = PresentedMailbox(text.bytes) else { return nil }
      self = .email(mailbox)
    case .uri(let text):
      // RFC 5280 §4.2.1.10: a constrained URI whose host is not a name must be rejected.
      guard let host = PresentedURI(text.bytes)?.host else { return nil }
      self = .uri(host)
    case .directory(let name): self = .directory(name)
    case .ip(let address): self = .ip(address)
    case .other, .x400, .ediParty, .registeredID: return nil
    }
  }
}

extension GeneralName {
  /// The byte range of a name of a comparable form, except an address.
  package var range: Range<Int>? {
    switch self {
    case .dns(let text), .email(let text), .uri(let text): text.bytes.range
    case .directory(let name): name.der.range
    case .ip, .other, .x400, .ediParty, .registeredID: nil
    }
  }
}

/// A set of name forms, with `GeneralName.formBit` for each.
struct NameForms: OptionSet, Sendable {
  let rawValue: UInt16

  static let email = NameForms(rawValue: 1 << 1)
  static let dns = NameForms(rawValue: 1 << 2)
  static let directory = NameForms(rawValue: 1 << 4)
  static let uri = NameForms(rawValue: 1 << 6)
  static let ip = NameForms(rawValue: 1 << 7)

  /// The forms whose constraints are supported.
  static let comparable: NameForms = [.email, .dns, .directory, .uri, .ip]

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(of name: GeneralName) { rawValue = name.formBit }
}

extension OID {
  /// A mailbox whose local part is not in ASCII. RFC 9598 §3.
  static let smtpUTF8Mailbox: OID = "1.3.6.1.5.5.7.8.9"
}
