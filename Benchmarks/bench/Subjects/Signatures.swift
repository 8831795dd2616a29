internal import Foundation
internal import HoldfastHashes
internal import HoldfastSignatures

/// hash and verify: a message as long as the signed part of a certificate, compared with OpenSSL's
/// EVP_Digest and EVP_DigestVerify and with other peers, digest included. signatures.txt has the keys
/// and signatures.
enum Signatures {
  static let message: [UInt8] = (0..<1_200).map { UInt8(truncatingIfNeeded: 7 * $0) }

  static func hashes(_ peers: Peers) -> [Case] {
    let message = Signatures.message
    let all: [(String, HashAlgorithm)] = [
      ("SHA-256", .sha256), ("SHA-384", .sha384), ("SHA-512", .sha512), ("SHA-1", .sha1),
      ("SHA3-256", .sha3_256),
    ]
    let cases = all.map { name, algorithm in
      hash(name, name.replacing("SHA-", with: "sha"), peers) {
        algorithm.hash(message.span)[0]
      }
    }
    // SHA-256 without the SHA instructions; an environment variable hides them from OpenSSL.
    let portable = peers["OpenSSL"].flatMap { peer in
      Peer(peer.name, ["OPENSSL_ia32cap=:~0x20000000", Peers.program("openssl")])
    }
    return cases + [
      hash("SHA-256 without instructions", "sha256", Peers(portable.map { [$0] } ?? [])) {
        var hash = SHA256(portably: true)
        hash.update(message.span)
        return hash.finish()[0]
      }
    ]
  }

  /// Compares the first bytes of the digests.
  private static func hash(
    _ name: String, _ theirs: String, _ peers: Peers, _ first: @escaping () -> UInt8
  ) -> Case {
    let expected = first()
    let inquiry = Inquiry(
      parts: [Inquiry.part("message", message)], line: "hash \(theirs.lowercased())",
      answer: String(expected))
    return Case(
      subject: "hash", name: name,
      contenders: [.ours { first() == expected }] + peers.able(to: inquiry))
  }

  static func cases(_ peers: Peers) -> [Case] {
    vectors.filter { $0.name != "brainpoolP512r1" }.flatMap { rows($0, peers) } + worst
  }

  /// A line of signatures.txt.
  private struct Vector {
    let name: String
    /// The names of the hash and the padding, for peers; OpenSSL has no ML-DSA before version 3.5.
    let how: String
    let info: [UInt8]
    let signature: [UInt8]
    /// The modulus and the exponent, or the point.
    let numbers: [[UInt8]]

    init?(_ line: Substring) {
      let words = line.split(separator: " ").map(String.init)
      let parts = words.dropFirst(3).compactMap { Data(base64Encoded: $0).map { [UInt8]($0) } }
      guard parts.count > 2 else { return nil }
      (name, how, info, signature) = (words[0], "\(words[1]) \(words[2])", parts[0], parts[1])
      numbers = Array(parts[2...])
    }

    var scheme: SignatureScheme {
      switch name {
      case "RSA-PSS-2048": .rsaPSS(PSSParameters(hash: .sha256, maskHash: .sha256, saltLength: 32))
      case "P-256": .ecdsa(.sha256)
      case "P-384": .ecdsa(.sha384)
      case "P-521", "brainpoolP512r1": .ecdsa(.sha512)
      case "Ed25519": .ed25519
      case "Ed448": .ed448
      case "ML-DSA-44": .mldsa(.mldsa44)
      case "ML-DSA-65": .mldsa(.mldsa65)
      case "ML-DSA-87": .mldsa(.mldsa87)
      default: .rsaPKCS1(.sha256)
      }
    }

    func key() -> VerificationKey? {
      let (first, last) = (numbers[0], numbers[numbers.count - 1])
      return switch name {
      case "P-256": try? VerificationKey(curve: .p256, point: first.span)
      case "P-384": try? VerificationKey(curve: .p384, point: first.span)
      case "P-521": try? VerificationKey(curve: .p521, point: first.span)
      case "brainpoolP512r1":
        try? VerificationKey(curve: .brainpoolP512r1, point: first.span)
      case "Ed25519", "Ed448", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87":
        try? VerificationKey(scheme, key: first.span)
      default: try? VerificationKey(rsaModulus: first.span, exponent: last.span)
      }
    }

    func isValid(_ key: VerificationKey?) -> Bool {
      key?.verify(scheme, message: message.span, signature: signature.span) == .valid
    }

    var inquiry: Inquiry {
      Inquiry(
        parts: [
          Inquiry.part("key", info), Inquiry.part("message", message),
          Inquiry.part("signature", signature),
        ], line: "verify \(how)", answer: "valid")
    }
  }

  private static let vectors: [Vector] = {
    let text = try? String(contentsOfFile: "Benchmarks/signatures.txt", encoding: .utf8)
    return text?.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap(Vector.init) ?? []
  }()

  /// Verifying under an unseen key, which is parsed each time, under one seen before and under an
  /// anchor's; then preparing the keys.
  private static func rows(_ vector: Vector, _ peers: Peers) -> [Case] {
    guard let key = vector.key() else { return [] }
    let (reuse, anchor) = (key.prepared(for: .reuse), key.prepared(for: .anchor))
    let isPrepared = key.gainsByPreparation
    let whole = Case(
      subject: "verify", name: vector.name,
      contenders: [
        .ours("unseen") { vector.isValid(vector.key()) },
        .ours("seen") { vector.isValid(reuse) },
      ] + (isPrepared ? [.ours("anchor") { vector.isValid(anchor) }] : [])
        + peers.able(to: vector.inquiry))
    guard isPrepared else { return [whole] }
    return [
      whole,
      Case(
        subject: "verify", name: "\(vector.name), preparing for reuse",
        contenders: [.ours { key.prepared(for: .reuse).gainsByPreparation }]),
      Case(
        subject: "verify", name: "\(vector.name), preparing an anchor",
        contenders: [.ours { key.prepared(for: .anchor).gainsByPreparation }]),
    ]
  }

  /// The most expensive verifications that 16 kB of key, signature and message can require.
  private static var worst: [Case] {
    let modulus = [UInt8](repeating: 0xFF, count: 2_048)
    let exponent: [UInt8] = [1, 0xFF, 0xFF, 0xFF, 0xFF]
    let signature = [0x7F] + [UInt8](repeating: 0xA7, count: 2_047)
    let schemes: [(String, SignatureScheme)] = [
      ("PKCS #1", .rsaPKCS1(.sha256)),
      ("PSS", .rsaPSS(PSSParameters(hash: .sha3_512, maskHash: .sha3_512, saltLength: 64))),
    ]
    let rsa = schemes.map { name, scheme in
      Case(
        subject: "verify", name: "worst: RSA-16384, \(name)",
        contenders: [
          .ours {
            let key = try? VerificationKey(rsaModulus: modulus.span, exponent: exponent.span)
            let answer = key?.verify(scheme, message: message.span, signature: signature.span)
            return answer == .invalid
          }
        ], note: "exponent 2^33 - 1")
    }
    return rsa
      + vectors.filter { ["P-521", "brainpoolP512r1"].contains($0.name) }.map { vector in
        Case(
          subject: "verify", name: "worst: \(vector.name)",
          contenders: [.ours { vector.isValid(vector.key()) }])
      }
  }
}
