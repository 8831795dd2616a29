internal import HoldfastDER
internal import HoldfastPaths
public import Holdfast

/// The evaluations that the policies of AFNetworking and Alamofire share.
extension ServerTrust {
  /// The result of an evaluation.
  struct Finding {
    /// The valid path; nil if none was required.
    let path: ValidatedPath?
    /// The certificates of the path, or those that signatures link to the leaf.
    let certificates: [Certificate]
    /// The pin that was found; nil if none was required.
    let match: PinMatch?
  }

  /// Finds a pin, or a valid path if there are no pins.
  ///
  /// With a purpose, the pin must be on a valid path, any of them. Without one, signatures need
  /// only link the leaf to the pinned certificate. A certificate that was sent but is not linked
  /// never counts: an attacker can send anything that is pinned.
  ///
  /// - Parameters:
  ///   - pins: The pins; nil for none.
  ///   - anchors: The anchors to use instead of the system's.
  func find(
    _ pins: PinSet?, for purpose: Purpose?, host: String?, anchors: AnchorSet? = nil,
    revocation other: Revocation? = nil
  ) throws(TrustError) -> Finding {
    guard !question.chain.isEmpty else { throw .emptyChain(host: host ?? "the server") }
    let validator = anchors.map { self.validator.with($0) } ?? self.validator
    guard let purpose else {
      let linked = validator.linkedCertificates(from: question.chain)
      do throws(PinnedPath.Reason) {
        let match = try pins?.evaluate(PathElement.elements(linked, nil))
        return Finding(path: nil, certificates: linked, match: match)
      } catch {
        throw .noPinFound(host: host, expected: pins?.pins.map(\.pin) ?? [], seen: linked)
      }
    }
    // Apple's trust evaluation does not require staples: the verdict lists them as unchecked.
    var known =
      (other ?? question.revocation)?.added(to: validator.revocation) ?? validator.revocation
    known?.honorsMustStaple = false
    var question = question(for: purpose)
    question.revocation = known
    do throws(NoSatisfyingPath) {
      let found = try validator.find(question, satisfying: pins)
      return Finding(
        path: found.path, certificates: found.path.certificates, match: found.match)
    } catch {
      guard !error.unpinned.isEmpty else { throw error.trustError }
      // There is a valid path, so only the pins are missing.
      var seen: [Certificate] = []
      for certificate in error.unpinned.flatMap(\.path.certificates)
      where !seen.contains(certificate) {
        seen.append(certificate)
      }
      throw .noPinFound(host: host, expected: pins?.pins.map(\.pin) ?? [], seen: seen)
    }
  }

  /// Returns the verdict on a finding.
  func verdict(
    _ finding: Finding, host: String?, unchecked: [UncheckedItem] = []
  ) -> Verdict {
    Verdict(
      finding.match.map { .pinned($0) } ?? .validPath, host: host, path: finding.path,
      certificates: finding.certificates, unchecked: unchecked, at: time)
  }
}

extension PinSet {
  /// Returns a set of pins of which any one suffices; nil if there are none.
  static func any(of pins: [Pin]) -> PinSet? {
    do throws(PinSetError) { return try PinSet(pins, backup: .waived) } catch { return nil }
  }
}

/// Which element of a list of pinned certificates cannot be read, and why.
public struct PinnedCertificateError: HoldfastError, Hashable {
  /// The index of the element.
  public let index: Int
  /// The error.
  public let error: ParseError

  /// The stable identifier of what is wrong.
  public var code: String { error.code }

  /// What is wrong, in one plain sentence.
  public var summary: String { "A pinned certificate cannot be read." }

  /// Which element, counted from 1, and what is wrong with it.
  public var description: String { "pinned certificate \(index + 1): \(error)" }
}
