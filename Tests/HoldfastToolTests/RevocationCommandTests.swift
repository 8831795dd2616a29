import Foundation
import HoldfastConformance
import HoldfastDER
import HoldfastTool
import TestSupport
import Testing

/// Revocation on the command line, with the small authority that OpenSSL has made.
@Suite("Revocation on the command line") struct RevocationCommandTests {
  private let scratch: ScratchFolder
  private let listTime = "2026-06-01"
  private let answerTime = "2026-11-21T13:40:40Z"

  init() throws {
    scratch = try ScratchFolder()
    for file in ["certificates", "lists", "answers"] {
      let text = try String(
        contentsOfFile: CommittedVectors.path("revocation/\(file).pem"),
        encoding: .utf8)
      let lines = text.split(separator: "\n")
      let names = lines.indices.filter { lines[$0].hasPrefix("-----BEGIN") }.map { lines[$0 - 1] }
      for (name, block) in zip(names, PEMText(Array(text.utf8)).blocks) {
        _ = try scratch.file(
          "\(file)-\(name).pem", PEMBlock.text(label: block.label, bytes: block.bytes).utf8)
        _ = try scratch.file("\(file)-\(name).der", block.bytes)
      }
    }
  }

  private func file(_ name: String) -> String { "\(scratch.path)/\(name)" }

  private func verify(_ leaf: String, at time: String, _ more: String...) -> CLIRun {
    verify(leaf, at: time, more: more)
  }

  private func verify(_ leaf: String, at time: String, more: [String]) -> CLIRun {
    CLIRun(
      words: [
        "verify", file("certificates-\(leaf).pem"), file("certificates-ca.pem"), "--anchors",
        file("certificates-root.pem"), "--purpose", "any", "--rules", "rfc5280", "--at", time,
      ] + more)
  }

  @Test("a list with the leaf rejects it, and one without it is named as the reason to trust")
  func crls() {
    let list = file("lists-complete.der")
    let revoked = verify("keys", at: listTime, "--crl", list)
    #expect(revoked.status == .rejected)
    #expect(revoked.results.contains("was revoked at 2026-04-01T12:00:00Z (keyCompromise)"))
    #expect(revoked.results.contains(": \(list), issued at 2026-05-01T00:00:00Z\n"))
    let good = verify("good", at: listTime, "--crl", list, "--revocation", "leaf")
    #expect(good.status == .trusted)
    #expect(good.results.contains("is not revoked\n") && good.results.contains("  \(list): "))
    #expect(!good.results.contains("CRL 0"))
    let unasked = verify("keys", at: listTime)
    #expect(unasked.status == .trusted && !unasked.results.contains("revoked"))
    let ignored = verify(
      "keys", at: listTime, "--crl", list, "--revocation=ignored")
    #expect(ignored.status == .trusted)
  }

