import Holdfast
import Testing

@Suite("verdicts") struct VerdictTests {
  @Test("fingerprints differ when settings move from one part to the next")
  func fingerprints() {
    let a = PolicyFingerprint(kind: "k", [[1, 2], [3]])
    #expect(a == PolicyFingerprint(kind: "k", [[1, 2], [3]]))
    #expect(a != PolicyFingerprint(kind: "k", [[1], [2, 3]]))
    #expect(a != PolicyFingerprint(kind: "l", [[1, 2], [3]]))
    #expect(a != PolicyFingerprint(kind: "k", [[1, 2], [3], []]))
    #expect(a.description.count == 64)
  }
}

/// A session that is resumed shows no certificates: golang/go#77217, CVE-2025-23419 and others.
@Suite("resumed sessions") struct ResumptionTests {
  private static let host = PinningMaterial.host

  @Test("a verdict is good for its host, its policy and the validity of its path")
  func bounds() throws {
    let trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let leaf = try PinningMaterial.certificate("leaf")
    let policy = PublicKeysEvaluator(keys: [leaf.publicKey])
    let verdict = try policy.evaluate(trust, for: Self.host)
    let time = trust.time
    #expect(verdict.isStillValid(for: Self.host, under: policy, at: time))
    #expect(verdict.isStillValid(for: "WWW.pins.example.", under: policy, at: time))
    #expect(!verdict.isStillValid(for: "other.example", under: policy, at: time))
    #expect(!verdict.isStillValid(for: nil, under: policy, at: time))
    #expect(verdict.isStillValid(for: Self.host, under: policy, at: leaf.notAfter))
    let late = Timestamp(secondsSince1970: leaf.notAfter.secondsSince1970 + 1)
    #expect(!verdict.isStillValid(for: Self.host, under: policy, at: late))
    let early = Timestamp(secondsSince1970: leaf.notBefore.secondsSince1970 - 1)
    #expect(!verdict.isStillValid(for: Self.host, under: policy, at: early))
    let others: [any TrustEvaluating] = [
      PublicKeysEvaluator(keys: []),
      PublicKeysEvaluator(keys: [leaf.publicKey], validateHost: false),
      PinnedCertificatesEvaluator(certificates: [leaf]), DefaultEvaluator(),
      SecurityPolicy(pinningMode: .publicKey, pinnedCertificates: [leaf]),
      CompositeEvaluator([policy]),
    ]
    for other in others {
      #expect(!verdict.isStillValid(for: Self.host, under: other, at: time), "\(other)")
    }
  }

  @Test("all settings of a policy are in its fingerprint")
  func settings() throws {
    let pinned = try PinningMaterial.certificates("leaf,issuing")
    var all: [PolicyFingerprint?] = []
    for bits in 0..<8 {
      let (a, b, c) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)
      all.append(
        PinnedCertificatesEvaluator(
          certificates: pinned, acceptSelfSignedCertificates: a, performDefaultValidation: b,
          validateHost: c
        ).fingerprint)
      var policy = SecurityPolicy(
        pinningMode: c ? .publicKey : .certificate, pinnedCertificates: pinned)
      policy.allowsInvalidCertificates = a
      policy.validatesDomainName = b
      all.append(policy.fingerprint)
      all.append(
        ServerTrustPolicy.pinCertificates(
          certificates: c ? pinned : [], validateCertificateChain: a, validateHost: b
        ).fingerprint)
    }
    for options in 0..<32 as Range<UInt> {
      all.append(RevocationEvaluator(options: .init(rawValue: options)).fingerprint)
    }
    // Without validation version 4 does not look at the host, whatever it was told.
    #expect(Set(all).count == all.count - 2)
    #expect(!all.contains(nil))
  }

  @Test("what time has no part in holds at any time, what revocation has part in at its own")
  func lifetimes() throws {
    var trust = try PinningMaterial.trust("leaf,issuing", anchors: "root-1")
    let later = Timestamp(secondsSince1970: trust.time.secondsSince1970 + 1)
    let disabled = DisabledEvaluator()
    #expect(
      disabled.evaluate(trust, for: Self.host)
        .isStillValid(for: Self.host, under: disabled, at: later))
    let plain = try DefaultEvaluator().evaluate(trust, for: Self.host)
    #expect(plain.isStillValid(for: Self.host, under: DefaultEvaluator(), at: later))
    trust.revocation = Revocation(lists: try PinningMaterial.lists())
    let policy = RevocationEvaluator()
    let verdict = try policy.evaluate(trust, for: Self.host)
    #expect(verdict.isStillValid(for: Self.host, under: policy, at: trust.time))
    #expect(!verdict.isStillValid(for: Self.host, under: policy, at: later))
    let both = CompositeEvaluator([DefaultEvaluator(), policy])
    let together = try both.evaluate(trust, for: Self.host)
    #expect(!together.isStillValid(for: Self.host, under: both, at: later))
  }
}
