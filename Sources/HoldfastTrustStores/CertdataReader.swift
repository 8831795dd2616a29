internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths

/// Reads `certdata.txt` of NSS: objects of attributes, a line each, with bytes in octal on lines of
/// their own.
///
/// A certificate and its trust are two objects, linked by issuer and serial number, and by the SHA-1
/// of the certificate.
struct CertdataReader {
  private var lines: TextLines
  private let program: RootProgram
  private var certificates: [Object] = []
  private var trust: [Key: [Object]] = [:]
  /// What damaged objects are about: what they said is lost, so nothing else counts.
  private var damagedKeys: Set<Key> = []
  private var damagedHashes: Set<[UInt8]> = []
  private var problems: [TrustStoreError] = []

  /// An object, as far as it matters here.
  private struct Object {
    /// 0 for what comes before the first object.
    let line: Int
    var attributes: [String: Value] = [:]
    /// What is wrong with it first, without its label.
    var damage: TrustStoreError?
    /// What it was about before one of its attributes occurred again.
    var otherKeys: Set<Key> = []

    var label: String? { text("CKA_LABEL") }

    func bytes(_ name: String) -> [UInt8]? {
      if case .bytes(let bytes)? = attributes[name] { bytes } else { nil }
    }

    func text(_ name: String) -> String? {
      if case .text(let text)? = attributes[name] { text } else { nil }
    }

    var key: Key? {
      guard let issuer = bytes("CKA_ISSUER"), let number = bytes("CKA_SERIAL_NUMBER") else {
        return nil
      }
      return Key(issuer: issuer, serialNumber: number)
    }

    /// The SHA-1 of the certificate that an object about trust is about.
    var hash: [UInt8]? { bytes("CKA_CERT_SHA1_HASH") }

    /// Whether it distrusts its certificate for some purpose, or says so in a word that is not known.
    /// Then it is trusted for none, as in the stores that distributions make of this file.
    var isDistrust: Bool {
      attributes.contains { name, value in
        switch value {
        case .text(let word) where word.hasPrefix("CKT_"):
          !CertdataReader.harmlessWords.contains(word)
        default:
          CertdataReader.purposes.contains { $0.trust == name }
        }
      }
    }
  }

  private enum Value: Equatable {
    case bytes([UInt8])
    case text(String)
  }

  private struct Key: Hashable {
    let issuer: [UInt8]
    let serialNumber: [UInt8]

    /// What it stands for where it is distrusted.
    var distrusted: DistrustedCertificate {
      let hasHeader =
        serialNumber.count > 2 && serialNumber[0] == 2
        && Int(serialNumber[1]) == serialNumber.count - 2
      return .number(SerialNumber(serialNumber.dropFirst(hasHeader ? 2 : 0)), issuer: issuer)
    }
  }

  static func read(
    _ bytes: [UInt8], _ program: RootProgram
  ) throws(TrustStoreError) -> TrustStore {
    var reader = CertdataReader(lines: TextLines(bytes), program: program)
    try reader.readObjects()
    var entries = reader.entries()
    return try entries.store(.certdata)
  }

  private init(lines: TextLines, program: RootProgram) {
    self.lines = lines
    self.program = program
  }

  private mutating func readObjects() throws(TrustStoreError) {
    var object = Object(line: 0)
    while let line = lines.next() {
      if line.isEmpty || line.isComment { continue }
      if line.has(prefix: "CKA_CLASS ") {
        try add(object)
        object = Object(line: line.number)
      }
      do throws(TrustStoreError) {
        try readAttribute(line, into: &object)
      } catch {
        object.damage = object.damage ?? error
      }
    }
    try add(object)
  }

