internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths

/// Reads Chrome's root store: `root_store.textproto` names certificates by their SHA-256, which are
/// in `root_store.certs`.
///
/// Conditions on the browser's version are decided as its newest version does: a set with a minimum
/// applies, one with a maximum does not.
///
/// Departs: `validity_starts_not_after_sec` is about notBefore alone in Chrome; here a verified
/// timestamp of a log counts too, which catches what was backdated.
enum ChromeStoreReader {
  static func read(
    _ textproto: [UInt8], _ certificates: [UInt8], date: Timestamp?
  ) throws(TrustStoreError) -> TrustStore {
    let (fields, damage) = try TextprotoReader.read(
      textproto, entries: ["trust_anchors", "additional_certs"])
    let version = fields.first { $0.name == "version_major" }?.number
    let program = RootProgram(
      "Chrome", date: date, source: "root store \(version.map { "version \($0)" } ?? "")")
    let bundle = CertificateBundle(certificates)
    var entries = StoreEntries(
      program,
      problems: damage.map { $0.problem }
        + bundle.errors.map { TrustStoreError(.certificate($0), label: "root_store.certs") })
    var byDigest: [String: Certificate] = [:]
    for certificate in bundle.certificates { byDigest[certificate.sha256] = certificate }
    // What a damaged entry demands is lost, so the certificates that it names are not trusted.
    for text in damage.map({ $0.text }) {
      for word in text.split(whereSeparator: { Hexadecimal.value(of: $0) == nil }) {
        if let certificate = byDigest[String(decoding: word, as: UTF8.self)] {
          entries.distrust(certificate)
        }
      }
    }
    for field in fields {
      let isServers: Bool
      switch field.name {
      case "trust_anchors": isServers = true
      case "additional_certs":
        isServers = field.fields?.contains { $0.name == "tls_trust_anchor" && $0.isTrue } ?? false
      default: continue
      }
      guard entries.count < TrustStore.maximumEntries else {
        throw TrustStoreError(.tooManyEntries(limit: TrustStore.maximumEntries), line: field.line)
      }
      guard let members = field.fields else {
        throw TrustStoreError(.syntax("expected {"), line: field.line)
      }
      let name = members.first { $0.name == "display_name" }?.text
      let digests = members.filter { $0.name == "sha256_hex" }.map { $0.text ?? "" }
      guard let digest = digests.first, digests.count == 1 else {
        // Two may be the rests of two entries, of which neither is known.
        for certificate in digests.compactMap({ byDigest[$0] }) { entries.distrust(certificate) }
        entries.problems.append(
          TrustStoreError(.value("sha256_hex"), line: field.line, label: name))
        continue
      }
      guard let certificate = byDigest[digest] else {
        entries.problems.append(
          TrustStoreError(.unknownDigest(digest), line: field.line, label: name))
        continue
      }
      let label = name ?? certificate.shortName
      var constraint = ProgramConstraint(program, anyOf: [])
      if isServers {
        do throws(TrustStoreError) {
          constraint.alternatives = try alternatives(of: members, label: label)
        } catch {
          // What it demands is lost, so no other certificate of its key may take its place.
          entries.distrust(certificate)
          entries.problems.append(error)
        }
      }
      var constraints = TrustAnchor.Constraints()
      constraints.programs = [constraint]
      entries.add(
        TrustStore.Entry(
          certificate: certificate, label: label, line: field.line, constraints: constraints,
          isPublic: true))
    }
    return try entries.store(.chrome)
  }

  private static func alternatives(
    of anchor: [TextprotoReader.Field], label: String
  ) throws(TrustStoreError) -> [ProgramConstraint.Conditions] {
    var base = ProgramConstraint.Conditions()
    base.purposes = [.serverAuth]
    base.enforcesExpiry = anchor.contains { $0.name == "enforce_anchor_expiry" && $0.isTrue }
    var sets: [ProgramConstraint.Conditions] = []
    var hasConstraints = false
    for field in anchor where field.name == "constraints" {
      hasConstraints = true
      guard let members = field.fields else {
        throw TrustStoreError(.value(field.name), line: field.line, label: label)
      }
      var conditions = base
      var names: Set<String> = []
      for member in members {
        guard member.name == "permitted_dns_names" || names.insert(member.name).inserted else {
          throw TrustStoreError(.value(member.name), line: member.line, label: label)
        }
        try add(member, to: &conditions, label: label)
      }
      if !members.contains(where: { $0.name == "max_version_exclusive" }) {
        sets.append(conditions)
      }
    }
    return hasConstraints ? sets : [base]
  }

  private static func add(
    _ field: TextprotoReader.Field, to conditions: inout ProgramConstraint.Conditions,
    label: String
  ) throws(TrustStoreError) {
    let time = field.number.map { Timestamp(secondsSince1970: $0) }
    switch (field.name, time, field.text) {
    case ("sct_not_after_sec", let time?, _): conditions.loggedUntil = time
    case ("sct_all_after_sec", let time?, _): conditions.loggedAfter = time
    case ("validity_starts_not_after_sec", let time?, _): conditions.issuedUntil = time
    case ("validity_starts_after_sec", let time?, _): conditions.issuedAfter = time
    case ("permitted_dns_names", _, let name?):
      conditions.dnsNames = (conditions.dnsNames ?? []) + [name]
    case ("min_version", _, _?), ("max_version_exclusive", _, _?): break
    // These are about Merkle tree certificates alone.
    case ("index_not_after", _?, _), ("index_after", _?, _): break
    default: throw TrustStoreError(.unknownConstraint(field.name), line: field.line, label: label)
    }
  }
}
