#if Curl && canImport(FoundationNetworking)
  public import Foundation
  public import Holdfast
  public import HoldfastHTTP
  public import HoldfastIdentities
  public import HoldfastOpenSSL

  // Without these, `localizedDescription` is the name of the type and a number. They stand here
  // because the targets of the errors do not import Foundation.

  extension HoldfastError where Self: LocalizedError {
    /// The `summary`.
    public var errorDescription: String? { summary }

    /// The `logLine`.
    public var failureReason: String? { logLine }
  }

  extension HTTPError: LocalizedError {}
  extension TLSError: LocalizedError {}
  extension TLSRejection: LocalizedError {}
  extension TrustError: LocalizedError {}
  extension TrustManagerError: LocalizedError {}
  extension PathError: LocalizedError {}
  extension IdentityError: LocalizedError {}
  extension PinError: LocalizedError {}
  extension PinSetError: LocalizedError {}
  extension PinTableError: LocalizedError {}
  extension HostPatternError: LocalizedError {}
  extension HostNameError: LocalizedError {}
  extension ParseError: LocalizedError {}
  extension SystemAnchorsError: LocalizedError {}
#endif
