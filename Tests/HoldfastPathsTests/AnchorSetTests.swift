import HoldfastCertificates
import TestSupport
import Testing

@testable import HoldfastPaths

/// Certificates whose signatures are all the same, as those of a stranger may be.
@Suite("Sets of anchors") struct AnchorSetTests {
  /// `Made` leaves the signature empty, so that all of these have one `signatureTail`.
  private static func certificates(_ numbers: Range<Int>, name: String? = nil) throws
    -> [Certificate]
  {
    try numbers.map { number in
      try Made.certificate(
        subject: Made.name("CN=\(name ?? "Root \(number)")"),
        Made.extension("1.2.3.4", Made.der(0x02, [1, UInt8(number >> 8), UInt8(number & 0xFF)])))
    }
  }

  @Test("a set keeps the order, drops what is equal, and finds what it has, whatever is signed")
  func equalSignatures() throws {
    let all = try Self.certificates(0..<200)
    let others = try Self.certificates(200..<220)
    #expect(Set((all + others).map(\.signatureTail)).count == 1)
    let set = AnchorSet(all + all.reversed())
    #expect(set.anchors.map(\.certificate) == all)
    #expect(all.allSatisfy { set.contains($0) && set.anchor(madeFrom: $0)?.certificate == $0 })
    #expect(!others.contains { set.contains($0) })
    for certificate in all {
      #expect(set.anchors(named: certificate.subject).map(\.certificate) == [certificate])
    }
    #expect(!others.contains { !set.anchors(named: $0.subject).isEmpty })
    #expect(!AnchorSet([TrustAnchor]()).contains(all[0]))
  }

  @Test("anchors of one name are found in the order of the set, and no others")
  func oneName() throws {
    let same = try Self.certificates(0..<20, name: "Root")
    let other = try Self.certificates(20..<21)
    let set = AnchorSet(same.prefix(10) + other + same.dropFirst(10))
    #expect(set.anchors(named: same[0].subject).map(\.certificate) == same)
    #expect(set.anchors(named: other[0].subject).map(\.certificate) == other)
  }

  @Test("one certificate with other constraints is another anchor, and so are a name and a key")
  func constraints() throws {
    let certificate = try Self.certificates(0..<1)[0]
    func constraints(_ length: Int?) -> TrustAnchor.Constraints {
      var constraints = TrustAnchor.Constraints()
      constraints.pathLength = length
      return constraints
    }
    let lengths: [Int?] = [nil, 0, 1, 2, 3]
    let made = lengths.map { TrustAnchor(certificate, constraints: constraints($0)) }
    let plain = lengths.map {
      TrustAnchor(
        name: certificate.subject, publicKey: certificate.publicKey, constraints: constraints($0))
    }
    let set = AnchorSet(made + plain + made + plain)
    #expect(set.anchors == made + plain)
    #expect(set.anchor(madeFrom: certificate) == made[0])
    #expect(Set((made + plain).map(\.hashValue)).count == 2 * lengths.count)
  }

  @Test("the hash of a certificate covers all that differs")
  func hashes() throws {
    let all = try Self.certificates(0..<1_000)
    #expect(Set(all.map(\.hashValue)).count == all.count)
  }

  @Test("five times as many certificates with one signature take less than fifteen times as long")
  func growth() throws {
    let all = try Self.certificates(0..<1_500)
    func time(_ number: Int) -> Duration {
      let part = Array(all.prefix(number))
      return leastProcessorTime(of: 3) {
        let set = AnchorSet(part)
        // Each look-up in a list would be another pass over it.
        if !part.allSatisfy({ set.contains($0) }) { Issue.record("not found") }
      }
    }
    let (few, many) = (time(300), time(1_500))
    #expect(many < few * 15, "\(few), \(many)")
  }
}
