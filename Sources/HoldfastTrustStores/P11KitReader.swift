internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths

/// Reads the text format of p11-kit: objects that begin with `[p11-kit-object-v1]`, lines of
/// `name: value`, and a certificate or a public key in PEM.
///
/// Besides certificates there are extensions, which a distribution staples to those that have the
/// same key.
struct P11KitReader {
  private let program: RootProgram
  private var objects: [Object] = []
  private var problems: [TrustStoreError] = []

  private struct Object {
    /// 0 for what comes before the first object.
    let line: Int
    var values: [String: [UInt8]] = [:]
    var pem: [UInt8] = []
    /// What is wrong with it first, without its label.
    var damage: TrustStoreError?

    func text(_ name: String) -> String? {
      values[name].map { String(decoding: $0, as: UTF8.self) }
    }

    var label: String? { text("label") }
    var isTrusted: Bool { text("trusted") == "true" && !isDistrust }
    /// Whether it distrusts its certificate, or says so in a way that is not understood.
    var isDistrust: Bool { text("x-distrusted").map { $0 != "false" } ?? false }
    /// Whether it is of Mozilla's program, rather than one that an administrator added.
    var isOfMozilla: Bool { text("nss-mozilla-ca-policy") == "true" }
    var isExtension: Bool { text("class") == "x-certificate-extension" }
    /// Whether it may be a certificate. A block in PEM implies the class; `trust dump` also writes
    /// objects of other classes, which say the same again.
    var isCertificate: Bool { text("class").map { $0 == "certificate" } ?? true }

    /// The bytes of the PEM blocks with a label.
    func blocks(_ label: String) -> [[UInt8]] {
      PEMText(pem, labels: [label]).blocks.map { $0.bytes }
    }

    func block(_ label: String) -> [UInt8]? { blocks(label).first }
  }

  static func read(
    _ bytes: [UInt8], _ program: RootProgram
  ) throws(TrustStoreError) -> TrustStore {
    var reader = P11KitReader(program: program)
    try reader.readObjects(TextLines(bytes))
    var entries = reader.entries()
    return try entries.store(.p11Kit)
  }

  private init(program: RootProgram) { self.program = program }

  private mutating func readObjects(_ lines: TextLines) throws(TrustStoreError) {
    var lines = lines
    var object = Object(line: 0)
    var isInPEM = false
    while let line = lines.next() {
      if line.has(prefix: "[p11-kit-object-v1]") {
        if isInPEM { object.damage = object.damage ?? P11KitReader.unfinished(line.number) }
        isInPEM = false
        try add(object)
        object = Object(line: line.number)
      } else if isInPEM || line.has(prefix: "-----BEGIN ") {
        object.pem += line.bytes
        object.pem.append(0x0A)
        isInPEM = !line.has(prefix: "-----END ")
      } else if !line.isEmpty, !line.isComment {
        do throws(TrustStoreError) {
          try P11KitReader.readValue(line, into: &object)
        } catch {
          object.damage = object.damage ?? error
        }
      }
    }
    if isInPEM { object.damage = object.damage ?? P11KitReader.unfinished(lines.number) }
    try add(object)
  }

  private static func unfinished(_ line: Int) -> TrustStoreError {
    TrustStoreError(.syntax("expected -----END"), line: line)
  }

  private mutating func add(_ object: Object) throws(TrustStoreError) {
    guard objects.count < TrustStore.maximumEntries else {
      throw TrustStoreError(.tooManyEntries(limit: TrustStore.maximumEntries), line: object.line)
    }
    if object.line == 0, object.damage == nil, !object.pem.isEmpty {
      problems.append(TrustStoreError(.syntax("expected [p11-kit-object-v1]"), line: 1))
    }
    if let damage = object.damage {
      problems.append(TrustStoreError(damage.problem, line: damage.line, label: object.label))
    }
    // A damaged extension is kept: what it is for must not be trusted without it.
    if object.line > 0 { objects.append(object) }
  }

  private static func readValue(
    _ line: TextLines.Line, into object: inout Object
  ) throws(TrustStoreError) {
    guard let colon = line.bytes.firstIndex(of: 0x3A),
      let value = P11KitReader.value(line.bytes[(colon + 1)...])
    else { throw TrustStoreError(.syntax("expected name: value"), line: line.number) }
    let name = String(decoding: line.bytes[..<colon], as: UTF8.self)
    guard object.values.updateValue(value, forKey: name) == nil else {
      throw TrustStoreError(.syntax("\(name) occurs twice"), line: line.number)
    }
  }

