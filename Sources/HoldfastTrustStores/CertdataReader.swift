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
    let line: Int
    var attributes: [String: Value] = [:]

    var label: String { if case .text(let text)? = attributes["CKA_LABEL"] { text } else { "" } }

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
    guard !entries.isEmpty else { throw TrustStoreError(.noAnchors) }
    return TrustStore(.certdata, program, entries, reader.problems)
  }

  private init(lines: TextLines, program: RootProgram) {
    self.lines = lines
    self.program = program
  }

  private mutating func readObjects() throws(TrustStoreError) {
    var object: Object?
    while let line = lines.next() {
      guard line.has(prefix: "CKA_") else { continue }
      let words = line.bytes.split(separator: 0x20, maxSplits: 2)
      let name = String(decoding: words[0], as: UTF8.self)
      if name == "CKA_CLASS" {
        try add(object)
        object = Object(line: line.number)
      }
      guard words.count > 1 else {
        throw TrustStoreError(.syntax("no type"), line: line.number, label: object?.label)
      }
      let value: Value
      if words[1].elementsEqual("MULTILINE_OCTAL".utf8) {
        value = .bytes(try readOctal(label: object?.label))
      } else {
        value = .text(CertdataReader.unquoted(words.count > 2 ? words[2] : []))
      }
      object?.attributes[name] = value
    }
    try add(object)
  }

  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    if bytes.count > 1, bytes.first == 0x22, bytes.last == 0x22 {
      bytes = bytes.dropFirst().dropLast()
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads lines of `\060\202` up to `END`.
  private mutating func readOctal(label: String?) throws(TrustStoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let line = lines.next() {
      if line.has(prefix: "END") { return bytes }
      var rest = line.bytes
      while !rest.isEmpty {
        let digits = rest.dropFirst().prefix(3)
        guard rest.first == 0x5C, digits.count == 3, digits.allSatisfy({ 0x30...0x37 ~= $0 })
        else { throw TrustStoreError(.syntax("not octal"), line: line.number, label: label) }
        let value = digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }
        guard let byte = UInt8(exactly: value) else {
          throw TrustStoreError(.syntax("more than a byte"), line: line.number, label: label)
        }
        bytes.append(byte)
        rest = rest.dropFirst(4)
      }
    }
    throw TrustStoreError(.syntax("expected END"), line: lines.number, label: label)
  }

  private mutating func add(_ object: Object?) throws(TrustStoreError) {
    guard let object else { return }
    guard max(certificates.count, trust.count) < TrustStore.maximumEntries else {
      throw TrustStoreError(.tooManyEntries(limit: TrustStore.maximumEntries), line: object.line)
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
      func problem(_ problem: TrustStoreError.Problem) -> TrustStoreError {
        TrustStoreError(problem, line: object.line, label: object.label)
      }
      guard let der = object.bytes("CKA_VALUE"), let key = object.key else {
        problems.append(problem(.value("CKA_VALUE")))
        continue
      }
      guard
        let certificate = TrustStore.certificate(
          der, line: object.line, label: object.label, &problems)
      else { continue }
      guard seen.insert(certificate).inserted else {
        problems.append(problem(.duplicate))
        continue
      }
      if trust[key] == nil { problems.append(problem(.noTrust)) }
      var constraints = TrustAnchor.Constraints()
      do throws(TrustStoreError) {
        let sets = try alternatives(of: object, trust[key])
        constraints.programs = [ProgramConstraint(program, anyOf: sets)]
      } catch {
        problems.append(error)
        constraints.programs = [ProgramConstraint(program, anyOf: [])]
      }
      entries.append(
        TrustStore.Entry(
          certificate: certificate, label: object.label, line: object.line,
          constraints: constraints, isPublic: true))
    }
    return entries
  }

  /// Returns a set of conditions for each purpose: each has its own date.
  private func alternatives(
    of object: Object, _ trust: Object?
  ) throws(TrustStoreError) -> [ProgramConstraint.Conditions] {
    var sets: [ProgramConstraint.Conditions] = []
    for row in CertdataReader.purposes
    where trust?.text(row.trust)?.hasSuffix("CKT_NSS_TRUSTED_DELEGATOR") == true {
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
