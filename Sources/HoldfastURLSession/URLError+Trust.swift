#if Curl && canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
  package import Holdfast
  internal import HoldfastHTTP

  extension URLError {
    /// The error that Apple's system reports for the same reason.
    init(_ error: HTTPError, url: String) {
      var information: [String: Any] = [NSLocalizedDescriptionKey: error.summary]
      information[NSURLErrorFailingURLErrorKey] = URL(string: url).flatMap(URLError.shown)
      switch error {
      case .notTrusted(let trust), .proxyNotTrusted(let trust):
        information[NSUnderlyingErrorKey] = URLError.reason(trust)
      case .requestBody(let cause): information[NSUnderlyingErrorKey] = cause
      default: information[NSUnderlyingErrorKey] = error
      }
      self.init(URLError.code(error), userInfo: information)
    }

    /// Returns a URL as an error may show it: without user and password.
    static func shown(_ url: URL) -> URL? {
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
      parts?.user = nil
      parts?.password = nil
      return parts?.url
    }

    /// What a policy said; a challenge that was canceled wraps it.
    private static func reason(_ error: TrustError) -> TrustError {
      if case .custom(let canceled as CanceledChallenge, _) = error { return canceled.reason }
      return error
    }

    private static func code(_ error: HTTPError) -> URLError.Code {
      switch error {
      case .invalidURL, .invalidHost: .badURL
      case .redirectToOtherOrigin: .redirectToNonExistentLocation
      case .notEncrypted, .redirectNotEncrypted: .appTransportSecurityRequiresSecureConnection
      case .notTrusted(let error): code(error)
      case .proxyNotTrusted: .secureConnectionFailed
      case .refusedByProxy, .invalidProxy, .unreachable, .addressNotAllowed: .cannotConnectToHost
      case .unusableIdentity: .clientCertificateRejected
      case .tooManyRedirects: .httpTooManyRedirects
      case .bodyNotRepeatable, .requestBody: .requestBodyStreamExhausted
      case .headersTooLong, .bodyTooLong: .dataLengthExceedsMaximum
      case .file: .cannotOpenFile
      case .noAddress: .cannotFindHost
      case .timeout, .bodyStalled: .timedOut
      case .cancelled: .cancelled
      case .tls, .unsupportedLibrary: .secureConnectionFailed
      case .noClientCertificate: .clientCertificateRequired
      case .connectionLost: .networkConnectionLost
      case .invalidResponse: .badServerResponse
      case .invalidMethod, .methodWithoutBody, .invalidField, .bodyReadTwice, .other: .unknown
      @unknown default: .unknown
      }
    }

    private static func code(_ error: TrustError) -> URLError.Code {
      switch error {
      case .custom(is CanceledChallenge, _): .cancelled
      case .emptyChain, .invalidCertificate, .invalidStaple, .invalidHost: .secureConnectionFailed
      case .invalidPath(let error):
        switch error.rejections.first?.rule {
        case .expired: .serverCertificateHasBadDate
        case .notYetValid: .serverCertificateNotYetValid
        case .issuerNotFound, .issuerUnreadable, .untrustedRoot:
          .serverCertificateHasUnknownRoot
        default: .serverCertificateUntrusted
        }
      default: .serverCertificateUntrusted
      }
    }
  }

  /// A policy has canceled a challenge, which a session reports as a canceled request.
  package struct CanceledChallenge: HoldfastError {
    package let reason: TrustError
    package init(reason: TrustError) { self.reason = reason }
    package var code: String { reason.code }
    package var summary: String { reason.summary }
    package var description: String { "\(reason)" }
  }
#endif
