internal import HoldfastCertificates
internal import HoldfastSignatures
internal import Synchronization

/// The one place where certificates meet arithmetic: keys and algorithms as certificates have them,
/// turned into those that verify.
enum SignatureChecks {
  /// The key, checked; nil if it is of a kind that is not known, or cannot be a key.
  static func verificationKey(_ key: PublicKey) -> VerificationKey? {
    do throws(KeyError) {
      switch key.kind {
      case .rsa(let modulus, let exponent), .rsaPSS(let modulus, let exponent, _):
        return try VerificationKey(
          rsaModulus: span(of: modulus), exponent: span(of: exponent))
      case .ec(let curve, let point):
        guard let curve = curve.id else { return nil }
        return try VerificationKey(curve: curve, point: span(of: point))
      case .ed25519(let octets): return try VerificationKey(ed25519: span(of: octets))
      case .ed448(let octets): return try VerificationKey(ed448: span(of: octets))
      case .mldsa44(let octets): return try VerificationKey(mldsa: .mldsa44, key: span(of: octets))
      case .mldsa65(let octets): return try VerificationKey(mldsa: .mldsa65, key: span(of: octets))
      case .mldsa87(let octets): return try VerificationKey(mldsa: .mldsa87, key: span(of: octets))
      default: return nil
      }
    } catch {
      return nil
    }
  }
}
