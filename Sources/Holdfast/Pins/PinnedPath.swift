public import HoldfastCertificates
public import HoldfastPaths

/// A pin that was found on a path.
public struct PinMatch: Sendable, Hashable {
  /// The pin; nil if there are only denied ones, and none of them was found.
  public let pin: ScopedPin?

  /// Where on the path: 0 is the leaf.
  public let index: Int

  /// What stands there.
  public let scope: PinScope
}

/// A valid path on which the pins were looked for in vain.
public struct PinnedPath: Sendable {
  /// The path, which is valid.
  public let path: ValidatedPath

  /// Why it does not satisfy the pins.
  public let reason: Reason

  /// Why a path does not satisfy pins.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// No pin is on it.
    case noPin
    /// A denied pin is on it.
    case denied(PinMatch)
    /// A pin is on it where it does not count.
    case wrongPlace(PinMatch)
    /// One pin of each scope is asked for, and of this one there is none.
    case scopeMissing(PinScope)
  }
}

extension PinnedPath {
  /// One certificate of the path, and its pins.
  public struct Observed: Sendable, Hashable {
    /// What stands there.
    public let scope: PinScope
    /// Whose key it is.
    public let name: DistinguishedName
    /// The certificate; nil for an anchor that is none.
    public let certificate: Certificate?
    /// The pins of the key and, if there is one, of the certificate, with SHA-256.
    public let pins: [Pin]

    /// The pin of the key, ready to be copied into a configuration.
    public var pin: Pin { pins[0] }
  }

  /// What stands on the path, the leaf first.
  public var observed: [Observed] { path.observedPins }
}

extension ValidatedPath {
  /// What stands on the path and the pins of each, the leaf first.
  public var observedPins: [PinnedPath.Observed] {
    (0..<placeCount).map { index in
      guard index < certificates.count else {
        return PinnedPath.Observed(
          scope: .anchor, name: anchor.name, certificate: nil, pins: [Pin(anchor.publicKey)])
      }
      let certificate = certificates[index]
      return PinnedPath.Observed(
        scope: scope(at: index), name: certificate.subject, certificate: certificate,
        pins: [Pin(certificate.publicKey), Pin(certificate)])
    }
  }
}

extension PinnedPath.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .noPin: "none of these is pinned"
    case .denied(let match):
      "\(match.pin.map { "\($0.pin)" } ?? "a pin") of certificate \(match.index) is denied"
    case .wrongPlace(let match):
      "\(match.pin.map { "\($0.pin)" } ?? "a pin") is certificate \(match.index), the "
        + "\(match.scope), and counts only as \(match.pin?.scope ?? .any)"
    case .scopeMissing(let scope): "no pin for \(scope) is on the path, and one is required"
    }
  }
}
