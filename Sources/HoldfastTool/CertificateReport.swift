internal import HoldfastCertificates
internal import HoldfastDER

/// What stands in a certificate, for people.
extension Report {
  mutating func add(_ certificate: Certificate, at time: Timestamp) {
    line("subject", Report.text(certificate.subject))
    line("issuer", Report.text(certificate.issuer))
    line("serial number", "\(certificate.serialNumber)")
    if certificate.version != 3 { line("version", "\(certificate.version)") }
    lines(
      "valid",
      [
        "from \(certificate.notBefore)",
        "to   \(certificate.notAfter), \(Validity(certificate, at: time).text)",
      ])
    addKey(certificate.publicKey)
    line("signed with", "\(certificate.signatureAlgorithm)")
    if let id = certificate.issuerUniqueID { line("issuer unique ID", "\(id)") }
    if let id = certificate.subjectUniqueID { line("subject unique ID", "\(id)") }
    add(certificate.extensions)
    line("pin", PinText(certificate.publicKey).text())
    line(
      "SHA-256",
      Hexadecimal.text(of: certificate.fingerprint(), separator: UInt8(ascii: ":")))
    lines("findings", certificate.deviations.map { "\($0)" })
  }

  mutating func add(_ request: CertificateRequest) {
    line("subject", Report.text(request.subject))
    addKey(request.publicKey)
    line("signed with", "\(request.signatureAlgorithm), not verified")
    if let extensions = request.requestedExtensions { add(extensions) }
    for attribute in request.attributes {
      switch attribute {
      case .extensionRequest: break
      case .challengePassword(let text): line("password", text)
      case .unstructuredName(let texts): lines("other names", texts)
      case .other(let type, let values): line("attribute", "\(type): \(values)")
      }
    }
    line("pin", PinText(request.publicKey).text())
    lines("findings", request.deviations.map { "\($0)" })
  }

  mutating func add(_ key: PublicKey) {
    addKey(key)
    line("pin", PinText(key).text())
  }

  private mutating func addKey(_ key: PublicKey) {
    line("key", "\(key)")
  }

  static func text(_ name: DistinguishedName) -> String {
    name.isEmpty ? "(empty)" : "\(name)"
  }
}

/// The extensions, in the order in which people look for them.
extension Report {
  private mutating func add(_ extensions: Extensions) {
    func suffix(_ oid: OID) -> String {
      extensions[oid]?.isCritical == true ? " (critical)" : ""
    }
    addNames(extensions)
    if let usage = extensions.keyUsage {
      line("key usage", usage.names.joined(separator: ", ") + suffix(.keyUsage))
    }
    if let purposes = extensions.extendedKeyUsage {
      let names = purposes.map { ObjectNames.text($0, ObjectNames.purpose($0)) }
      line("extended usage", names.joined(separator: ", ") + suffix(.extKeyUsage))
    }
    if let basic = extensions.basicConstraints {
      var text = basic.isCA ? "yes" : "no"
      if let length = basic.pathLength { text += ", path length \(length)" }
      line("CA", text + suffix(.basicConstraints))
    }
    addConstraints(extensions)
    addPolicies(extensions)
    addIdentifiers(extensions)
    addAddresses(extensions)
    addRest(extensions)
  }

  private mutating func addNames(_ extensions: Extensions) {
    var names = extensions.subjectAlternativeNames.map { "\($0)" }
    if extensions[.subjectAltName]?.isCritical == true, let last = names.popLast() {
      names.append(last + " (critical)")
    }
    lines("names", names)
    lines("issuer's names", extensions.issuerAlternativeNames.map { "\($0)" })
  }

  private mutating func addConstraints(_ extensions: Extensions) {
    guard let constraints = extensions.nameConstraints else { return }
    func text(_ subtree: NameConstraints.Subtree) -> String {
      var text = "\(subtree.base)"
      if subtree.minimum != 0 { text += ", minimum \(subtree.minimum)" }
      if let maximum = subtree.maximum { text += ", maximum \(maximum)" }
      return text
    }
    lines("permitted names", constraints.permitted.map(text))
    lines("excluded names", constraints.excluded.map(text))
  }

