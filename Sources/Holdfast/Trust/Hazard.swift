/// Something that a policy leaves unchecked though it may seem to check it.
@nonexhaustive
public enum Hazard: Sendable, Hashable, CaseIterable {
  /// Every server is trusted, whatever it shows.
  case everythingIsTrusted
  /// The name is not compared: any server that somebody trusted vouches for will do.
  case hostIsNotChecked
  /// The name is not compared when the caller gives none.
  case hostIsNotCheckedWithoutDomain
  /// Signatures link the certificates, but validity, purpose and constraints are not looked at.
  case pathIsNotValidated
  /// There are pins, and nothing compares them.
  case pinsAreIgnored
  /// The pins have expired, and the host is trusted as one that was never pinned.
  case pinsHaveExpired
  /// No pins are there to be met, so that every server is refused.
  case everythingIsRefused
  /// The anchors of the system are not asked; the pins alone vouch for the server.
  case onlyPinsAreAnchors
  /// Without a domain every server is trusted.
  case everythingIsTrustedWithoutDomain
  /// With a domain every server is refused.
  case everythingIsRefusedForDomain
}

extension Hazard: CustomStringConvertible {
  /// What may go wrong, in a sentence.
  public var description: String {
    switch self {
    case .everythingIsTrusted: "every server is trusted, whatever it shows"
    case .hostIsNotChecked: "the name of the server is not compared"
    case .hostIsNotCheckedWithoutDomain:
      "the name of the server is not compared when none is given"
    case .pathIsNotValidated:
      "validity, purpose and constraints of the certificates are not looked at"
    case .pinsAreIgnored: "the pins are not compared with anything"
    case .pinsHaveExpired: "the pins have expired, and nothing takes their place"
    case .everythingIsRefused: "there is nothing to be met, so every server is refused"
    case .onlyPinsAreAnchors: "the pins alone vouch for the server, not the system's anchors"
    case .everythingIsTrustedWithoutDomain: "every server is trusted when no domain is given"
    case .everythingIsRefusedForDomain: "every server is refused when a domain is given"
    }
  }
}
