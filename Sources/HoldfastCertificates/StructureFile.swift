internal import HoldfastDER

/// The structures of one kind in a file, PEM or DER. Every file is read through this type.
struct StructureFile<Value> {
  private(set) var values: [Value] = []
  private(set) var errors: [ParseError] = []
  private let structure: DERContent
  private let labels: [String]

  /// Parses one structure; the second parameter is the label of its PEM block.
  typealias Reader = ([UInt8], String?) throws(ParseError) -> Value

  /// The maximum number of errors in a DER file, so that a hostile one cannot exhaust memory.
  private static var maximumErrors: Int { 1000 }

  /// Parses a file; `other` is a second kind of structure that its PEM blocks may hold.
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

  init(pem text: String, _ structure: DERContent, or other: DERContent? = nil, read: Reader) {
    self.init(Array(text.utf8), structure, or: other, isPEM: true, read: read)
  }

  /// Returns the bytes of a file.
  static func bytes(
    ofFile path: String, _ structure: DERContent, limit: Int = PEMText.maximumSize,
    from files: FileReading = .system
  ) throws(ParseError) -> [UInt8] {
    do throws(Platform.FileError) {
      return try files.bytes(path, limit)
    } catch {
      throw ParseError(structure, .unreadable(error.message)).placed(inFile: path)
    }
  }

  /// Reads the only value of a file; an error names the file.
  static func single(
    inFile path: String, _ structure: DERContent, or other: DERContent? = nil,
    limit: Int = PEMText.maximumSize, read: Reader
  ) throws(ParseError) -> Value {
    let bytes = try bytes(ofFile: path, structure, limit: limit)
    do throws(ParseError) {
      return try StructureFile(bytes, structure, or: other, read: read).single()
    } catch {
      throw error.placed(inFile: path)
    }
  }

  /// Returns the only value; throws if there is an error or not exactly one value.
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
    var pending = text.errors[...]
    for block in text.blocks {
      // File order: first the errors of earlier blocks.
      while let next = pending.first, next.block < block.number {
        errors.append(ParseError(structure, pem: pending.removeFirst()))
      }
      do throws(ParseError) {
        values.append(try read(block.bytes, block.label))
      } catch {
        var error = error
        error.block = PEMLocation(block: block.number, line: block.line)
        errors.append(error)
      }
    }
    errors += pending.map { ParseError(structure, pem: $0) }
    errors += text.others.compactMap(error(passingOver:))
    if hidesRevocations, let line = text.binaryLine {
      errors.append(ParseError(structure, pem: line))
    }
    if values.isEmpty && errors.isEmpty {
      var error = ParseError(structure, pem: PEMError(problem: .noBlock, block: 0, line: 1))
      error.found = text.others.first.flatMap { DERContent(label: $0.label) }
      errors.append(error)
    }
  }

  /// Whether what is passed over may hide what is revoked.
  private var hidesRevocations: Bool { structure == .crl || structure == .ocspResponse }

  /// Returns why a block with another label cannot be passed over; nil if it can. RFC 7468 §6 rejects
  /// the label `CRL`, which some files have.
  private func error(passingOver block: PEMBlock) -> ParseError? {
    guard hidesRevocations else { return nil }
    let found = DERContent(label: block.label)
    guard found?.mayContainOthers ?? true else { return nil }
    var error = ParseError(
      structure, pem: PEMError(problem: .unknownLabel, block: block.number, line: block.line))
    error.found = found
    return error
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

extension CRL {
  /// The PEM label of CRLs. RFC 7468 §6.
  package static var label: String { DERContent.crl.labels[0] }

  /// Parses a PEM text that contains exactly one CRL. RFC 7468 §6.
  public init(pem text: String) throws(ParseError) {
    self = try StructureFile(pem: text, .crl, read: CRL.read).single()
  }

  private static func read(_ der: [UInt8], _ label: String?) throws(ParseError) -> CRL {
    try CRL(der: der)
  }

  /// Reads the one CRL of a file, PEM or DER; `-` is standard input. A file with several is an
  /// error: `crls(inFile:)` reads all.
  public init(file path: String) throws(ParseError) {
    self = try StructureFile.single(inFile: path, .crl, limit: CRL.maximumSize, read: CRL.read)
  }

  /// Reads all CRLs of a file, PEM or DER, in order; `-` is standard input.
  ///
  /// Throws at the first bad CRL, or if there is none. A PEM block that may contain a CRL without
  /// saying so, PKCS #7 or an unknown label, and bytes between the blocks that are not text are
  /// errors, too: a CRL that is passed over hides what it revokes.
  public static func crls(inFile path: String) throws(ParseError) -> [CRL] {
    try crls(inFile: path, from: .system)
  }

  /// Reads all CRLs of a file in the given way.
  package static func crls(
    inFile path: String, from files: FileReading
  ) throws(ParseError) -> [CRL] {
    let bytes = try StructureFile<CRL>.bytes(
      ofFile: path, .crl, limit: maximumSize, from: files)
    let file = StructureFile(bytes, .crl, read: CRL.read)
    if let error = file.errors.first { throw error.placed(inFile: path) }
    return file.values
  }
}

extension OCSPResponse {
  /// Reads the one OCSP response of a file, PEM or DER; `-` is standard input.
  public init(file path: String) throws(ParseError) {
    self = try StructureFile.single(inFile: path, .ocspResponse, limit: OCSPResponse.maximumSize) {
      (der, _) throws(ParseError) in try OCSPResponse(der: der)
    }
  }
}

extension CertificateRequest {
  /// Parses a PEM text that contains exactly one request. RFC 7468 §7.
  public init(pem text: String) throws(ParseError) {
    self = try StructureFile(pem: text, .certificateRequest) { (der, _) throws(ParseError) in
      try CertificateRequest(der: der)
    }.single()
  }

  /// Reads the one request of a file, PEM or DER; `-` is standard input.
  public init(file path: String) throws(ParseError) {
    self = try StructureFile.single(inFile: path, .certificateRequest) {
      (der, _) throws(ParseError) in try CertificateRequest(der: der)
    }
  }
}

extension PublicKey {
  /// Parses a PEM text that contains exactly one public key, as from `openssl pkey -pubout`.
  /// RFC 7468 §13.
  ///
  /// Also accepts `RSA PUBLIC KEY`. This allows pinning a backup key before it has a certificate.
  public init(pem text: String) throws(ParseError) {
    self = try StructureFile(
      pem: text, .publicKey, or: .rsaPublicKey, read: PublicKey.read
    ).single()
  }

  /// Reads the one public key of a file, PEM or DER; `-` is standard input.
  public init(file path: String) throws(ParseError) {
    self = try StructureFile.single(
      inFile: path, .publicKey, or: .rsaPublicKey, read: PublicKey.read)
  }

  private static func read(_ der: [UInt8], label: String?) throws(ParseError) -> PublicKey {
    do throws(DERError) {
      return label == "RSA PUBLIC KEY" ? try PublicKey(pkcs1: der) : try PublicKey(whole: der)
    } catch {
      throw ParseError(.publicKey, .subjectPublicKeyInfo, error)
    }
  }
}
