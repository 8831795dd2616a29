internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastPaths
internal import HoldfastTransparency

/// Runs the timestamps and log lists of other projects (`ct`): a folder with the files of
/// google/certificate-transparency (`google-ct`), `sct.rs`, pyca/cryptography (`pyca`), `ct-go`,
/// and real certificates beside a log list (`real-list`). The expected results stand here, after
/// the documents of these projects; for the real ones, in `expected.json`.
struct TransparencyRunner: SuiteRunner {
  /// The folder as one file: what belongs together is read by name.
  static func files(at path: String) -> [VectorFile] {
    [VectorFile(name: "ct", path: path, bytes: [])]
  }

  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    let folder = TimestampFolder(path: file.path)
    try folder.addGoogle(to: &report)
    try folder.addRust(to: &report)
    try folder.addPython(to: &report)
    try folder.addLists(to: &report)
    try folder.addReal(to: &report)
  }
}

/// Reads the files and makes log lists of loose keys.
private struct TimestampFolder {
  let path: String
  /// Later than every timestamp of the loose files.
  private let later = LogTime(Timestamp(secondsSince1970: 1_750_000_000))

  func bytes(_ name: String) throws(VectorError) -> [UInt8] {
    try VectorFile(readFrom: "\(path)/\(name)").bytes
  }

  func certificate(_ name: String) throws(VectorError) -> Certificate {
    let bytes = try bytes(name)
    let der = name.hasSuffix(".pem") ? PEMText(bytes).blocks.first?.bytes ?? [] : bytes
    guard let certificate = Certificate.readable(der) else {
      throw .malformed(path: "\(path)/\(name)", reason: "is not a certificate")
    }
    return certificate
  }

  func key(_ name: String) throws(VectorError) -> [UInt8] {
    PEMText(try bytes(name)).blocks.first?.bytes ?? []
  }

  /// An evaluator with a list of logs that have these keys and were usable from the beginning.
  func evaluator(_ keys: [[UInt8]]) throws(VectorError) -> TransparencyEvaluator {
    let logs = keys.map { key in
      let id = Base64.text(of: HashAlgorithm.sha256.hash(key).array)
      return #"{"log_id":"\#(id)","key":"\#(Base64.text(of: key))","#
        + #""state":{"usable":{"timestamp":"1970-01-01T00:00:00Z"}}}"#
    }
    let text =
      #"{"log_list_timestamp":"1970-01-01T00:00:00Z","operators":[{"name":"o","logs":["#
      + logs.joined(separator: ",") + "]}]}"
    return try evaluator(json: Array(text.utf8), .count(1))
  }

  func evaluator(
    json: [UInt8], _ policy: TransparencyPolicy
  ) throws(VectorError) -> TransparencyEvaluator {
    do throws(LogListError) {
      return TransparencyEvaluator(
        list: try LogList(json: json), policy: policy, maximumListAge: 100 * 366 * 86_400)
    } catch {
      throw .malformed(path: path, reason: "\(error)")
    }
  }
}

