internal import HoldfastDER
internal import HoldfastHashes
internal import HoldfastSignatures

/// hash and verify: a message as long as the signed part of a certificate, beside OpenSSL's
/// EVP_Digest and EVP_DigestVerify, digest included.
enum Signatures {
  static let message: [UInt8] = (0..<1_200).map { UInt8(truncatingIfNeeded: 7 * $0) }

  static func hashes() -> [Case] {
    [
      hash("SHA-256", .sha256, "sha256", 0.80), hash("SHA-384", .sha384, "sha384", 1.10),
      hash("SHA-512", .sha512, "sha512", 1.10), hash("SHA-1", .sha1, "sha1", nil),
      hash("SHA3-256", .sha3_256, "sha3-256", nil), hash("SHAKE256", .shake256, "shake256", nil),
    ].compactMap(\.self)
  }

  static func signatures() -> [Case] {
    [
      rsa("RSA-2048", 2_048, 0.90), rsa("RSA-3072", 3_072, nil), rsa("RSA-4096", 4_096, 1.05),
      rsa("RSA-PSS-2048", 2_048, nil, pss: true),
      curve("P-256", .p256, .sha256, "sha256", [0.88, 0.42, 0.30]),
      curve("P-384", .p384, .sha384, "sha384", [0.45, 0.22, 0.16]),
      curve("P-521", .p521, .sha512, "sha512", []),
      edwards("Ed25519", .ed25519, 0.65) { try? VerificationKey(ed25519: $0.span) },
      edwards("Ed448", .ed448, nil) { try? VerificationKey(ed448: $0.span) },
    ].flatMap(\.self)
  }

  /// SHA-256 that leaves the processor's SHA instructions alone; OpenSSL is told so by its
  /// environment.
  static func portableHash() -> Case? {
    guard let peer = OpenSSLHash("sha256") else { return nil }
    let first = peer.hash(message)
    return Case(
      subject: "hash", name: "SHA-256 without instructions",
      contenders: [
        .ours {
          var hash = SHA256(portably: true)
          hash.update(message.span)
          return hash.finish()[0] == first
        }, openSSL { peer.hash(message) == first },
      ], goals: [.toFastestPeer(1.05)])
  }

  /// The two numbers of the row are those of another run of this program.
  static func portableRow(_ runner: Runner) -> Row? {
    let lines =
      Command.again(
        "OPENSSL_ia32cap=:~0x20000000", "--portably --rounds \(runner.rounds)") ?? []
    let figures = lines.compactMap { line -> Figure? in
      let words = line.split(separator: " ")
      guard let name = words.first else { return nil }
      return Figure(
        contender: String(name), isPeer: name != "ours",
        times: words.dropFirst().compactMap(decimal))
    }
    guard figures.count == 2 else { return nil }
    return Row(
      subject: "hash", name: "SHA-256 without instructions", figures: figures,
      goals: [.toFastestPeer(1.05)], note: "")
  }

  private static func openSSL(_ work: @escaping () -> Bool) -> Contender {
    Contender(
      name: "OpenSSL", isPeer: true, work: work() ? .here(work) : .refused("a wrong answer"))
  }

  private static func hash(
    _ name: String, _ ours: HashAlgorithm, _ theirs: String, _ goal: Double?
  ) -> Case? {
    guard let peer = OpenSSLHash(theirs) else { return nil }
    let first = peer.hash(message)
    // An extendable function has another length there, but the same first octets.
    return Case(
      subject: "hash", name: name,
      contenders: [
        .ours { ours.hash(message.span)[0] == first }, openSSL { peer.hash(message) == first },
      ], goals: goal.map { [.toFastestPeer($0)] } ?? [])
  }

  private static func rsa(
    _ name: String, _ bits: Int, _ goal: Double?, pss: Bool = false
  ) -> [Case] {
    guard let peer = OpenSSLKey.rsa(bits, hash: "sha256", message: message, pss: pss) else {
      return []
    }
    let (modulus, exponent) = (peer.number("n"), peer.number("e"))
    let scheme: SignatureScheme =
      pss ? .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 32) : .rsaPKCS1(.sha256)
    let new = { try? VerificationKey(rsaModulus: modulus.span, exponent: exponent.span) }
    guard let key = new() else { return [] }
    let whole = Case(
      subject: "verify", name: name,
      contenders: [
        .ours("unseen") { new().map { verification($0, scheme, peer)() } ?? false },
        .ours("seen", verification(key, scheme, peer)), openSSL(peer.verify),
      ], goals: goal.map { [.ratio(of: "seen", to: "OpenSSL", $0)] } ?? [])
    return [whole]
  }

  private static func curve(
    _ name: String, _ curve: CurveID, _ hash: HashAlgorithm, _ peerHash: String, _ goals: [Double]
  ) -> [Case] {
    guard let peer = OpenSSLKey.ec(name, hash: peerHash, message: message) else { return [] }
    let point = peer.publicKey
    return preparations(
      name, .ecdsa(hash), peer, goals, limits: name == "P-256" ? [35, 300] : []
    ) { try? VerificationKey(curve: curve, point: point.span) }
  }

  private static func edwards(
    _ name: String, _ scheme: SignatureScheme, _ goal: Double?,
    _ key: @escaping ([UInt8]) -> VerificationKey?
  ) -> [Case] {
    guard let peer = OpenSSLKey.edwards(name.uppercased(), message: message) else { return [] }
    let octets = peer.publicKey
    return preparations(name, scheme, peer, goal.map { [$0] } ?? [], limits: []) { key(octets) }
  }

  /// A key never seen, whose octets are read each time, one that is seen again, and an
  /// anchor's; then what preparing them takes.
  private static func preparations(
    _ name: String, _ scheme: SignatureScheme, _ peer: OpenSSLKey, _ goals: [Double],
    limits: [Double], new: @escaping () -> VerificationKey?
  ) -> [Case] {
    guard let key = new() else { return [] }
    let (reuse, anchor) = (key.prepared(for: .reuse), key.prepared(for: .anchor))
    let whole = Case(
      subject: "verify", name: name,
      contenders: [
        .ours("unseen") { new().map { verification($0, scheme, peer)() } ?? false },
        .ours("seen", verification(reuse, scheme, peer)),
        .ours("anchor", verification(anchor, scheme, peer)), openSSL(peer.verify),
      ],
      goals: zip(["unseen", "seen", "anchor"], goals).map {
        .ratio(of: $0, to: "OpenSSL", $1)
      })
    guard anchor.preparedBytes > 0 else { return [whole] }
    return [
      whole,
      Case(
        subject: "verify", name: "\(name), preparing for reuse",
        contenders: [.ours { key.prepared(for: .reuse).preparedBytes >= 0 }],
        goals: limits.prefix(1).map { .microseconds($0) }, note: "\(reuse.preparedBytes) octets"),
      Case(
        subject: "verify", name: "\(name), preparing an anchor",
        contenders: [.ours { key.prepared(for: .anchor).preparedBytes >= 0 }],
        goals: limits.dropFirst().map { .microseconds($0) },
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

/// A number as `Double.text` writes it.
func decimal(_ text: Substring) -> Double? { Double(text) }
