import Holdfast
import TestSupport
import Testing

/// What a manager decides where a leaf has two paths, one to a public anchor and one to a private
/// anchor, and pins and timestamps are asked for.
@Suite("Transparency and pins") struct TransparencyAndPinsTests {
  /// Whether the anchor of each certificate that is sent beside the leaf is public.
  private static let orders = [[true, false], [false, true]]
  private let host = "www.example.com"

  /// The root of the case is not an anchor: the two anchors have cross-signed its key.
  ///
  /// - Parameter pinsPublic: Whether the key of the public anchor is pinned.
  private func evaluate(
    _ name: String, _ check: (LogList) -> TransparencyCheck, pinsPublic: Bool = false,
    _ mode: PinSet.Mode, publicAnchors: [Bool]
  ) throws -> Result<Verdict, TrustError> {
    let signed = try SignedCase.named(name)
    var anchors: [TrustAnchor] = []
    var chain = [signed.leaf]
    var pins = [try Pin(digest: Array(9..<41)), try Pin(digest: Array(7..<39))]
    for isPublic in publicAnchors {
      let (name, key): (String, UInt64) = isPublic ? ("Public", 2) : ("Private", 3)
      let root = try SignedCertificate.root(name, key)
      anchors.append(TrustAnchor(root, isPublic: isPublic))
      chain.append(
        try SignedCertificate.authority("Root", 4, by: name, key) {
          $0.publicKeyInfo = signed.root.publicKey.der.array
          $0.hasKeyIdentifiers = false
        })
      if isPublic, pinsPublic { pins[0] = Pin(keyOf: root) }
    }
    let entry = PinTable.Entry(try HostPattern(host), try PinSet(pins, mode: mode))
    let manager = TrustManager(
      pins: try PinTable([entry]), anchors: AnchorSet(anchors), rules: .rfc5280,
      transparency: check(try TransparencyVectors.list()))
    return Result { () throws(TrustError) in
      try manager.evaluate(chain, host: host, at: signed.now)
    }
  }

  @Test(
    "a path that has the pins and lacks timestamps is the reason, not one that lacks the pins",
    arguments: orders)
  func reason(publicAnchors: [Bool]) throws {
    let result = try evaluate(
      "none", { .requireHardFail($0, .count(2)) }, pinsPublic: true, .enforced,
      publicAnchors: publicAnchors)
    guard case .failure(.insufficientTransparency(host, _)) = result else {
      throw MalformedResult(result)
    }
  }

  @Test("pins that are only reported let through what satisfies transparency", arguments: orders)
  func reportOnly(publicAnchors: [Bool]) throws {
    let verdict = try evaluate(
      "none", { .requireHardFail($0, .count(2)) }, pinsPublic: true, .reportOnly,
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

    let pinned = try evaluate(
      "none", { .report($0, .count(2)) }, pinsPublic: true, .enforced, publicAnchors: publicAnchors
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
