internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastDER
internal import HoldfastIdentities
internal import HoldfastJSON
internal import HoldfastSystem

#if OpenSSL
  internal import HoldfastOpenSSL
#endif

/// A file of certificates, keys and requests in PEM, DER or any mix of blocks, or in a container.
///
/// Reading it finds out what stands where; the things themselves are read one at a time, so that a
/// file of thousands takes little more memory than its own size. What is wrong with one does not
/// lose the others.
struct InputFile: Sendable {
  /// What was found and what is wrong, in the order of the file.
  private(set) var entries: [Result<InputItem, InputProblem>] = []

  /// The server that has sent what was found; nil of a file.
  private(set) var server: ConnectTarget?

  private let name: String
  private let uses: InputUse
  private let passwords: PasswordSource

  /// The maximum number of bytes that a file may have, unless it is one of CRLs.
  static let maximumSize = PEMText.maximumSize

  /// Reads a file; `-` is standard input.
  ///
  /// - Parameter uses: What the caller has a use for; a private key is decoded only if it is that.
  init(path: String, uses: InputUse, _ passwords: PasswordSource) {
    name = path == "-" ? "standard input" : path
    self.uses = uses
    self.passwords = passwords
    let maximumSize =
      uses.contains(.revocation) ? CRL.maximumSize : InputFile.maximumSize
    #if OpenSSL
      if let server = server(path) {
        read(server)
        return
      }
    #endif
    do throws(Platform.FileError) {
      read(try Platform.readFile(path, limit: maximumSize))
    } catch {
      let isEmptyFolder = Invocation.files(inFolder: path)?.isEmpty == true
      var problem = isEmptyFolder ? "no file in this folder" : error.message
      #if OpenSSL
        problem = advice(path, problem)
      #endif
      var failure = InputProblem(location: InputLocation(file: name), problem: problem)
      failure.cause = ParseError(.certificate, .unreadable(problem))
      fail(failure)
    }
  }

  /// What is wrong when none of the items is of use.
  var holdsNothing: InputProblem {
    InputProblem(location: InputLocation(file: name), problem: uses.missing)
  }

  #if OpenSSL
    /// The server that a word names; nil if it names a file. What a server sends is not verified, so
    /// a mistyped name of a file is never taken for a server's.
    private func server(_ word: String) -> ConnectTarget? {
      if uses.contains(.onlyServers) { return ConnectTarget(word) }
      guard uses.contains(.servers), !System.exists(word) else { return nil }
      return ConnectTarget(explicit: word)
    }

    /// Reads the certificates that a server sends.
    private mutating func read(_ server: ConnectTarget) {
      do throws(TLSError) {
        for (index, der) in try server.sentCertificates().enumerated() {
          let location = InputLocation(file: name, entry: index + 1)
          entries.append(.success(InputItem(.certificate, Bytes(der), at: location)))
          self.server = server
        }
      } catch {
        var problem = InputProblem(
          location: InputLocation(file: name), problem: error.textBesideHost)
        problem.status = .unreachable
        fail(problem)
      }
    }

    /// What is wrong with a word that names no file, and how a server is named if it could be meant
    /// as one.
    private func advice(_ word: String, _ problem: String) -> String {
      guard uses.contains(.servers), !System.exists(word) else { return problem }
      let hasUser = word.contains("@")
      if hasUser, TextSearch.contains("://", in: word) { return ConnectTarget.problem(of: word) }
      let advice = hasUser ? ConnectTarget.withoutUser : ConnectTarget(likely: word)?.name
      return problem + (advice.map { "; if it is a server: \($0)" } ?? "")
    }
  #endif

  private mutating func fail(_ problem: InputProblem) {
    entries.append(.failure(problem))
  }

  private mutating func read(_ bytes: [UInt8]) {
    if let problem = InputProblem(foreign: bytes, in: name) {
      fail(problem)
    } else if PEMText.isLikely(bytes) {
      readPEM(bytes)
    } else if let container = Container(beginningOf: bytes) {
      open(container, bytes, InputLocation(file: name))
    } else {
      readDER(bytes)
    }
  }

