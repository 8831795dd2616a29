package import Holdfast
package import HoldfastJSON

/// What the extensions of a certificate say, in the order in which people look for them.
package struct ExtensionsReport {
  package private(set) var document = Document()
  private let extensions: Extensions

  package init(_ extensions: Extensions) {
    self.extensions = extensions
    document.add("list", extensions.map { $0 })
    addAll("names", "subjectAltName", .subjectAltName, extensions.subjectAlternativeNames)
    addAll("issuer's names", "issuerAltName", .issuerAltName, extensions.issuerAlternativeNames)
    addUsage()
    addConstraints()
    addPolicies()
    if let identifier = extensions.subjectKeyIdentifier {
      document.add("key ID", "subjectKeyIdentifier", "\(identifier)")
    }
    if let authority = extensions.authorityKeyIdentifier {
      document.add("authorityKeyIdentifier", authority.document)
    }
    document.addAll("issuer info", "authorityInfoAccess", extensions.authorityInformationAccess)
    document.addAll("subject info", "subjectInfoAccess", extensions.subjectInformationAccess)
    document.addAll("CRL", "cRLDistributionPoints", extensions.crlDistributionPoints)
    document.addAll("freshest CRL", "freshestCRL", extensions.freshestCRL)
    addRest()
  }

  /// Adds the value of an extension that is there, with a note if it is critical.
  private mutating func add(
    _ label: String, _ key: String, _ oid: OID, _ value: (some DocumentValue)?
  ) {
    guard let value else { return }
    var lines = value.lines
    if extensions[oid]?.isCritical == true, let last = lines.popLast() {
      lines.append(last + " (critical)")
    }
    document.add(label, key, Shown(value, lines))
  }

  private mutating func addAll<Values: Collection>(
    _ label: String, _ key: String, _ oid: OID, _ values: Values
  ) where Values.Element: DocumentValue {
    add(label, key, oid, values.isEmpty ? nil : Array(values))
  }

  private mutating func addUsage() {
    add(
      "key usage", "keyUsage", .keyUsage,
      extensions.keyUsage.map { Shown($0.names, $0.names.joined(separator: ", ")) })
    add(
      "extended usage", "extKeyUsage", .extKeyUsage,
      extensions.extendedKeyUsage.map { purposes in
        Shown(
          purposes.map { "\($0)" },
          purposes.map { ObjectNames.purpose($0) ?? "\($0)" }.joined(separator: ", "))
      })
  }

  private mutating func addConstraints() {
    add("CA", "basicConstraints", .basicConstraints, extensions.basicConstraints)
    guard let constraints = extensions.nameConstraints else { return }
    var group = Document()
    group.add("permitted names", "permitted", Array(constraints.permitted))
    group.add("excluded names", "excluded", Array(constraints.excluded))
    document.add("nameConstraints", group)
  }

  private mutating func addPolicies() {
    addAll("policies", "certificatePolicies", .certificatePolicies, extensions.certificatePolicies)
    addAll("policy mappings", "policyMappings", .policyMappings, extensions.policyMappings)
    func after(_ count: Int) -> Shown<Int> { Shown(count, "after \(count) certificates") }
    if let constraints = extensions.policyConstraints {
      var group = Document()
      group.add(
        "policy required", "requireExplicitPolicy", constraints.requireExplicitPolicy.map(after))
      group.add(
        "no policy mapping", "inhibitPolicyMapping", constraints.inhibitPolicyMapping.map(after))
      document.add("policyConstraints", group)
    }
    if let count = extensions.inhibitAnyPolicy {
      document.add("no anyPolicy", "inhibitAnyPolicy", after(count))
    }
  }

  private mutating func addRest() {
    let features = extensions.tlsFeatures
    if !features.isEmpty {
      // RFC 7633 §4.2.3: 5 is the request for a stapled OCSP response.
      let names = features.map { $0 == 5 ? "status_request" : "\($0)" }
      document.add(
        "TLS features", "tlsFeature",
        Shown(features.map { Int($0) }, names.joined(separator: ", ")))
    }
    let timestamps = extensions.timestamps
    if !timestamps.isEmpty {
      document.add("CT timestamps", "signedCertificateTimestamps", timestamps)
    }
    if extensions.hasOCSPNoCheck {
      document.add("OCSP", "ocspNoCheck", Shown(true, "the responder's certificate is not checked"))
    }
    if extensions.hasNoRevocationAvailable {
      document.add("revocation", "noRevAvail", Shown(true, "none is published (noRevAvail)"))
    }
    if let attributes = extensions.subjectDirectoryAttributes {
      document.add("directory", nil, "\(attributes.count) bytes of subject directory attributes")
    }
    document.addAll("other extensions", nil, extensions.filter { !$0.isDecoded })
  }
}

extension Extensions {
  /// The embedded timestamps of logs, each as it is or what is wrong with it.
  fileprivate var timestamps: [Shown<JSONValue>] {
    guard let list = self[.signedCertificateTimestamps] else { return [] }
    let (items, _) = SignedCertificateTimestamp.items(
      ofExtension: list.value, maximum: TransparencyEvaluator.maximumTimestamps)
    return items.map { item in
      switch item {
      case .success(let timestamp): Shown(timestamp.json, timestamp.text)
      case .failure(let error): Shown(.object(["problem": .string("\(error)")]), "\(error)")
      }
    }
  }
}

