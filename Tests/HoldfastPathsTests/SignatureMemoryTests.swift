import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import HoldfastHashes
import HoldfastSignatures
import Testing

@testable import HoldfastPaths

/// What is remembered of signatures is found again for the very same octets, and for no others.
@Suite(.enabled(if: BenchChain.isThere, "bench of the vectors is not there"))
struct SignatureMemoryTests {
  @Test(
    "a certificate of which one octet is changed was never seen", arguments: BenchChain.names)
  func changedCertificate(name: String) throws {
    let chain = try BenchChain(name)
    let pairs = [(chain.leaf, chain.intermediates[0]), (chain.intermediates[0], chain.root)]
    var known: [String] = []
    for (certificate, issuer) in pairs {
      let key = issuer.publicKey.der
      let memory = SignatureMemory()
      for fact in facts(certificate, under: key) { memory.remember(fact) }
      #expect(facts(certificate, under: key).map(memory.knows) == [true, true])
      for place in certificate.der.indices {
        var der = certificate.der
        der[place] ^= UInt8(truncatingIfNeeded: 1 << (place % 8))
        guard let changed = readable(der) else { continue }
        for fact in facts(changed, under: key) where memory.knows(fact) {
          known.append("byte \(place)")
        }
      }
    }
    #expect(known.isEmpty, "\(known)")
  }

  @Test("the same certificate under another key was never seen", arguments: BenchChain.names)
  func changedKey(name: String) throws {
    let chain = try BenchChain(name)
    let memory = SignatureMemory()
    let key = chain.root.publicKey.der.array
    for fact in facts(chain.intermediates[0], under: Octets(key)) { memory.remember(fact) }
    var known: [Int] = []
    for place in key.indices {
      var other = key
      other[place] ^= UInt8(truncatingIfNeeded: 1 << (place % 8))
      let facts = facts(chain.intermediates[0], under: Octets(other))
      if facts.contains(where: memory.knows) { known.append(place) }
    }
    #expect(known.isEmpty)
    // The end of one part is not taken for the beginning of the next.
    for length in [key.count - 1, 0] {
      let facts = facts(chain.intermediates[0], under: Octets(Array(key.prefix(length))))
      #expect(!facts.contains(where: memory.knows))
    }
  }

  @Test("a digest is known only with the certificate that it is of")
  func otherDigest() throws {
    let chain = try BenchChain("b_p256")
    let (leaf, issuer) = (chain.leaf, chain.intermediates[0])
    let key = issuer.publicKey.der
    let own = digest(of: leaf)
    let memory = SignatureMemory()
    memory.remember(SignatureMemory.Fact(leaf, own, under: key))
    #expect(!memory.knows(SignatureMemory.Fact(leaf, digest(of: issuer), under: key)))
    #expect(!memory.knows(SignatureMemory.Fact(issuer, own, under: key)))
    for index in 0..<own.count {
      var octets = own.octets
      octets[index] ^= 1
      let other = Digest(octets, count: own.count)
      #expect(!memory.knows(SignatureMemory.Fact(leaf, other, under: key)))
    }
    // As a fingerprint and as a certificate are two facts.
    #expect(!memory.knows(SignatureMemory.Fact(authority: leaf, under: key)))
  }

  @Test("a path that was refused leaves nothing behind, one that was valid its signatures")
  func refusal() throws {
    let chain = try BenchChain("b_p256")
    let memory = SignatureMemory()
    let validator = PathValidator(anchors: AnchorSet([chain.root]), memory: memory)
    func validate(_ host: String) -> Bool {
      do throws(PathError) {
        _ = try validator.validate(
          chain.leaf, intermediates: chain.intermediates, for: .server(host), at: BenchChain.time)
        return true
      } catch {
        return false
      }
    }
    let leafFact = SignatureMemory.Fact(
      chain.leaf, digest(of: chain.leaf), under: chain.intermediates[0].publicKey.der)
    let fact = SignatureMemory.Fact(
      authority: chain.intermediates[0], under: chain.root.publicKey.der)
    #expect(!validate("www.other.example.net"))
    #expect(!memory.knows(leafFact) && !memory.knows(fact))
    #expect(memory.key(chain.intermediates[0].publicKey.der) == nil)
    #expect(validate(BenchChain.host))
    #expect(memory.knows(leafFact) && memory.knows(fact))
    #expect(memory.key(chain.intermediates[0].publicKey.der) != nil)
    #expect(!validate("www.other.example.net"))
  }

