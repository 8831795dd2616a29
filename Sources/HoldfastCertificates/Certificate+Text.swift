/// What `print` shows: one line, for logs. `holdfast inspect` shows everything.
extension Certificate: CustomStringConvertible {
  /// `CN=example.com,O=Example, serial number 5eed0003, EC P-256, 2026-01-01T00:00:00Z to …, by CN=…`.
  ///
  /// A certificate without a subject shows its alternative names in place of it.
  public var description: String {
    let names = extensions.subjectAlternativeNames
    let name = subject.isEmpty ? (names.isEmpty ? "(no subject)" : "\(names)") : "\(subject)"
    let issuer = isSelfIssued ? "itself" : "\(issuer)"
    return "\(name), serial number \(serialNumber), \(publicKey), \(notBefore) to \(notAfter), "
      + "by \(issuer)"
  }
}

extension CertificateRequest: CustomStringConvertible {
  /// `CN=example.com,O=Example (request), EC P-256`.
  public var description: String {
    "\(subject.isEmpty ? "(no subject)" : "\(subject)") (request), \(publicKey)"
  }
}

extension CertificateList: CustomStringConvertible {
  /// `CN=Example CA, 12 revoked, 2026-01-01T00:00:00Z to 2026-01-08T00:00:00Z`.
  public var description: String {
    let until = nextUpdate.map { " to \($0)" } ?? ""
    return "\(issuer)\(isDelta ? " (delta)" : ""), \(count) revoked, \(thisUpdate)\(until)"
  }
}

extension OCSPResponse: CustomStringConvertible {
  /// `successful: 5eed0003 is good, 2026-01-01T00:00:00Z to 2026-01-08T00:00:00Z`.
  public var description: String {
    guard let basic else { return "\(status)" }
    let answers = basic.responses.map { answer in
      let until = answer.nextUpdate.map { " to \($0)" } ?? ""
      return
        "\(answer.certificateID.serialNumber) is \(answer.status), \(answer.thisUpdate)\(until)"
    }
    return "\(status): \(answers.joined(separator: "; "))"
  }
}

extension OCSPSingleResponse.Status: CustomStringConvertible {
  /// `good`, `revoked at 2026-04-01T12:00:00Z, keyCompromise`, `unknown to the responder`.
  public var description: String {
    switch self {
    case .good: "good"
    case .revoked(let time, let reason): "revoked at \(time)" + (reason.map { ", \($0)" } ?? "")
    case .unknown: "unknown to the responder"
    }
  }
}

extension Extensions: CustomStringConvertible {
  /// `basicConstraints (critical), keyUsage (critical), subjectAltName`.
  public var description: String { list.map { "\($0)" }.joined(separator: ", ") }
}

extension Extension: CustomStringConvertible {
  /// `keyUsage (critical)`; the number of one whose name is not known.
  public var description: String {
    (oid.revocationName ?? oid.name ?? "\(oid)") + (isCritical ? " (critical)" : "")
  }
}

extension GeneralNames: CustomStringConvertible {
  /// `DNS:example.com, IP:192.0.2.1`.
  public var description: String { map { "\($0)" }.joined(separator: ", ") }
}

extension KeyUsage: CustomStringConvertible {
  /// `digitalSignature, keyEncipherment`.
  public var description: String { names.joined(separator: ", ") }
}

extension BasicConstraints: CustomStringConvertible {
  /// `CA, path length 0`, or `no CA`.
  public var description: String {
    (isCA ? "CA" : "no CA") + (pathLength.map { ", path length \($0)" } ?? "")
  }
}