extension Extension: DocumentValue {
  package var lines: [Line] {
    let name = (KnownExtension(oid)?.name).map { " (\($0))" } ?? ""
    return ["\(oid)\(name), \(isCritical ? "critical" : "not critical"), \(value.count) bytes"]
  }

  package var json: JSONValue {
    var document = Document()
    document.add("oid", "\(oid)")
    document.add("name", KnownExtension(oid)?.name)
    document.add("critical", isCritical)
    document.add("decoded", isDecoded)
    if !isDecoded { document.add("value", "\(value)") }
    return document.json
  }
}

extension GeneralName: DocumentValue {
  /// `{"type": "DNS", "value": "example.com"}`, the parts of the text.
  package var json: JSONValue {
    let parts = "\(self)".split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return .object(["type": .string(String(parts[0])), "value": .string(String(parts[1]))])
  }
}

extension BasicConstraints: DocumentValue {
  package var lines: [Line] {
    [(isCA ? "yes" : "no") + (pathLength.map { ", path length \($0)" } ?? "")]
  }
  package var json: JSONValue { .object(["cA": .bool(isCA), "pathLength": .optional(pathLength)]) }
}

extension NameConstraints.Subtree: DocumentValue {
  package var lines: [Line] {
    var line = "\(base)"
    if minimum != 0 { line += ", minimum \(minimum)" }
    if let maximum { line += ", maximum \(maximum)" }
    return [Line(line)]
  }
  /// `DNS:example.com`.
  package var json: JSONValue { .string("\(base)") }
}

extension PolicyInformation: DocumentValue {
  package var lines: [Line] {
    let name = ObjectNames.policy(policy).map { " (\($0))" } ?? ""
    return ["\(policy)\(name)"] + qualifiers.map { "  \($0.text)" }
  }
  package var json: JSONValue { .string("\(policy)") }
}

extension PolicyQualifier {
  /// `practice statement https://example.com/cps`.
  fileprivate var text: String {
    switch self {
    case .practiceStatement(let address): "practice statement \(address)"
    case .userNotice(let bytes): "notice of \(bytes.count) bytes"
    case .other(let oid, let bytes): "qualifier \(oid) of \(bytes.count) bytes"
    }
  }
}

extension PolicyMapping: DocumentValue {
  package var lines: [Line] { ["\(issuerDomainPolicy) is \(subjectDomainPolicy)"] }
  package var json: JSONValue {
    .object([
      "issuerDomainPolicy": .string("\(issuerDomainPolicy)"),
      "subjectDomainPolicy": .string("\(subjectDomainPolicy)"),
    ])
  }
}

extension AuthorityKeyIdentifier {
  fileprivate var document: Document {
    var document = Document()
    document.add("issuer's key ID", "keyIdentifier", keyIdentifier.map { "\($0)" })
    document.add("issuer's issuer", "issuer", Array(issuer))
    document.add("issuer's serial", "serialNumber", serialNumber.map { "\($0)" })
    return document
  }
}

extension AccessDescription: DocumentValue {
  package var json: JSONValue {
    .object(["method": .string("\(method)"), "location": location.json])
  }
}

extension DistributionPoint: DocumentValue {
  private var relativeName: String? {
    if case .relative(let bytes)? = name { "\(bytes)" } else { nil }
  }

  /// The addresses, each on a line of its own.
  package var lines: [Line] {
    var lines: [Line] = fullNames.map { "\($0)" }
    if let relativeName { lines.append("relative to the issuer: \(relativeName)") }
    if let reasons { lines.append("  for reasons 0x\(String(reasons.rawValue, radix: 16))") }
    return lines + crlIssuer.map { "  signed by \($0)" }
  }

  /// `names` are those of the point, `relative` the bytes of a relative name.
  package var json: JSONValue {
    .object([
      "names": Array(fullNames).json, "relative": .optional(relativeName),
      "reasons": .optional(reasons.map { Int($0.rawValue) }), "crlIssuer": Array(crlIssuer).json,
    ])
  }
}

/// Names that people know identifiers by, beside the identifier itself.
package enum ObjectNames {
  /// A purpose of a key: `serverAuth`. RFC 5280 §4.2.1.12.
  package static func purpose(_ oid: OID) -> String? {
    switch oid {
    case .anyExtendedKeyUsage: "anyExtendedKeyUsage"
    case .serverAuth: "serverAuth"
    case .clientAuth: "clientAuth"
    case .codeSigning: "codeSigning"
    case .emailProtection: "emailProtection"
    case .timeStamping: "timeStamping"
    case .ocspSigning: "OCSPSigning"
    default: nil
    }
  }

  /// A policy: those that the CA/Browser Forum reserves, Baseline Requirements §7.1.6.1.
  package static func policy(_ oid: OID) -> String? {
    switch "\(oid)" {
    case "2.5.29.32.0": "anyPolicy"
    case "2.23.140.1.1": "extended validation"
    case "2.23.140.1.2.1": "domain validated"
    case "2.23.140.1.2.2": "organization validated"
    case "2.23.140.1.2.3": "individual validated"
    default: nil
    }
  }
}
