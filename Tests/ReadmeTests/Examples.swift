import Holdfast
import HoldfastConfigurations

// The examples of README.md and of the articles, word for word. A test compares them; the compiler
// does the rest.

private func read(_ text: String) throws {
  let certificate = try Certificate(pem: text)
  print(certificate.subject)  // CN=www.demo.example,O=Demo Bakery,C=SE
  print(certificate.notBefore, "–", certificate.notAfter)
  print(certificate)  // one line, for logs; also paths, pins, CRLs and responses
  for case .dns(let name) in certificate.extensions.subjectAlternativeNames {
    print(name)
  }
}

private func pin(_ presented: [Certificate], _ pinInUse: String, _ pinOfBackup: String) throws {
  let manager = try TrustManager(pins: ["**.example.com": [pinInUse, pinOfBackup]])
  let verdict = try manager.evaluate(presented, host: "www.example.com")
  print(verdict)  // www.example.com: sha256/… is the leaf of path 1
}

private func validate() throws {
  let presented = try Certificate.certificates(inFile: "-")  // at least one, or an error
  let validator = PathValidator(anchors: try .system())
  do {
    let path = try validator.validate(presented, for: .server("www.demo.example"))
    print("trusted through", path.anchor.name)
  } catch {
    print(error)
  }
}

private func validateOnce(_ presented: [Certificate]) throws {
  let validator = PathValidator(anchors: try .system())
  let path = try validator.validate(presented, for: .server("example.com"))
  print("trusted through", path.anchor.name)
}

private func answer(_ requests: AsyncStream<Question>, _ validator: PathValidator)
  async throws
{
  for try await answer in validator.answers(to: requests, concurrency: 2) {
    switch answer {
    case .success(let path): print("trusted: \(path)")
    case .failure(let error): print("rejected: \(error)")
    }
  }
}

private func bringPins() throws -> TrustManager {
  let configuration = try PinConfiguration(file: "network_security_config.xml")
  for remark in configuration.remarks { print(remark) }
  let manager = TrustManager(configuration: configuration, anchors: try .system())
  return manager
}

private func explain(_ validator: PathValidator, _ presented: [Certificate]) throws {
  do {
    _ = try validator.validate(presented, for: .server("example.com"))
  } catch {
    print(error)
    for rejection in error.rejections {
      print(rejection.rule.name, rejection.rule.citation)
    }
  }
}

private func ourRoots() throws -> PathValidator {
  var rules = ValidationRules.webPKI
  rules.signatures.minimumRSABits = 3072
  rules.check = { certificate, index in
    index > 2 ? Violation("our paths have at most three certificates") : nil
  }
  let ours = AnchorSet(try Certificate.certificates(inFile: "our-roots.pem"))
  let validator = PathValidator(anchors: ours, rules: rules)
  return validator
}

private func revocation(
  _ validator: PathValidator, _ presented: [Certificate], _ staple: [UInt8], _ downloaded: [UInt8]
) throws {
  let stapled = try OCSPResponse(der: staple)
  let crl = try CRL(der: downloaded)
  let known = Revocation(.required(of: .leaf), crls: [crl], ocspResponses: [stapled])
  let path = try validator.validate(
    presented, for: .server("example.com"), revocation: known)
  // prints "is not revoked" and what each CRL or response says
  for certificate in path.revocation { print(certificate) }
}

private func bundle(_ bytes: [UInt8]) {
  let bundle = CertificateBundle(bytes)
  print(bundle.certificates.count, "certificates")
  for error in bundle.errors { print(error) }  // block 3, line 41: validity: time is not in …
}

private func pin(_ certificate: Certificate) {
  let pin = certificate.publicKey.pin
  print(pin)  // sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo=
}

private func names(_ certificate: Certificate, _ root: Certificate) -> (Bool, String?) {
  let sameName = certificate.issuer.matches(root.subject)
  let country = certificate.subject.last(.countryName)?.text
  return (sameName, country)
}

private func batch(
  _ validator: PathValidator, _ leaves: [Certificate], _ intermediates: [Certificate],
  _ time: Timestamp
) async throws {
  let requests = AsyncStream<Question> { requests in
    for leaf in leaves {
      requests.yield(Question([leaf] + intermediates, for: .any, at: time))
    }
    requests.finish()
  }
  for try await answer in validator.answers(to: requests, concurrency: 8) {
    if case .failure(let error) = answer { print(error) }
  }
}

private func live(
  _ manager: TrustManager, _ renewed: TrustManager, _ presented: [Certificate]
) throws {
  let trust = LiveTrust(manager)
  let verdict = try trust.evaluate(presented, host: "www.example.com")
  trust.update(renewed)
  print(trust.generation, verdict.isValid(for: "www.example.com"))  // 1 false
}

