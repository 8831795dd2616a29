internal import HoldfastHashes
internal import HoldfastSignatures

/// Hashes and signatures of a message as long as the signed part of a certificate,
/// beside OpenSSL's EVP_Digest and EVP_DigestVerify, digest included.
enum Signatures {
  static let message: [UInt8] = (0..<1_200).map { UInt8(truncatingIfNeeded: 7 * $0) }

  /// - Parameter portably: Only the hashes that leave the processor's SHA instructions
  ///   alone; OpenSSL is told so by its environment, see `Scripts/bench`.
  static func benchmarks(portably: Bool) -> [Benchmark] {
    if portably { return [portableSHA256()].compactMap(\.self) }
    var benchmarks: [Benchmark?] = [
      hash("SHA-256", .sha256, "sha256", 0.80), hash("SHA-384", .sha384, "sha384", 1.10),
      hash("SHA-512", .sha512, "sha512", 1.10), hash("SHA-1", .sha1, "sha1", nil),
      rsa(2_048, 0.90), rsa(3_072, nil), rsa(4_096, 1.05),
    ]
    benchmarks += curve("P-256", .p256, .sha256, "sha256", [0.88, 0.42, 0.30])
    benchmarks += curve("P-384", .p384, .sha384, "sha384", [0.45, 0.22, 0.16])
    benchmarks += ed25519(0.65)
    benchmarks += worst()
    return benchmarks.compactMap(\.self)
  }

  private static func hash(
    _ name: String, _ ours: HashAlgorithm, _ theirs: String, _ goal: Double?
  ) -> Benchmark? {
    guard let peer = OpenSSLHash(theirs) else { return nil }
    let first = peer.hash(message)
    return Benchmark(
      name: name, goal: goal, ours: { ours.hash(message.span)[0] == first },
      theirs: { peer.hash(message) == first })
  }

  private static func portableSHA256() -> Benchmark? {
    guard let peer = OpenSSLHash("sha256") else { return nil }
    let first = peer.hash(message)
    return Benchmark(
      name: "SHA-256 without instructions", goal: 1.05,
      ours: {
        var hash = SHA256(portably: true)
        hash.update(message.span)
        return hash.finish()[0] == first
      }, theirs: { peer.hash(message) == first })
  }

  private static func rsa(_ bits: Int, _ goal: Double?) -> Benchmark? {
    guard let peer = OpenSSLKey.rsa(bits, hash: "sha256", message: message) else { return nil }
    let (modulus, exponent) = (peer.number("n"), peer.number("e"))
    guard let key = try? VerificationKey(rsaModulus: modulus.span, exponent: exponent.span) else {
      return nil
    }
    return Benchmark(
      name: "RSA-\(bits)", goal: goal, ours: verification(key, .rsaPKCS1(.sha256), peer),
      theirs: peer.verify)
  }

  private static func curve(
    _ name: String, _ curve: CurveID, _ hash: HashAlgorithm, _ peerHash: String, _ goals: [Double]
  ) -> [Benchmark?] {
    guard let peer = OpenSSLKey.ec(name, hash: peerHash, message: message) else { return [] }
    let point = peer.publicKey
    guard let key = try? VerificationKey(curve: curve, point: point.span) else { return [] }
    return preparations(
      name, .ecdsa(hash), peer, key, goals, limits: name == "P-256" ? [35, 300] : [nil, nil]
    ) { try? VerificationKey(curve: curve, point: point.span) }
  }

  private static func ed25519(_ goal: Double) -> [Benchmark?] {
    guard let peer = OpenSSLKey.ed25519(message: message) else { return [] }
    let octets = peer.publicKey
    guard let key = try? VerificationKey(ed25519: octets.span) else { return [] }
    return preparations(
      "Ed25519", .ed25519, peer, key, [goal, nil, nil], limits: [nil, nil]
    ) { try? VerificationKey(ed25519: octets.span) }
  }

  /// What costs the most of all that 16 kB of key, signature and message can ask for; the promise
  /// is 20 ms.
  private static func worst() -> [Benchmark?] {
    let modulus = [UInt8](repeating: 0xff, count: 2_048)
    let signature = [0x7f] + [UInt8](repeating: 0xa7, count: 2_047)
    let schemes: [(String, SignatureScheme)] = [
      ("PKCS #1", .rsaPKCS1(.sha256)),
      ("PSS", .rsaPSS(hash: .sha3_512, mgfHash: .sha3_512, saltLength: 64)),
    ]
    let rsa: [Benchmark] = schemes.map { name, scheme in
      Benchmark(
        name: "worst: RSA-16384, \(name)", goal: 20_000,
        ours: {
          let exponent: [UInt8] = [1, 0xff, 0xff, 0xff, 0xff]
          let key = try? VerificationKey(rsaModulus: modulus.span, exponent: exponent.span)
          return key?.verify(scheme, message: message.span, signature: signature.span) == .invalid
        }, theirs: nil, note: "exponent 2^33 - 1")
    }
    let curves: [(String, CurveID)] = [("P-521", .p521), ("brainpoolP512r1", .brainpoolP512r1)]
    return rsa
      + curves.map { name, curve in
        guard let peer = OpenSSLKey.ec(name, hash: "sha512", message: message) else { return nil }
        let (point, signature) = (peer.publicKey, peer.signature)
        return Benchmark(
          name: "worst: \(name)", goal: 20_000,
          ours: {
            let key = try? VerificationKey(curve: curve, point: point.span)
            let answer = key?.verify(
              .ecdsa(.sha512), message: message.span, signature: signature.span)
            return answer == .valid
          }, theirs: nil)
      }
  }

  /// A key never seen, whose octets are read each time, one that is seen again, and an
  /// anchor's; then what preparing them takes.
  private static func preparations(
    _ name: String, _ scheme: SignatureScheme, _ peer: OpenSSLKey, _ key: VerificationKey,
    _ goals: [Double?], limits: [Double?], new: @escaping () -> VerificationKey?
  ) -> [Benchmark?] {
    let (reuse, anchor) = (key.prepared(for: .reuse), key.prepared(for: .anchor))
    return [
      Benchmark(
        name: "\(name), key never seen", goal: goals[0],
        ours: { new().map { verification($0, scheme, peer)() } ?? false }, theirs: peer.verify),
      Benchmark(
        name: "\(name), key seen before", goal: goals[1], ours: verification(reuse, scheme, peer),
        theirs: peer.verify),
      Benchmark(
        name: "\(name), anchor's key", goal: goals[2], ours: verification(anchor, scheme, peer),
        theirs: peer.verify),
      Benchmark(
        name: "\(name), preparing for reuse", goal: limits[0],
        ours: { key.prepared(for: .reuse).preparedBytes >= 0 }, theirs: nil,
        note: "\(reuse.preparedBytes) octets"),
      Benchmark(
        name: "\(name), preparing an anchor", goal: limits[1],
        ours: { key.prepared(for: .anchor).preparedBytes >= 0 }, theirs: nil,
        note: "\(anchor.preparedBytes) octets"),
    ]
  }

  private static func verification(
    _ key: VerificationKey, _ scheme: SignatureScheme, _ peer: OpenSSLKey
  ) -> () -> Bool {
    let (message, signature) = (peer.message, peer.signature)
    return { key.verify(scheme, message: message.span, signature: signature.span) == .valid }
  }
}