  /// Reads an attribute. Two of a name in an object may be the rests of two objects.
  private mutating func readAttribute(
    _ line: TextLines.Line, into object: inout Object
  ) throws(TrustStoreError) {
    let words = line.bytes.split(separator: 0x20, maxSplits: 2)
    guard line.has(prefix: "CKA_"), words.count > 1 else {
      throw TrustStoreError(.syntax("expected an attribute and its type"), line: line.number)
    }
    let name = String(decoding: words[0], as: UTF8.self)
    let value: Value =
      words[1].elementsEqual("MULTILINE_OCTAL".utf8)
      ? .bytes(try readOctal())
      : .text(CertdataReader.unquoted(words.count > 2 ? words[2] : []))
    let key = object.key
    guard object.attributes.updateValue(value, forKey: name) == nil else {
      if let key { object.otherKeys.insert(key) }
      throw TrustStoreError(.syntax("\(name) occurs twice"), line: line.number)
    }
  }

  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    if bytes.count > 1, bytes.first == 0x22, bytes.last == 0x22 {
      bytes = bytes.dropFirst().dropLast()
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads lines of `\060\202` up to `END`. If that is missing, the next attribute is not lost.
  private mutating func readOctal() throws(TrustStoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    var damage: TrustStoreError?
    while true {
      var rest = lines
      guard let line = rest.next(), !line.has(prefix: "CKA_") else {
        throw damage ?? TrustStoreError(.syntax("expected END"), line: lines.number)
      }
      lines = rest
      if line.has(prefix: "END") { break }
      do throws(TrustStoreError) {
        try CertdataReader.appendOctal(line, to: &bytes)
      } catch {
        damage = damage ?? error
      }
    }
    if let damage { throw damage }
    return bytes
  }

  private static func appendOctal(
    _ line: TextLines.Line, to bytes: inout [UInt8]
  ) throws(TrustStoreError) {
    var rest = line.bytes
    while !rest.isEmpty {
      let digits = rest.dropFirst().prefix(3)
      guard rest.first == 0x5C, digits.count == 3, digits.allSatisfy({ 0x30...0x37 ~= $0 })
      else { throw TrustStoreError(.syntax("not octal"), line: line.number) }
      guard let byte = UInt8(exactly: digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }) else {
        throw TrustStoreError(.syntax("more than a byte"), line: line.number)
      }
      bytes.append(byte)
      rest = rest.dropFirst(4)
    }
  }

  private mutating func add(_ object: Object) throws(TrustStoreError) {
    guard object.line > 0 else { return }
    guard max(certificates.count, trust.count, problems.count) < TrustStore.maximumEntries else {
      throw TrustStoreError(.tooManyEntries(limit: TrustStore.maximumEntries), line: object.line)
    }
    if let damage = object.damage {
      problems.append(TrustStoreError(damage.problem, line: damage.line, label: object.label))
      damagedKeys.formUnion(object.otherKeys)
      if let key = object.key { damagedKeys.insert(key) }
      if let hash = object.hash { damagedHashes.insert(hash) }
      return
    }
    switch object.text("CKA_CLASS") {
    case "CKO_CERTIFICATE": certificates.append(object)
    case "CKO_NSS_TRUST", "CKO_NETSCAPE_TRUST", "CKO_TRUST":
      guard let key = object.key else {
        problems.append(
          TrustStoreError(.value("CKA_ISSUER"), line: object.line, label: object.label))
        if let hash = object.hash { damagedHashes.insert(hash) }
        return
      }
      trust[key, default: []].append(object)
    default: break
    }
  }

  private func entries() -> StoreEntries {
    var entries = StoreEntries(program, problems: problems)
    for (key, objects) in trust where objects.contains(where: { $0.isDistrust }) {
      entries.distrust(key.distrusted)
    }
    // A damaged object may have been a distrusting one.
    for key in damagedKeys { entries.distrust(key.distrusted) }
    for object in certificates {
      func problem(_ problem: TrustStoreError.Problem, label: String? = nil) -> TrustStoreError {
        TrustStoreError(problem, line: object.line, label: label ?? object.label)
      }
      guard let der = object.bytes("CKA_VALUE"), let key = object.key else {
        entries.problems.append(problem(.value("CKA_VALUE")))
        continue
      }
      guard
        let certificate = TrustStore.certificate(
          der, line: object.line, label: object.label, &entries.problems)
      else { continue }
      guard let label = object.label else {
        // All have one, so more may be lost: a date, for example.
        entries.distrust(certificate)
        entries.problems.append(problem(.value("CKA_LABEL"), label: certificate.shortName))
        continue
      }
      let hash = certificate.fingerprint(.sha1)
      let objects = trust[key] ?? []
      if objects.contains(where: { $0.isDistrust && $0.hash ?? hash == hash }) {
        entries.distrust(certificate)
      }
      var constraints = TrustAnchor.Constraints()
      constraints.programs = [ProgramConstraint(program, anyOf: [])]
      do throws(TrustStoreError) {
        guard !damagedKeys.contains(key), !damagedHashes.contains(hash) else {
          throw problem(.noTrust)
        }
        let trust = try CertdataReader.trust(of: object, hash, objects)
        constraints.programs[0].alternatives = try CertdataReader.alternatives(of: object, trust)
      } catch {
        // What is demanded of it is lost, so no other certificate of its key may take its place.
        entries.distrust(certificate)
        entries.problems.append(error)
      }
      entries.add(
        TrustStore.Entry(
          certificate: certificate, label: label, line: object.line,
          constraints: constraints, isPublic: true))
    }
    return entries
  }

