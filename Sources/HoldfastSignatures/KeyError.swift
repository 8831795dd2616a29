/// Why a public key cannot be used.
package enum KeyError: Error, Sendable, Hashable {
  /// The bytes are not a point in a form of SEC 1 §2.3.3.
  case malformedPoint
  /// A coordinate is not below p, or an encoding is not the canonical one.
  case nonCanonicalPoint
  /// No point of the curve has these coordinates.
  case pointNotOnCurve
  /// The neutral element of the group is not a key.
  case pointAtInfinity
  /// The point's order divides the cofactor, so that everyone can sign for it.
  case smallOrder
  /// The key has another length than its algorithm says.
  case wrongLength
  case unsupportedCurve
  case modulusTooSmall
  case modulusTooLarge
  case evenModulus
  case badExponent
}
