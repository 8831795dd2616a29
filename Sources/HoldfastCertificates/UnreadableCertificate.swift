internal import HoldfastDER

/// A certificate that was sent and cannot be read: why, and its place among those that were sent.
///
/// It is not part of a path. But where a path ends for want of an issuer, it may be that issuer, and
/// then it is the reason to be told: see `PathError` in `HoldfastPaths`.
public struct UnreadableCertificate: Sendable, Hashable {
  /// The bytes.
  public let der: [UInt8]

  /// Why they cannot be read as a certificate.
  public let error: ParseError

  /// Its number among the certificates as they were sent: 1 is the leaf's.
  public package(set) var number: Int

  /// Creates the certificate from bytes for which `Certificate` has thrown an error.
  public init(der: some Collection<UInt8>, error: ParseError, number: Int) {
    self.der = Array(der)
    self.error = error
    self.number = number
  }

  /// The subject; nil if it cannot be read either. Read anew each time.
  public var subject: DistinguishedName? {
    guard der.count <= Certificate.maximumSize else { return nil }
    do throws(DERError) {
      var fields = UnreadableCertificate.fields(of: der)
      if fields.nextTag(in: der) == .constructedContext(0) { _ = try fields.skipAny(in: der) }
      // Serial number, algorithm, issuer and validity, whatever is in them. RFC 5280 §4.1.
      for _ in 0..<4 { _ = try fields.skipAny(in: der) }
      var ignored: [EncodingDeviation] = []
      return try DistinguishedName(&fields, in: der, &ignored)
    } catch {
      return nil
    }
  }

  /// Returns the fields of the signed part. The lengths around them are passed over: those of a
  /// certificate that was cut off reach beyond its end.
  private static func fields(of der: [UInt8]) -> DERReader {
    var start = 0
    for _ in 0..<2 where start + 1 < der.count && der[start] == DERTag.sequence.rawValue {
      let length = Int(der[start + 1])
      start += 2 + (length > 0x80 ? length & 0x7F : 0)
    }
    return DERReader(unchecked: min(start, der.count), der.count)
  }
}

extension UnreadableCertificate: CustomStringConvertible {
  /// `certificate 2 of the chain cannot be read: basicConstraints: occurs twice, byte 288`. Who shows
  /// it adds the citation of the error.
  public var description: String {
    if case .pem(let error) = error.problem {
      return "certificate \(number) of the chain cannot be read: \(error.located)"
    }
    let instead = error.found.map { "this is \($0): " } ?? ""
    return "certificate \(number) of the chain cannot be read: \(instead)\(error.fieldName): "
      + "\(error.message), byte \(error.offset)"
  }
}
