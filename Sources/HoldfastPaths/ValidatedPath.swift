public import HoldfastCertificates

/// A path that was found valid: a proof, which only a `PathValidator` can make.
public struct ValidatedPath: Sendable {
  /// The certificates, the leaf first, and last the anchor's own if the anchor is a certificate.
  public let certificates: [Certificate]

  /// The anchor at which the path ends.
  public let anchor: TrustAnchor

  /// The policies for which the path is valid, or nil for any: user-constrained-policy-set.
  /// RFC 5280 §6.1.6.
  public let policies: [OID]?

  /// What the path was asked for.
  public let purpose: Purpose

  /// The time for which it was found valid.
  public let time: Timestamp

  /// What is known of revocations: `revocation[i]` is about `certificates[i]`. Empty if it was not asked,
  /// and for a leaf that is an anchor itself.
  public let revocation: [CertificateRevocation]

  /// The certificate that was validated.
  public var leaf: Certificate { certificates[0] }

  /// The certificates between leaf and anchor.
  public var intermediates: ArraySlice<Certificate> {
    let endsWithAnchor = anchor.certificate == certificates.last
    return (endsWithAnchor ? certificates.dropLast() : certificates[...]).dropFirst()
  }

  /// At least one certificate, the leaf.
  init(
    certificates: [Certificate], anchor: TrustAnchor, policies: [OID]?, purpose: Purpose,
    time: Timestamp, revocation: [CertificateRevocation] = []
  ) {
    self.certificates = certificates
    self.anchor = anchor
    self.policies = policies
    self.purpose = purpose
    self.time = time
    self.revocation = revocation
  }
}

/// The certificates, the leaf first.
extension ValidatedPath: RandomAccessCollection {
  /// 0, the place of the leaf.
  public var startIndex: Int { 0 }
  /// The number of certificates.
  public var endIndex: Int { certificates.count }
  /// The certificate at a place, 0 for the leaf.
  public subscript(index: Int) -> Certificate { certificates[index] }
}

extension ValidatedPath: CustomStringConvertible {
  /// `server example.com at 2026-03-01T00:00:00Z: CN=example.com < CN=Example CA < CN=Example Root`,
  /// from the leaf to the anchor.
  public var description: String {
    var names = map(\.shortName)
    if anchor.certificate == nil { names.append("\(anchor)") }
    return "\(purpose) at \(time): " + names.joined(separator: " < ")
  }
}
