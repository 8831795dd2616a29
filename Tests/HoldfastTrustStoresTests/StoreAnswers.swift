import Holdfast
import HoldfastCertificates
import HoldfastPaths
import HoldfastTrustStores
import TestSupport
import Testing

/// What a store makes of the certificates of `Vectors/pinning`.
enum StoreAnswers {
  static func certificate(_ name: String) throws -> Certificate {
    let blocks = try CommittedVectors.blocks("pinning/certificates.pem")
    let block = try #require(blocks.first { $0.name == "# \(name)" }, "no certificate \(name)")
    return try Certificate(der: block.der)
  }

  /// What becomes of the leaf of `www.pins.example`, which `issuing` issued, and that `root-1`:
  /// `trusted`, or the rule and the place at which it is broken.
  static func answer(
    _ store: TrustStore, sent: [String] = ["leaf", "issuing"]
  ) throws -> String {
    var rules = ValidationRules.rfc5280
    rules.schedule = .ignored
    let validator = PathValidator(anchors: store.anchors, rules: rules)
    let chain = try sent.map(certificate)
    let purpose = try Purpose.server("www.pins.example")
    do throws(PathError) {
      _ = try validator.validate(
        chain, for: purpose, at: Timestamp(secondsSince1970: 1_767_225_600))
      return "trusted"
    } catch {
      return error.rejections.first.map { "\($0.rule.name) at \($0.index)" } ?? "\(error)"
    }
  }
}
