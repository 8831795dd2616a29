import Foundation
import Holdfast
import HoldfastConformance
import TestSupport

/// The chains of `Vectors/pins`, which `make.py` there has made.
enum PinChains {
  /// A moment at which all of them but the expired one are valid.
  static let time = Timestamp(year: 2026, month: 6, day: 1) ?? .now

  static func path(of name: String) -> String { CommittedVectors.path("pins/\(name).pem") }

  static func chain(_ name: String) throws -> [Certificate] {
    try Certificate.certificates(inFile: path(of: name))
  }

  /// The roots that the system trusts: good, second and proxy.
  static func roots() throws -> [Certificate] { try chain("anchors") }

  static func anchors() throws -> AnchorSet { AnchorSet(try roots()) }

  /// Whether a matcher that looks at the chain as sent, once some path is valid, would accept it:
  /// the mistake of CVE-2016-2402.
  static func naiveAnswer(_ chain: [Certificate], _ pins: [Pin], host: String) throws -> Bool {
    let validator = PathValidator(anchors: try anchors())
    do {
      _ = try validator.validate(chain, for: .server(host), at: time)
    } catch {
      return false
    }
    return chain.contains { certificate in pins.contains { $0.matches(certificate) } }
  }

  /// A manager with one entry, for `good.com` and all below it.
  static func manager(_ set: PinSet, otherHosts: TrustManager.OtherHosts = .reject) throws
    -> TrustManager
  {
    let pattern = try HostPattern("good.com", includingSubdomains: true)
    let table = try PinTable([PinTable.Entry(pattern, set)])
    return TrustManager(pins: table, anchors: try anchors(), otherHosts: otherHosts)
  }
}
