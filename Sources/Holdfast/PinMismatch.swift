/// What was found and what was expected, for a host of which no valid path satisfies the pins.
public struct PinMismatch: Sendable {
  /// The host.
  public let host: HostName

  /// The time of the evaluation.
  public let time: Timestamp

  /// The pattern of the entry that applies to the host.
  public let pattern: HostPattern

  /// The expected pins.
  public let pins: PinSet

  /// The valid paths, in the order in which they were found; at least one.
  public let paths: [PinnedPath]

  /// The error at the end of the search, which also covers the paths that are not valid.
  public let pathError: PathError

  /// Whether the connection was rejected, and not only reported.
  public let isEnforced: Bool

  /// The chain as the server sent it. Certificates in it do not count for pins just by being sent.
  public let presented: [Certificate]

  /// The host and the port of the connection, if that is not the usual one.
  package var server: String?

  /// The code of the error: that of the path which was found first.
  var code: String { paths.first?.reason.code ?? PinnedPath.Reason.noPin.code }

  /// The entry of the table, and the keys that were found and expected, as fields of the error.
  var details: [(key: String, value: String)] {
    [("entry", "\(pattern)"), ("seen", seen), ("expected", expected)]
  }

  /// Hints on what may be wrong.
  package var hints: [Hint] {
    let expected = Set(pins.pins.map { $0.pin })
    var hints: [Hint] = []
    let validated = Set(paths.flatMap { $0.path.certificates })
    for certificate in validated {
      let digest = certificate.fingerprint()
      for pin in expected where pin.subject == .publicKey && pin.digest == digest {
        hints.append(.digestOfCertificate(pin, certificate))
      }
      for pin in expected where pin.matchesRawKey(of: certificate) {
        hints.append(.digestOfRawKey(pin, certificate))
      }
    }
    for certificate in presented where !validated.contains(certificate) {
      for pin in expected where pin.matches(certificate) {
        hints.append(.onlyPresented(pin, certificate))
      }
    }
    if hints.isEmpty, let path = paths.first?.path {
      let pin = comparesKeys ? path.leaf.publicKey.pin : Pin(path.leaf)
      hints.append(.otherKey(pin, path.anchor.name))
    }
    return hints
  }

  /// Whether pins of keys are expected, not only pins of certificates.
  private var comparesKeys: Bool {
    pins.pins.isEmpty || pins.pins.contains { $0.pin.subject == .publicKey }
  }

  /// A hint on a mistake in the configuration of pins, or on an attack.
  package enum Hint: Sendable, Hashable {
    /// The pin is the digest of the whole certificate, not of its key.
    case digestOfCertificate(Pin, Certificate)
    /// The pin is the digest of the key's bits without their header.
    case digestOfRawKey(Pin, Certificate)
    /// The server has this key, and its path ends at this anchor: it has been replaced, or there is
    /// an attacker.
    case otherKey(Pin, DistinguishedName)
    /// The pinned certificate was sent, but is on no valid path: an attacker may have appended it.
    case onlyPresented(Pin, Certificate)
  }
}

extension PinMismatch.Hint: CustomStringConvertible {
  /// The hint in words.
  package var description: String {
    switch self {
    case .digestOfCertificate(let pin, let certificate):
      "\(pin) is the digest of the whole certificate of \(certificate.shortName); the pin of its "
        + "key is \(certificate.publicKey.pin)"
    case .digestOfRawKey(let pin, let certificate):
      "\(pin) is the digest of the raw key of \(certificate.shortName), without the header of the "
        + "SubjectPublicKeyInfo; its pin is \(certificate.publicKey.pin)"
    case .otherKey(let pin, let anchor):
      "if the server's key was replaced, pin \(pin); if not, \(anchor.short) may be intercepting"
    case .onlyPresented(let pin, let certificate):
      "\(pin) is the key of \(certificate.shortName), which the server sent, but which is on no "
        + "valid path: an attacker can append it"
    }
  }
}

extension PinMismatch: Loggable {
  /// `example.com: no pin is on a valid path; seen leaf sha256/…, anchor sha256/…; expected sha256/…`.
  public var logLine: String { "\(server ?? "\(host)"): \(textBesideHost)" }

  /// The same without the host.
  package var textBesideHost: String {
    "no pin is on a valid path; seen \(seen); expected \(expected)"
      + (paths.first.map { $0.reason == .noPin ? "" : "; \($0.reason)" } ?? "")
  }

  /// The keys of the path that was found first.
  private var seen: String {
    let elements = paths.prefix(1).flatMap { $0.path.elements }
    return elements.map { element in
      "\(element.scope) \(comparesKeys ? element.pin : element.certificatePin)"
    }.joined(separator: ", ")
  }

  /// The first pins of the set.
  private var expected: String {
    var expected = pins.pins.prefix(8).map { "\($0.pin)" }
    if pins.pins.count > 8 { expected.append("\(pins.pins.count - 8) more") }
    return expected.isEmpty ? "none" : expected.joined(separator: ", ")
  }

  /// What was found on each path and what was expected, in lines that can be copied.
  ///
  /// ```
  /// no pin of www.example.com is on a valid path
  ///   path 1:
  ///     leaf    sha256/…  CN=www.example.com
  ///     anchor  sha256/…  CN=Intercepting Proxy CA
  ///     none of these is pinned
  ///   expected for **.example.com:
  ///     sha256/…
  /// ```
  public var description: String {
    var lines = ["no pin of \(host) is on a valid path"]
    for (number, path) in paths.prefix(8).enumerated() {
      lines.append("  path \(number + 1):")
      for element in path.path.elements {
        let scope = "\(element.scope)"
        let blanks = String(repeating: " ", count: max(14 - scope.utf8.count, 1))
        let pin = comparesKeys ? element.pin : element.certificatePin
        lines.append("    \(scope)\(blanks)\(pin)  \(element.shortName)")
      }
      lines.append("    \(path.reason)")
    }
    if paths.count > 8 { lines.append("  \(paths.count - 8) more valid paths are without a pin") }
    lines.append("  expected for \(pattern):")
    for pin in pins.pins.prefix(32) { lines.append("    \(pin)") }
    if pins.pins.count > 32 { lines.append("    and \(pins.pins.count - 32) more") }
    if pins.pins.isEmpty { lines.append("    none") }
    for pin in pins.denied.prefix(32) { lines.append("    never \(pin)") }
    for hint in hints.prefix(8) { lines.append("  hint: \(hint)") }
    return lines.joined(separator: "\n")
  }
}