  @Test("an OCSP response counts as PEM, as DER and in JSON")
  func ocspResponses() throws {
    for file in ["answers-good-by-name-sha1.pem", "answers-good-by-name-sha1.der"] {
      let cli = verify(
        "good", at: answerTime, "--ocsp", self.file(file), "--revocation", "leaf")
      #expect(cli.status == .trusted, "\(cli.results) \(cli.messages)")
      #expect(
        cli.results.contains("is not revoked\n") && cli.results.contains("  \(self.file(file))"))
      #expect(!cli.results.contains("OCSP response 0"))
    }
    let json = verify(
      "good", at: answerTime, "--ocsp", file("answers-good-by-name-sha1.der"), "--json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
    let found = try #require(object["revocation"] as? [[String: Any]])
    #expect(found.first?["status"] as? String == "good")
    #expect(
      found.map { ($0["certificate"] as? [String: Any])?["name"] as? String } == [
        "CN=good", "CN=Authority,O=Holdfast Test",
      ])
    let facts = try #require(found.first?["facts"] as? [[String: Any]])
    #expect(facts.map { $0["source"] as? String } == [file("answers-good-by-name-sha1.der")])
  }

  @Test("a page says once who was revoked, and in which file that is")
  func page() {
    let list = file("lists-complete.der")
    let page = CLIRun.unmarked(
      verify("keys", at: listTime, "--crl", list, "--html", "-").results)
    let sentence =
      "CN=keys: was revoked at 2026-04-01T12:00:00Z (keyCompromise): \(list), issued at"
    #expect(page.components(separatedBy: sentence).count == 2)
    #expect(page.components(separatedBy: list).count == 2)
    #expect(!page.contains("CRL 0"))
    let unknown = CLIRun.unmarked(
      verify(
        "good", at: "2026-08-01", "--crl", list, "--revocation", "leaf", "--html", "-"
      ).results)
    let why = "(\(list): expired at 2026-07-01T00:00:00Z)"
    #expect(unknown.components(separatedBy: why).count == 2)
  }

  @Test(
    "a required but unknown status is rejected, and verify -v says why each list does not count")
  func required() {
    let cli = verify(
      "good", at: "2026-08-01", "--crl", file("lists-complete.pem"), "--revocation", "required",
      "-v")
    #expect(cli.status == .rejected)
    #expect(cli.results.contains("expired at 2026-07-01T00:00:00Z"))
    #expect(cli.results.contains("[RFC 5280 §6.1.3 (a)(3)]"))
    let given = verify("good", at: "2026-08-01", "--crl", file("lists-complete.pem"))
    #expect(given.status == .trusted)
    #expect(given.results.contains("has unknown revocation status"))
    // A soft demand is no reason to read on: the first line says what it let pass.
    let doubt = "but whether it was revoked is not known"
    #expect(
      given.results.split(separator: "\n").first?.hasSuffix(doubt) == true, "\(given.results)")
    let json = verify("good", at: "2026-08-01", "--crl", file("lists-complete.pem"), "--json")
    #expect(json.results.contains("\"reason\":\"valid for any use, \(doubt)\""), "\(json.results)")
    let current = verify("good", at: listTime, "--crl", file("lists-complete.pem"))
    #expect(current.status == .trusted && !current.results.contains(doubt))
  }

  @Test("a file that is not a list and an unknown demand are named")
  func misunderstood() {
    let certificate = file("certificates-ca.pem")
    let none = verify("good", at: listTime, "--crl", certificate)
    #expect(none.status == .unreadable)
    #expect(none.messages.contains("there is no CRL in it"))
    let swapped = verify("good", at: listTime, "--ocsp", file("lists-complete.pem"))
    #expect(swapped.messages.contains("there is no OCSP response in it"))
    let demand = verify("good", at: listTime, "--revocation", "hard")
    #expect(demand.status == .usage)
    #expect(demand.messages.contains("expected ignored, given, leaf or required"))
  }

  @Test(
    "an unreadable list is named next to the verdict, and no other shows that nothing is revoked",
    arguments: [[], ["-v"]])
  func unreadableCRL(options: [String]) throws {
    let list = file("lists-complete.pem")
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file("lists-complete.der"))))
    let cut = try scratch.file(
      "cut.pem", PEMBlock.text(label: "X509 CRL", bytes: bytes.dropLast(7)).utf8)
    let revoked = verify("keys", at: listTime, more: ["--crl", cut, "--crl", list] + options)
    #expect(revoked.status == .rejected)
    #expect(revoked.results.contains("was revoked at 2026-04-01T12:00:00Z (keyCompromise)"))
    #expect(
      revoked.messages.hasPrefix("holdfast: \(cut), block 1, line 1: "), "\(revoked.messages)")
    for files in [[cut, list], [list, cut]] {
      let crls = files.flatMap { ["--crl", $0] } + options
      let good = verify("good", at: listTime, more: crls + ["--revocation", "leaf"])
      #expect(good.status == .rejected, "\(good.results)")
      #expect(good.results.contains("a CRL that may name the certificate cannot be read"))
      let json = verify("good", at: listTime, more: crls + ["--json"])
      #expect(json.status == .trusted)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
      let unreadable = try #require(
        (object["input"] as? [String: Any])?["unreadable"] as? [[String: Any]])
      #expect(unreadable.map { $0["file"] as? String } == [cut])
      #expect(unreadable[0]["block"] as? Int == 1 && unreadable[0]["problem"] is String)
    }
    let whole = verify("good", at: listTime, "--crl", list, "--json")
    #expect(whole.results.contains("\"unreadable\":[]"))
  }

  @Test("an unreadable OCSP response leaves the status unknown, and its file is named")
  func unreadableResponse() throws {
    let answer = file("answers-good-by-name-sha1.der")
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: answer)))
    for (name, damaged) in [("cut", bytes.dropLast(5)), ("long", bytes + [0x0A])] {
      let path = try scratch.file("\(name).der", damaged)
      let both = ["--ocsp", answer, "--ocsp", path]
      let soft = verify("good", at: answerTime, more: both)
      #expect(soft.status == .trusted)
      #expect(soft.results.contains("whether it was revoked is not known"))
      let hard = verify("good", at: answerTime, more: both + ["--revocation", "leaf"])
      #expect(hard.status == .rejected)
      let reason = "an OCSP response that may be about the certificate cannot be read"
      #expect(hard.results.contains(reason), "\(hard.results)")
      let finding = "\(path): cannot be read: OCSPResponse: "
      #expect(soft.results.contains(finding), "\(soft.results)")
      let json = verify("good", at: answerTime, more: both + ["--json"])
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
      #expect(((object["input"] as? [String: Any])?["unreadable"] as? [Any])?.count == 1)
    }
    let whole = ["--ocsp", answer, "--revocation", "leaf"]
    #expect(verify("good", at: answerTime, more: whole).status == .trusted)
  }

  @Test("an unreadable list makes no certificate good, and alone it leaves the status unknown")
  func unreadableAlone() throws {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file("lists-complete.der"))))
    let cut = try scratch.file("cut.der", bytes.dropLast(7))
    for demand in ["given", "leaf", "required"] {
      let alone = verify("good", at: listTime, "--crl", cut, "--revocation", demand)
      #expect(alone.status == .unreadable && alone.results.isEmpty)
      #expect(alone.messages.hasPrefix("holdfast: \(cut): "))
    }
    // The answer is about another certificate, and the list that would tell cannot be read.
    let answer = file("answers-good-by-name-sha1.der")
    let unknown = verify(
      "keys", at: answerTime, "--crl", cut, "--ocsp", answer, "--revocation", "leaf")
    #expect(unknown.status == .rejected)
    #expect(unknown.results.contains("[RFC 5280 §6.1.3 (a)(3)]"), "\(unknown.results)")
  }

  @Test("an unreadable anchor is named next to the verdict, unless it is the only one")
  func unreadableAnchor() throws {
    let chain = CLIRun.demo("chain.pem")
    let bad = try scratch.file(
      "bad.pem", PEMBlock.text(label: "CERTIFICATE", bytes: [0x30, 0]).utf8)
    let common = [chain, "--host", "www.demo.example", "--at", "2026-11-21", "--anchors", bad]
    for command in [["verify"], ["verify", "-v"]] {
      let both = CLIRun(
        words: command + common + ["--anchors", CLIRun.demo("root.pem"), "--json"])
      #expect(both.status == .trusted)
      #expect(both.messages.hasPrefix("holdfast: \(bad), block 1, line 1: tbsCertificate: "))
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(both.bytes)) as? [String: Any])
      let unreadable = try #require(
        (object["input"] as? [String: Any])?["unreadable"] as? [[String: Any]])
      #expect(unreadable.count == 1 && unreadable[0]["field"] as? String == "tbsCertificate")
      let pinned = CLIRun(
        words: command + common + [
          "--anchors", CLIRun.demo("root.pem"), "--json", "--pin",
          "sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo=",
        ])
      #expect(pinned.status == .trusted, "\(pinned.messages)")
      let answer = try JSONSerialization.jsonObject(with: Data(pinned.bytes)) as? [String: Any]
      #expect(((answer?["input"] as? [String: Any])?["unreadable"] as? [Any])?.count == 1)
      let page = CLIRun(
        words: ["verify"] + common + ["--anchors", CLIRun.demo("root.pem"), "--html", "-"])
      #expect(page.results.contains("<p>Not read: \(bad), block 1, line 1: tbsCertificate: "))
      let alone = CLIRun(words: command + common)
      #expect(alone.status == .unreadable)
      #expect(alone.messages.contains("there is no certificate in --anchors"))
    }
  }

  /// Names, numbers and times are those of `openssl crl -text` in `fields.txt`.
  @Test("inspect shows CRLs and OCSP responses as text, with the requested number of entries")
  func inspected() {
    let path = file("lists-complete.pem")
    let cli = CLIRun("inspect", "--at", listTime, "--entries", "2", path)
    #expect(cli.status == .trusted)
    let lines = cli.results.split(separator: "\n").map(String.init)
    #expect(lines.first == "\(path), block 1, line 1: CRL")
    #expect(lines.contains("  issuer            CN=Authority,O=Holdfast Test"))
    #expect(lines.contains("  next              2026-07-01T00:00:00Z"))
    #expect(lines.contains("  entries           10"))
    #expect(lines.contains("                    1002  2026-04-01T12:00:00Z  keyCompromise"))
    #expect(lines.contains("                    and 8 more"))
    let answer = CLIRun("inspect", file("answers-good-by-name-sha1.der")).results
    #expect(answer.contains("OCSP response\n  status            successful\n"))
    #expect(answer.contains("certificate       serial number 1001\n"))
  }

  @Test("inspect writes CRLs and OCSP responses as JSON, with all entries")
  func inspectedJSON() throws {
    let cli = CLIRun(
      "inspect", "--json", "--at", "2026-08-01", file("lists-complete.der"),
      file("answers-good-by-name-sha1.der"))
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(cli.bytes)) as? [String: Any])
    let items = try #require(document["items"] as? [[String: Any]])
    #expect(items.map { $0["kind"] as? String } == ["CRL", "OCSP response"])
    #expect(items[0]["freshness"] as? String == "stale")
    #expect(items[0]["count"] as? Int == 10)
    let entries = try #require(items[0]["entries"] as? [[String: Any]])
    #expect(entries.count == 10)
    #expect(entries[0]["serialNumber"] as? String == "1002")
    #expect(entries[0]["reason"] as? String == "keyCompromise")
    let responses = try #require(items[1]["responses"] as? [[String: Any]])
    #expect(responses.first?["status"] as? String == "good")
  }

  @Test("a truncated list is rejected with the field and the byte")
  func cut() throws {
    let der = try Data(contentsOf: URL(fileURLWithPath: file("lists-complete.der")))
    var bytes = Array(der)
    bytes[4] = 0x31
    let cli = CLIRun(
      "inspect",
      try scratch.file(
        "bad.crl",
        PEMBlock.text(
          label: "X509 CRL", bytes: bytes
        ).utf8))
    #expect(cli.status == .unreadable)
    #expect(cli.messages.contains("tbsCertList: "))
    #expect(cli.messages.contains(" at byte 4 ["))
  }

  /// The request of `openssl ocsp -reqout` for the certificates 1001 and 1002, without a nonce.
  @Test("an OCSP request is shown from DER and PEM, and no command mistakes it for a certificate")
  func requests() throws {
    let id =
      "303b300906052b0e03021a050004144dd1fe6fe121b352ef840c630f80601063adc11f"
      + "041493d8d22e541565d282a0cb5ba9d7477f26f4915f02021001"
    let digits = "30433041303f303d" + id
    var der: [UInt8] = []
    var rest = digits[...]
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      der.append(byte)
      rest = rest.dropFirst(2)
    }
    let plain = try scratch.file("request.der", der)
    let shown = CLIRun("inspect", plain)
    #expect(shown.status == .trusted)
    #expect(
      shown.results == """
        \(plain): OCSP request
          certificate       serial number 1001
                            issuer's name 4dd1fe6fe121b352ef840c630f80601063adc11f
                            issuer's key  93d8d22e541565d282a0cb5ba9d7477f26f4915f
          nonce             none
          signed            no

        """)
    let json = CLIRun("inspect", "--json", plain).results
    #expect(json.contains("\"kind\": \"OCSP request\"") && json.contains("\"hash\": \"SHA-1\""))
    let text = try scratch.file(
      "request.pem", PEMBlock.text(label: "OCSP REQUEST", bytes: der).utf8)
    #expect(CLIRun("inspect", text).results.contains("serial number 1001"))
    #expect(CLIRun("convert", "--to", "der", text).bytes == der)
    for command in [["pin"], ["verify", "--purpose", "any"], ["graph"]] {
      let cli = CLIRun(words: command + [plain])
      #expect(cli.status == .unreadable)
      #expect(cli.messages.contains("OCSP REQUEST is passed over"), "\(command)")
    }
    let cut = try scratch.file("cut.der", der.dropLast(4) + [0x04, 0x02, 0x10, 0x01])
    #expect(CLIRun("inspect", cut).messages.contains("[X.690"))
  }
}