  private mutating func readPEM(_ bytes: [UInt8]) {
    let wanted = uses.union(.all)
    let labels = DERContent.allCases.filter { $0 == .pkcs7 || !$0.row.use.isDisjoint(with: wanted) }
      .flatMap { $0.labels }
    let text = PEMText(bytes, labels: labels)
    for block in text.blocks + text.others {
      let item = InputItem(block, inFile: name)
      if item.kind == .pkcs7 {
        open(.pkcs7, block.bytes, item.location)
      } else {
        entries.append(.success(item))
      }
    }
    let binary = uses.contains(.unknown) ? text.binaryLine : nil
    let errors = text.errors + [binary].compactMap { $0 }
    for (error, label) in zip(errors, text.labelsOfErrors + [nil]) {
      let location = InputLocation(
        file: name, block: error.block > 0 ? error.block : nil, line: error.line)
      var problem = InputProblem(error, at: location)
      problem.content = label.flatMap { DERContent(label: $0) }
      problem.certificate = UnreadableCertificate(
        der: [UInt8](), error: ParseError(.certificate, pem: error), number: 0)
      fail(problem)
    }
    // By number: a block that the next BEGIN cuts off is found to be bad on the line of that.
    entries.sort { $0.block < $1.block }
  }

  /// Reads all that a container holds: each certificate, CRL and key is an entry of it.
  private mutating func open(_ container: Container, _ bytes: [UInt8], _ location: InputLocation) {
    let opened = container.open(bytes, at: location, passwords)
    var entry = location
    func add(_ kind: DERContent, _ der: [UInt8], _ content: InputItem.Content) {
      let item = InputItem(kind, Bytes(der), at: entry, of: container, opened: content)
      entries.append(.success(item))
      entry.entry? += 1
    }
    if uses.contains(.containers), opened.isReadable {
      add(.pkcs12, [], .container(opened))
    }
    entry.entry = 1
    for certificate in opened.contents.certificatesInPathOrder {
      add(.certificate, certificate.der, .certificate(certificate))
    }
    for crl in opened.contents.crls { add(.crl, crl.value.der, .crl(crl.value)) }
    for key in opened.keys(all: uses.contains(.everyKey)) {
      add(.privateKey, [], .privateKey(key))
    }
    for problem in opened.problems { fail(problem) }
  }

  /// Reads one structure after another.
  private mutating func readDER(_ bytes: [UInt8]) {
    var reader = DERReader(bytes)
    while !reader.isAtEnd {
      let location = InputLocation(file: name, start: reader.position)
      do throws(DERError) {
        guard entries.count < PEMText.maximumBlocks else {
          throw DERError(.tooMany(limit: PEMText.maximumBlocks), at: location.start)
        }
        let element = try reader.readNextStructure(in: bytes)
        entries.append(.success(InputItem(DERContent(element), element, at: location)))
      } catch {
        fail(InputProblem(error, at: InputLocation(file: name)))
        return
      }
    }
  }
}

extension Result<InputItem, InputProblem> {
  /// The number of the block; 0 where there is none.
  fileprivate var block: Int {
    switch self {
    case .success(let item): item.location.block ?? 0
    case .failure(let problem): problem.location.block ?? 0
    }
  }
}

/// Where something stands in the input.
struct InputLocation: Sendable, Hashable {
  /// The name of the file.
  let file: String
  /// The number of its block, from 1, in a PEM text.
  var block: Int?
  /// The line of its BEGIN, from 1, in a PEM text.
  var line: Int?
  /// The offset of its first byte in a file of DER.
  var start = 0
  /// Its number, from 1, in a PKCS #12 or PKCS #7 structure.
  var entry: Int?
}

extension InputLocation: CustomStringConvertible {
  /// `chain.pem, block 2, line 31`.
  var description: String {
    var text = printable(word: file)
    if let block { text += ", block \(block)" }
    if let line { text += ", line \(line)" }
    if start > 0 { text += ", byte \(start)" }
    if let entry { text += ", entry \(entry)" }
    return text
  }
}

/// What is wrong with an input, and where.
struct InputProblem: Error, Sendable, Hashable {
  let location: InputLocation
  /// The field that was read.
  var field: String?
  /// What is wrong, in words.
  let problem: String
  /// The byte: of the DER inside a PEM block, of the file otherwise.
  var offset: Int?
  /// The paragraph that is broken.
  var rule: String?
  /// Why it cannot be parsed, if that is the problem.
  var cause: ParseError?
  /// What it is about, if a label tells that.
  var content: DERContent?
  /// The CRL that it is about.
  var list: UnreadableCRL?
  /// The certificate that it is about, not yet numbered.
  var certificate: UnreadableCertificate?
  /// What kind of error it is, for programs, where a container or a key cannot be opened.
  var kind: String?
  /// What a command ends with that reads nothing else.
  var status = ExitStatus.unreadable
}

