import Holdfast
import Testing

/// What a manager decides where a leaf has two paths, one to a public anchor and one to an anchor
/// that is a name and a key, and pins and timestamps are asked for.
@Suite("Transparency and pins") struct TransparencyAndPinsTests {
  private static let orders = [[true, false], [false, true]]
  private let host = "www.example.com"

  private func evaluate(
    _ name: String, _ check: (LogList) -> TransparencyCheck, pinned: Pin? = nil,
    _ mode: PinSet.Mode, publicAnchors: [Bool]
  ) throws -> Result<Verdict, TrustError> {
    let signed = try SignedCase.named(name)
    let root = signed.root
    let pins = [try pinned ?? Pin(digest: Array(9..<41)), try Pin(digest: Array(7..<39))]
    let entry = PinTable.Entry(try HostPattern(host), try PinSet(pins, mode: mode))
    let manager = TrustManager(
      pins: try PinTable([entry]),
      anchors: AnchorSet(
        publicAnchors.map {
          $0
            ? TrustAnchor(root, isPublic: true)
            : TrustAnchor(name: root.subject, publicKey: root.publicKey)
        }), rules: .rfc5280, transparency: check(try TransparencyVectors.list()))
    return Result { () throws(TrustError) in
      try manager.evaluate([signed.leaf], host: host, at: signed.now)
    }
  }

  @Test(
    "a path that has the pins and lacks timestamps is the reason, not one that lacks the pins",
    arguments: orders)
  func reason(publicAnchors: [Bool]) throws {
    let root = Pin(try SignedCase.named("none").root)
    let result = try evaluate(
      "none", { .requireHardFail($0, .count(2)) }, pinned: root, .enforced,
      publicAnchors: publicAnchors)
    guard case .failure(.insufficientTransparency(host, _)) = result else {
      throw MalformedResult(result)
    }
  }

  @Test("pins that are only reported let through what satisfies transparency", arguments: orders)
  func reportOnly(publicAnchors: [Bool]) throws {
    let root = Pin(try SignedCase.named("none").root)
    let verdict = try evaluate(
      "none", { .requireHardFail($0, .count(2)) }, pinned: root, .reportOnly,
      publicAnchors: publicAnchors
    ).get()
    guard case .reported(let mismatch) = verdict.reason else { throw MalformedResult(verdict) }
    #expect(mismatch.paths.map(\.path.anchor.isPublic) == [false])
    #expect(verdict.path?.anchor.isPublic == false)
    #expect(verdict.transparency == nil)
  }

  @Test("what timestamps prove belongs to the path of the verdict", arguments: orders)
  func report(publicAnchors: [Bool]) throws {
    let reported = try evaluate(
      "embedded-three", { .requireHardFail($0, .count(2)) }, .reportOnly,
      publicAnchors: publicAnchors
    ).get()
    let path = try #require(reported.path)
    #expect((reported.transparency != nil) == path.anchor.isPublic)

    let root = Pin(try SignedCase.named("none").root)
    let pinned = try evaluate(
      "none", { .report($0, .count(2)) }, pinned: root, .enforced, publicAnchors: publicAnchors
    ).get()
    #expect(pinned.path?.anchor.isPublic == true)
    guard case .violates? = pinned.transparency?.verdict else { throw MalformedResult(pinned) }
  }

  @Test("without the pins on any path they are the reason, if a path satisfies transparency")
  func noPins() throws {
    let check = { TransparencyCheck.requireHardFail($0, .count(2)) }
    for anchors in Self.orders {
      let result = try evaluate("none", check, .enforced, publicAnchors: anchors)
      guard case .failure(.pinMismatch) = result else { throw MalformedResult(result) }
    }
    let result = try evaluate("none", check, .enforced, publicAnchors: [true])
    guard case .failure(.insufficientTransparency) = result else { throw MalformedResult(result) }
  }
}

/// A result that is not the expected one.
private struct MalformedResult: Error {
  let found: String
  init(_ found: some Any) { self.found = "\(found)" }
}
