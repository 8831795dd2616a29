/// A pin that was found on a path.
public struct PinMatch: Sendable, Hashable {
  /// The pin; nil if the set has only denied pins, none of which was found.
  public let pin: ScopedPin?

  /// The certificate's index on the path: 0 is the leaf.
  public let index: Int

  /// The certificate's role on the path.
  public let scope: PinScope

  /// Creates a match, for custom evaluators.
  ///
  /// - Parameters:
  ///   - pin: The pin; nil if there are only denied pins, none of which was found.
  ///   - index: The certificate's index on the path: 0 is the leaf.
  public init(_ pin: ScopedPin?, at index: Int, _ scope: PinScope) {
    self.pin = pin
    self.index = index
    self.scope = scope
  }
}

extension PinMatch: CustomStringConvertible {
  /// `sha256/… is the leaf`.
  public var description: String {
    pin.map { "\($0) is the \(scope)" } ?? "no denied pin is on the path"
  }
}

/// A valid path that does not satisfy the pins.
public struct PinnedPath: Sendable {
  /// The valid path.
  public let path: ValidatedPath

  /// Why it does not satisfy the pins.
  public let reason: Reason

  /// What timestamps prove of it; nil if transparency is not checked below its anchor.
  package let transparency: TransparencyReport?

  /// Why a path does not satisfy pins.
  @nonexhaustive
  public enum Reason: Error, Sendable, Hashable {
    /// No pin is on the path.
    case noPin
    /// A denied pin is on the path.
    case denied(PinMatch)
    /// A pin is on the path, but not where it counts.
    case wrongOffset(PinMatch)
    /// A pin for each of several scopes is required, and this scope has none on the path.
    case scopeMissing(PinScope)
  }
}

extension PinnedPath.Reason: HoldfastError {
  /// Whether a denied pin is on the path.
  var isDenial: Bool { if case .denied = self { true } else { false } }

  /// The stable identifier of what is wrong.
  public var code: String {
    isDenial ? ErrorCode.pinDenied.rawValue : ErrorCode.pinMismatch.rawValue
  }

  /// What is wrong, in one plain sentence.
  public var summary: String { "The server's keys are not the expected ones." }

  /// The reason in words.
  public var description: String {
    switch self {
    case .noPin: "none of these is pinned"
    case .denied(let match):
      "\(match.pin.map { "\($0.pin)" } ?? "a pin") of certificate \(match.index + 1) is denied"
    case .wrongOffset(let match):
      "\(match.pin.map { "\($0.pin)" } ?? "a pin") is certificate \(match.index + 1), the "
        + "\(match.scope), and counts only as \(match.pin?.scope ?? .any)"
    case .scopeMissing(let scope): "no pin for \(scope) is on the path, and one is required"
    }
  }
}

/// A key on a path, with its role and its certificate.
package struct PathElement: Sendable {
  package let scope: PinScope
  package let name: DistinguishedName
  package let key: PublicKey
  /// Nil for an anchor that is only a name and a key.
  package let certificate: Certificate?

  /// Returns the places of a path, complete or not, leaf first. The leaf keeps its role even if it
  /// is itself the anchor.
  package static func elements(_ certificates: [Certificate], _ anchor: TrustAnchor?)
    -> [PathElement]
  {
    var elements = certificates.enumerated().map { index, certificate in
      PathElement(
        scope: index == 0 ? .leaf : certificate == anchor?.certificate ? .anchor : .intermediate,
        name: certificate.subject, key: certificate.publicKey, certificate: certificate)
    }
    if let anchor, anchor.certificate == nil || certificates.last != anchor.certificate {
      elements.append(
        PathElement(
          scope: .anchor, name: anchor.name, key: anchor.publicKey,
          certificate: anchor.certificate))
    }
    return elements
  }

  /// The pin of the key, which can be copied into a configuration.
  package var pin: Pin { Pin(key) }

  /// The pin of the certificate, or of the key if there is no certificate.
  var certificatePin: Pin { certificate.map { Pin($0) } ?? pin }

  /// The name, shortened and escaped.
  package var shortName: String { certificate?.shortName ?? name.short }

  /// Returns the digest to compare with a pin; nil for a certificate pin if there is no
  /// certificate.
  func digest(for pin: Pin) -> Digest? {
    switch pin.subject {
    case .publicKey:
      certificate?.publicKeyDigest(pin.algorithm.hash)
        ?? pin.algorithm.hash.hash(key.der.input, in: key.der.range)
    case .certificate: certificate.map { pin.algorithm.hash.hash($0.der) }
    }
  }
}

extension ValidatedPath {
  /// The places of the path, leaf first.
  package var elements: [PathElement] { PathElement.elements(certificates, anchor) }
}

extension PinSet {
  /// Returns where the set's pins are among the places of a validated path; throws why the path does
  /// not satisfy the set.
  ///
  /// This is the only place where pins are compared. A path satisfies the set if it has no denied
  /// pin, and a pin where it counts: for each required scope, if there are any.
  package func evaluate(_ elements: [PathElement]) throws(PinnedPath.Reason) -> PinMatch {
    var first: PinMatch?
    var elsewhere: PinMatch?
    var missing = requiredScopes
    for (place, element) in elements.enumerated() {
      var comparison = PinComparison(element: element)
      for pin in denied where comparison.holds(pin) {
        throw .denied(PinMatch(ScopedPin(pin), at: place, element.scope))
      }
      for pin in index?.pins(of: pins, on: element) ?? pins
      where index != nil || comparison.holds(pin.pin) {
        let match = PinMatch(pin, at: place, element.scope)
        guard !pin.scope.isDisjoint(with: element.scope) else {
          elsewhere = elsewhere ?? match
          continue
        }
        first = first ?? match
        missing.removeAll { $0 == pin.scope }
      }
      if let first, missing.isEmpty, denied.isEmpty { return first }
    }
    if let scope = missing.first { throw .scopeMissing(scope) }
    // A set of only denied pins is satisfied if none of them was found.
    if let first = first ?? (pins.isEmpty ? PinMatch(nil, at: 0, .leaf) : nil) { return first }
    throw elsewhere.map { .wrongOffset($0) } ?? .noPin
  }
}

/// Compares one place with many pins, computing each digest once for a run of pins of one kind.
private struct PinComparison {
  let element: PathElement
  var last: (subject: Pin.Subject, algorithm: Pin.Algorithm, digest: Digest?)?

  mutating func holds(_ pin: Pin) -> Bool {
    if last?.subject != pin.subject || last?.algorithm != pin.algorithm {
      last = (pin.subject, pin.algorithm, element.digest(for: pin))
    }
    guard let digest = last?.digest, digest.count == pin.digest.count else { return false }
    // Uses the property, because the subscript would be called for every byte.
    for index in pin.digest.indices where pin.digest[index] != digest.bytes[index] { return false }
    return true
  }
}
