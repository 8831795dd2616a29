internal import HoldfastDER

/// The certificates of a file, PEM or DER, and what was wrong with the rest.
///
/// A bad certificate in a bundle does not take the good ones with it.
public struct CertificateBundle: Sendable {
  /// What could be read, in the order of the file.
  public let certificates: [Certificate]

  /// What could not be read, in the order of the file, each with its block and line.
  public let errors: [ParseError]

  /// Reads the bytes of a file: a PEM text, one certificate in DER, or several one after another.
  ///
  /// - Parameter maximumSize: The most bytes that are taken of each certificate.
  public init(_ bytes: some Collection<UInt8>, maximumSize: Int = Certificate.maximumSize) {
    let file = StructureFile(Array(bytes), .certificate) {
      (der, _) throws(ParseError) in try Certificate(der: der, maximumSize: maximumSize)
    }
    certificates = file.values
    errors = file.errors
  }

  /// Reads a file, PEM or DER; `-` is standard input. What is wrong with a certificate in it is one
  /// of the `errors`.
  public init(
    file path: String, maximumSize: Int = Certificate.maximumSize
  ) throws(ParseError) {
    self.init(
      try StructureFile<Certificate>.bytes(ofFile: path, .certificate), maximumSize: maximumSize)
  }
}

extension Certificate {
  /// The labels under which RFC 7468 §5 and older tools write certificates.
  package static var labels: [String] { DERContent.certificate.labels }

  /// Reads the one certificate in a PEM text. RFC 7468 §5.
  public init(pem text: String) throws(ParseError) {
    self = try StructureFile(pem: text, .certificate) { (der, _) throws(ParseError) in
      try Certificate(der: der)
    }.single()
  }

  /// Reads all certificates in a PEM text, in their order; blocks of other kinds are skipped.
  ///
  /// Throws at the first that cannot be read, or if it has none. `CertificateBundle` keeps those
  /// that can.
  public static func certificates(inPEM text: String) throws(ParseError) -> [Certificate] {
    let bundle = CertificateBundle(Array(text.utf8))
    if let error = bundle.errors.first { throw error }
    return bundle.certificates
  }

  /// Reads all certificates of a file, PEM or DER, in their order; `-` is standard input.
  ///
  /// Throws at the first that cannot be read, or if it has none, so that the array is never empty.
  /// `CertificateBundle(file:)` keeps those that can.
  public static func certificates(inFile path: String) throws(ParseError) -> [Certificate] {
    let bundle = try CertificateBundle(file: path)
    if let error = bundle.errors.first { throw error.placed(inFile: path) }
    return bundle.certificates
  }

  /// The certificate as PEM. RFC 7468 §5.
  public var pem: String { PEMBlock.text(label: "CERTIFICATE", bytes: der) }
}

extension CertificateList {
  /// The label under which RFC 7468 §6 writes lists.
  package static var label: String { DERContent.certificateList.labels[0] }

  /// Reads the one list in a PEM text. RFC 7468 §6.
  public init(pem text: String) throws(ParseError) {
    self = try StructureFile(pem: text, .certificateList) {
      (der, _) throws(ParseError) in try CertificateList(der: der)
    }.single()
  }

  /// Reads all revocation lists of a file, PEM or DER, in their order; `-` is standard input.
  ///
  /// Throws at the first that cannot be read, or if it has none.
  public static func lists(inFile path: String) throws(ParseError) -> [CertificateList] {
    let bytes = try StructureFile<CertificateList>.bytes(
      ofFile: path, .certificateList, limit: maximumSize)
    let file = StructureFile(bytes, .certificateList) {
      (der, _) throws(ParseError) in
      try CertificateList(der: der)
    }
    if let error = file.errors.first { throw error.placed(inFile: path) }
    return file.values
  }
}

extension CertificateRequest {
  /// Reads the one request in a PEM text. RFC 7468 §7.
  public init(pem text: String) throws(ParseError) {
    self = try StructureFile(pem: text, .certificateRequest) {
      (der, _) throws(ParseError) in try CertificateRequest(der: der)
    }.single()
  }
}

