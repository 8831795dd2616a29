internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes
internal import HoldfastIdentities
internal import HoldfastJSON

/// What files of keys and certificates hold, for people and for programs.
///
/// `holdfast identity --json` writes `{"version": 1, "format", "mac", "encryption", "iterations",
/// "outdated", "identities", "certificates", "lists", "problems"}`. Fields may be added; those there
/// are keep their meaning as long as `version` is 1.
///
/// `format` is `PKCS #12`, `PKCS #7`, `PEM` or `DER`; `mac` the code over the file, or null; `encryption` the
/// encryptions, each once; `iterations` those of all key derivations together; `outdated` whether an
/// encryption is one without AES. `certificates` and `lists` have the SHA-256 of the DER of each.
///
/// Each identity has `leaf` (the SHA-256 of its DER) and `chain` (the same of the leaf and each
/// certificate above it), `pin` and `keyKind` of its key, `name` or null, `matches` (whether key and
/// leaf belong together), `match` (`publicKey`, `localKeyID` or `onlyCandidate`), `notAfter`,
/// `validity` and `secondsLeft` of the leaf. A key without a certificate is there too: `matches` is
/// false, `leaf` is null and `chain` is empty.
///
/// When the file cannot be opened there is `error` in place of what is inside: `kind`
/// (`wrongPassword`, `unsupported`, `damaged`, `limit`, `noIdentity` or `unreadable`) and `message`.
struct IdentityReport {
  /// The names of the files.
  let name: String
  /// What they hold.
  private(set) var contents = PKCS12.Contents()
  /// Why they could not be opened.
  private(set) var failure: (kind: String, message: String)?
  /// What could not be read beside the rest.
  private(set) var problems: [InputProblem] = []
  private var format: Format
  private var mac: MessageAuthentication?
  private var encryptions: [Encryption] = []
  /// Whether the file could be read as far as its encryptions.
  private var isReadable = false
  private let time: Timestamp

  init(
    _ files: [String], _ passwords: PasswordSource, _ options: IdentityOptions, at time: Timestamp
  ) {
    name = files.map { $0 == "-" ? "standard input" : printable($0) }.joined(separator: ", ")
    self.time = time
    format = .pem
    var texts: [[UInt8]] = []
    do throws(Platform.FileError) {
      for file in files {
        texts.append(try Platform.readFile(file, limit: IdentityOptions.largestFile))
      }
    } catch {
      fail("unreadable", error.message)
      return
    }
    var password: String?
    do throws(IdentityError) {
      format = Format(texts)
      if format == .pkcs12 {
        let file = try PKCS12(texts[0])
        mac = file.authentication
        encryptions = file.encryptions
        isReadable = true
        if file.isLocked { password = passwords.password(of: name) }
        contents = try file.open(password: password, options: options)
      } else {
        if texts.contains(where: IdentityReport.hasEncryptedKey) {
          password = passwords.password(of: name)
        }
        contents = try PEMContents.read(texts, password, options)
        isReadable = true
      }
      encryptions = contents.encryptions
      try keepProblems()
    } catch {
      if case .wrongPassword = error, password == nil {
        fail(error.kind, InputProblem.passwordNeeded)
      } else {
        fail(error.kind, "\(error)")
      }
    }
  }

  private mutating func fail(_ kind: String, _ message: String) {
    failure = (kind, message)
    problems = [
      InputProblem(place: InputPlace(file: name), problem: message, offset: nil, rule: nil)
    ]
  }

  /// What cannot be read beside the rest is a problem; a key that stays locked or cannot be read at
  /// all, or nothing at all, is a failure.
  private mutating func keepProblems() throws(IdentityError) {
    let isEmpty =
      contents.keys.isEmpty && contents.certificates.isEmpty && contents.lists.isEmpty
      && contents.secrets.isEmpty
    for error in contents.errors {
      switch error {
      case .wrongPassword: throw error
      case .unsupported where contents.keys.isEmpty: throw error
      case _ where isEmpty: throw error
      default: break
      }
      problems.append(InputProblem(error, at: InputPlace(file: name)))
    }
    if isEmpty, format != .pkcs12 { throw .noIdentity(.noCertificate) }
  }

  private static func hasEncryptedKey(_ text: [UInt8]) -> Bool {
    guard PEMText.isLikely(text) else {
      return PEMContents.label(ofDER: text) == "ENCRYPTED PRIVATE KEY"
    }
    return PEMLabel.all(in: text).contains { $0.text == "ENCRYPTED PRIVATE KEY" }
  }

  /// 0 if each key has its certificate, 1 if one has not, 2 if something could not be understood.
  var status: ExitStatus {
    guard problems.isEmpty else { return .notUnderstood }
    return strayKeys.isEmpty ? .success : .rejected
  }

  /// The keys that are not of any certificate.
  private var strayKeys: [PKCS12.Bag<PrivateKey>] {
    let identities = contents.identities
    return contents.keys.filter { key in
      !identities.contains { $0.privateKey.isEqual(to: key.value) }
    }
  }
}

extension IdentityReport {
  /// The formats, by their names.
  private enum Format: String {
    case pkcs12 = "PKCS #12"
    case pkcs7 = "PKCS #7"
    case pem = "PEM"
    case der = "DER"

