/// Why a public key cannot be used.
package enum KeyError: Error, Sendable, Hashable {
  /// The bytes are not a point in a form of SEC 1 §2.3.3.
  case malformedPoint
  /// A coordinate is not below p, or an encoding is not canonical.
  case nonCanonicalPoint
  /// No point of the curve has these coordinates.
  case pointNotOnCurve
  /// The point is the neutral element of the group.
  case pointAtInfinity
  /// The point's order divides the cofactor, so anyone can sign for it.
  case smallOrder
  /// The length of the key is wrong for its algorithm.
  case wrongLength
  case unsupportedCurve
  case modulusTooSmall
  case modulusTooLarge
  case evenModulus
  case badExponent
}
