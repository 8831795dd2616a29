internal import HoldfastDER

/// Why the certificates of a file could not be had.
public struct CertificateFileError: Error, Sendable, Hashable {
  /// The file.
  public let path: String

  /// What is wrong.
  public let problem: Problem

  /// What can be wrong with a file of certificates.
  @nonexhaustive
  public enum Problem: Sendable, Hashable {
    /// The file cannot be read: the words of the system.
    case unreadable(String)
    /// A certificate in it cannot be read, or there is none.
    case certificate(CertificateError)
  }
}

extension CertificateFileError: CustomStringConvertible {
  /// `roots.pem: block 3, line 41: validity: time is not in …`.
  public var description: String {
    switch problem {
    case .unreadable(let words): "\(path): \(words)"
    case .certificate(let error): "\(path): \(error)"
    }
  }
}

extension Certificate {
  /// Reads all certificates of a file, PEM or DER, in their order; `-` is standard input.
  ///
  /// Throws at the first that cannot be read, or if there is none, so that the array is never empty.
  /// `CertificateBundle(file:)` keeps those that can.
  public static func certificates(
    inFile path: String
  ) throws(CertificateFileError) -> [Certificate] {
    let bundle = try CertificateBundle(file: path)
    if let error = bundle.errors.first {
      throw CertificateFileError(path: path, problem: .certificate(error))
    }
    return bundle.certificates
  }
}

extension CertificateBundle {
  /// Reads a file, PEM or DER; `-` is standard input. What is wrong with a certificate in it is one
  /// of the `errors`.
  ///
  /// - Parameter largest: The most octets that are taken of each certificate.
  public init(
    file path: String, largest: Int = Certificate.largestByDefault
  ) throws(CertificateFileError) {
    do throws(Platform.FileError) {
      self.init(try Platform.readFile(path, limit: PEMText.largestText), largest: largest)
    } catch {
      throw CertificateFileError(path: path, problem: .unreadable(error.words))
    }
  }
}
