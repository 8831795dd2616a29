package import HoldfastHashes

/// An ML-DSA public key, ready to verify signatures of the pure variant. FIPS 204 §5.3 and §6.3;
/// RFC 9881 for certificates.
///
/// The key holds ρ, the transform of −2^13 t₁ and the hash of its bytes: 1 kB per row and 100 bytes
/// more. Each verification computes the matrix A again, which takes 16, 30 or 56 kB, unless
/// `prepared(for:)` has stored it.
package struct MLDSAKey: Sendable {
  let set: MLDSAParameterSet
  private let parameters: MLDSAParameters
  /// ρ as four lanes of a Keccak state.
  private let rho: [4 of UInt64]
  /// tr, the hash of the key's bytes.
  private let keyHash: [64 of UInt8]
  /// The transforms of −2^13 t₁, coefficients below q, one after the other.
  private let minusT1: [UInt32]
  /// The matrix, row by row; empty unless stored.
  private var matrix: [UInt32] = []

  package init(_ set: MLDSAParameterSet, key: Span<UInt8>) throws(KeyError) {
    guard key.count == set.keys.length else { throw .wrongLength }
    self.set = set
    parameters = set.parameters
    var rho = [4 of UInt64](repeating: 0)
    for index in 0..<32 { rho[index &>> 3] |= UInt64(key[index]) &<< UInt64(8 &* (index & 7)) }
    self.rho = rho

    var hash = SHAKE(.shake256)
    hash.absorb(key)
    var keyHash = [64 of UInt8](repeating: 0)
    for index in 0..<64 { keyHash[index] = hash.squeeze() }
    self.keyHash = keyHash

    var minusT1: [UInt32] = []
    minusT1.reserveCapacity(256 &* parameters.rows)
    for row in 0..<parameters.rows {
      let start = 32 &+ 320 &* row
      guard var polynomial = MLDSAPolynomial(highBits: key.extracting(start..<(start &+ 320)))
      else { throw .wrongLength }
      polynomial.transform()
      polynomial.negate()
      polynomial.append(to: &minusT1)
    }
    self.minusT1 = minusT1
  }

  /// Returns the key with its matrix stored, for keys that verify more than once.
  ///
  /// It takes 16, 30 or 56 kB more, depending on the parameter set.
  package func prepared(for _: Preparation = .reuse) -> MLDSAKey {
    guard matrix.isEmpty else { return self }
    var key = self
    key.matrix = MLDSAPolynomial.matrix(seed: rho, parameters)
    return key
  }

  /// Whether `signature` is a valid signature of `message` under this key with an empty context, as
  /// in certificates. RFC 9881.
  package func verify(message: Span<UInt8>, signature: Span<UInt8>) -> Bool {
    let none: [0 of UInt8] = []
    return verify(message: message, context: none.span, signature: signature)
  }

  /// Whether `signature` is a valid signature of `message` under this key with `context`, which has
  /// at most 255 bytes. FIPS 204 algorithms 3 and 8.
  package func verify(
    message: Span<UInt8>, context: Span<UInt8>, signature: Span<UInt8>
  ) -> Bool {
    guard context.count <= 255, signature.count == parameters.signatureLength else { return false }
    let hintStart = signature.count &- parameters.omega &- parameters.rows
    guard
      let hint = MLDSAHint(signature.extracting(hintStart..<signature.count), parameters),
      let response = response(signature)
    else { return false }
    let challenge = signature.extracting(0..<parameters.challengeLength)
    var transformedChallenge = MLDSAPolynomial(challenge: challenge, tau: parameters.tau)
    transformedChallenge.transform()

    // μ, the hash of the key and of the message with its context.
    var messageHash = SHAKE(.shake256)
    messageHash.absorb(keyHash.span)
    messageHash.absorb(0)  // the pure variant
    messageHash.absorb(UInt8(truncatingIfNeeded: context.count))
    messageHash.absorb(context)
    messageHash.absorb(message)

    let matrix = matrix.isEmpty ? MLDSAPolynomial.matrix(seed: rho, parameters) : matrix
    var commitmentHash = SHAKE(.shake256)
    for _ in 0..<64 { commitmentHash.absorb(messageHash.squeeze()) }
    for row in 0..<parameters.rows {
      var sum = MLDSASum()
      for column in 0..<parameters.columns {
        let start = 256 &* (row &* parameters.columns &+ column)
        sum.add(
          matrix.span.extracting(start..<(start &+ 256)),
          times: response.span.extracting(256 &* column..<(256 &* column &+ 256)))
      }
      sum.add(
        minusT1.span.extracting(256 &* row..<(256 &* row &+ 256)),
        times: transformedChallenge.coefficients.span)
      var approximation = sum.reduced
      approximation.transformBack()
      let commitment = MLDSACommitment(row: row, of: approximation, hint: hint, parameters)
      commitment.absorb(into: &commitmentHash)
    }
    var difference: UInt8 = 0
    for index in challenge.indices { difference |= challenge[index] ^ commitmentHash.squeeze() }
    return difference == 0
  }

  /// Returns the transforms of the response z, one after the other; `nil` if a coefficient is too
  /// large.
  private func response(_ signature: Span<UInt8>) -> [UInt32]? {
    var response: [UInt32] = []
    response.reserveCapacity(256 &* parameters.columns)
    for column in 0..<parameters.columns {
      let start = parameters.challengeLength &+ column &* parameters.responseLength
      let bytes = signature.extracting(start..<(start &+ parameters.responseLength))
      guard var polynomial = MLDSAPolynomial(response: bytes, parameters) else { return nil }
      polynomial.transform()
      polynomial.append(to: &response)
    }
    return response
  }
}

extension MLDSAPolynomial {
  /// Appends the coefficients to those of other polynomials.
  fileprivate func append(to all: inout [UInt32]) {
    let w = coefficients.span
    all.append(addingCapacity: 256) { output in
      for index in 0..<256 { output.append(w[index]) }
    }
  }
}
