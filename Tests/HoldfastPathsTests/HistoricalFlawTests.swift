import HoldfastCertificates
import TestSupport
import Testing

@testable import HoldfastPaths

/// Flaws of validators that no single file shows: what must hold whatever the rules are, whatever
/// was asked before, and however much is given.
@Suite("Flaws that one file cannot show")
struct HistoricalFlawTests {
  private static let presets: [ValidationRules] = [
    .webPKI, .apple, .rfc5280, .strict, .strictRFC5280,
  ]

  /// Every field of the rules that is yes or no.
  private static func flags() -> [WritableKeyPath<ValidationRules, Bool>] {
    [
      \.signatures.allowsSHA1, \.signatures.requiresEqualParameters, \.leaf.checksKeyAndUsage,
      \.leaf.requiresExtendedKeyUsage, \.leaf.acceptsCA, \.leaf.acceptsAnchor,
      \.anchors.checksValidity, \.anchors.checksConstraints,
      \.policies.requiresExplicitPolicy, \.policies.inhibitsMapping,
      \.policies.inhibitsAnyPolicy,
    ]
  }

  private func answer(
    _ leaf: Certificate, _ intermediates: [Certificate], _ anchors: [Certificate],
    _ rules: ValidationRules = .webPKI, cache: SignatureCache? = nil
  ) -> PathError? {
    let validator = PathValidator(anchors: AnchorSet(anchors), rules: rules, cache: cache)
    do throws(PathError) {
      _ = try validator.validate(
        [leaf] + intermediates, for: .server(named: SignedCertificate.host),
        at: SignedCertificate.time)
      return nil
    } catch {
      return error
    }
  }

  @Test("no two rule settings together accept a certificate that is not a CA as a CA")
  func everySwitch() throws {
    let (root, leaf) = (try SignedCertificate.root(), try SignedCertificate.leaf(by: "M0", 10))
    func issuer(_ isAuthority: Bool) throws -> Certificate {
      try SignedCertificate.authority("M0", 10, by: "Root", 1) { $0.isAuthority = isAuthority }
    }
    let (right, wrong) = (try issuer(true), try issuer(false))
    #expect(answer(leaf, [right], [root]) == nil)
    let flags = Self.flags()
    // A field that is not in the list would not be tried.
    let groups = [
      Mirror(reflecting: ValidationRules.Signatures()), Mirror(reflecting: ValidationRules.Leaf()),
      Mirror(reflecting: ValidationRules.Anchors()), Mirror(reflecting: PolicyInputs()),
    ]
    #expect(flags.count == groups.reduce(0) { $0 + $1.children.count { $0.value is Bool } })
    for preset in Self.presets {
      for first in flags.indices {
        // A debug build, in which a signature takes long, tries each alone, and a fifth of the pairs.
        for second in flags.indices[first...]
        where !isDebug || second == first || (first + second) % 5 == 0 {
          var rules = preset
          rules[keyPath: flags[first]].toggle()
          if second != first { rules[keyPath: flags[second]].toggle() }
          let error = answer(leaf, [wrong], [root], rules)
          #expect(error != nil, "\(first), \(second)")
        }
      }
    }
  }

  @Test(
    "ten thousand copies of an intermediate change no verdict, and without anchors nothing is trusted"
  )
  func copies() throws {
    let root = try SignedCertificate.root()
    let middle = try SignedCertificate.authority("M0", 10, by: "Root", 1)
    let leaf = try SignedCertificate.leaf(by: "M0", 10)
    let copies = [Certificate](repeating: middle, count: 10_000)
    #expect(answer(leaf, copies, [root]) == nil)
    #expect(answer(leaf, copies, [])?.rejections.first?.rule == .issuerNotFound)
    #expect(answer(leaf, [], [])?.rejections.first?.index == 0)
  }

  @Test("a verdict depends on the current anchors, not on those of earlier validations")
  func otherAnchors() throws {
    let (ours, theirs) = (try SignedCertificate.root(), try SignedCertificate.root("Theirs", 7))
    let clone = try SignedCertificate.root("Root", 7)
    let middle = try SignedCertificate.authority("M0", 10, by: "Root", 1)
    let leaf = try SignedCertificate.leaf(by: "M0", 10)
    let cache = SignatureCache()
    for _ in 0..<3 {
      #expect(answer(leaf, [middle], [ours], cache: cache) == nil)
      let stranger = answer(leaf, [middle], [theirs], cache: cache)
      #expect(stranger?.rejections.first?.rule == .issuerNotFound)
      #expect(stranger?.rejections.first?.index == 1)
      let cloned = answer(leaf, [middle], [clone], cache: cache)
      #expect(cloned?.rejections.first?.rule == .signature)
      #expect(cloned?.rejections.first?.index == 1)
    }
  }

  @Test(
    "a host cannot be omitted by mistake: an empty one is an error, and .anyServer is explicit")
  func noHost() throws {
    let (root, leaf) = (try SignedCertificate.root(), try SignedCertificate.leaf(by: "Root", 1))
    let validator = PathValidator(anchors: AnchorSet([root]), cache: nil)
    func cause(_ purpose: Purpose) -> PathError.Cause? {
      do throws(PathError) {
        _ = try validator.validate([leaf], for: purpose, at: SignedCertificate.time)
        return nil
      } catch {
        return error.cause
      }
    }
    for host in ["", ".", " ", "a..example", String(repeating: "a.", count: 127) + "a"] {
      #expect(throws: PathError.self) { try Purpose.server(host) }
    }
    #expect(cause(.server(named: SignedCertificate.host)) == nil)
    #expect(cause(.anyServer) == nil)
    #expect(cause(.server(named: "192.0.2.1")) == .rejected)
  }
}