/// The sets of timestamps.
extension TimestampFolder {
  /// Which certificates have a timestamp that verifies is in the README of that folder.
  func addGoogle(to report: inout ConformanceReport) throws(VectorError) {
    let evaluator = try evaluator([
      key("google-ct/ct-server-key-public.pem"), key("google-ct/rsa/ct-server-key-public-rsa.pem"),
    ])
    let now = later
    func add(_ name: String, _ entry: LogEntry?, proof: String) throws(VectorError) {
      let status = try entry.map { entry throws(VectorError) in
        evaluator.status(of: try bytes("google-ct/\(proof).proof"), over: entry, at: now)
      }
      report.add(
        "google-ct/\(name)", expected: "verified", actual: status?.name ?? "no entry",
        rule: status.map { "\($0)" })
    }
    for (name, issuer, expected) in [
      ("test-embedded", "ca", "verified"), ("test-embedded-with-preca", "ca", "verified"),
      ("test-embedded-with-intermediate", "intermediate", "verified"),
      ("test-embedded-with-intermediate-preca", "intermediate", "verified"),
      ("test-invalid-embedded", "ca", "badSignature"),
    ] {
      let leaf = try certificate("google-ct/\(name)-cert.pem")
      let issuerKey = try certificate("google-ct/\(issuer)-cert.pem").publicKey
      let found = evaluator.evaluate(leaf, issuerKey: issuerKey, at: later...later, isValid: false)
      report.add(
        "google-ct/\(name)-cert", expected: expected, actual: found.statuses, rule: "\(found)")
      guard expected == "verified" else { continue }
      let entry = LogEntry(precertificateOf: leaf, issuerKey: issuerKey.der)
      try add("\(name)-pre-cert.proof over the certificate", entry, proof: "\(name)-pre-cert")
      // One of another issuer was logged with the name of the last one.
      guard !name.hasSuffix("preca") else { continue }
      let poisoned = try certificate("google-ct/\(name)-pre-cert.pem")
      let own = LogEntry(precertificateOf: poisoned, issuerKey: issuerKey.der)
      try add("\(name)-pre-cert.proof over the precertificate", own, proof: "\(name)-pre-cert")
      if name == "test-embedded" {
        try add("\(name)-pre-cert-rsa.proof", own, proof: "rsa/\(name)-pre-cert-rsa")
      }
    }
    for (name, proof) in [
      ("test-cert", "test-cert"), ("test-intermediate-cert", "test-intermediate-cert"),
      ("test-cert", "rsa/test-cert-rsa"),
    ] {
      let entry = LogEntry(certificate: try certificate("google-ct/\(name).pem").der)
      try add("\(proof).proof", entry, proof: proof)
    }
  }

  /// The bytes of the "certificate" are `cert`, the clock says 1,235 milliseconds. Timestamps with
  /// SHA-384 verify there; RFC 6962 §2.1.4 allows SHA-256 alone.
  func addRust(to report: inout ConformanceReport) throws(VectorError) {
    let names = ["ecdsa-prime256v1", "ecdsa-secp384r1", "rsa-2048", "rsa-3072", "rsa-4096"]
    var keys: [[UInt8]] = []
    for name in names { keys.append(try key("sct.rs/\(name)-pub.pem")) }
    let evaluator = try evaluator(keys)
    let entry = LogEntry(certificate: Array("cert".utf8))
    func status(_ sct: [UInt8], _ now: Int64 = 1235) -> TimestampResult.Status {
      evaluator.status(of: sct, over: entry, at: LogTime(millisecondsSince1970: now))
    }
    for (name, expected) in [
      ("ecdsa_p256-basic", "verified"), ("ecdsa_p256-wrongcert", "badSignature"),
      ("ecdsa_p256-wrongtime", "badSignature"), ("ecdsa_p256-wrongext", "badSignature"),
      ("ecdsa_p256-wrongid", "unknownLog"), ("ecdsa_p256-version", "unsupportedVersion"),
      ("ecdsa_p256-badsigalg", "badSignature"), ("ecdsa_p256-junk", "malformed"),
      ("ecdsa_p384-basic", "badSignature"), ("ecdsa_p384-wrongcert", "badSignature"),
      ("ecdsa_p384-wrongtime", "badSignature"), ("rsa2048-basic", "verified"),
      ("rsa2048-wrongcert", "badSignature"), ("rsa2048-wrongtime", "badSignature"),
      ("rsa3072-basic", "badSignature"), ("rsa3072-wrongcert", "badSignature"),
      ("rsa3072-wrongtime", "badSignature"), ("rsa4096-basic", "badSignature"),
      ("rsa4096-wrongcert", "badSignature"), ("rsa4096-wrongtime", "badSignature"),
    ] {
      let found = status(try bytes("sct.rs/\(name)-sct.bin"))
      report.add("sct.rs/\(name)", expected: expected, actual: found.name, rule: "\(found)")
    }
    let future = try bytes("sct.rs/ecdsa_p256-future-sct.bin")
    report.add(
      "sct.rs/ecdsa_p256-future", expected: "inTheFuture", actual: status(future, 1233).name)
    let short = try bytes("sct.rs/ecdsa_p256-short-sct.bin")
    for count in short.indices {
      let found = status(Array(short.prefix(count)))
      report.add("sct.rs/ecdsa_p256-short \(count)", expected: "malformed", actual: found.name)
    }
    // Points on P-256 without the rest of their SubjectPublicKeyInfo.
    let head = keys[0].dropLast(65)
    let logs = try self.evaluator([
      head + bytes("sct.rs/google-pilot-pubkey.bin"),
      head + bytes("sct.rs/symantec-log-pubkey.bin"),
    ])
    let real = LogEntry(certificate: try bytes("sct.rs/google-cert.bin"))
    for name in ["google-sct0", "google-sct1"] {
      let found = logs.status(of: try bytes("sct.rs/\(name).bin"), over: real, at: later)
      report.add("sct.rs/\(name)", expected: "verified", actual: found.name, rule: "\(found)")
    }
  }

