import HoldfastCertificates
import HoldfastPaths
import HoldfastSignatures
import TestSupport

/// Certificates that are to cost as much as they can, in 256 KiB each.
enum HostileShapes {
  static func all() throws -> [(String, Search)] {
    [
      ("a mesh of 24 authorities", try mesh()), ("nine layers of 28", try layers(isRooted: false)),
      ("nine layers of 28 below an anchor with another key", try layers(isRooted: true)),
      ("a ring of 256", try ring()), ("256 of one name", try sameName()),
      ("256 that differ in one byte of the key's middle", try twins()),
      ("256 policies, mapped", try policyBomb(policies: 256, mappings: 256)),
      ("fifteen policies, all mapped to all", try policyBomb(policies: 15)),
      ("8,000 names under 1,000 constraints", try names()),
      ("2,000 directory names under 500 constraints", try directories()),
      ("names of 60 KiB", try longNames()),
      ("RSA keys of 8,192 bits", try slowKeys(rsa(8_192), count: 190)),
      ("RSA keys of 16,384 bits", try slowRSA(count: 105)),
      ("compressed points of brainpoolP512r1", try slowKeys(brainpool(isPoint: true), count: 256)),
      (
        "points of brainpoolP512r1 that are none",
        try slowKeys(brainpool(isPoint: false), count: 256)
      ),
    ]
  }

  /// A kind of keys, and what a leaf has for a signature that is worth verifying.
  private struct SlowKeys {
    /// The SubjectPublicKeyInfo of the key of a number.
    let info: (Int) -> [UInt8]
    let algorithm: [UInt8]
    let signature: [UInt8]
  }

  /// Keys of 16,384 bits with the longest exponent.
  static func slowRSA(count: Int) throws -> Search { try slowKeys(rsa(16_384), count: count) }

  /// Authorities of one name, each of which may have signed the leaf.
  private static func slowKeys(_ keys: SlowKeys, count: Int) throws -> Search {
    let others = try (0..<count).map { number in
      try SignedCertificate.authority("Same", 10, by: "Root", 1) {
        $0.hasKeyIdentifiers = false
        $0.publicKeyInfo = keys.info(number)
      }
    }
    let leaf = try SignedCertificate.leaf(by: "Same", 5) {
      $0.hasKeyIdentifiers = false
      $0.signature = (keys.algorithm, keys.signature)
    }
    return Search(
      leaf: leaf, others: others, anchors: [try SignedCertificate.root()], rules: .rfc5280)
  }

  /// With 2^33 - 1 for exponent, the slowest of all.
  private static func rsa(_ bits: Int) -> SlowKeys {
    SlowKeys(
      info: { number in
        var modulus = [UInt8](repeating: 0xFF, count: bits / 8)
        modulus[1] = UInt8(truncatingIfNeeded: number)
        let numbers =
          Made.der(0x02, [0] + modulus) + Made.der(0x02, [1] + [UInt8](repeating: 0xFF, count: 4))
        return Made.der(
          0x30,
          Made.der(0x30, Made.oid("1.2.840.113549.1.1.1") + [5, 0])
            + Made.bits(Made.der(0x30, numbers)))
      },
      algorithm: Made.der(0x30, Made.oid("1.2.840.113549.1.1.11") + [5, 0]),
      signature: [UInt8](repeating: 0x55, count: bits / 8))
  }

  /// Keys in their compressed form, for which a root is to be found. Half of all x have none.
  private static func brainpool(isPoint: Bool) -> SlowKeys {
    let algorithm = Made.oid("1.2.840.10045.2.1") + Made.oid("1.3.36.3.3.2.8.1.1.13")
    let candidates = (1...2_000).lazy.map { number in
      [2] + [UInt8](repeating: 0, count: 62) + [UInt8(number >> 8), UInt8(number & 0xFF)]
    }
    let points = Array(
      candidates.filter { point in
        ((try? VerificationKey(curve: .brainpoolP512r1, point: point.span)) != nil) == isPoint
      }.prefix(256))
    let number = Made.der(0x02, [UInt8](repeating: 0x55, count: 64))
    return SlowKeys(
      info: { Made.der(0x30, Made.der(0x30, algorithm) + Made.bits(points[$0 % points.count])) },
      algorithm: Made.der(0x30, Made.oid("1.2.840.10045.4.3.4")),
      signature: Made.der(0x30, number + number))
  }

  /// Every authority has signed every other, and there is no way out.
  private static func mesh() throws -> Search {
    var others: [Certificate] = []
    for a in UInt64(0)..<24 {
      for b in UInt64(0)..<24 where a != b {
        others.append(try SignedCertificate.authority("N\(a)", a + 10, by: "N\(b)", b + 10))
      }
    }
    return Search(
      leaf: try SignedCertificate.leaf(by: "N0", 10), others: others,
      anchors: [try SignedCertificate.root("N1", 5)])
  }

