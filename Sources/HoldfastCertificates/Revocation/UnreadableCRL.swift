internal import HoldfastDER

/// A CRL that cannot be read: why, and who issued it, as far as that can be read.
///
/// What it says is unknown. It may name a certificate as revoked, also where its signature does not
/// verify, because damage breaks that, too. So a check of revocation must not leave it out: see
/// `Revocation` in `HoldfastPaths`.
package struct UnreadableCRL: Sendable {
  /// The bytes.
  package let der: [UInt8]

  /// Why they cannot be read as a CRL.
  package let error: ParseError

  /// What could be read; nil if not even the issuer.
  package let outline: Outline?

  /// The parts of a CRL outside its entries and extensions.
  package struct Outline: Sendable {
    /// The signed bytes, TBSCertList.
    package let tbs: Bytes
    package let issuer: DistinguishedName
    /// The times; nil unless both can be read.
    package let times: (thisUpdate: Timestamp, nextUpdate: Timestamp?)?
    package let signatureAlgorithm: SignatureAlgorithm
    package let signature: Bytes
  }

  /// Creates the CRL from bytes for which `CRL` has thrown an error.
  package init(der: some Collection<UInt8>, error: ParseError) {
    self.der = Array(der)
    self.error = error
    do throws(DERError) {
      outline = try Outline(self.der)
    } catch {
      outline = nil
    }
  }

  /// Creates the CRL that may have been in a file, or in a part of one, that cannot be read.
  package init(_ error: ParseError) {
    (der, outline) = ([], nil)
    self.error = error
  }

  /// The most signed bytes that are searched for a serial number. The limit is ours: the search takes
  /// a few milliseconds, once for each certificate.
  private static let maximumSearchLength = 1 << 20

  /// How many bytes `mayName` searches.
  package var searchLength: Int {
    let count = outline?.tbs.count ?? 0
    return count <= UnreadableCRL.maximumSearchLength ? count : 0
  }

  /// Whether the CRL may name a certificate: whether the digits of its serial number are anywhere
  /// in the signed bytes, or these are too many to search. Reads each byte once.
  package func mayName(_ serialNumber: SerialNumber) -> Bool {
    // Without leading zeros: a wrong number of them may be why the CRL cannot be read. Beyond 32
    // digits a chance hit is unlikely, and does no more than leave the status unknown.
    let digits = Array(serialNumber.bytes.drop { $0 == 0 }.prefix(32))
    guard let tbs = outline?.tbs, searchLength > 0, !digits.isEmpty, tbs.count >= digits.count
    else { return true }
    // For each digit, how many digits before and with it are those at the beginning: the search of
    // Knuth, Morris and Pratt, because serial numbers of equal digits are easily chosen.
    var borders = [0]
    func extended(_ length: Int, by digit: UInt8) -> Int {
      var length = length
      while length > 0, digits[length] != digit { length = borders[length - 1] }
      return digits[length] == digit ? length + 1 : 0
    }
    for digit in digits.dropFirst() {
      borders.append(extended(borders[borders.count - 1], by: digit))
    }
    let bytes = tbs.input.span.extracting(tbs.range)
    var length = 0
    for index in bytes.indices {
      length = extended(length, by: bytes[index])
      if length == digits.count { return true }
    }
    return false
  }
}

extension UnreadableCRL: Hashable {
  /// Whether the bytes are the same.
  package static func == (a: UnreadableCRL, b: UnreadableCRL) -> Bool { a.der == b.der }

  /// Hashes the bytes.
  package func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension UnreadableCRL.Outline {
  /// Reads the envelope, and the signed part as far as its times. RFC 5280 §5.1.
  fileprivate init(_ der: [UInt8]) throws(DERError) {
    var ignored: [EncodingDeviation] = []
    var field = ParseError.Field.structure
    var parts = try DERReader.readSigned(der, &field)
    tbs = parts.tbs.rest(in: der)
    signature = parts.signature.rest(in: der)
    signatureAlgorithm = try SignatureAlgorithm(&parts.algorithm, in: der, &ignored)
    var fields = try parts.tbs.read(.sequence, in: der)
    // Any version, and any algorithm: the one outside is verified with.
    if fields.nextTag(in: der) == .integer { _ = try fields.readAny(in: der) }
    _ = try fields.readAny(in: der)
    issuer = try DistinguishedName(&fields, in: der, &ignored)
    do throws(DERError) {
      times = (try fields.readTime(in: der), try fields.readTimeIfPresent(in: der))
    } catch {
      times = nil
    }
  }
}

extension UnreadableCRL: CustomStringConvertible {
  /// The issuer, if it can be read, and why the rest cannot.
  package var description: String {
    "\(outline.map { "\($0.issuer): " } ?? "")\(error)"
  }
}