  func addPython(to report: inout ConformanceReport) throws(VectorError) {
    let evaluator = try evaluator([])
    let leaf = try certificate("pyca/cryptography-scts.pem")
    let entry = LogEntry(precertificateOf: leaf, issuerKey: leaf.publicKey.der)
    let logged = try bytes("pyca/cryptography-scts-tbs-precert.der")
    report.add(
      "pyca/cryptography-scts-tbs-precert", expected: "same",
      actual: entry?.content == logged ? "same" : "different")
    for (name, expected) in [
      ("cryptography-scts.pem", "unknownLog unknownLog"), ("badssl-sct.pem", "unknownLog"),
      ("badssl-sct-none-hash.der", "unknownLog"), ("badssl-sct-anonymous-sig.der", "unknownLog"),
      ("invalid-sct-length.der", "malformed"),
      // The second timestamp is as it should be.
      ("invalid-sct-version.der", "unsupportedVersion unknownLog"),
    ] {
      let certificate = try certificate("pyca/\(name)")
      let found = evaluator.evaluate(
        certificate, issuerKey: certificate.publicKey, at: later...later, isValid: false)
      report.add("pyca/\(name)", expected: expected, actual: found.statuses, rule: "\(found)")
    }
    let single = OCSPResponse.readable(try bytes("pyca/resp-sct-extension.der"))?.basic?.responses
    let value = single?.first?.extensions.first { $0.oid == .ocspCertificateTimestamps }?.value
    let items = value.map { SignedCertificateTimestamp.items(ofExtension: $0, maximum: 64).items }
    let times = items?.compactMap { item -> String? in
      if case .success(let timestamp) = item { "\(timestamp.time)" } else { nil }
    }
    report.add(
      "pyca/resp-sct-extension.der",
      expected: "2019-11-15T15:51:33.992Z 2019-11-15T15:51:33.997Z 2019-11-15T15:51:34.247Z "
        + "2019-11-15T15:51:33.853Z",
      actual: times?.joined(separator: " ") ?? "unreadable")
  }
}

/// Log lists, and real certificates.
extension TimestampFolder {
  func addLists(to report: inout ConformanceReport) throws(VectorError) {
    for (name, expected) in [
      // One key has 64 bytes that are no SubjectPublicKeyInfo.
      ("ct-go/loglist3.json", "5 logs of 2 operators, 1 problem"),
      ("real-list/log_list-2026-01-02.json", "75 logs of 8 operators, 0 problems"),
      ("real-list/log_list_tiled_logs.json", "44 logs of 7 operators, 0 problems"),
    ] {
      guard case .success(let list) = try evaluator(json: bytes(name), .chrome).list else {
        continue
      }
      let problems = list.problems.count == 1 ? "1 problem" : "\(list.problems.count) problems"
      report.add(
        name, expected: expected,
        actual: "\(list.logs.count) logs of \(list.operators.count) operators, \(problems)",
        rule: list.problems.map { "\($0)" }.joined(separator: "; "))
    }
    let json = try bytes("real-list/log_list-2026-01-02.json")
    let signature = try bytes("real-list/log_list-2026-01-02.sig")
    let der = try key("real-list/google_log_list_pubkey.pem")
    for (change, expected) in [(false, "verified"), (true, "rejected")] {
      let signed = change ? json + [0x0A] : json
      var actual = "rejected"
      do throws(ParseError) {
        let key = try PublicKey(der: der)
        do throws(LogListError) {
          _ = try LogList(json: signed, signature: signature, key: key)
          actual = "verified"
        } catch {}
      } catch { actual = "\(error)" }
      report.add(
        "real-list/log_list-2026-01-02.sig\(change ? " over a line more" : "")",
        expected: expected, actual: actual)
    }
  }