  /// Returns a value without its quotes, `%` and two digits standing for a byte; nil if it is
  /// malformed.
  private static func value(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    let text = bytes.drop { $0 == 0x20 }
    guard text.first == 0x22 else { return Array(text) }
    guard text.count > 1, text.last == 0x22 else { return nil }
    var rest = text.dropFirst().dropLast()
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        value.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Hexadecimal.value),
        let low = rest.popFirst().flatMap(Hexadecimal.value)
      else { return nil }
      value.append(high << 4 | low)
    }
    return value
  }

  private mutating func entries() -> StoreEntries {
    let (extensions, failed) = staples()
    var entries = StoreEntries(program, problems: problems)
    for object in objects where object.isDistrust || object.damage != nil {
      P11KitReader.distrust(object, &entries)
    }
    for object in objects where object.isCertificate && object.damage == nil {
      guard let der = object.block("CERTIFICATE") else {
        if !object.isDistrust {
          entries.problems.append(
            TrustStoreError(.value("certificate"), line: object.line, label: object.label))
        }
        continue
      }
      guard
        let certificate = TrustStore.certificate(
          der, line: object.line, label: object.label, &entries.problems)
      else { continue }
      let key = Array(certificate.publicKey.der)
      var constraints = TrustAnchor.Constraints()
      var sets: [ProgramConstraint.Conditions] = []
      do throws(TrustStoreError) {
        if object.isTrusted {
          let found = try alternatives(of: object, extensions[key])
          if !failed.contains(key) { (constraints.names, sets) = (extensions[key]?.names, found) }
        }
      } catch {
        // Its date is lost, so no other certificate of its key or number may take its place, whatever
        // an extension says of it.
        entries.distrust(certificate)
        entries.problems.append(error)
      }
      constraints.programs = [ProgramConstraint(program, anyOf: sets)]
      entries.add(
        TrustStore.Entry(
          certificate: certificate, label: object.label ?? certificate.shortName,
          line: object.line, constraints: constraints, isPublic: object.isOfMozilla))
    }
    return entries
  }

  /// Distrusts what an object distrusts: certificates, keys, or a certificate by its issuer and
  /// serial number alone. What a damaged object says of its certificate is lost, so that is
  /// distrusted, too.
  private static func distrust(_ object: Object, _ entries: inout StoreEntries) {
    var isAnything = false
    for der in object.blocks("CERTIFICATE") {
      isAnything = true
      // A certificate that cannot be read is a problem of its entry.
      if case .success(let certificate) = Result(catching: { () throws(ParseError) in
        try Certificate(der: der)
      }) {
        entries.distrust(certificate)
      }
    }
    // The key of a damaged extension is among the failed ones.
    for key in object.isDistrust ? object.blocks("PUBLIC KEY") : [] {
      isAnything = true
      entries.distrust(.key(key))
    }
    if let issuer = object.values["issuer"], let number = object.values["serial-number"] {
      isAnything = true
      // Some write the number without its DER header.
      let content = P11KitReader.content(ofInteger: number) ?? number
      entries.distrust(.number(SerialNumber(content), issuer: issuer))
    }
    guard object.isDistrust, object.damage == nil else { return }
    if !isAnything {
      entries.problems.append(
        TrustStoreError(.value("certificate"), line: object.line, label: object.label))
    }
    if object.text("trusted") == "true" {
      entries.problems.append(
        TrustStoreError(.contradiction, line: object.line, label: object.label))
    }
    if object.text("x-distrusted") != "true" {
      entries.problems.append(
        TrustStoreError(.value("x-distrusted"), line: object.line, label: object.label))
    }
  }

  private static func content(ofInteger der: [UInt8]) -> [UInt8]? {
    do throws(DERError) {
      var reader = DERReader(der)
      let content = try reader.readContent(.integer, in: der)
      try reader.finish()
      return Array(content)
    } catch {
      return nil
    }
  }

  /// Returns the conditions for servers and for e-mail, which may have dates of their own, and
  /// those for all other purposes.
  private func alternatives(
    of object: Object, _ staple: Staple?
  ) throws(TrustStoreError) -> [ProgramConstraint.Conditions] {
    let dated: [(purpose: OID, name: String)] = [
      (.serverAuth, "nss-server-distrust-after"), (.emailProtection, "nss-email-distrust-after"),
    ]
    var limits: [OID: Timestamp] = [:]
    for row in dated {
      // One zero byte is a boolean: there is no date.
      guard let bytes = object.values[row.name], bytes != [0], !bytes.isEmpty else { continue }
      guard let limit = TrustStore.time(bytes) else {
        throw TrustStoreError(.value(row.name), line: object.line, label: object.label)
      }
      limits[row.purpose] = limit
    }
    let rejected = staple?.rejected ?? []
    guard staple?.purposes != nil || !rejected.isEmpty || !limits.isEmpty else {
      return [ProgramConstraint.Conditions()]
    }
    let allowed =
      staple?.purposes ?? [.serverAuth, .clientAuth, .emailProtection, .codeSigning, .timeStamping]
    return allowed.filter { !rejected.contains($0) }.map { purpose in
      var conditions = ProgramConstraint.Conditions()
      conditions.purposes = [purpose]
      conditions.issuedUntil = limits[purpose]
      return conditions
    }
  }
}

