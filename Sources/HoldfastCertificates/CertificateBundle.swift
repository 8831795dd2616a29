internal import HoldfastDER

/// The certificates of a file, PEM or DER, and the errors in the rest of it.
///
/// A bad certificate in a bundle does not affect the good ones.
public struct CertificateBundle: Sendable {
  /// The certificates that could be parsed, in file order.
  public let certificates: [Certificate]

  /// The errors, in file order, each with its PEM block and line.
  public let errors: [ParseError]

  /// Parses the bytes of a file: a PEM text, one certificate in DER, or several in sequence.
  ///
  /// - Parameter maximumSize: The maximum size of each certificate in bytes.
  public init(_ bytes: some Collection<UInt8>, maximumSize: Int = Certificate.maximumSize) {
    let file = StructureFile(Array(bytes), .certificate) { (der, _) throws(ParseError) in
      try Certificate(der: der, maximumSize: maximumSize)
    }
    certificates = file.values
    errors = file.errors
  }

  /// Reads a file, PEM or DER; `-` is standard input. Errors in a certificate are collected in
  /// `errors`, not thrown.
  ///
  /// - Parameter maximumSize: The maximum size of each certificate in bytes. The file itself may
  ///   have at most 16 MiB.
  /// - Throws: If the file cannot be read.
  public init(file path: String, maximumSize: Int = Certificate.maximumSize) throws(ParseError) {
    try self.init(file: path, maximumSize: maximumSize, from: .system)
  }

  fileprivate init(
    file path: String, maximumSize: Int = Certificate.maximumSize, from files: FileReading
  ) throws(ParseError) {
    self.init(
      try StructureFile<Certificate>.bytes(ofFile: path, .certificate, from: files),
      maximumSize: maximumSize)
  }
}

extension CertificateBundle: CustomStringConvertible {
  /// A line for each certificate, then one for each error.
  public var description: String {
    (certificates.map { "\($0)" } + errors.map { "\($0)" }).joined(separator: "\n")
  }
}

extension Certificate {
  /// The PEM labels of certificates, in RFC 7468 §5 and in older tools.
  package static var labels: [String] { DERContent.certificate.labels }

  /// Reads the one certificate of a file, PEM or DER; `-` is standard input. A file with several is
  /// an error: `certificates(inFile:)` reads all.
  public init(file path: String) throws(ParseError) {
    self = try StructureFile.single(inFile: path, .certificate, read: Certificate.read)
  }

  /// Parses a PEM text that contains exactly one certificate. RFC 7468 §5.
  public init(pem text: String) throws(ParseError) {
    self = try StructureFile(pem: text, .certificate, read: Certificate.read).single()
  }

  private static func read(_ der: [UInt8], _ label: String?) throws(ParseError) -> Certificate {
    try Certificate(der: der)
  }

  /// Parses all certificates in a PEM text, in order, and skips other blocks.
  ///
  /// Throws at the first bad certificate, or if there is none. Use `CertificateBundle` to keep the
  /// good ones.
  public static func certificates(inPEM text: String) throws(ParseError) -> [Certificate] {
    let bundle = CertificateBundle(Array(text.utf8))
    if let error = bundle.errors.first { throw error }
    return bundle.certificates
  }

  /// Reads all certificates of a file, PEM or DER, in order; `-` is standard input.
  ///
  /// Throws at the first bad certificate, or if there is none, so the array is never empty. Use
  /// `CertificateBundle(file:)` to keep the good ones.
  public static func certificates(inFile path: String) throws(ParseError) -> [Certificate] {
    try certificates(inFile: path, from: .system)
  }

  /// Reads all certificates of a file in the given way.
  package static func certificates(
    inFile path: String, from files: FileReading
  ) throws(ParseError) -> [Certificate] {
    let bundle = try CertificateBundle(file: path, from: files)
    if let error = bundle.errors.first { throw error.placed(inFile: path) }
    return bundle.certificates
  }

  /// Reads a chain from a file, PEM or DER, in the order of the file, where the leaf should come
  /// first. The same as `certificates(inFile:)`.
  public static func chain(file path: String) throws(ParseError) -> [Certificate] {
    try certificates(inFile: path)
  }

  /// Reads the certificates of the files `*.cer`, `*.crt`, `*.der` and `*.pem` in a folder, without
  /// duplicates, in the order of the file names: the counterpart of `Bundle.main` on Apple's
  /// platforms.
  ///
  /// Throws at the first file that cannot be read, or if there is no certificate. Subfolders are
  /// not searched.
  public static func certificates(inFolder path: String) throws(ParseError) -> [Certificate] {
    try certificates(inFolder: path, from: .system)
  }

  /// Reads the certificates of the files in a folder in the given way.
  package static func certificates(
    inFolder path: String, from files: FileReading
  ) throws(ParseError) -> [Certificate] {
    func failure(_ message: String) -> ParseError {
      ParseError(.certificate, .unreadable(message)).placed(inFile: path)
    }
    guard let names = files.names(path) else { throw failure("no such folder") }
    var found: [Certificate] = []
    for name in names.sorted() where hasCertificateEnding(name) {
      for certificate in try certificates(inFile: "\(path)/\(name)", from: files)
      where !found.contains(certificate) { found.append(certificate) }
    }
    guard !found.isEmpty else {
      throw failure("no .cer, .crt, .der or .pem file in this folder")
    }
    return found
  }

  /// Whether a file in a folder is read for its certificates.
  package static func hasCertificateEnding(_ file: String) -> Bool {
    [".cer", ".crt", ".der", ".pem"].contains(where: file.lowercased().hasSuffix)
  }

  /// The certificate as PEM. RFC 7468 §5.
  public var pem: String { PEMBlock.text(label: "CERTIFICATE", bytes: der) }
}
