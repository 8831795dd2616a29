internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastIdentities
internal import HoldfastJSON

/// The private keys among the files of `inspect`, each with the certificates that belong to it.
///
/// If there are keys and certificates, `holdfast inspect --json` has `identities`. Each has `leaf`
/// (the SHA-256 of its DER) and `chain` (the same of the leaf and each certificate above it), `pin`
/// and `keyKind` of its key, `name` or null, `matches` (whether key and leaf belong together),
/// `match` (`publicKey`, `localKeyID` or `onlyCandidate`), `notAfter`, `validity` and `secondsLeft`
/// of the leaf. A key without a certificate is there too: `matches` is false, `leaf` is null and
/// `chain` is empty.
struct IdentityReport {
  private var contents = PKCS12.Contents()
  private var seen: Set<Certificate> = []
  private let time: Timestamp

  init(at time: Timestamp) {
    self.time = time
  }

  /// Adds what a file holds; what a PKCS #12 file holds comes with its names, and once.
  mutating func add(_ content: InputItem.Content, _ item: InputItem) {
    switch content {
    case .container(let opened):
      contents.add(opened.contents)
      seen.formUnion(opened.contents.certificates.map { $0.value })
    case .privateKey(let key) where item.container == nil:
      contents.add(PKCS12.Contents(keys: [key]))
    case .certificate(let certificate) where item.container != .pkcs12:
      // A second file often repeats certificates of the first.
      guard seen.insert(certificate).inserted else { return }
      contents.add(PKCS12.Contents(certificates: [certificate]))
    default: break
    }
  }

  /// The identities, and the keys of no certificate; empty without a key or without a certificate.
  var documents: [Document] {
    guard !contents.keys.isEmpty, !contents.certificates.isEmpty else { return [] }
    return contents.identities.map(document) + strayKeys.map(document)
  }

  /// Rejected if a key belongs to none of the certificates.
  var status: ExitStatus { documents.isEmpty || strayKeys.isEmpty ? .trusted : .rejected }

  /// The keys that are not of any certificate.
  private var strayKeys: [PKCS12.Bag<PrivateKey>] {
    let identities = contents.identities
    return contents.keys.filter { key in
      !identities.contains { $0.privateKey.isEqual(to: key.value) }
    }
  }

  private func document(_ identity: Identity) -> Document {
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
    document.add("leaf", "leaf", Shown(leaf.sha256, subject(leaf)))
    document.add(
      "issuers", "chain",
      Shown(identity.chain.map { $0.sha256 }, identity.chain.dropFirst().map { Line(subject($0)) }))
    if let last = identity.chain.last, !last.isSelfIssued {
      document.add("not in the file", nil, "\(last.issuer)")
    }
    document.add("name", identity.name)
    document.add("matches", true)
    document.add("match", identity.match.name)
    document.add("notAfter", "\(leaf.notAfter)")
    document.add("validity", Validity(leaf, at: time).name)
    document.add("secondsLeft", JSONValue.number("\(leaf.notAfter.seconds(since: time))"))
    return document
  }

  private func document(_ key: PKCS12.Bag<PrivateKey>) -> Document {
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
}

/// In JSON a PKCS #12 file has `mac`, the code over the file, or null; `encryption`, the
/// encryptions, each once; `iterations`, those of all key derivations together, counted for each
/// block of output; `outdated`, whether an encryption is one without AES.
extension Document {
  mutating func add(_ container: Container.Opened) {
    let code = container.mac.map { "\($0)" }
    add("mac", "mac", Shown(code, code ?? "none"))
    var seen: Set<String> = []
    add(
      "encryption", "encryption",
      container.encryptions.map { "\($0)" }.filter { seen.insert($0).inserted })
    add(
      "iterations",
      container.encryptions.reduce(container.mac?.iterations ?? 0) { $0 + $1.iterations })
    let outdated = container.encryptions.first(where: { $0.isOutdated })
    add(
      "hint", "outdated",
      Shown(
        outdated != nil,
        outdated.map {
          ["\($0.cipher) is outdated; export the file again with AES-256 and SHA-256"]
        } ?? []))
    add("secrets", nil, container.contents.secrets.map { "\($0.value)" })
  }
}
