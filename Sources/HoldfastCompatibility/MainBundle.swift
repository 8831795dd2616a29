public import Holdfast
internal import HoldfastPaths

// What old code takes from the main bundle, which a program on Linux does not have. Each name is
// refused with the line that names a folder instead.

extension ServerTrustEvaluating where Self == PinnedCertificatesTrustEvaluator {
  /// Unavailable, because there is no main bundle.
  @available(
    *, unavailable,
    message:
      "name the folder: .pinnedCertificates(certificates: try Certificate.certificates(inFolder: …))"
  )
  public static var pinnedCertificates: Self { Self(certificates: []) }
}

extension ServerTrustEvaluating where Self == PublicKeysTrustEvaluator {
  /// Unavailable, because there is no main bundle.
  @available(
    *, unavailable,
    message:
      "name the folder: .publicKeys(keys: try Certificate.certificates(inFolder: …).af.publicKeys)"
  )
  public static var publicKeys: Self { Self(keys: []) }
}

extension PinnedCertificatesTrustEvaluator {
  /// Unavailable, because there is no main bundle.
  @available(
    *, unavailable, message: "use init(certificates: try Certificate.certificates(inFolder: …))"
  )
  public init() { self.init(certificates: []) }
}

extension PublicKeysTrustEvaluator {
  /// Unavailable, because there is no main bundle.
  @available(
    *, unavailable,
    message: "use init(keys: try Certificate.certificates(inFolder: …).af.publicKeys)"
  )
  public init() { self.init(keys: []) }
}

extension ServerTrustPolicy {
  /// Unavailable, because there is no main bundle.
  @available(*, unavailable, message: "name the folder: try certificates(in: folder)")
  public static func certificates() -> [Certificate] { [] }

  /// Unavailable, because there is no main bundle.
  @available(*, unavailable, message: "name the folder: try publicKeys(in: folder)")
  public static func publicKeys() -> [PublicKey] { [] }
}

extension AFSecurityPolicy {
  /// Unavailable, because there is no main bundle whose certificates would be pinned. Without pins
  /// it is `AFSecurityPolicy.default()`.
  @available(
    *, unavailable,
    message:
      "name the folder: withPinnedCertificates: try AFSecurityPolicy.certificates(in: folder); without pins AFSecurityPolicy.default()"
  )
  public convenience init(pinningMode: AFSSLPinningMode) {
    self.init(pinningMode: pinningMode, withPinnedCertificates: nil)
  }

  /// Unavailable, because there is no main bundle whose certificates would be pinned. Without pins
  /// it is `AFSecurityPolicy.default()`.
  @available(
    *, unavailable,
    message:
      "name the folder: withPinnedCertificates: try AFSecurityPolicy.certificates(in: folder); without pins AFSecurityPolicy.default()"
  )
  public static func policyWithPinningMode(_ mode: AFSSLPinningMode) -> AFSecurityPolicy {
    AFSecurityPolicy(pinningMode: mode, withPinnedCertificates: nil)
  }
}

#if Curl && canImport(FoundationNetworking)
  public import Foundation

  extension AFSecurityPolicy {
    /// Unavailable, because a bundle on Linux has no certificates.
    @available(*, unavailable, message: "name the folder: try certificates(in: folder)")
    public static func certificates(in bundle: Bundle) -> Set<Certificate> { [] }
  }

  extension Bundle: AlamofireExtended {}

  extension AlamofireExtension where ExtendedType == Bundle {
    /// Unavailable, because a bundle on Linux has no certificates.
    @available(
      *, unavailable, message: "name the folder: try Certificate.certificates(inFolder: …)"
    )
    public var certificates: [Certificate] { [] }

    /// Unavailable, because a bundle on Linux has no certificates.
    @available(
      *, unavailable,
      message: "name the folder: try Certificate.certificates(inFolder: …).af.publicKeys"
    )
    public var publicKeys: [PublicKey] { [] }
  }
#endif