    init(_ texts: [[UInt8]]) {
      switch texts.count == 1 ? Container(beginningOf: texts[0]) : nil {
      case .pkcs12: self = .pkcs12
      case .pkcs7: self = .pkcs7
      case nil: self = texts.contains(where: PEMText.isLikely) ? .pem : .der
      }
    }
  }
}

/// For people.
extension IdentityReport {
  var text: String {
    guard isReadable else { return "" }
    var report = Report(title: "\(name): \(format.rawValue)")
    if format == .pkcs12 { report.line("mac", mac.map { "\($0)" } ?? "none") }
    report.lines("encryption", encryptionTexts)
    if let outdated = encryptions.first(where: \.isOutdated) {
      report.line(
        "hint", "\(outdated.cipher) is outdated; export the file again with AES-256 and SHA-256")
    }
    guard failure == nil else { return report.text }
    report.lines("secrets", contents.secrets.map { "\($0.value)" })
    report.lines("certificates", otherCertificates.map { subject($0) })
    report.lines(
      "lists", contents.lists.map { "\($0.value.issuer), of \($0.value.thisUpdate)" })
    var text = report.text
    for identity in contents.identities { text += "\n" + section(identity) }
    for key in strayKeys {
      var report = Report(title: "private key\(key.name.map { ": \($0)" } ?? "")")
      report.line("key", "\(key.value.kind), belongs to none of the certificates")
      report.line("pin", pin(key.value) ?? "unknown: the key is without its public part")
      text += "\n" + report.text
    }
    return text
  }

  private func section(_ identity: Identity) -> String {
    var report = Report(title: "identity\(identity.name.map { ": \($0)" } ?? "")")
    let match =
      switch identity.match {
      case .publicKey: "belongs to the leaf: same public key"
      case .localKeyID: "belongs to the leaf: same localKeyID"
      case .onlyCandidate: "may belong to the leaf: the only certificate of this kind"
      @unknown default: "belongs to the leaf"
      }
    report.line("key", "\(identity.privateKey.kind), \(match)")
    report.line("pin", PinText(identity.leaf.publicKey).text())
    report.line("leaf", subject(identity.leaf))
    report.lines("issuers", identity.chain.dropFirst().map { subject($0) })
    if let last = identity.chain.last, !last.isSelfIssued {
      report.line("not in the file", "\(last.issuer)")
    }
    return report.text
  }

  private func subject(_ certificate: Certificate) -> String {
    "\(PathText.name(certificate)), \(Validity(certificate, at: time).text)"
  }

  private var otherCertificates: [Certificate] {
    let used = Set(contents.identities.flatMap(\.chain))
    return contents.certificates.map(\.value).filter { !used.contains($0) }
  }

  private func pin(_ key: PrivateKey) -> String? { key.publicKey.map { PinText($0).text() } }

  /// Each encryption once, in the order of the file.
  private var encryptionTexts: [String] {
    var seen: Set<String> = []
    return encryptions.map { "\($0)" }.filter { seen.insert($0).inserted }
  }
}

/// For programs.
extension IdentityReport {
  var json: JSONValue {
    let iterations = encryptions.reduce(mac?.derivation.iterations ?? 0) {
      $0 + $1.derivation.iterations
    }
    var members: [JSONValue.Member] = []
    func add(_ more: KeyValuePairs<String, JSONValue>) {
      members += more.map { JSONValue.Member(name: $0.key, value: $0.value) }
    }
    add(["version": .number(1), "format": .string(format.rawValue)])
    if isReadable {
      add([
        "mac": .optional(mac.map { "\($0)" }), "encryption": .strings(encryptionTexts),
        "iterations": .number(iterations),
        "outdated": .bool(encryptions.contains(where: \.isOutdated)),
      ])
    }
    if let failure {
      add([
        "error": .object(["kind": .string(failure.kind), "message": .string(failure.message)])
      ])
    } else {
      add([
        "identities": .array(contents.identities.map(json) + strayKeys.map(json)),
        "certificates": .strings(contents.certificatesInPathOrder.map { hash($0.der) }),
        "lists": .strings(contents.lists.map { hash($0.value.der) }),
        "problems": .array(problems.map(\.json)),
      ])
    }
    return .object(members)
  }

  private func json(_ identity: Identity) -> JSONValue {
    let validity = Validity(identity.leaf, at: time)
    return .object([
      "leaf": .string(hash(identity.leaf.der)),
      "chain": .strings(identity.chain.map { hash($0.der) }),
      "pin": .string(PinText(identity.leaf.publicKey).text()),
      "keyKind": .string("\(identity.privateKey.kind)"), "name": .optional(identity.name),
      "matches": .bool(true), "match": .string("\(identity.match)"),
      "notAfter": .string("\(identity.leaf.notAfter)"), "validity": .string(validity.name),
      "secondsLeft": .number(Int(clamping: identity.leaf.notAfter.seconds(since: time))),
    ])
  }

  private func json(_ key: PKCS12.Bag<PrivateKey>) -> JSONValue {
    .object([
      "leaf": .null, "chain": .array([]), "pin": .optional(pin(key.value)),
      "keyKind": .string("\(key.value.kind)"), "name": .optional(key.name),
      "matches": .bool(false),
    ])
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
    @unknown default: "other"
    }
  }
}