  /// Each of a layer has the name of all and may be below each of the next.
  private static func layers(isRooted: Bool) throws -> Search {
    var others: [Certificate] = []
    for layer in UInt64(0)..<9 {
      for number in UInt64(0)..<28 {
        let (key, signer) = (100 * layer + number + 10, 100 * layer + 110)
        others.append(
          try SignedCertificate.authority("L\(layer)", key, by: "L\(layer + 1)", signer) {
            $0.hasKeyIdentifiers = false
          })
      }
    }
    let root = try SignedCertificate.root(isRooted ? "L8" : "Root", 5)
    return Search(
      leaf: try SignedCertificate.leaf(by: "L0", 10), others: others, anchors: [root])
  }

  private static func ring() throws -> Search {
    var others: [Certificate] = []
    for number in UInt64(0)..<256 {
      let next = (number + 1) % 256
      others.append(
        try SignedCertificate.authority("R\(number)", number + 10, by: "R\(next)", next + 10))
    }
    return Search(
      leaf: try SignedCertificate.leaf(by: "R0", 10), others: others,
      anchors: [try SignedCertificate.root()])
  }

  private static func sameName() throws -> Search {
    let others = try (UInt64(10)..<266).map { key in
      try SignedCertificate.authority("Same", key, by: "Same", 9) {
        $0.hasKeyIdentifiers = false
      }
    }
    return Search(
      leaf: try SignedCertificate.leaf(by: "Same", 5), others: others,
      anchors: [try SignedCertificate.root("Same", 6)])
  }

  /// All but a byte is the same, and so are the bytes by which certificates are told apart at
  /// first sight.
  private static func twins() throws -> Search {
    let model = try SignedCertificate.authority("Same", 10, by: "Same", 9)
    var others: [Certificate] = []
    let middle = model.publicKey.der.startIndex + 45
    for number in 0..<256 {
      var der = model.der
      der[middle] = UInt8(number)
      others.append(try Certificate(der: der))
    }
    return Search(
      leaf: try SignedCertificate.leaf(by: "Same", 5), others: others,
      anchors: [try SignedCertificate.root("Same", 6)])
  }

  /// RFC 9618 §3.2: each authority maps each policy to each.
  static func policyBomb(policies count: Int, mappings maximum: Int = .max) throws -> Search {
    let names = (1...count).map { Made.oid("1.2.3.\($0)") }
    let list = Made.extension("2.5.29.32", Made.der(0x30, names.flatMap { Made.der(0x30, $0) }))
    let pairs = names.flatMap { a in names.map { b in Made.der(0x30, a + b) } }.prefix(maximum)
    let mapping = Made.extension("2.5.29.33", Made.der(0x30, pairs.flatMap { $0 }))
    var others: [Certificate] = []
    for depth in UInt64(0)..<8 {
      let issuer = depth == 7 ? "Root" : "P\(depth + 1)"
      others.append(
        try SignedCertificate.authority(
          "P\(depth)", depth + 10, by: issuer, depth == 7 ? 1 : depth + 11
        ) { $0.extensions = [list, mapping] })
    }
    let leaf = try SignedCertificate.leaf(by: "P0", 10) { $0.extensions.append(list) }
    return Search(leaf: leaf, others: others, anchors: [try SignedCertificate.root()])
  }

  private static func names() throws -> Search {
    let bases = (0..<1000).map { Made.dns("d\($0).example") } + [Made.dns("example.com")]
    let hosts = (0..<8000).map { Made.dns("h\($0).d\($0 % 1000).example") }
    let middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.extensions = [Made.nameConstraints(permitted: bases)]
    }
    let leaf = try SignedCertificate.leaf(
      by: "Middle", 2, names: hosts + [Made.dns(SignedCertificate.host)])
    return Search(leaf: leaf, others: [middle], anchors: [try SignedCertificate.root()])
  }

  private static func directories() throws -> Search {
    let bases = (0..<500).map { Made.directory("C=XX,O=Example,OU=U\($0)") }
    let hosts = (0..<2000).map { Made.directory("C=xx,O=example,OU=u\($0 % 500),CN=N\($0)") }
    let middle = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.extensions = [Made.nameConstraints(permitted: bases + [Made.directory("CN=Leaf")])]
    }
    let leaf = try SignedCertificate.leaf(
      by: "Middle", 2, names: hosts + [Made.dns(SignedCertificate.host)])
    return Search(leaf: leaf, others: [middle], anchors: [try SignedCertificate.root()])
  }

  /// Names that are equal after case folding, with different bytes.
  private static func longNames() throws -> Search {
    let letters = String(repeating: "a b  ", count: 8_000)
    let middle = try SignedCertificate.authority(letters.uppercased(), 2, by: "Root", 1)
    let other = try SignedCertificate.authority(letters + "c", 3, by: letters, 2)
    let leaf = try SignedCertificate.leaf(by: letters, 2)
    return Search(leaf: leaf, others: [middle, other], anchors: [try SignedCertificate.root()])
  }
}
