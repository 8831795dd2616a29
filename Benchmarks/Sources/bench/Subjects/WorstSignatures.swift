internal import HoldfastHashes
internal import HoldfastSignatures

/// What costs the most of all that 16 kB of key, signature and message can ask for: the promise is
/// 20 ms.
enum WorstSignatures {
  private static let limit = 20_000.0
  private static let message = Signatures.message

  static func cases() -> [Case] { rsa() + curves() }

  private static func rsa() -> [Case] {
    let modulus = [UInt8](repeating: 0xFF, count: 2_048)
    let exponent: [UInt8] = [1, 0xFF, 0xFF, 0xFF, 0xFF]
    let signature = [0x7F] + [UInt8](repeating: 0xA7, count: 2_047)
    let schemes: [(String, SignatureScheme)] = [
      ("PKCS #1", .rsaPKCS1(.sha256)),
      ("PSS", .rsaPSS(hash: .sha3_512, mgfHash: .sha3_512, saltLength: 64)),
    ]
    return schemes.map { name, scheme in
      row("RSA-16384, \(name)", note: "exponent 2^33 - 1", expecting: .invalid) {
        let key = try? VerificationKey(rsaModulus: modulus.span, exponent: exponent.span)
        return key?.verify(scheme, message: message.span, signature: signature.span)
      }
    }
  }

  private static func curves() -> [Case] {
    let all: [(String, CurveID)] = [("P-521", .p521), ("brainpoolP512r1", .brainpoolP512r1)]
    return all.compactMap { name, curve in
      guard let peer = OpenSSLKey.ec(name, hash: "sha512", message: message) else { return nil }
      let (point, signature) = (peer.publicKey, peer.signature)
      return row(name, note: "", expecting: .valid) {
        let key = try? VerificationKey(curve: curve, point: point.span)
        return key?.verify(.ecdsa(.sha512), message: message.span, signature: signature.span)
      }
    }
  }

  private static func row(
    _ name: String, note: String, expecting answer: Verification,
    _ work: @escaping () -> Verification?
  ) -> Case {
    Case(
      subject: "verify", name: "worst: \(name)", contenders: [.ours { work() == answer }],
      goals: [.microseconds(limit)], note: note)
  }
}
