internal import HoldfastCertificates

/// Certificates by the base64 that they were read from.
///
/// The issuers of many leaves are few, and one leaf often stands for many hosts. Comparing the text
/// is several times faster than reading it again. A certificate takes the place of the one before
/// it whose text ends in the same way; what is longer than any usual certificate is not cached.
struct CertificateCache {
  private var places: [Place?]
  private static let maximumTextLength = 1 << 13

  private struct Place {
    let text: [UInt8]
    let certificate: Certificate
  }

  /// - Parameter capacity: The number of certificates, a power of two.
  init(capacity: Int) {
    places = Array(repeating: nil, count: capacity)
  }

  /// The certificate that was read from this text.
  func certificate(_ text: Span<UInt8>, _ range: Range<Int>) -> Certificate? {
    guard let known = places[index(of: text, range)], known.text.count == range.count
    else { return nil }
    let other = text.extracting(range)
    let own = known.text.span
    var difference: UInt8 = 0
    for index in 0..<range.count { difference |= own[index] ^ other[index] }
    return difference == 0 ? known.certificate : nil
  }

  mutating func keep(_ certificate: Certificate, _ text: Span<UInt8>, _ range: Range<Int>) {
    guard range.count <= CertificateCache.maximumTextLength else { return }
    let copy = copied(text.extracting(range))
    places[index(of: text, range)] = Place(text: copy, certificate: certificate)
  }

  /// The end of the text, which is that of the signature, and so tells certificates apart.
  private func index(of text: Span<UInt8>, _ range: Range<Int>) -> Int {
    var key = UInt64(range.count)
    for offset in range.suffix(24) { key = key &* 0x0000_0100_0000_01B3 ^ UInt64(text[offset]) }
    return CertificateCache.index(key, of: places.count)
  }

  /// Returns the place, among a power of two, of what has a key.
  static func index(_ key: UInt64, of count: Int) -> Int {
    Int(truncatingIfNeeded: key &* 0x9E37_79B9_7F4A_7C15 >> 32) & (count - 1)
  }
}

extension Certificate {
  /// The same certificate, which shares nothing with another thread's, not even a count of
  /// references.
  var copy: Certificate? {
    do throws(ParseError) { return try Certificate(der: copied(der.span)) } catch { return nil }
  }
}

/// Returns a copy of some bytes.
func copied(_ bytes: Span<UInt8>) -> [UInt8] {
  [UInt8](capacity: bytes.count) { output in
    for offset in bytes.indices { output.append(bytes[offset]) }
  }
}

/// The intermediates that lines leave out, found by name: of each thread its own, because threads
/// share nothing that changes, not even the counts of references.
struct KnownIssuers {
  private let all: [Certificate]
  /// Indices into `all` by the hash of the subject.
  private let bySubject: [UInt64: [Int]]
  /// What was found above certificates with a hash of the issuer, copied: for no more hashes than
  /// `bySubject` has, whatever issuers the lines name.
  private(set) var found: [UInt64: [Certificate]] = [:]
  private let unreadable: [UnreadableCertificate]
  /// Indices into `unreadable` by the hash of the subject; nil for those whose subject cannot be read.
  private let unreadableBySubject: [UInt64?: [Int]]

  /// The maximum number of certificates above one: no real one has nearly as many.
  private static let maximumFound = 32

  init(_ all: [Certificate], _ unreadable: [UnreadableCertificate] = []) {
    self.all = all
    bySubject = Dictionary(grouping: all.indices) { all[$0].subjectHash }
    let copies = unreadable.map {
      UnreadableCertificate(der: copied($0.der.span), error: $0.error, number: $0.number)
    }
    self.unreadable = copies
    unreadableBySubject = Dictionary(grouping: copies.indices) { copies[$0].subject?.matchingHash }
  }

  var isEmpty: Bool { all.isEmpty }

  /// Adds the certificates above those of a chain, as far as they are known.
  mutating func complete(_ chain: inout [Certificate]) {
    for certificate in chain { chain += issuers(above: certificate.issuerHash) }
  }

  /// The certificates that cannot be read and may be those above a chain, and one without a name.
  /// They are numbered after as many others, as if all had been sent with these.
  func unreadable(above chain: [Certificate], after count: Int) -> [UnreadableCertificate] {
    guard !unreadable.isEmpty else { return [] }
    var hashes: [UInt64?] = [nil]
    for certificate in chain { hashes.append(certificate.issuerHash) }
    let indices = Set(hashes.compactMap { unreadableBySubject[$0]?.first })
    return indices.sorted().map { index in
      var certificate = unreadable[index]
      certificate.number += count
      return certificate
    }
  }

  /// The certificates whose subject has a hash, and those above them.
  private mutating func issuers(above hash: UInt64) -> [Certificate] {
    if let known = found[hash] { return known }
    guard bySubject[hash] != nil else { return [] }
    var indices: [Int] = []
    var hashes = [hash]
    while let next = hashes.popLast(), indices.count < KnownIssuers.maximumFound {
      for index in bySubject[next] ?? [] where !indices.contains(index) {
        guard indices.count < KnownIssuers.maximumFound else { break }
        indices.append(index)
        hashes.append(all[index].issuerHash)
      }
    }
    let copies = indices.compactMap { all[$0].copy }
    found[hash] = copies
    return copies
  }
}
