package import HoldfastHashes

/// The numbers of a parameter set of ML-DSA. FIPS 204 §4, table 1.
package struct MLDSAParameters: Sendable {
  /// k, the rows of the matrix A.
  let rows: Int
  /// ℓ, the columns of the matrix A.
  let columns: Int
  /// τ, the number of coefficients of the challenge that are 1 or −1.
  let tau: Int
  /// β = τ η: coefficients of z must be below γ₁ − β.
  let beta: UInt32
  /// γ₁ is two to this power.
  let gamma1Bits: Int
  /// γ₂, half of the range of a coefficient's low-order part.
  let gamma2: UInt32
  /// ω, the maximum number of ones in the hint.
  let omega: Int
  /// λ/4, the length of c̃ in bytes.
  let challengeLength: Int

  /// The length of one polynomial of z in bytes: a coefficient has one bit more than γ₁ − 1.
  var responseLength: Int { 32 * (gamma1Bits + 1) }

  /// The length of a signature in bytes. FIPS 204 table 2.
  package var signatureLength: Int {
    challengeLength + columns * responseLength + omega + rows
  }
}

extension MLDSAParameterSet {
  /// The row of FIPS 204 table 1.
  package var parameters: MLDSAParameters {
    switch self {
    case .mldsa44:
      MLDSAParameters(
        rows: 4, columns: 4, tau: 39, beta: 78, gamma1Bits: 17,
        gamma2: (MLDSAPolynomial.modulus - 1) / 88, omega: 80, challengeLength: 32)
    case .mldsa65:
      MLDSAParameters(
        rows: 6, columns: 5, tau: 49, beta: 196, gamma1Bits: 19,
        gamma2: (MLDSAPolynomial.modulus - 1) / 32, omega: 55, challengeLength: 48)
    case .mldsa87:
      MLDSAParameters(
        rows: 8, columns: 7, tau: 60, beta: 120, gamma1Bits: 19,
        gamma2: (MLDSAPolynomial.modulus - 1) / 32, omega: 75, challengeLength: 64)
    }
  }
}