  private mutating func addPolicies(_ extensions: Extensions) {
    lines(
      "policies",
      extensions.certificatePolicies.flatMap { information in
        let name = ObjectNames.policy(information.policy).map { " (\($0))" } ?? ""
        return ["\(information.policy)\(name)"] + information.qualifiers.map { "  \($0.text)" }
      })
    lines(
      "policy mappings",
      extensions.policyMappings.map { "\($0.issuerDomainPolicy) is \($0.subjectDomainPolicy)" })
    if let constraints = extensions.policyConstraints {
      if let skip = constraints.requireExplicitPolicy {
        line("policy required", "after \(skip) certificates")
      }
      if let skip = constraints.inhibitPolicyMapping {
        line("no policy mapping", "after \(skip) certificates")
      }
    }
    if let skip = extensions.inhibitAnyPolicy {
      line("no anyPolicy", "after \(skip) certificates")
    }
  }

  private mutating func addIdentifiers(_ extensions: Extensions) {
    if let identifier = extensions.subjectKeyIdentifier { line("key ID", "\(identifier)") }
    guard let authority = extensions.authorityKeyIdentifier else { return }
    if let identifier = authority.keyIdentifier { line("issuer's key ID", "\(identifier)") }
    lines("issuer's issuer", authority.issuer.map { "\($0)" })
    if let serial = authority.serialNumber { line("issuer's serial", "\(serial)") }
  }

  private mutating func addAddresses(_ extensions: Extensions) {
    func text(_ description: AccessDescription) -> String {
      let name = ObjectNames.text(description.method, ObjectNames.access(description.method))
      return "\(name) \(description.location)"
    }
    lines("issuer info", extensions.authorityInformationAccess.map(text))
    lines("subject info", extensions.subjectInformationAccess.map(text))
    lines("CRL", extensions.crlDistributionPoints.flatMap(\.texts))
    lines("freshest CRL", extensions.freshestCRL.flatMap(\.texts))
  }

  private mutating func addRest(_ extensions: Extensions) {
    if !extensions.tlsFeatures.isEmpty {
      // RFC 7633 §4.2.3: 5 is the request for a stapled OCSP answer.
      let names = extensions.tlsFeatures.map { $0 == 5 ? "status_request" : "\($0)" }
      line("TLS features", names.joined(separator: ", "))
    }
    let timestamps = extensions.signedCertificateTimestamps.count
    if timestamps > 0 { line("CT timestamps", "\(timestamps)") }
    if extensions.hasOCSPNoCheck { line("OCSP", "the responder's certificate is not checked") }
    if let attributes = extensions.subjectDirectoryAttributes {
      line("directory", "\(attributes.count) bytes of subject directory attributes")
    }
    lines(
      "other extensions",
      extensions.filter { !$0.isDecoded }.map { item in
        let name = (KnownExtension(item.oid)?.row.name).map { " (\($0))" } ?? ""
        return "\(item.oid)\(name), \(item.isCritical ? "critical" : "not critical"), "
          + "\(item.value.count) bytes"
      })
  }
}

extension DistributionPoint {
  /// The addresses, each on a line of its own.
  var texts: [String] {
    var texts: [String]
    switch name {
    case .full(let names)?: texts = names.map { "\($0)" }
    case .relative(let octets)?: texts = ["relative to the issuer: \(octets)"]
    case nil: texts = []
    }
    if let reasons { texts.append("  for reasons 0x\(String(reasons.rawValue, radix: 16))") }
    return texts + crlIssuer.map { "  signed by \($0)" }
  }
}

extension PolicyQualifier {
  /// `practice statement https://example.com/cps`.
  fileprivate var text: String {
    switch self {
    case .practiceStatement(let address): "practice statement \(address)"
    case .userNotice(let octets): "notice of \(octets.count) bytes"
    case .other(let oid, let octets): "qualifier \(oid) of \(octets.count) bytes"
    }
  }
}