  func addReal(to report: inout ConformanceReport) throws(VectorError) {
    let json = try bytes("real-list/log_list-2026-01-02.json")
    let chrome = try evaluator(json: json, .chrome)
    let apple = try evaluator(json: json, .apple)
    var chains: [[UInt8]: [Certificate]] = [:]
    let sites = try VectorFile(readFrom: "\(path)/real-list/sites.json.xz")
    try SuiteDocument(sites, list: "sites").forEachCase { site throws(VectorError) in
      guard let detail = try site.object("detail") else { return }
      let leaf = try detail.value("end_entity_cert", .base64)
      let others = try detail.value("intermediates", .list(of: .base64))
      let chain = ([leaf] + others).compactMap(Certificate.readable)
      if let first = chain.first { chains[first.fingerprint()] = chain }
    }
    // The document is an array.
    let expected = try VectorFile(readFrom: "\(path)/real-list/expected.json")
    let document = VectorFile(
      name: expected.name, path: expected.path,
      bytes: Array(#"{"tests":"#.utf8) + expected.bytes + Array("}".utf8))
    try SuiteDocument(document).forEachCase { test throws(VectorError) in
      let id = try test.value("sha256", .string)
      guard let chain = chains[try test.value("sha256", .hex)] else {
        return report.skip("real-list/\(id)", expected: "a chain", reason: "not among the sites")
      }
      let path: ValidatedPath
      do throws(PathError) {
        let issuers = AnchorSet(Array(chain.dropFirst()))
        let validator = PathValidator(anchors: issuers, rules: .rfc5280, cache: nil)
        path = try validator.validate([chain[0]], for: .anyServer, at: chain[0].notAfter)
      } catch {
        return report.add("real-list/\(id)", expected: "a path", actual: "\(error)")
      }
      var words = ["chrome \(try test.value("chrome_embedded", .bool))"]
      words.append("apple \(try test.value("apple_embedded", .bool))")
      for sct in try test.objects("scts") {
        words.append(
          try sct.value("log", .string) + " of " + sct.value("operator", .string) + " ("
            + sct.value("state", .string) + ") at "
            + "\(LogTime(millisecondsSince1970: sct.value("timestamp", .int64))) "
            + "\(sct.value("verifies", .bool) ? "verified" : "badSignature") "
            + "index \(sct.value("extensions", .string).isEmpty ? "absent" : "present")")
      }
      let found = chrome.evaluate(path)
      var actual = ["chrome \(found.verdict == .complies)"]
      actual.append("apple \(apple.evaluate(path).verdict == .complies)")
      actual += found.results.map { result in
        "\(result.log?.name ?? "") of \(result.operatorName ?? "") "
          + "(\(result.state?.kind.rawValue ?? "")) at \(result.time.map { "\($0)" } ?? "") "
          + "\(result.status.name) index \(result.leafIndex == nil ? "absent" : "present")"
      }
      report.add(
        "real-list/\(id)", expected: words.joined(separator: "; "),
        actual: actual.joined(separator: "; "), rule: found.summary)
    }
  }
}

extension TransparencyReport {
  /// The names of the statuses, in order.
  fileprivate var statuses: String { results.map { $0.status.name }.joined(separator: " ") }
}
