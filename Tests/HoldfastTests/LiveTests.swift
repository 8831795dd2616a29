@testable import Holdfast
import HoldfastDER
import TestSupport
import Testing

/// Trust that is replaced while it is used.
@Suite("Live trust") struct LiveTests {
  private let host = SignedCertificate.host
  private let time = SignedCertificate.time

  private func manager(_ name: String = "Root", _ key: UInt64 = 1) throws -> TrustManager {
    TrustManager(
      anchors: AnchorSet([try SignedCertificate.authority(name, key, by: name, key)]),
      rules: .rfc5280)
  }

  @Test("a verdict holds until the trust is updated, even to the same again")
  func update() throws {
    let trust = LiveTrust(try manager())
    let question = ServerTrust(
      chain: [try SignedCertificate.leaf(by: "Root", 1)],
      validator: PathValidator(anchors: AnchorSet([])), at: time)
    let first = try trust.verdict(on: question, for: host)
    #expect(first.isValid(for: host, at: time) && trust.generation == 0)
    #expect(first.isValid(for: host, at: time.advanced(bySeconds: 60)))

    trust.update(trust.value)
    #expect(!first.isValid(for: host, at: time) && trust.generation == 1)
    #expect(try trust.verdict(on: question, for: host).isValid(for: host, at: time))

    trust.update(try manager("Other", 7))
    #expect(throws: TrustError.self) { try trust.verdict(on: question, for: host) }
    #expect(trust.generation == 2)
  }

  @Test("a value that was replaced is released, and an observer that was released is not called")
  func release() {
    final class Token: Sendable {}
    let counts = Guarded(0)
    let first = Guarded<Token?>(Token())
    weak let old = first.withLock { $0 }
    let live = Live(first.withLock { $0.take() })
    var observation: TrustGeneration.Observation? = live.changes.observe {
      counts.withLock { $0 += 1 }
    }
    #expect(old != nil)
    live.update(nil)
    #expect(old == nil && counts.withLock(\.self) == 1)
    withExtendedLifetime(observation) {}
    observation = nil
    live.update(Token())
    #expect(counts.withLock(\.self) == 1)
  }
}