private func files() throws {
  var files = TrustFiles()
  files.anchors = ["/etc/trust/ca.pem"]
  files.crls = ["/etc/trust/ca.crl"]
  files.revocation = .required(of: .leaf)
  let trust = try FilesTrust(files, every: .seconds(10))
  for ending in trust.status.endings where ending.days() < 14 {
    print(ending)  // crl CN=Example CA: until 2026-02-01T00:00:00Z, then connections fail
  }
}

private func rotate(
  _ presented: [Certificate], _ pinInUse: String, _ pinOfBackup: String, _ host: String,
  startAnew: () -> Void
) throws {
  let pins = try PinSet(
    [
      ScopedPin(try Pin(pinInUse), in: .leaf),
      ScopedPin(try Pin(pinOfBackup), in: .leaf, label: "backup key, in the safe"),
    ],
    expiry: .init(at: "2028-01-01", action: .reportOnly))
  let hosts = try PinTable(["**.example.com": pins])
  let manager = TrustManager(pins: hosts, anchors: try .system())
  let verdict = try manager.evaluate(presented, host: "www.example.com")
  for warning in verdict.warnings { print(warning) }
  if !verdict.isValid(for: host) { startAnew() }
}

/// Made once, used for every connection and by any number of threads.
struct Gate: Sendable {
  let manager: TrustManager

  init(pins: [String], of host: String, rootsInFile roots: String?) throws {
    let anchors =
      try roots.map { AnchorSet(try Certificate.certificates(inFile: $0)) } ?? .system()
    let hosts = try PinTable([host: PinSet(pins.map { try Pin($0) })])
    manager = TrustManager(pins: hosts, anchors: anchors)
  }

  /// What stands against a connection; nil to go on.
  func objection(to presentedDER: [[UInt8]], from host: String, staple: [UInt8]?) -> String? {
    do {
      let verdict = try manager.evaluate(der: presentedDER, host: host, staple: staple)
      for warning in verdict.warnings { print(warning) }
      return nil
    } catch {
      return "\(error)"
    }
  }
}

private func trustCA() throws -> TrustManager {
  let manager = TrustManager(anchors: try AnchorSet(file: "ca.pem"))
  return manager
}

private func trustCA(_ chain: [[UInt8]], _ staple: [UInt8]?) throws {
  let crl = try CRL(file: "ca.crl")  // PEM or DER
  let manager = TrustManager(
    anchors: try AnchorSet(file: "ca.pem"), rules: .rfc5280,
    revocation: Revocation(.required(of: .leaf), crls: [crl]))
  let verdict = try manager.evaluate(der: chain, host: "db.internal.example", staple: staple)
  print(verdict)
}

private func requireStaple() throws -> TrustManager {
  let manager = TrustManager(
    anchors: try AnchorSet(file: "ca.pem"), rules: .rfc5280,
    revocation: Revocation(.required(of: .leaf)))
  return manager
}

private func clients(_ chain: [Certificate]) throws {
  let authority = try AnchorSet(file: "clients-ca.pem")
  let validator = PathValidator(anchors: authority, rules: .rfc5280)
  let path = try validator.validate(chain, for: .client)
  print("welcome,", path.leaf.subject.commonName ?? "client")
}

private func log(_ validator: PathValidator, _ presented: [Certificate]) throws {
  let diagnosis = validator.diagnose(presented, for: try .server("example.com"))
  print(diagnosis)  // the valid path, or all that was tried
}

private func systemAnchors() throws {
  let (anchors, report) = try AnchorSet.systemWithReport()
  print(anchors)  // 139 anchors
  // /etc/ssl/certs/ca-certificates.crt: 139 certificates, and what was skipped
  print(report)
}

private func limit(_ anchors: AnchorSet, _ presented: [Certificate]) throws {
  var limits = Limits.default
  limits.publicKeyOperations = 20
  let validator = PathValidator(anchors: anchors, limits: limits)
  do {
    _ = try validator.validate(presented, for: .server("example.com"))
  } catch {
    if case .limitReached(let limit) = error.cause { print("not decided:", limit) }
  }
}

private func diagnose(_ validator: PathValidator, _ presented: [Certificate]) throws {
  let diagnosis = validator.diagnose(presented, for: try .server("example.com"))
  for attempt in diagnosis.attempts {
    for violation in attempt.violations {
      print(violation.rule, violation)
    }
  }
}

private func findings(_ bytes: [UInt8]) {
  do {
    for deviation in try Certificate(der: bytes).deviations {
      print("accepted:", deviation)
    }
  } catch {
    print(error.field, error.offset, error.citation)  // validity 108 RFC 5280 §4.1.2.5
  }
}

private func peer(_ chain: [Certificate]) throws {
  let validator = PathValidator(anchors: try .system())
  let path = try validator.validate(chain, for: .peer("chat.example"))
  print(path.purpose)  // server chat.example, or client chat.example: the usage that was found
}