extension InputProblem {
  /// What cannot be parsed.
  ///
  /// - Parameters:
  ///   - der: The bytes, which a certificate and a CRL keep: it may be the issuer that a path lacks,
  ///     or revoke what is asked about.
  ///   - number: The number of a certificate among those that were sent, if it is known.
  init(
    _ error: ParseError, at location: InputLocation, reading der: [UInt8]? = nil, number: Int = 0
  ) {
    self.init(
      location: location, field: error.fieldName, problem: error.message,
      offset: location.start + error.offset, rule: error.citation)
    cause = error
    guard let der else { return }
    switch error.structure {
    case .certificate:
      certificate = UnreadableCertificate(der: der, error: error, number: number)
    case .crl: list = UnreadableCRL(der: der, error: error)
    default: break
    }
  }

  /// What is not DER.
  init(_ error: DERError, at location: InputLocation, field: String? = nil) {
    self.init(
      location: location, field: field, problem: "\(error.problem)",
      offset: location.start + error.offset, rule: error.problem.citation)
    cause = ParseError(.certificate, .der(error.problem), at: error.offset)
  }

  /// What is wrong with a block of a PEM text.
  init(_ error: PEMError, at location: InputLocation) {
    self.init(location: location, problem: error.message, rule: error.citation)
    cause = ParseError(.certificate, pem: error)
  }

  /// What is wrong with a file of a revocation filter.
  init(_ error: FilterError, in file: String) {
    self.init(
      location: InputLocation(file: file), problem: "\(error.problem)", offset: error.offset)
  }

  /// What a file is that is neither PEM nor DER; nil if it may be one of them.
  init?(foreign bytes: [UInt8], in file: String) {
    guard bytes.first != DERTag.sequence.rawValue, !PEMText.isLikely(bytes) else { return nil }
    let location = InputLocation(file: file)
    let characters = bytes[PEMText.start(of: bytes)...]
    guard let first = characters.first else {
      self.init(location: location, problem: "the file is empty", rule: "RFC 7468 §3")
      return
    }
    let line = characters.prefix(40).prefix { $0 != 0x0A && $0 != 0x0D }
    let text = String(decoding: line, as: UTF8.self)
    let what =
      if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
        "UTF-16 text instead of ASCII"
      } else if line.isEmpty || !line.allSatisfy({ 0x20...0x7E ~= $0 }) {
        "neither PEM nor DER: begins with byte 0x\(String(first, radix: 16))"
      } else if text.hasPrefix("MI"), !text.contains(" ") {
        // The digits of a SEQUENCE of some length.
        "base64 without the BEGIN line of PEM"
      } else {
        "text without a PEM block: \"\(shortened(text, to: 36))\""
      }
    self.init(location: location, problem: what, offset: 0, rule: "RFC 7468 §3")
  }
}

/// What is wrong with what was given for revocation. It counts, as what it was given for.
extension InputProblem {
  /// The CRL that it is about or that may be there.
  var unreadableCRL: UnreadableCRL { list ?? UnreadableCRL(error(reading: .crl)) }

  /// Why a structure cannot be read. Its place is not in it.
  func error(reading kind: DERContent) -> ParseError {
    guard let cause, !cause.isOfText else {
      let other = content.flatMap { $0 == kind ? nil : "\($0), by its label: " } ?? ""
      return ParseError(
        kind, unreadable: other + finding,
        rule: rule ?? ParseError.Field.structure.row(in: kind).citation)
    }
    // Without a label the outermost SEQUENCE has the name of what was expected.
    let isGuess = location.block == nil && location.entry == nil
    guard isGuess, cause.field == .structure else { return cause }
    return ParseError(kind, cause.problem, at: cause.offset)
  }
}

extension ParseError {
  /// Whether it is about PEM, and not about the bytes of a structure.
  fileprivate var isOfText: Bool {
    if case .pem = problem { true } else { false }
  }
}

extension InputProblem: CustomStringConvertible {
  /// `chain.pem, block 2, line 31: validity: time is not … at byte 108 [RFC 5280 §4.1.2.5]`.
  var description: String {
    "\(location): \(finding)" + (rule.map { " [\($0)]" } ?? "")
  }

  /// What is wrong, without file and citation.
  private var finding: String {
    (field.map { "\($0): " } ?? "") + problem + (offset.map { " at byte \($0)" } ?? "")
  }
}

extension InputProblem: DocumentValue {
  var json: JSONValue {
    var document = Document()
    document.add("file", Printable.redacted(location.file))
    document.add("block", location.block)
    document.add("line", location.line)
    document.add("offset", offset)
    document.add("field", field)
    document.add("problem", problem)
    document.add("rule", rule)
    if let kind { document.add("kind", kind) }
    return document.json
  }
}
