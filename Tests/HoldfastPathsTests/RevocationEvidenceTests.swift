import HoldfastCertificates
import TestSupport
import Testing

@testable import HoldfastPaths

/// Which of several sources counts, whatever their order. RFC 5280 §5.3.1, RFC 6960 §2.4.
@Suite("The evidence about a certificate") struct RevocationEvidenceTests {
  private typealias Issue = RevocationEvidence.Issue
  private let subject: RevocationChecker.Subject
  private let keys: [Bytes]
  /// keyCompromise and cACompromise. RFC 5280 §4.2.1.13.
  private let compromised = ReasonFlags(rawValue: 1 << 1 | 1 << 2)

  init() throws {
    let root = try SignedCertificate.root()
    subject = RevocationChecker.Subject(
      try SignedCertificate.leaf(by: "Root", 1), below: [], TrustAnchor(root), isLeaf: true)
    keys = [root.publicKey.der, try SignedCertificate.root("Other", 2).publicKey.der]
  }

  private func issue(_ seconds: Int64, key: Int = 0, isOld: Bool = false) -> Issue {
    Issue(
      time: Timestamp(secondsSince1970: seconds), key: keys[key],
      limitation: isOld ? .stale(Timestamp(secondsSince1970: seconds + 10)) : nil)
  }

  private func time(_ seconds: Int64) -> Timestamp { Timestamp(secondsSince1970: seconds) }

  /// `good 3`, `revoked 3`, with the thisUpdate of the evidence, or `unknown`.
  private func words(_ evidence: RevocationEvidence) -> String {
    switch evidence.status(.none, failures: []) {
    case .good(let evidence): "good \(evidence.thisUpdate.secondsSince1970)"
    case .revoked(_, _, let evidence): "revoked \(evidence.thisUpdate.secondsSince1970)"
    case .unknown: "unknown"
    case .notApplicable: "notApplicable"
    }
  }

