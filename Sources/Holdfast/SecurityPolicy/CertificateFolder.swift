internal import HoldfastDER

/// The certificates to pin that lie in a folder, which an application brings with it.
public struct CertificateFolder: Sendable {
  /// The certificates, each once, in the order of the names of their files.
  public let certificates: [Certificate]
  /// The files that look like certificates and are none.
  public let errors: [PinnedCertificateError]

  /// Which files are taken, by the endings of their names.
  public struct Endings: Sendable, Hashable {
    /// The endings, without the dot; capitals count.
    public let names: [String]

    /// Endings of the caller's own.
    public init(_ names: [String]) { self.names = names }

    /// Those of AFNetworking: `cer`.
    public static let afNetworking = Endings(["cer"])
    /// Those of Alamofire: `cer`, `crt` and `der`, in small letters or in capitals.
    public static let alamofire = Endings(["cer", "CER", "crt", "CRT", "der", "DER"])
  }

  /// Reads the files that lie in a folder, and not in folders below it.
  public init(
    _ path: String, endings: Endings = .afNetworking
  ) throws(PinnedCertificateError) {
    guard let names = Platform.names(inFolder: path) else {
      throw PinnedCertificateError(.folder(path), .unreadable("no such folder"))
    }
    var certificates: [Certificate] = []
    var errors: [PinnedCertificateError] = []
    for name in names.sorted() where endings.take(name) {
      do throws(PinnedCertificateError) {
        let certificate = try CertificateFolder.certificate(inFile: "\(path)/\(name)")
        if !certificates.contains(certificate) { certificates.append(certificate) }
      } catch {
        errors.append(error)
      }
    }
    self.certificates = certificates
    self.errors = errors
  }

  private static func certificate(
    inFile path: String
  ) throws(PinnedCertificateError) -> Certificate {
    let octets: [UInt8]
    do throws(Platform.FileError) {
      octets = try Platform.readFile(path, limit: Certificate.largestByDefault)
    } catch {
      throw PinnedCertificateError(.file(path), .unreadable(error.words))
    }
    return try PinnedCertificateError.certificate(octets, from: .file(path))
  }
}

extension CertificateFolder.Endings {
  /// Whether a file of this name is taken.
  fileprivate func take(_ file: String) -> Bool {
    guard let dot = file.lastIndex(of: ".") else { return false }
    return names.contains(String(file[file.index(after: dot)...]))
  }
}

extension SecurityPolicy {
  /// Returns the certificates of a folder: AFNetworking's `certificatesInBundle:`.
  ///
  /// Throws at the first file that has the ending and is no certificate in DER. To pass over such
  /// files, as Alamofire does, use `CertificateFolder`, which names them.
  public static func certificates(
    inDirectory path: String, endings: CertificateFolder.Endings = .afNetworking
  ) throws(PinnedCertificateError) -> [Certificate] {
    let folder = try CertificateFolder(path, endings: endings)
    if let error = folder.errors.first { throw error }
    return folder.certificates
  }
}
