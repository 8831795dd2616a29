/// The parameter sets of ML-DSA. FIPS 204 §4, table 1.
package enum MLDSAParameters: Sendable, Hashable, CaseIterable {
  case mldsa44
  case mldsa65
  case mldsa87

  /// k, the rows of the matrix A.
  var rows: Int {
    switch self {
    case .mldsa44: 4
    case .mldsa65: 6
    case .mldsa87: 8
    }
  }

  /// ℓ, the columns of the matrix A.
  var columns: Int {
    switch self {
    case .mldsa44: 4
    case .mldsa65: 5
    case .mldsa87: 7
    }
  }

  /// τ, the number of coefficients of the challenge that are 1 or −1.
  var tau: Int {
    switch self {
    case .mldsa44: 39
    case .mldsa65: 49
    case .mldsa87: 60
    }
  }

  /// β = τ η: coefficients of z must be below γ₁ − β.
  var beta: UInt32 {
    switch self {
    case .mldsa44: 78
    case .mldsa65: 196
    case .mldsa87: 120
    }
  }

  /// γ₁ is two to this power.
  var gamma1Bits: Int {
    switch self {
    case .mldsa44: 17
    case .mldsa65, .mldsa87: 19
    }
  }

  /// γ₂, half of the range of a coefficient's low-order part.
  var gamma2: UInt32 {
    switch self {
    case .mldsa44: (MLDSAPolynomial.modulus - 1) / 88
    case .mldsa65, .mldsa87: (MLDSAPolynomial.modulus - 1) / 32
    }
  }

  /// ω, the maximum number of ones in the hint.
  var omega: Int {
    switch self {
    case .mldsa44: 80
    case .mldsa65: 55
    case .mldsa87: 75
    }
  }

  /// λ/4, the length of c̃ in bytes.
  var challengeLength: Int {
    switch self {
    case .mldsa44: 32
    case .mldsa65: 48
    case .mldsa87: 64
    }
  }

  /// The length of one polynomial of z in bytes: a coefficient has one bit more than γ₁ − 1.
  var responseLength: Int { 32 * (gamma1Bits + 1) }

  /// The length of a public key in bytes. FIPS 204 table 2.
  package var keyLength: Int { 32 + 320 * rows }

  /// The length of a signature in bytes. FIPS 204 table 2.
  package var signatureLength: Int {
    challengeLength + columns * responseLength + omega + rows
  }
}
