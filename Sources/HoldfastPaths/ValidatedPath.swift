public import HoldfastCertificates

/// A valid path. Only a `PathValidator` can create one, so the value is a proof.
public struct ValidatedPath: Sendable {
  /// The certificates, at least the leaf, which is first; the last is the anchor's if it has one.
  public let certificates: [Certificate]

  /// The anchor at which the path ends.
  public let anchor: TrustAnchor

  /// The policies for which the path is valid, or nil for any: user-constrained-policy-set.
  /// RFC 5280 §6.1.6.
  public internal(set) var policies: [OID]? = nil

  /// The purpose for which the path was validated, with the first usage that the whole path allows if
  /// any of several was enough.
  public internal(set) var purpose: Purpose

  /// The time for which the path was validated.
  public let time: Timestamp

  /// The revocation results: `revocation[i]` is about `certificates[i]`. Empty if revocation was
  /// not checked, or if the leaf is itself an anchor; only the leaf's if nothing but the staple
  /// that it demands was checked.
  public internal(set) var revocation: [CertificateRevocation] = []

  /// Until when the revocation results stay as they are, if nothing is added to the data: the first
  /// nextUpdate, or the end of a signer's certificate. It is the time of validation if there were no
  /// data, and nil if revocation was not checked.
  package internal(set) var revocationEnd: Timestamp?

  /// Whether the caller's own rule was asked, `ValidationRules.check`, whose answer may be another one
  /// at any time.
  package let hasOwnRule: Bool

  /// The certificate that was validated.
  public var leaf: Certificate { certificates[0] }

  /// The certificates between leaf and anchor.
  public var intermediates: ArraySlice<Certificate> { certificates[..<anchorIndex].dropFirst() }

  /// The index of the anchor's certificate; the number of certificates for an anchor without one.
  var anchorIndex: Int {
    anchor.certificate == certificates.last ? count - 1 : count
  }

  /// The SPIFFE ID of the leaf, if the purpose asked for one; nil for any other purpose, which does not
  /// show that the anchor may vouch for it. The identity of the path's purpose is this ID.
  public var spiffeID: SPIFFEID? {
    purpose.workloads.flatMap { _ in SPIFFEID.only(in: leaf.extensions.subjectAlternativeNames) }
  }
}

/// The certificates, the leaf first.
extension ValidatedPath: RandomAccessCollection {
  /// 0, the index of the leaf.
  public var startIndex: Int { 0 }
  /// The number of certificates.
  public var endIndex: Int { certificates.count }
  /// Returns the certificate at an index, 0 for the leaf.
  public subscript(index: Int) -> Certificate { certificates[index] }
}

extension ValidatedPath: CustomStringConvertible {
  /// `server example.com at 2026-03-01T00:00:00Z: CN=example.com < CN=Example CA < CN=Example
  /// Root`, from the leaf to the anchor.
  public var description: String {
    var names = map { $0.shortName }
    if anchor.certificate == nil { names.append("\(anchor)") }
    return "\(purpose) at \(time): " + names.joined(separator: " < ")
  }
}
