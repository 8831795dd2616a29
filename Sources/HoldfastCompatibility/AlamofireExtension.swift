public import Holdfast
internal import HoldfastPaths

/// Alamofire's namespace, the value behind `.af`.
public struct AlamofireExtension<ExtendedType: Sendable>: Sendable {
  /// The extended value.
  public let type: ExtendedType

  /// Creates the namespace of a value.
  public init(_ type: ExtendedType) { self.type = type }
}

/// A type whose values have Alamofire's `.af`.
public protocol AlamofireExtended: Sendable {}

extension AlamofireExtended {
  /// Alamofire's additions.
  public var af: AlamofireExtension<Self> { AlamofireExtension(self) }
}

extension ServerTrust: AlamofireExtended {}
extension Certificate: AlamofireExtended {}
extension Array: AlamofireExtended where Element == Certificate {}

extension AlamofireExtension where ExtendedType == ServerTrust {
  /// The certificates of a valid path of a server, leaf first; if there is none, those that
  /// signatures link to the leaf. Each access evaluates the chain.
  ///
  /// A certificate that was merely sent is not among them, so they can be compared with pins: an
  /// attacker can send anything that is pinned.
  public var certificates: [Certificate] {
    for purpose in [Purpose.anyServer, nil] {
      do throws(TrustError) {
        return try type.find(nil, for: purpose, host: nil).certificates
      } catch {
        continue
      }
    }
    return []
  }

  /// The DER of `certificates`.
  public var certificateData: [[UInt8]] { certificates.af.data }

  /// The keys of `certificates`.
  public var publicKeys: [PublicKey] { certificates.af.publicKeys }

  /// Throws if there is no valid path of a server; the host is not compared.
  public func performDefaultValidation(forHost host: String) throws(TrustError) {
    _ = try type.find(nil, for: .anyServer, host: host)
  }

  /// Throws if there is no path that is valid for the host.
  public func performValidation(forHost host: String) throws(TrustError) {
    _ = try type.find(nil, for: .server(HostName(evaluating: host)), host: host)
  }
}

extension AlamofireExtension where ExtendedType == [Certificate] {
  /// The DER of each certificate.
  public var data: [[UInt8]] { type.map(\.der) }

  /// The key of each certificate.
  public var publicKeys: [PublicKey] { type.map(\.publicKey) }
}

extension AlamofireExtension where ExtendedType == Certificate {
  /// The key; an optional as in Alamofire, and never nil.
  public var publicKey: PublicKey? { type.publicKey }
}

extension [any ServerTrustEvaluating] {
  /// Throws the error of the first evaluator that does not trust the server: Alamofire's method.
  public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
    for evaluator in self { try evaluator.evaluate(trust, forHost: host) }
  }
}