/// Extensions that a distribution staples to a key.
extension P11KitReader {
  private struct Staple {
    var purposes: [OID]?
    var rejected: [OID] = []
    var names: NameConstraints?
  }

  /// Returns the stapled extensions by key, and the keys with one that cannot be understood: their
  /// certificates are not trusted.
  private mutating func staples() -> (staples: [[UInt8]: Staple], failed: Set<[UInt8]>) {
    var staples: [[UInt8]: Staple] = [:]
    var failed: Set<[UInt8]> = []
    // A damaged object may have lost its class.
    for object in objects where object.isExtension || object.damage != nil {
      let key = object.block("PUBLIC KEY")
      if object.damage != nil {
        if let key { failed.insert(key) }
        continue
      }
      guard let key, let name = object.text("object-id"), let oid = OID(name),
        let value = object.values["value"]
      else {
        if let key { failed.insert(key) }
        problems.append(
          TrustStoreError(.value("object-id"), line: object.line, label: object.label))
        continue
      }
      do throws(DERError) {
        try P11KitReader.add(
          oid, P11KitReader.content(of: value, oid), to: &staples[key, default: .init()])
      } catch {
        failed.insert(key)
        problems.append(
          TrustStoreError(.unknownConstraint(name), line: object.line, label: object.label))
      }
    }
    return (staples, failed)
  }

  /// Returns the value of an extension: newer files have the whole extension.
  private static func content(of value: [UInt8], _ oid: OID) throws(DERError) -> [UInt8] {
    var outer = DERReader(value)
    guard var fields = try outer.readIfPresent(.sequence, in: value),
      fields.nextTag(in: value) == .objectIdentifier
    else { return value }
    // An extended key usage of one purpose begins the same way.
    let first = try OID(content: fields.readContent(.objectIdentifier, in: value))
    guard first == oid else { return value }
    if fields.nextTag(in: value) == .boolean { _ = try fields.readContent(.boolean, in: value) }
    let content = try fields.readContent(.octetString, in: value)
    try fields.finish()
    return Array(content)
  }

  private static func add(
    _ oid: OID, _ value: [UInt8], to staple: inout Staple
  ) throws(DERError) {
    var reader = DERReader(value)
    var deviations: [EncodingDeviation] = []
    switch oid {
    case .extKeyUsage: staple.purposes = try purposes(&reader, in: value)
    case rejectedPurposes: staple.rejected = try purposes(&reader, in: value)
    case .nameConstraints:
      staple.names = try NameConstraints(&reader, in: value, &deviations)
    default: return
    }
    try reader.finish()
  }

  /// The purposes that OpenSSL's auxiliary data rejects, as p11-kit stores them.
  private static let rejectedPurposes: OID = "1.3.6.1.4.1.3319.6.10.1"

  private static func purposes(
    _ reader: inout DERReader, in input: [UInt8]
  ) throws(DERError) -> [OID] {
    var list = try reader.readNonEmpty(.sequence, in: input)
    var purposes: [OID] = []
    while !list.isAtEnd {
      purposes.append(try OID(content: list.readContent(.objectIdentifier, in: input)))
    }
    return purposes
  }
}