extension PublicKey {
  /// Reads the one public key in a PEM text, as `openssl pkey -pubout` writes it. RFC 7468 §13.
  ///
  /// `RSA PUBLIC KEY` is read, too. A backup key can so be pinned before there is a certificate for it.
  public init(pem text: String) throws(ParseError) {
    self = try StructureFile(pem: text, .publicKey, or: .rsaPublicKey) {
      (der, label) throws(ParseError) in
      do throws(DERError) {
        return label == "RSA PUBLIC KEY"
          ? try PublicKey(pkcs1: der) : try PublicKey(der: der)
      } catch {
        throw ParseError(.publicKey, .subjectPublicKeyInfo, error)
      }
    }.single()
  }
}

/// The structures of one kind in a file, PEM or DER: the one reader of files.
private struct StructureFile<Value> {
  private(set) var values: [Value] = []
  private(set) var errors: [ParseError] = []
  private let structure: DERContent
  private let labels: [String]

  /// Reads one structure; the label is that of its PEM block.
  typealias Reader = ([UInt8], String?) throws(ParseError) -> Value

  /// No file needs more; a hostile one must not fill the memory with errors.
  private static var maximumErrors: Int { 1000 }

  /// Reads a file; `other` is what its blocks may hold besides.
  init(
    _ bytes: [UInt8], _ structure: DERContent, or other: DERContent? = nil, isPEM: Bool = false,
    read: Reader
  ) {
    self.structure = structure
    labels = structure.labels + (other?.labels ?? [])
    if isPEM || bytes.first != DERTag.sequence.rawValue || PEMText.isLikely(bytes) {
      readPEM(bytes, read)
    } else {
      readDER(bytes, read)
    }
  }

  init(
    pem text: String, _ structure: DERContent, or other: DERContent? = nil, read: Reader
  ) {
    self.init(Array(text.utf8), structure, or: other, isPEM: true, read: read)
  }

  /// The bytes of a file.
  static func bytes(
    ofFile path: String, _ structure: DERContent, limit: Int = PEMText.maximumSize
  ) throws(ParseError) -> [UInt8] {
    do throws(Platform.FileError) {
      return try Platform.readFile(path, limit: limit)
    } catch {
      throw ParseError(structure, .unreadable(error.message)).placed(inFile: path)
    }
  }

  /// The value, if it is the only one and nothing is wrong.
  func single() throws(ParseError) -> Value {
    if let error = errors.first { throw error }
    guard let value = values.first, values.count == 1 else {
      throw ParseError(structure, .notSingle(count: values.count))
    }
    return value
  }

  private mutating func readPEM(_ bytes: [UInt8], _ read: Reader) {
    let text = PEMText(bytes, labels: labels)
    values.reserveCapacity(text.blocks.count)
    var untold = text.errors[...]
    for block in text.blocks {
      // By number: a block that the next BEGIN cuts off is found to be bad on the line of that.
      while let next = untold.first, next.block < block.number {
        errors.append(ParseError(structure, pem: untold.removeFirst()))
      }
      do throws(ParseError) {
        values.append(try read(block.bytes, block.label))
      } catch {
        errors.append(error.placed(in: block))
      }
    }
    errors += untold.map { ParseError(structure, pem: $0) }
    if values.isEmpty && errors.isEmpty {
      var error = ParseError(structure, pem: PEMError(problem: .noBlock, block: 0, line: 1))
      error.found = PEMText(bytes, labels: nil).blocks.first.flatMap { DERContent(label: $0.label) }
      errors.append(error)
    }
  }

  private mutating func readDER(_ bytes: [UInt8], _ read: Reader) {
    var reader = DERReader(bytes)
    while !reader.isAtEnd {
      let start = reader.position
      guard errors.count < StructureFile.maximumErrors else {
        let problem = DERError.Problem.tooMany(limit: StructureFile.maximumErrors)
        errors.append(ParseError(structure, .structure, .der(problem), at: start))
        return
      }
      let element: Bytes
      do throws(DERError) {
        element = try reader.readNextStructure(in: bytes)
      } catch {
        errors.append(ParseError(structure, .structure, error))
        return
      }
      do throws(ParseError) {
        values.append(try read(element.array, nil))
      } catch {
        errors.append(error.moved(by: start))
      }
    }
  }
}
