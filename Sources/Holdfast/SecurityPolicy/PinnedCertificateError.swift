internal import HoldfastDER

/// Why something that was to be pinned is no certificate.
public struct PinnedCertificateError: Error, Sendable, Hashable {
  /// Where it came from.
  public let source: Source
  /// What is wrong.
  public let problem: Problem

  /// Where a pinned certificate came from.
  public enum Source: Sendable, Hashable {
    /// The element of a list.
    case element(Int)
    /// A file.
    case file(String)
    /// A folder of files.
    case folder(String)
  }

  /// What is wrong with it.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// It is not a certificate that can be read.
    case certificate(CertificateError)
    /// It is PEM, and DER is asked for.
    case isPEM
    /// The file cannot be read: the words of the system.
    case unreadable(String)
    /// There is no certificate at all.
    case noCertificates
  }

  init(_ source: Source, _ problem: Problem) {
    self.source = source
    self.problem = problem
  }

  /// Reads one certificate, which must be DER.
  static func certificate(
    _ octets: [UInt8], from source: Source
  ) throws(PinnedCertificateError) -> Certificate {
    if PEMText.isLikely(octets) { throw PinnedCertificateError(source, .isPEM) }
    do throws(CertificateError) {
      return try Certificate(der: octets)
    } catch {
      throw PinnedCertificateError(source, .certificate(error))
    }
  }
}

extension PinnedCertificateError: CustomStringConvertible {
  /// Which one, and what is wrong with it.
  public var description: String {
    let place =
      switch source {
      case .element(let index): "pinned certificate \(index)"
      case .file(let path), .folder(let path): path
      }
    return switch problem {
    case .certificate(let error): "\(place): \(error)"
    case .isPEM:
      "\(place): this is PEM, and DER is needed: "
        + "openssl x509 -in FILE -outform der -out FILE.cer"
    case .unreadable(let words): "\(place): \(words)"
    case .noCertificates: "\(place): there is no certificate here"
    }
  }
}