  @Test("no more is kept than the capacity, and what is asked for stays")
  func capacity() throws {
    let chain = try BenchChain("a_rsa2048")
    let (leaf, key) = (chain.leaf, chain.root.publicKey.der)
    let memory = SignatureMemory(capacity: 8)
    func fact(_ number: UInt8) -> SignatureMemory.Fact {
      SignatureMemory.Fact(leaf, HashAlgorithm.sha256.hash([number]), under: key)
    }
    memory.remember(fact(0))
    for number in 1...100 {
      memory.remember(fact(UInt8(number)))
      #expect(memory.knows(fact(0)))
    }
    let kept = (1...100).count { memory.knows(fact(UInt8($0))) }
    #expect(kept < 8)
  }

  @Test("an authority whose certificate is long is remembered as well, and no other for it")
  func longAuthority() throws {
    let chain = try BenchChain("a_rsa2048")
    let memory = SignatureMemory()
    let key = Octets([UInt8](repeating: 7, count: 4_000))
    let other = Octets([UInt8](repeating: 7, count: 3_999) + [8])
    memory.remember(SignatureMemory.Fact(authority: chain.leaf, under: key))
    #expect(memory.knows(authority: chain.leaf, under: key))
    #expect(!memory.knows(authority: chain.leaf, under: other))
    #expect(!memory.knows(authority: chain.root, under: key))
    // Many authorities: those that were added last are there.
    for length in 1...200 {
      let key = Octets([UInt8](repeating: 9, count: length))
      memory.remember(SignatureMemory.Fact(authority: chain.leaf, under: key))
      #expect(memory.knows(authority: chain.leaf, under: key))
    }
  }

  @Test("a key answers the same before and after its tables are made", arguments: BenchChain.names)
  func tables(name: String) throws {
    let chain = try BenchChain(name)
    let (leaf, issuer) = (chain.leaf, chain.intermediates[0])
    let scheme = try #require(
      SignatureChecks.scheme(leaf.signatureScheme, for: issuer.publicKey.kind))
    let key = PreparedKey(issuer.publicKey, .reuse)
    var sizes: [Int] = []
    for use in 1...(PreparedKey.usesOfOneThatStays + 2) {
      let taken = try #require(key.take())
      sizes.append(taken.preparedBytes)
      guard sizes.last != sizes.dropLast().last else { continue }
      #expect(SignatureChecks.verify(leaf, scheme, nil, under: taken), "use \(use)")
      #expect(!SignatureChecks.verify(issuer, scheme, nil, under: taken), "use \(use)")
    }
    let changes = sizes.indices.dropFirst().filter { sizes[$0] != sizes[$0 - 1] }.map { $0 + 1 }
    let isRSA = ["a_rsa2048", "d_rsa4096root_mixed", "f_rsapss2048"].contains(name)
    #expect(changes == (isRSA ? [] : [2, PreparedKey.usesOfOneThatStays]))
    let anchor = PreparedKey(issuer.publicKey, .anchor)
    anchor.prepare()
    #expect(anchor.take()?.preparedBytes == sizes.last)
  }

  @Test(
    "a leaf whose key cannot be one is refused whatever the rules are, and never remembered",
    arguments: ["key-point-off-curve-leaf", "key-point-infinity-leaf", "key-rsa-exponent-1-leaf"])
  func impossibleKey(name: String) throws {
    let root = try #require(VectorSuites.packageRoot)
    let chain = try Certificate.certificates(inFile: "\(root)/Vectors/flaws/\(name).case")
    let memory = SignatureMemory()
    for rules in [ValidationRules.rfc5280, .webPKI, .rfc5280] {
      let validator = PathValidator(
        anchors: AnchorSet([chain[2]]), rules: rules, memory: memory)
      let error = #expect(throws: PathError.self) {
        try validator.validate(
          chain[0], intermediates: [chain[1]], for: .server("www.bad.example"),
          at: #require(Timestamp("2026-01-01T00:00:00Z")))
      }
      let nearest = try #require(error?.rejections.first)
      #expect(nearest.rule == .impossibleKey && nearest.index == 0)
      #expect(nearest.octets != nil && nearest.field == "subjectPublicKeyInfo")
    }
  }

  /// Both facts that there may be of a signature.
  private func facts(_ certificate: Certificate, under key: Octets) -> [SignatureMemory.Fact] {
    [
      SignatureMemory.Fact(certificate, digest(of: certificate), under: key),
      SignatureMemory.Fact(authority: certificate, under: key),
    ]
  }

  private func digest(of certificate: Certificate) -> Digest {
    SignatureChecks.digest(of: certificate)
  }
}

private func readable(_ der: [UInt8]) -> Certificate? {
  do throws(CertificateError) { return try Certificate(der: der) } catch { return nil }
}
