package import Holdfast
internal import HoldfastDER
internal import HoldfastJSON

/// What was found, as programs get it.

extension PathError.Rejection {
  /// The maximum number of names of a leaf in JSON; all are in `found`.
  private static let maximumNames = 32

  /// `path` has the SHA-256 of each certificate, the leaf first.
  func json(_ digests: inout DigestCache, _ sources: RevocationSources) -> JSONValue {
    var members = JSONMembers()
    var hashes: [String] = []
    for certificate in path { hashes.append(digests.text(of: certificate)) }
    members.add("path", hashes)
    if let anchor { members.add("anchor", anchor.name.limited) }
    members.add("index", index)
    if let certificate { members.add("certificate", certificate.json(&digests)) }
    members.add("rule", rule.name)
    members.add("citation", violation.citation)
    members.add("reason", violation.message(naming: sources.name(of:)))
    if case .revocation(let found)? = violation.detail {
      members.add("revocation", .object(found.members(sources)))
    }
    if let field { members.add("field", field) }
    if let expected, let found {
      members.add("expected", "\(expected)")
      members.add(
        "found", found.prefix(PathError.Rejection.maximumNames).map { $0.text(limit: 256) })
    }
    if let bytes {
      members.add("bytes", .array([.number(bytes.lowerBound), .number(bytes.upperBound)]))
    }
    return .object(members.all)
  }
}

extension ValidatedPath {
  /// What is unchecked after what was found of timestamps.
  func unchecked(beside transparency: TransparencyReport?) -> [UncheckedItem] {
    switch transparency?.verdict {
    case .complies, .violates: unchecked.filter { $0 != .transparency }
    case .notEvaluated, nil: unchecked
    }
  }
}

extension CertificateRevocation {
  /// `status` is `good`, `revoked`, `unknown` or `notApplicable`; `revokedAt` and `reason` go with
  /// `revoked`, `why` with `unknown`, `sources` and `thisUpdate` with `good` and `revoked`,
  /// `expired` with the latter if the source is past its end; `facts`
  /// tell what each CRL, OCSP response and filter has to do with it, and in which `file` it is.
  func members(_ sources: RevocationSources) -> [JSONValue.Member] {
    var members = JSONMembers()
    func add(_ evidence: Evidence) {
      members.add("sources", evidence.sources.map { sources.name(of: $0) })
      members.add("thisUpdate", "\(evidence.thisUpdate)")
      if let expired = evidence.expired { members.add("expired", "\(expired)") }
    }
    switch status {
    case .good(let evidence):
      members.add("status", "good")
      add(evidence)
    case .revoked(let time, let reason, let evidence):
      members.add("status", "revoked")
      if let time { members.add("revokedAt", "\(time)") }
      if let reason { members.add("reason", "\(reason)") }
      add(evidence)
    case .unknown(let why):
      members.add("status", "unknown")
      members.add("why", "\(why)")
    case .notApplicable: members.add("status", "notApplicable")
    }
    members.add("facts", .array(facts.map { $0.json(sources) }))
    return members.all
  }
}

extension CertificateRevocation.Fact {
  fileprivate func json(_ sources: RevocationSources) -> JSONValue {
    .object([
      "source": .string(sources.name(of: source)), "finding": .string(outcome.name),
      "text": .string(message), "citation": .optional(citation),
    ])
  }
}

extension Certificate {
  /// What programs get of a certificate that is not the subject of a report.
  func json(_ digests: inout DigestCache) -> JSONValue {
    .object([
      "name": .string(PathText.name(self)), "issuer": .string(issuer.limited),
      "serialNumber": .string(serialNumber.short), "notBefore": .string("\(notBefore)"),
      "notAfter": .string("\(notAfter)"), "sha256": .string(digests.text(of: self)),
    ])
  }
}

extension PathElement {
  var json: JSONValue {
    var pins = ["\(pin)"]
    if let certificate { pins.append("\(Pin(certificate))") }
    return .object([
      "role": .string("\(scope)"), "name": .string(PathText.name(self)), "pins": .strings(pins),
    ])
  }
}

extension ScopedPin {
  var json: JSONValue {
    var members = JSONMembers()
    members.add("pin", "\(pin)")
    members.add("scope", "\(scope)")
    if let label { members.add("label", label) }
    return .object(members.all)
  }
}

extension DistinguishedName {
  /// The name for programs, truncated.
  package var limited: String { text(limit: PathText.maximumNameLength) }
}

/// The words for certificates and their names.
package enum PathText {
  /// The maximum number of bytes of a name; `inspect` shows the whole. What RFC 5280's upper bounds
  /// allow the common attributes fits in.
  package static let maximumNameLength = 512

  /// The subject, or the serial number where it is empty.
  package static func name(_ certificate: Certificate) -> String {
    certificate.subject.isEmpty
      ? "serial number \(certificate.serialNumber.short)" : name(certificate.subject)
  }

  package static func name(_ location: PathElement) -> String {
    location.certificate.map { PathText.name($0) } ?? PathText.name(location.name)
  }

  package static func name(_ name: DistinguishedName) -> String {
    printable(name.limited)
  }
}

/// The members of an object, as they are added.
struct JSONMembers {
  private(set) var all: [JSONValue.Member] = []

  mutating func add(_ name: String, _ value: JSONValue) {
    all.append(JSONValue.Member(name: name, value: value))
  }

  mutating func add(_ name: String, _ text: String?) { add(name, .optional(text)) }
  mutating func add(_ name: String, _ number: Int) { add(name, .number(number)) }
  mutating func add(_ name: String, _ texts: [String]) { add(name, .strings(texts)) }
}

/// The SHA-256 of the last certificates of paths: the same stand on many.
struct DigestCache: Sendable {
  private var places: [Place?]

  private struct Place {
    let certificate: Certificate
    let text: String
  }

  /// - Parameter capacity: The number of digests, a power of two.
  init(capacity: Int) {
    places = Array(repeating: nil, count: capacity)
  }

  /// The SHA-256, in hexadecimal, of a certificate that other paths may have, too.
  mutating func text(of certificate: Certificate) -> String {
    let index =
      Int(truncatingIfNeeded: certificate.signatureTail &* 0x9E37_79B9_7F4A_7C15 >> 32)
      & (places.count - 1)
    if let known = places[index], known.certificate == certificate { return known.text }
    let text = certificate.sha256
    places[index] = Place(certificate: certificate, text: text)
    return text
  }
}
