internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes
internal import HoldfastIdentities
internal import HoldfastJSON

/// What files of keys and certificates hold, for people and for programs.
///
/// `holdfast identity --json` writes `{"version": 1, "format", "mac", "encryption", "iterations",
/// "outdated", "identities", "certificates", "crls", "problems"}`. Fields may be added; those there
/// are keep their meaning as long as `version` is 1.
///
/// `format` is `PKCS #12`, `PKCS #7`, `PEM` or `DER`; `mac` the code over the file, or null;
/// `encryption` the encryptions, each once; `iterations` those of all key derivations together,
/// counted for each block of output; `outdated` whether an encryption is one without AES.
/// `certificates` and `crls` have the SHA-256 of the DER of each.
///
/// Each identity has `leaf` (the SHA-256 of its DER) and `chain` (the same of the leaf and each
/// certificate above it), `pin` and `keyKind` of its key, `name` or null, `matches` (whether key
/// and leaf belong together), `match` (`publicKey`, `localKeyID` or `onlyCandidate`), `notAfter`,
/// `validity` and `secondsLeft` of the leaf. A key without a certificate is there too: `matches` is
/// false, `leaf` is null and `chain` is empty.
///
/// When the file cannot be opened there is `error` in place of what is inside: `kind`
/// (`wrongPassword`, `unsupported`, `damaged`, `limit`, `noIdentity` or `unreadable`) and
/// `message`.
struct IdentityReport {
  /// The names of the files.
  let name: String
  /// What they hold.
  private(set) var contents = PKCS12.Contents()
  /// Why they could not be opened.
  private(set) var failure: (kind: String, message: String)?
  /// What could not be read beside the rest.
  private(set) var problems: [InputProblem] = []
  private var format = "PEM"
  private var mac: MessageAuthentication?
  private var encryptions: [Encryption] = []
  /// Whether the file could be read as far as its encryptions.
  private var isReadable = false
  private let time: Timestamp

  init(
    _ files: [String], _ passwords: PasswordSource, _ options: IdentityOptions, at time: Timestamp
  ) {
    let names = files.map { $0 == "-" ? "standard input" : $0 }
    name = names.map(printable).joined(separator: ", ")
    self.time = time
    var texts: [[UInt8]] = []
    for (file, name) in zip(files, names) {
      do throws(Platform.FileError) {
        texts.append(try Platform.readFile(file, limit: IdentityOptions.maximumFileSize))
      } catch {
        fail(
          "unreadable", InputProblem(location: InputLocation(file: name), problem: error.message))
        return
      }
    }
    for (name, text) in zip(names, texts) {
      guard let problem = InputProblem(foreign: text, in: name) else { continue }
      fail("damaged", problem)
      return
    }
    var password: String?
    do throws(IdentityError) {
      let container = texts.count == 1 ? Container(beginningOf: texts[0]) : nil
      format =
        container?.rawValue ?? (texts.contains(where: PEMText.isLikely) ? "PEM" : "DER")
      if container == .pkcs12 {
        let file = try PKCS12(texts[0])
        mac = file.authentication
        encryptions = file.encryptions
        isReadable = true
        if file.isLocked { password = passwords.password(of: name) }
        contents = try file.open(password: password, options: options)
      } else {
        password = passwords.password(of: name, ifNeededFor: texts)
        contents = try PEMContents.read(texts, password, options)
        isReadable = true
      }
      encryptions = contents.encryptions
      try keepProblems()
    } catch {
      let isWithoutPassword = if case .wrongPassword = error { password == nil } else { false }
      let message = isWithoutPassword ? InputProblem.passwordNeeded : "\(error)"
      fail(error.kind, InputProblem(location: InputLocation(file: name), problem: message))
    }
  }

  private mutating func fail(_ kind: String, _ problem: InputProblem) {
    failure = (kind, problem.problem)
    problems = [problem]
  }

  /// What cannot be read beside the rest is a problem; a key that stays locked or cannot be read at
  /// all, or nothing at all, is a failure.
  private mutating func keepProblems() throws(IdentityError) {
    let isEmpty =
      contents.keys.isEmpty && contents.certificates.isEmpty && contents.crls.isEmpty
      && contents.secrets.isEmpty
    for error in contents.errors {
      switch error {
      case .wrongPassword: throw error
      case .unsupported where contents.keys.isEmpty: throw error
      case _ where isEmpty: throw error
      default: break
      }
      problems.append(InputProblem(error, at: InputLocation(file: name)))
    }
    if isEmpty, format != Container.pkcs12.rawValue { throw .noIdentity(.noCertificate) }
  }

  /// 0 if each key has its certificate, 1 if one has not, 2 if something could not be understood.
  var status: ExitStatus {
    guard problems.isEmpty else { return .unreadable }
    return strayKeys.isEmpty ? .trusted : .rejected
  }

