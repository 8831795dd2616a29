internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastJSON
internal import HoldfastPaths

/// Reads our JSON for the anchors of a company.
///
/// ```
/// { "name": "Example", "date": "2026-11-01T00:00:00Z",
///   "anchors": [ { "label": "Example Root", "certificate": "-----BEGIN CERTIFICATE-----…",
///     "public": false, "conditions": [ { "issuedUntil": "2026-06-30T23:59:59Z",
///       "dnsNames": ["example.com"], "purposes": ["1.3.6.1.5.5.7.3.1"], "expires": true } ] } ] }
/// ```
///
/// `certificate` is PEM, or DER in base64. Of several `conditions` one must hold; without the
/// member there are none, and an empty list means that the anchor is not trusted, nor anything else
/// with its key. Members that are not known are errors: a constraint with a misspelled name must not
/// be lost.
enum CompanyStoreReader {
  static func read(
    _ bytes: [UInt8], source: String, date: Timestamp?
  ) throws(TrustStoreError) -> TrustStore {
    let document: JSONValue
    do throws(JSONReader.Problem) {
      document = try JSONValue(parsing: bytes)
    } catch {
      throw TrustStoreError(
        .syntax("not JSON: \(error.message) at byte \(error.offset)"),
        line: 1 + bytes.prefix(error.offset).count { $0 == 0x0A })
    }
    let members = try members(
      of: document, at: "the document", ["name", "date", "source", "anchors"])
    guard case .array(let anchors)? = members["anchors"] else {
      throw TrustStoreError(.value("anchors"))
    }
    guard anchors.count <= TrustStore.maximumEntries else {
      throw TrustStoreError(.tooManyEntries(limit: TrustStore.maximumEntries))
    }
    let program = RootProgram(
      try text(members["name"], at: "name"),
      date: try members["date"].map { (value) throws(TrustStoreError) in try time(value, at: "date")
      }
        ?? date,
      source: try members["source"].map { (value) throws(TrustStoreError) in
        try text(value, at: "source")
      } ?? source)
    var entries = StoreEntries(program)
    for (index, value) in anchors.enumerated() {
      let path = "anchors[\(index)]"
      do throws(TrustStoreError) {
        let certificate = try certificate(value["certificate"], at: path)
        do throws(TrustStoreError) {
          let entry = try entry(value, of: certificate, at: path, program)
          if entry.constraints.programs.first?.alternatives.isEmpty == true {
            entries.distrust(certificate)
          }
          entries.add(entry, at: path)
        } catch {
          // What it demands is lost.
          entries.distrust(certificate)
          throw error
        }
      } catch {
        entries.problems.append(error)
      }
    }
    return try entries.store(.json)
  }

  private static func certificate(
    _ value: JSONValue?, at path: String
  ) throws(TrustStoreError) -> Certificate {
    let encoded = Array(try text(value, at: "\(path).certificate").utf8)
    let der =
      PEMText.isLikely(encoded)
      ? PEMText(encoded, labels: Certificate.labels).blocks.first?.bytes
      : Base64.bytes(of: encoded)
    guard let der else { throw TrustStoreError(.value("certificate"), label: path) }
    do throws(ParseError) {
      return try Certificate(der: der)
    } catch {
      throw TrustStoreError(.certificate(error), label: path)
    }
  }

  private static func entry(
    _ value: JSONValue, of certificate: Certificate, at path: String, _ program: RootProgram
  ) throws(TrustStoreError) -> TrustStore.Entry {
    let members = try members(
      of: value, at: path, ["label", "certificate", "public", "conditions"])
    var isPublic = false
    switch members["public"] {
    case nil: break
    case .bool(let value)?: isPublic = value
    default: throw TrustStoreError(.value("public"), label: path)
    }
    var constraints = TrustAnchor.Constraints()
    switch members["conditions"] {
    case nil:
      // A root of the web is in the program that lists it.
      if isPublic { constraints.programs = [ProgramConstraint(program, anyOf: [.init()])] }
    case .array(let values)?:
      var sets: [ProgramConstraint.Conditions] = []
      for (index, value) in values.enumerated() {
        sets.append(try conditions(value, at: "\(path).conditions[\(index)]"))
      }
      constraints.programs = [ProgramConstraint(program, anyOf: sets)]
    default: throw TrustStoreError(.value("conditions"), label: path)
    }
    let label = try members["label"].map { (value) throws(TrustStoreError) in
      try text(value, at: "\(path).label")
    }
    return TrustStore.Entry(
      certificate: certificate, label: label ?? certificate.shortName, line: nil,
      constraints: constraints, isPublic: isPublic)
  }

  private static let conditionNames: Set<String> = [
    "issuedUntil", "issuedAfter", "loggedUntil", "loggedAfter", "dnsNames", "purposes", "policies",
    "expires",
  ]

  private static func conditions(
    _ value: JSONValue, at path: String
  ) throws(TrustStoreError) -> ProgramConstraint.Conditions {
    var conditions = ProgramConstraint.Conditions()
    for (name, value) in try members(of: value, at: path, conditionNames) {
      let path = "\(path).\(name)"
      switch name {
      case "issuedUntil": conditions.issuedUntil = try time(value, at: path)
      case "issuedAfter": conditions.issuedAfter = try time(value, at: path)
      case "loggedUntil": conditions.loggedUntil = try time(value, at: path)
      case "loggedAfter": conditions.loggedAfter = try time(value, at: path)
      case "dnsNames": conditions.dnsNames = try texts(value, at: path)
      case "purposes": conditions.purposes = try identifiers(value, at: path)
      case "policies": conditions.policies = try identifiers(value, at: path)
      default:
        guard case .bool(let enforces) = value else { throw TrustStoreError(.value(path)) }
        conditions.enforcesExpiry = enforces
      }
    }
    return conditions
  }

  private static func members(
    of value: JSONValue, at path: String, _ known: Set<String>
  ) throws(TrustStoreError) -> [String: JSONValue] {
    guard case .object(let members) = value else { throw TrustStoreError(.value(path)) }
    var found: [String: JSONValue] = [:]
    for member in members {
      guard known.contains(member.name) else {
        throw TrustStoreError(.unknownConstraint(member.name), label: path)
      }
      // The reader of JSON rejects names that occur twice.
      found[member.name] = member.value
    }
    return found
  }

  private static func text(_ value: JSONValue?, at path: String) throws(TrustStoreError) -> String {
    guard case .string(let text)? = value else { throw TrustStoreError(.value(path)) }
    return text
  }

  private static func texts(
    _ value: JSONValue, at path: String
  ) throws(TrustStoreError) -> [String] {
    guard case .array(let values) = value else { throw TrustStoreError(.value(path)) }
    var texts: [String] = []
    for value in values { texts.append(try text(value, at: path)) }
    return texts
  }

  private static func identifiers(
    _ value: JSONValue, at path: String
  ) throws(TrustStoreError) -> [OID] {
    var identifiers: [OID] = []
    for text in try texts(value, at: path) {
      guard let oid = OID(text) else { throw TrustStoreError(.value(path)) }
      identifiers.append(oid)
    }
    return identifiers
  }

  private static func time(
    _ value: JSONValue, at path: String
  ) throws(TrustStoreError) -> Timestamp {
    guard let time = Timestamp(try text(value, at: path)) else {
      throw TrustStoreError(.value(path))
    }
    return time
  }
}