  @Test("of several revocations the newest counts, and of two of one time the first")
  func revocations() {
    for (first, second, expected) in [(1, 2, 2), (2, 1, 2)] as [(Int64, Int64, Int64)] {
      var evidence = RevocationEvidence(subject)
      for (index, seconds) in [first, second].enumerated() {
        evidence.add(
          .revoked(at: time(seconds), reason: .keyCompromise), .ocspResponse(index), issue(seconds))
      }
      #expect(words(evidence) == "revoked \(expected)")
    }
    var evidence = RevocationEvidence(subject)
    for index in 0..<2 {
      evidence.add(.revoked(at: time(1), reason: nil), .ocspResponse(index), issue(1))
    }
    guard case .revoked(_, _, let found) = evidence.status(.none, failures: []) else {
      Testing.Issue.record("\(words(evidence))")
      return
    }
    #expect(found.sources == [.ocspResponse(0)])
    #expect(
      evidence.facts
        == (0..<2).map {
          .init(source: .ocspResponse($0), outcome: .revoked(at: time(1), reason: nil))
        })
  }

  @Test("of the filters that say good the one counts that covers most, and the first of two")
  func filters() {
    for (ends, expected) in [([1, 2], 1), ([2, 1], 0), ([1, 1], 0)] as [([Int64], Int)] {
      var evidence = RevocationEvidence(subject)
      for (index, end) in ends.enumerated() {
        evidence.addGood(by: .filter(index, file: ""), time(end))
      }
      guard case .good(let found) = evidence.status(.none, failures: []) else {
        Testing.Issue.record("\(words(evidence))")
        continue
      }
      #expect(found.sources == [.filter(expected, file: "")])
      #expect(found.thisUpdate == time(ends.max() ?? 0))
      #expect(evidence.facts.map(\.outcome) == [.notRevoked(.all), .notRevoked(.all)])
    }
  }

  @Test("a filter's revocation is a fact, and gives way to one with a date and a reason")
  func filterRevocation() {
    var evidence = RevocationEvidence(subject)
    let source = CertificateRevocation.Source.filter(0, file: "")
    evidence.addRevocation(by: source, time(5))
    #expect(evidence.facts.map(\.outcome) == [.revoked(at: nil, reason: nil)])
    #expect(words(evidence) == "revoked 5" && evidence.isFinal && evidence.isRevokedByCRLs)
    var other = RevocationEvidence(subject)
    other.add(.revoked(at: time(1), reason: nil), .ocspResponse(0), issue(1))
    other.addRevocation(by: source, time(5))
    #expect(words(other) == "revoked 1" && other.facts.count == 2)
  }

  @Test("a revocation in an old source ends with a newer good answer of its key, and no other")
  func superseded() {
    let rows: [(Issue, String)] = [
      (issue(2), "good 2"), (issue(1), "revoked 1"), (issue(0), "revoked 1"),
      (issue(2, key: 1), "revoked 1"),
    ]
    for (newer, expected) in rows {
      for isReversed in [false, true] {
        var evidence = RevocationEvidence(subject)
        if isReversed { evidence.add(.good, .ocspResponse(1), newer) }
        evidence.add(
          .revoked(at: time(1), reason: nil), .ocspResponse(0), issue(1, isOld: true))
        if !isReversed { evidence.add(.good, .ocspResponse(1), newer) }
        #expect(words(evidence) == expected)
        #expect(evidence.isRevokedByCRLs == (expected != "good 2"))
        #expect(!evidence.isFinal)
      }
    }
    // A CRL that covers some reasons alone takes nothing back.
    for (reasons, expected) in [(ReasonFlags.all, "good 2"), (compromised, "revoked 1")] {
      var evidence = RevocationEvidence(subject)
      evidence.add(.revoked(at: time(1), reason: nil), .ocspResponse(0), issue(1, isOld: true))
      evidence.add(reasons, [.crl(0)], issue(2))
      #expect(words(evidence) == expected)
    }
  }

  @Test("of two answers the newer counts, and of two of one time the more severe")
  func answers() {
    let rows: [([(OCSPSingleResponse.Status, Int64)], String)] = [
      ([(.good, 1), (.unknown, 2)], "unknown"), ([(.unknown, 1), (.good, 2)], "good 2"),
      ([(.good, 1), (.unknown, 1)], "unknown"), ([(.unknown, 1), (.good, 1)], "unknown"),
      ([(.good, 2), (.revoked(at: time(1), reason: .certificateHold), 2)], "revoked 2"),
      ([(.revoked(at: time(1), reason: .certificateHold), 2), (.good, 3)], "good 3"),
      ([(.unknown, 2), (.revoked(at: time(1), reason: .certificateHold), 2)], "revoked 2"),
    ]
    for (answers, expected) in rows {
      for order in [answers, answers.reversed()] {
        var evidence = RevocationEvidence(subject)
        for (index, (status, seconds)) in order.enumerated() {
          evidence.add(status, .ocspResponse(index), issue(seconds))
        }
        #expect(words(evidence) == expected)
      }
    }
  }

  @Test("an unreadable list leaves the status open until something newer of its key says good")
  func unreadable() {
    for (limit, isOpen) in [
      (nil, true), (issue(1), true), (issue(1, isOld: true), false), (issue(2, isOld: true), true),
      (issue(1, key: 1, isOld: true), true),
    ] as [(Issue?, Bool)] {
      var evidence = RevocationEvidence(subject)
      evidence.addUnreadableCRL(limit)
      evidence.add(.all, [.crl(0)], issue(2))
      #expect(evidence.hasUnreadableCRL == isOpen)
      #expect(words(evidence) == (isOpen ? "unknown" : "good 2"))
    }
  }

  @Test("CRLs show that a certificate is good if they cover all reasons together")
  func coverage() {
    var evidence = RevocationEvidence(subject)
    evidence.add(compromised, [.crl(0)], issue(5))
    guard
      case .unknown(.reasonsNotCovered(let reasons)) = evidence.status(.none, failures: []),
      reasons == .all.subtracting(compromised)
    else {
      Testing.Issue.record("\(words(evidence))")
      return
    }
    #expect(evidence.covered == compromised)
    evidence.add(
      ReasonFlags.all.subtracting(compromised), [.crl(1)], issue(3))
    #expect(words(evidence) == "good 3", "as old as the oldest")
    // A responder that does not know the certificate is asked first.
    evidence.add(.unknown, .ocspResponse(0), issue(1))
    #expect(words(evidence) == "unknown")
  }

  @Test("a hold revokes for as long as it lasts, and is not final")
  func holds() throws {
    let list = try SignedRevocation.list(
      by: "Root", 1, [(1, SignedRevocation.reason(.certificateHold))])
    let entry = try #require(Array(list.entries).first)
    var evidence = RevocationEvidence(subject)
    evidence.add(entry, .crl(0), issue(1))
    #expect(words(evidence) == "revoked 1" && evidence.isRevokedByCRLs && !evidence.isFinal)
    evidence.add(.all, [.crl(1)], issue(2))
    #expect(words(evidence) == "good 2" && !evidence.isRevokedByCRLs)
  }

  @Test("of what failed three are named, and how many more there are")
  func failures() {
    for (count, text) in [(3, "0; 1; 2"), (4, "0; 1; 2; and 1 more")] {
      let problems = (0..<count).map { "\($0)" }
      #expect("\(CertificateRevocation.UnknownReason.unanswered(problems))" == text)
    }
  }

  @Test("facts are recorded once, and 64 of them at most")
  func facts() {
    var evidence = RevocationEvidence(subject)
    for index in 0..<100 {
      evidence.note(.crl(index), .redundant)
      evidence.note(.crl(index), .redundant)
    }
    #expect(evidence.facts.map(\.source) == (0..<64).map { .crl($0) })
  }

  @Test("a summary has eight facts and says how many more there are")
  func summaries() {
    for count in [8, 9] {
      var evidence = RevocationEvidence(subject)
      for index in 0..<count { evidence.note(.crl(index), .redundant) }
      let found = CertificateRevocation(
        status: evidence.status(.none, failures: []), facts: evidence.facts)
      let text = found.summary { "\($0)" }
      #expect(text.contains("and 1 more") == (count == 9))
      #expect(text.contains("more") == (count == 9))
      #expect(text.contains("CRL 7") && !text.contains("CRL 8"))
    }
  }
}