  /// The keys that are not of any certificate.
  private var strayKeys: [PKCS12.Bag<PrivateKey>] {
    let identities = contents.identities
    return contents.keys.filter { key in
      !identities.contains { $0.privateKey.isEqual(to: key.value) }
    }
  }
}

/// What is inside, as a document.
extension IdentityReport {
  var document: Document {
    var document = Document(title: isReadable ? "\(name): \(format)" : "")
    document.add("version", 1)
    document.add("format", format)
    if isReadable { addEncryption(to: &document) }
    if let failure {
      document.add("error", ["kind": failure.kind, "message": failure.message] as Document)
      return document
    }
    document.add("secrets", nil, contents.secrets.map { "\($0.value)" })
    document.add("certificates", nil, otherCertificates.map { subject($0) })
    document.add(
      "crls", nil, contents.crls.map { "\($0.value.issuer), of \($0.value.thisUpdate)" })
    document.add("identities", contents.identities.map(section) + strayKeys.map(section))
    document.add("certificates", contents.certificatesInPathOrder.map { hash($0.der) })
    document.add("crls", contents.crls.map { hash($0.value.der) })
    document.add("problems", problems)
    return document
  }

  private func addEncryption(to document: inout Document) {
    let code = mac.map { "\($0)" }
    document.add(
      "mac", "mac", Shown(code, format == Container.pkcs12.rawValue ? [Line(code ?? "none")] : []))
    var seen: Set<String> = []
    document.add(
      "encryption", "encryption", encryptions.map { "\($0)" }.filter { seen.insert($0).inserted })
    document.add(
      "iterations",
      encryptions.reduce(mac?.iterations ?? 0) { $0 + $1.iterations })
    let outdated = encryptions.first(where: \.isOutdated)
    document.add(
      "hint", "outdated",
      Shown(
        outdated != nil,
        outdated.map {
          ["\($0.cipher) is outdated; export the file again with AES-256 and SHA-256"]
        } ?? []))
  }

  private func section(_ identity: Identity) -> Document {
    let match =
      switch identity.match {
      case .publicKey: "belongs to the leaf: same public key"
      case .localKeyID: "belongs to the leaf: same localKeyID"
      case .onlyCandidate: "may belong to the leaf: the only certificate of this kind"
      @unknown default: "belongs to the leaf"
      }
    let (leaf, kind) = (identity.leaf, "\(identity.privateKey.kind)")
    var document = Document(title: "identity\(identity.name.map { ": \($0)" } ?? "")")
    document.add("key", "keyKind", Shown(kind, "\(kind), \(match)"))
    document.add("pin", "pin", "\(Pin(leaf.publicKey))")
    document.add("leaf", "leaf", Shown(hash(leaf.der), subject(leaf)))
    document.add(
      "issuers", "chain",
      Shown(
        identity.chain.map { hash($0.der) }, identity.chain.dropFirst().map { Line(subject($0)) }))
    if let last = identity.chain.last, !last.isSelfIssued {
      document.add("not in the file", nil, "\(last.issuer)")
    }
    document.add("name", identity.name)
    document.add("matches", true)
    document.add("match", "\(identity.match)")
    document.add("notAfter", "\(leaf.notAfter)")
    document.add("validity", Validity(leaf, at: time).name)
    document.add("secondsLeft", Int(clamping: leaf.notAfter.seconds(since: time)))
    return document
  }

  private func section(_ key: PKCS12.Bag<PrivateKey>) -> Document {
    let (pin, kind) = (key.value.publicKey.map { "\(Pin($0))" }, "\(key.value.kind)")
    var document = Document(title: "private key\(key.name.map { ": \($0)" } ?? "")")
    document.add("leaf", JSONValue.null)
    document.add("chain", [String]())
    document.add("key", "keyKind", Shown(kind, "\(kind), belongs to none of the certificates"))
    document.add("pin", "pin", Shown(pin, pin ?? "unknown: the key is without its public part"))
    document.add("name", key.name)
    document.add("matches", false)
    return document
  }

  private func subject(_ certificate: Certificate) -> String {
    "\(PathText.name(certificate)), \(Validity(certificate, at: time).text)"
  }

  private var otherCertificates: [Certificate] {
    let used = Set(contents.identities.flatMap(\.chain))
    return contents.certificates.map(\.value).filter { !used.contains($0) }
  }

  private func hash(_ der: [UInt8]) -> String {
    Hexadecimal.text(of: HashAlgorithm.sha256.hash(der).array)
  }
}

extension IdentityError {
  /// The name for programs.
  var kind: String {
    switch self {
    case .wrongPassword: "wrongPassword"
    case .unsupported: "unsupported"
    case .damaged: "damaged"
    case .limit: "limit"
    case .notAuthenticated: "notAuthenticated"
    case .noIdentity: "noIdentity"
    case .unreadable: "unreadable"
    @unknown default: "other"
    }
  }
}