  /// Returns the object about the trust of a certificate. Those with another hash are about another
  /// certificate of the same issuer and serial number.
  private static func trust(
    of object: Object, _ hash: [UInt8], _ objects: [Object]
  ) throws(TrustStoreError) -> Object {
    if let lost = objects.first(where: { $0.hash == nil && !$0.isDistrust }) {
      throw TrustStoreError(.value("CKA_CERT_SHA1_HASH"), line: lost.line, label: object.label)
    }
    let own = objects.filter { $0.hash ?? hash == hash }
    guard let first = own.first else {
      throw TrustStoreError(.noTrust, line: object.line, label: object.label)
    }
    let names = purposes.flatMap { [$0.trust, $0.limit].compactMap { $0 } }
    for other in own.dropFirst()
    where names.contains(where: { first.attributes[$0] != other.attributes[$0] }) {
      throw TrustStoreError(.contradiction, line: other.line, label: object.label)
    }
    return first
  }

  /// Returns a set of conditions for each purpose: each has its own date.
  private static func alternatives(
    of object: Object, _ trust: Object
  ) throws(TrustStoreError) -> [ProgramConstraint.Conditions] {
    guard trust.text("CKA_TRUST_SERVER_AUTH") != nil else {
      throw TrustStoreError(
        .value("CKA_TRUST_SERVER_AUTH"), line: trust.line, label: object.label)
    }
    var sets: [ProgramConstraint.Conditions] = []
    for row in purposes where trust.text(row.trust) == "CKT_NSS_TRUSTED_DELEGATOR" {
      var conditions = ProgramConstraint.Conditions()
      conditions.purposes = [row.purpose]
      if let name = row.limit, case .until(let time) = try limit(name, of: object, trust) {
        conditions.issuedUntil = time
      }
      sets.append(conditions)
    }
    return sets
  }

  private enum Limit {
    case none
    case until(Timestamp)
  }

  /// Returns the limit for a purpose; throws if neither object has it, so that one may be lost: NSS
  /// writes it since version 3.47, false where there is none.
  ///
  /// It belongs to the certificate, but that of Izenpe.com stood with its trust in May 2026, beside
  /// false with the certificate. The earliest counts.
  private static func limit(
    _ name: String, of object: Object, _ trust: Object
  ) throws(TrustStoreError) -> Limit {
    var limit: Limit?
    for value in [object.attributes[name], trust.attributes[name]] {
      switch value {
      case nil: break
      case .text("CK_FALSE")?: limit = limit ?? Limit.none
      case .text?: throw TrustStoreError(.value(name), line: object.line, label: object.label)
      case .bytes(let bytes)?:
        guard let time = TrustStore.time(bytes) else {
          throw TrustStoreError(.value(name), line: object.line, label: object.label)
        }
        if case .until(let other)? = limit, other < time { break }
        limit = .until(time)
      }
    }
    guard let limit else {
      throw TrustStoreError(.value(name), line: object.line, label: object.label)
    }
    return limit
  }

  /// The attributes about each purpose.
  private static let purposes: [(purpose: OID, trust: String, limit: String?)] = [
    (.serverAuth, "CKA_TRUST_SERVER_AUTH", "CKA_NSS_SERVER_DISTRUST_AFTER"),
    (.emailProtection, "CKA_TRUST_EMAIL_PROTECTION", "CKA_NSS_EMAIL_DISTRUST_AFTER"),
    (.codeSigning, "CKA_TRUST_CODE_SIGNING", nil),
  ]

  /// The words that trust a certificate or say nothing of it: of NSS, its older ones, and those of
  /// PKCS #11 3.2.
  private static let harmlessWords: Set<String> = [
    "CKT_NSS_TRUSTED", "CKT_NSS_TRUSTED_DELEGATOR", "CKT_NSS_VALID_DELEGATOR",
    "CKT_NSS_MUST_VERIFY_TRUST", "CKT_NSS_TRUST_UNKNOWN", "CKT_NETSCAPE_TRUSTED",
    "CKT_NETSCAPE_TRUSTED_DELEGATOR", "CKT_NETSCAPE_VALID", "CKT_NETSCAPE_VALID_DELEGATOR",
    "CKT_NETSCAPE_MUST_VERIFY", "CKT_NETSCAPE_TRUST_UNKNOWN", "CKT_TRUSTED", "CKT_TRUST_ANCHOR",
    "CKT_TRUST_MUST_VERIFY_TRUST", "CKT_TRUST_UNKNOWN",
  ]
}
