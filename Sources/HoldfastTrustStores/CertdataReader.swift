internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths

/// Reads `certdata.txt` of NSS: objects of attributes, a line each, with bytes in octal on lines of
/// their own.
///
/// A certificate and its trust are two objects, linked by issuer and serial number.
struct CertdataReader {
  private var lines: TextLines
  private let program: RootProgram
  private var certificates: [Object] = []
  private var trust: [Key: Object] = [:]
  private var problems: [TrustStoreError] = []

  /// An object, as far as it matters here.
  private struct Object {
    /// 0 for what comes before the first object.
    let line: Int
    var attributes: [String: Value] = [:]
    /// What is wrong with it first, without its label.
    var damage: TrustStoreError?

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
  }

  private enum Value {
    case bytes([UInt8])
    case text(String)
  }

  private struct Key: Hashable {
    let issuer: [UInt8]
    let serialNumber: [UInt8]
  }

  static func read(
    _ bytes: [UInt8], _ program: RootProgram
  ) throws(TrustStoreError) -> TrustStore {
    var reader = CertdataReader(lines: TextLines(bytes), program: program)
    try reader.readObjects()
    let entries = reader.entries()
    guard !entries.isEmpty else { throw reader.problems.first ?? TrustStoreError(.noAnchors) }
    return TrustStore(.certdata, program, entries, reader.problems)
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
    guard object.attributes.updateValue(value, forKey: name) == nil else {
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
      return
    }
    switch object.text("CKA_CLASS") {
    case "CKO_CERTIFICATE": certificates.append(object)
    case "CKO_NSS_TRUST", "CKO_NETSCAPE_TRUST", "CKO_TRUST":
      guard let key = object.key else {
        problems.append(
          TrustStoreError(.value("CKA_ISSUER"), line: object.line, label: object.label))
        return
      }
      trust[key] = object
    default: break
    }
  }

  private mutating func entries() -> [TrustStore.Entry] {
    var entries: [TrustStore.Entry] = []
    var seen: Set<Certificate> = []
    for object in certificates {
      func problem(_ problem: TrustStoreError.Problem, label: String? = nil) -> TrustStoreError {
        TrustStoreError(problem, line: object.line, label: label ?? object.label)
      }
      guard let der = object.bytes("CKA_VALUE"), let key = object.key else {
        problems.append(problem(.value("CKA_VALUE")))
        continue
      }
      guard
        let certificate = TrustStore.certificate(
          der, line: object.line, label: object.label, &problems)
      else { continue }
      guard let label = object.label else {
        // All have one, so more may be lost: a date, for example.
        problems.append(problem(.value("CKA_LABEL"), label: certificate.shortName))
        continue
      }
      guard seen.insert(certificate).inserted else {
        problems.append(problem(.duplicate))
        continue
      }
      var constraints = TrustAnchor.Constraints()
      constraints.programs = [ProgramConstraint(program, anyOf: [])]
      do throws(TrustStoreError) {
        constraints.programs[0].alternatives = try alternatives(of: object, trust[key])
      } catch {
        problems.append(error)
      }
      entries.append(
        TrustStore.Entry(
          certificate: certificate, label: label, line: object.line,
          constraints: constraints, isPublic: true))
    }
    return entries
  }

  /// Returns a set of conditions for each purpose: each has its own date.
  private func alternatives(
    of object: Object, _ trust: Object?
  ) throws(TrustStoreError) -> [ProgramConstraint.Conditions] {
    guard let trust else {
      throw TrustStoreError(.noTrust, line: object.line, label: object.label)
    }
    guard trust.text("CKA_TRUST_SERVER_AUTH") != nil else {
      throw TrustStoreError(
        .value("CKA_TRUST_SERVER_AUTH"), line: trust.line, label: object.label)
    }
    var sets: [ProgramConstraint.Conditions] = []
    for row in CertdataReader.purposes
    where trust.text(row.trust)?.hasSuffix("CKT_NSS_TRUSTED_DELEGATOR") == true {
      var conditions = ProgramConstraint.Conditions()
      conditions.purposes = [row.purpose]
      if let name = row.limit, let bytes = object.bytes(name) {
        guard let limit = TrustStore.time(bytes) else {
          throw TrustStoreError(.value(name), line: object.line, label: object.label)
        }
        conditions.issuedUntil = limit
      }
      sets.append(conditions)
    }
    return sets
  }

  /// The attributes about each purpose.
  private static let purposes: [(purpose: OID, trust: String, limit: String?)] = [
    (.serverAuth, "CKA_TRUST_SERVER_AUTH", "CKA_NSS_SERVER_DISTRUST_AFTER"),
    (.emailProtection, "CKA_TRUST_EMAIL_PROTECTION", "CKA_NSS_EMAIL_DISTRUST_AFTER"),
    (.codeSigning, "CKA_TRUST_CODE_SIGNING", nil),
  ]
}
