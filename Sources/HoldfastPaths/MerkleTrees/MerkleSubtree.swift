internal import HoldfastCertificates

/// A subtree of a log: the entries of a range. §4.1 of the draft.
struct MerkleSubtree: Hashable {
  let log: UInt16
  let start: UInt64
  let end: UInt64

  /// Whether the range is one that trees of every size have in common: not empty, and aligned to the
  /// power of two that is not smaller than its size.
  var isValid: Bool {
    guard start < end else { return false }
    let last = end - start - 1
    let mask: UInt64 = last == 0 ? 0 : .max >> UInt64(last.leadingZeroBitCount)
    return start & mask == 0
  }

  /// Whether it comes before another one in a list.
  func precedes(_ other: MerkleSubtree) -> Bool {
    (log, start, end) < (other.log, other.start, other.end)
  }

  /// Why hashes do not lead from an entry to a subtree.
  enum Failure: Error, Hashable {
    /// The range is no subtree.
    case invalid
    /// The entry is outside.
    case outside
    /// There are too many hashes: the offset of the first one too many.
    case tooMany(at: Int)
    /// There are too few.
    case tooFew
  }

  /// Returns the hash of the subtree by an inclusion proof. RFC 9162 §2.1.3.2, with its names.
  func hash(
    from entry: Digest, at index: UInt64, by proof: Bytes
  ) throws(Failure) -> Digest {
    guard isValid else { throw .invalid }
    guard start <= index, index < end else { throw .outside }
    let size = MerkleTreeProof.hashSize
    var fn = index - start
    var sn = end - start - 1
    var r = entry
    var offset = proof.startIndex
    while offset + size <= proof.endIndex {
      guard sn > 0 else { throw .tooMany(at: offset) }
      let p = proof.input.span.extracting(offset..<offset + size)
      if fn & 1 == 1 || fn == sn {
        r = MerkleSubtree.node(p, r.bytes.span.extracting(0..<size))
        // fn is not 0 here: it is odd, or equal to sn.
        let shift = UInt64(fn.trailingZeroBitCount)
        fn >>= shift
        sn >>= shift
      } else {
        r = MerkleSubtree.node(r.bytes.span.extracting(0..<size), p)
      }
      fn >>= 1
      sn >>= 1
      offset += size
    }
    guard sn == 0 else { throw .tooFew }
    return r
  }

  /// Returns the hash of a node. RFC 9162 §2.1.1.
  static func node(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Digest {
    // In one piece, for the hash function copies what does not fill a block.
    var bytes = [65 of UInt8](repeating: 1)
    for index in 0..<32 {
      bytes[1 + index] = left[index]
      bytes[33 + index] = right[index]
    }
    var hash = SHA256()
    hash.update(bytes.span)
    return hash.finish()
  }

  /// Returns the hash of the entry of a certificate, from the certificate's own bytes; nil if they are
  /// not a TBSCertificate. §7.2 of the draft.
  ///
  /// - Parameter extensions: The extensions of the entry, after their length.
  static func entry(of certificate: Certificate, _ extensions: Bytes) -> Digest? {
    let input = certificate.der
    var hash = SHA256()
    func update(_ range: Range<Int>) { hash.update(input.span.extracting(range)) }
    do throws(DERError) {
      var reader = DERReader(certificate.tbs)
      var fields = try reader.read(.sequence, in: input)
      hash.update([1 of UInt8](repeating: 0).span)
      hash.update(extensions.input.span.extracting(extensions.range))
      hash.update(([0, 1] as [2 of UInt8]).span)  // tbs_cert_entry
      let version = fields.position
      if fields.nextTag(in: input) == .constructedContext(0) {
        _ = try fields.skipAny(in: input)
        update(version..<fields.position)
      }
      _ = try fields.skip(.integer, in: input)
      _ = try fields.skip(.sequence, in: input)
      let names = fields.position
      for _ in 0..<3 { _ = try fields.skip(.sequence, in: input) }  // issuer, validity, subject
      update(names..<fields.position)
      let keyStart = fields.position
      var key = try fields.read(.sequence, in: input)
      let algorithm = key.position
      _ = try key.skip(.sequence, in: input)
      update(algorithm..<key.position)
      hash.update(([0x04, 0x20] as [2 of UInt8]).span)
      let digest = HashAlgorithm.sha256.hash(input, in: keyStart..<fields.position)
      hash.update(digest.bytes.span.extracting(0..<MerkleTreeProof.hashSize))
      update(fields.position..<fields.end)
    } catch {
      return nil
    }
    return hash.finish()
  }
}
