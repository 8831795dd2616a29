internal import HoldfastCertificates
internal import HoldfastPaths

/// Runs x509-limbo.
public enum LimboRun {
  /// How strict the run is.
  public enum Rules: Sendable {
    /// Every MUST on issuance that can be seen, as limbo asks for it: RFC 5280's alone for the cases
    /// of `rfc5280::`, and those of the Baseline Requirements too for the others. The cases of
    /// `crl::` are about lists, and their issuers need not keep each MUST.
    case strict
    /// The rules that are the default for users.
    case webPKI
  }

  /// Runs the cases of one or more files.
  public static func report(
    _ cases: [LimboCase], rules: Rules = .strict
  ) -> ConformanceReport {
    var report = ConformanceReport()
    for test in cases {
      do throws(Unanswerable) {
        switch try answer(test, rules) {
        case .valid:
          report.add(test.id, expected: test.expected.rawValue, actual: "SUCCESS")
        case .refused(let rule):
          report.add(test.id, expected: test.expected.rawValue, actual: "FAILURE", rule: rule)
        }
      } catch {
        report.skip(test.id, expected: test.expected.rawValue, reason: error.reason)
      }
    }
    return report
  }

  private struct Unanswerable: Error {
    let reason: String
  }

  private enum Answer {
    case valid
    case refused(String?)
  }

  private static func answer(_ test: LimboCase, _ preset: Rules) throws(Unanswerable) -> Answer {
    let leaf: Certificate
    do throws(ParseError) {
      leaf = try Certificate(pem: test.peerCertificate)
    } catch {
      return .refused("unreadable: \(error)")
    }
    guard let time = time(test.validationTime) else {
      throw Unanswerable(reason: "no time: \(test.validationTime ?? "")")
    }
    var rules = rules(for: test, preset)
    rules.maximumPathLength = test.maximumChainDepth
    let question = PathQuestion(
      anchors: test.trustedCertificates.compactMap(Certificate.readable(pem:)),
      leaf: leaf,
      intermediates: test.intermediates.compactMap(Certificate.readable(pem:)),
      rules: rules, purposes: try purposes(test), time: time,
      revocation: test.crls.isEmpty
        ? nil
        : Revocation(
          .required(of: .leaf), lists: test.crls.compactMap(CertificateList.readable(pem:))))
    let answer = question.answer()
    if case .valid = answer { return .valid }
    return .refused(answer.rule)
  }

  private static func rules(for test: LimboCase, _ preset: Rules) -> ValidationRules {
    switch preset {
    case .webPKI: return .webPKI
    case .strict:
      if test.id.hasPrefix("crl::") { return .webPKI }
      return test.id.hasPrefix("rfc5280::") ? .strictRFC5280 : .strict
    }
  }

  /// A moment of ISO 8601; parts of a second are cut off, as certificates count whole ones.
  private static func time(_ text: String?) -> Timestamp? {
    guard let text else { return .now }
    guard let dot = text.firstIndex(of: ".") else { return Timestamp(text) }
    let rest = text[dot...].dropFirst().drop { $0.isNumber }
    return Timestamp(String(text[..<dot] + rest))
  }

  /// A purpose for each name and each use of the key that is asked for.
  private static func purposes(_ test: LimboCase) throws(Unanswerable) -> [Purpose] {
    var purpose = test.kind == .server ? Purpose.anyServer : Purpose.client
    if !test.extendedKeyUsage.isEmpty {
      purpose.extendedKeyUsages = []
      for name in test.extendedKeyUsage {
        guard let usage = usages[name] else { throw Unanswerable(reason: "unknown usage \(name)") }
        if usage != .anyExtendedKeyUsage { purpose.extendedKeyUsages.append(usage) }
      }
    }
    var purposes: [Purpose] = []
    let names = test.expectedPeerName.map { [$0] } ?? test.expectedPeerNames
    for name in names {
      purpose.identity = try identity(name)
      purposes.append(purpose)
    }
    if purposes.isEmpty { purposes = [purpose] }
    var narrowed: [Purpose] = []
    for purpose in purposes { narrowed += try withEachKeyUsage(test, purpose) }
    return narrowed
  }

  private static func withEachKeyUsage(
    _ test: LimboCase, _ purpose: Purpose
  ) throws(Unanswerable) -> [Purpose] {
    guard !test.keyUsage.isEmpty else { return [purpose] }
    var purposes: [Purpose] = []
    for name in test.keyUsage {
      guard let bit = bits[name] else { throw Unanswerable(reason: "unknown key usage \(name)") }
      var narrowed = purpose
      narrowed.keyUsage = bit
      purposes.append(narrowed)
    }
    return purposes
  }

  private static func identity(
    _ name: LimboCase.PeerName
  ) throws(Unanswerable) -> ReferenceIdentity {
    do throws(HostNameError) {
      if name.kind == "RFC822" { return .mailbox(try Mailbox(name.value)) }
      if name.kind == "DNS" || name.kind == "IP" { return .host(try HostName(name.value)) }
    } catch {
      throw Unanswerable(reason: "\(name.value): \(error)")
    }
    throw Unanswerable(reason: "unknown kind of name \(name.kind)")
  }

  private static let usages: [String: OID] = [
    "anyExtendedKeyUsage": .anyExtendedKeyUsage, "serverAuth": .serverAuth,
    "clientAuth": .clientAuth, "codeSigning": .codeSigning, "emailProtection": .emailProtection,
    "timeStamping": .timeStamping, "OCSPSigning": .ocspSigning,
  ]

  private static let bits: [String: KeyUsage] = [
    "digitalSignature": .digitalSignature, "contentCommitment": .nonRepudiation,
    "nonRepudiation": .nonRepudiation, "keyEncipherment": .keyEncipherment,
    "dataEncipherment": .dataEncipherment, "keyAgreement": .keyAgreement,
    "keyCertSign": .keyCertSign, "cRLSign": .cRLSign, "encipherOnly": .encipherOnly,
    "decipherOnly": .decipherOnly,
  ]
}
