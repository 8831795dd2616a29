import Holdfast
@testable import HoldfastOnline
import TestSupport
import Testing

/// Expectations from RFC 5280 §4.2.2.1, RFC 6960 and the budget of a question.
@Suite("Validation with fetching") struct OnlineValidatorTests {
  private let made: Published
  private let servers = Servers()

  init() throws { made = try Published() }

  @Test("a missing intermediate is fetched, in DER, PEM and PKCS #7")
  func missingIssuer() async throws {
    let der = made.intermediate.der
    let other = try SignedCertificate.root("Other", 50).der
    for body in [der, Array(made.intermediate.pem.utf8), Issuers.pkcs7([other, der])] {
      servers.serve(Published.issuers, body)
      let answer = await made.validator(servers, [.issuers]).answer(to: made.request([made.leaf]))
      #expect(try answer.path.certificates == [made.leaf, made.intermediate, made.root])
      #expect(answer.fetches.map(\.outcome) == [.fetched(bytes: body.count)])
      #expect(answer.chain.contains(made.intermediate))
    }
    #expect(servers.urls == [String](repeating: Published.issuers, count: 3))
  }

  @Test("nothing is asked for if nothing is missing, or only what the policy forbids")
  func nothingMissing() async throws {
    let whole = made.request([made.leaf, made.intermediate])
    #expect(await made.validator(servers, [.issuers]).answer(to: whole).fetches.isEmpty)
    let answer = await made.validator(servers, []).answer(to: made.request([made.leaf]))
    #expect(throws: PathError.self) { try answer.path }
    #expect(answer.revocation == nil)
    #expect(servers.urls.isEmpty)
  }

  @Test(
    "a rejection that an issuer does not help makes no request: wrong host, expired",
    arguments: [true, false])
  func hopeless(isExpired: Bool) async throws {
    var request = made.request([made.leaf])
    if isExpired {
      request.time = Timestamp("2030-01-01T00:00:00Z")
    } else {
      request.purpose = Purpose.server(named: "other.example")
    }
    let answer = await made.validator(servers).answer(to: request)
    #expect(throws: PathError.self) { try answer.path }
    #expect(servers.urls.isEmpty)
  }

  @Test("a wrong, an expired and an unreadable issuer change nothing, and the report says why")
  func uselessIssuers() async throws {
    let wrong = try SignedCertificate.authority("Else", 3, by: "Root", 1)
    let impostor = try SignedCertificate.authority("Middle", 4, by: "Root", 1)
    let expired = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.notAfter = "250201000000Z"
    }
    for (body, reason) in [
      (wrong.der, "does not help"), (impostor.der, nil), (expired.der, nil),
      (Array("<html>".utf8), "cannot be read"), ([], "cannot be read"),
    ] as [([UInt8], String?)] {
      servers.serve(Published.issuers, body)
      let answer = await made.validator(servers, [.issuers]).answer(to: made.request([made.leaf]))
      #expect(throws: PathError.self) { try answer.path }
      let report = try #require(answer.fetches.first)
      #expect(answer.fetches.count == 1)
      if let reason { #expect("\(report)".contains(reason), "\(report)") }
    }
  }

  @Test("issuers that lead in a circle, or ever on, end at the budget")
  func endless() async throws {
    // Each issuer is missing its own, at another URL.
    let names = (0..<10).map { "Level \($0)" }
    var certificates: [Certificate] = []
    for (index, name) in names.enumerated() {
      let above = names[(index + 1) % names.count]
      certificates.append(
        try SignedCertificate.authority(name, UInt64(10 + index), by: above, UInt64(11 + index)) {
          $0.extensions.append(Published.access(issuers: ["http://ca.example/\(index + 1)"]))
        })
      servers.serve("http://ca.example/\(index)", certificates[index].der)
    }
    let leaf = try SignedCertificate.leaf(by: "Level 0", 10) {
      $0.extensions.append(Published.access(issuers: ["http://ca.example/0"]))
    }
    let answer = await made.validator(servers, [.issuers]).answer(to: made.request([leaf]))
    #expect(throws: PathError.self) { try answer.path }
    #expect(servers.urls == (0..<3).map { "http://ca.example/\($0)" })
    #expect(
      answer.fetches.last?.outcome == .failed(.budgetExhausted(.issuerRequests(3))))
    // The same URL is asked once, though the certificate there names it again.
    let itself = try SignedCertificate.authority("Level 0", 10, by: "Level 1", 11) {
      $0.extensions.append(Published.access(issuers: ["http://ca.example/0"]))
    }
    servers.serve("http://ca.example/0", itself.der)
    let circle = await made.validator(servers, [.issuers]).answer(to: made.request([leaf]))
    #expect(circle.fetches.count == 1)
  }

  @Test("a cross-signed intermediate is found where the one that was sent leads to no anchor")
  func crossSigned() async throws {
    let sent = try SignedCertificate.authority("Middle", 2, by: "New Root", 30) {
      $0.extensions.append(Published.access(issuers: ["http://ca.example/cross"]))
    }
    let cross = try SignedCertificate.authority("New Root", 30, by: "Root", 1)
    servers.serve("http://ca.example/cross", cross.der)
    let answer = await made.validator(servers, [.issuers])
      .answer(to: made.request([made.leaf, sent]))
    #expect(try answer.path.certificates == [made.leaf, sent, cross, made.root])
  }

  @Test(
    "an OCSP response decides about the leaf",
    arguments: [(SignedRevocation.good, true), (SignedRevocation.revoked, false)])
  func ocsp(status: [UInt8], isTrusted: Bool) async throws {
    servers.serve(Published.ocsp, try response(status))
    let answer = await made.validator(servers, [.ocsp])
      .answer(to: made.request([made.leaf, made.intermediate], .init(.required(of: .leaf))))
    if isTrusted {
      guard case .good? = try answer.path.leafStatus else {
        Issue.record("\(try answer.path.revocation)")
        return
      }
    } else {
      let error = #expect(throws: PathError.self) { try answer.path }
      #expect(error?.rejections.first?.rule == .revoked)
    }
    let request = try #require(servers.requests.first)
    #expect(servers.requests.count == 1 && request.body == nil && request.kind == .ocsp)
    #expect(request.url.text.utf8.count < 255)
  }

  @Test("a request that would make a GET of 255 bytes is a POST, as is one to a URL with a query")
  func post() async throws {
    for url in ["http://ocsp.example/\(String(repeating: "x", count: 140))", "http://o.example/?a"]
    {
      let made = try Published([Published.access(ocsp: [url])])
      let servers = Servers()
      _ = await made.validator(servers, [.ocsp])
        .answer(to: made.request([made.leaf, made.intermediate]))
      let request = try #require(servers.requests.first)
      #expect(request.url.text == url)
      #expect(try OCSPRequest(der: #require(request.body)).nonce == nil)
    }
  }

  @Test("after a useless OCSP response the CRL is asked, and what failed is not")
  func fallBack() async throws {
    let crl = try SignedRevocation.list(by: "Middle", 2)
    servers.serve(Published.crl, crl.der)
    for reply in [
      Servers.Reply.failure(.timeout), .success(FetchResponse([0x30, 0x03, 0x0A, 0x01, 0x03])),
      .success(FetchResponse(Array("no".utf8))),
      .success(FetchResponse(try response(SignedRevocation.good, key: 66))),
      .success(FetchResponse(try response(SignedRevocation.good, until: "20251231120000Z"))),
    ] {
      let servers = Servers()
      servers.serve(Published.crl, crl.der)
      servers.serve(Published.ocsp, reply)
      let validator = made.validator(servers, [.ocsp, .crl])
      let request = made.request([made.leaf, made.intermediate], .init(.required(of: .leaf)))
      let answer = await validator.answer(to: request)
      #expect(throws: Never.self) { try answer.path }
      // A responder that has answered is asked again by POST.
      let posts = servers.requests.count { $0.body != nil }
      #expect(servers.urls.filter { $0 == Published.ocsp }.count == 1 + posts)
      #expect(posts == (answer.fetches.count == 3 ? 1 : 0))
      #expect(servers.urls.last == Published.crl)
      guard case .failed? = answer.fetches.first?.outcome else {
        Issue.record("\(answer.fetches)")
        continue
      }
      let count = servers.urls.count
      let again = await validator.answer(to: request)
      #expect(servers.urls.count == count, "the CRL is in the cache")
      #expect(again.fetches.map(\.outcome).contains(.cached))
    }
  }

  @Test("what was not fetched is said before the reason, and the host once on one line")
  func notFetched() async throws {
    let refused = FetchError.unreachable(host: "ocsp.example", reason: "Connection refused")
    servers.serve(Published.ocsp, .failure(refused))
    let answer = await made.validator(servers, [.ocsp]).answer(
      to: made.request([made.leaf, made.intermediate], .init(.required(of: .leaf))))
    let failure = "not fetched: ocsp \(Published.ocsp): cannot connect: Connection refused"
    #expect(throws: PathError.self) { try answer.path }
    #expect("\(answer)".hasPrefix("\(failure)\n"), "\(answer)")
    #expect(answer.logLine.hasSuffix("; \(failure)"), "\(answer.logLine)")
    #expect(!answer.logLine.contains("\n"))
    #expect("\(refused)" == "cannot connect to ocsp.example: Connection refused")
  }

  @Test("revocation of a whole path: the leaf by OCSP, the intermediate by its CRL")
  func wholePath() async throws {
    let intermediate = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.extensions.append(Published.points([Published.rootCRL]))
      $0.serialNumber = 7
    }
    servers.serve(Published.ocsp, try response(SignedRevocation.good))
    servers.serve(
      Published.rootCRL,
      try SignedRevocation.list(by: "Root", 1, [(serialNumber: 7, extensions: nil)]).der)
    let chain = [made.leaf, intermediate]
    let answer = await made.validator(servers).answer(to: made.request(chain))
    let error = #expect(throws: PathError.self) { try answer.path }
    #expect(error?.rejections.first?.rule == .revoked && error?.rejections.first?.index == 1)
    servers.serve(Published.rootCRL, try SignedRevocation.list(by: "Root", 1).der)
    let good = await made.validator(servers)
      .answer(to: made.request(chain, .init(.required(of: .everyCertificate))))
    #expect(throws: Never.self) { try good.path }
    #expect(good.fetches.count == 2)
  }

  @Test("sharded CRLs: all distribution points are asked, and each covers its own by IDP")
  func shards() async throws {
    let urls = (1...2).map { "http://crl.example/shard\($0)" }
    let made = try Published([Published.points(urls)])
    for (url, shard) in zip(urls, [3, 9] as [UInt8]) {
      let idp = Made.extension(
        "2.5.29.28", isCritical: true,
        Made.der(0x30, Made.der(0xA0, Made.der(0xA0, Made.uri(url)))))
      servers.serve(
        url,
        try SignedRevocation.list(
          by: "Middle", 2, [(serialNumber: shard, extensions: nil)], extensions: idp
        ).der)
    }
    let answer = await made.validator(servers, [.crl])
      .answer(to: made.request([made.leaf, made.intermediate]))
    let error = #expect(throws: PathError.self) { try answer.path }
    #expect(error?.rejections.first?.rule == .revoked)
    #expect(Set(servers.urls) == Set(urls))
  }

  @Test("a delta CRL of freshestCRL revokes what the base does not")
  func delta() async throws {
    let made = try Published([
      Published.points([Published.crl]), Published.points(["http://crl.example/d"], delta: true),
    ])
    servers.serve(Published.crl, try SignedRevocation.list(by: "Middle", 2).der)
    servers.serve(
      "http://crl.example/d",
      try SignedRevocation.list(
        by: "Middle", 2, [(serialNumber: 9, extensions: nil)], number: 2, base: 1
      ).der)
    let answer = await made.validator(servers, [.crl])
      .answer(to: made.request([made.leaf, made.intermediate]))
    #expect(throws: PathError.self) { try answer.path }
    #expect(servers.urls.count == 2)
  }

  @Test("of an unknown root nothing is asked about revocation: no path reached an anchor")
  func noAnchor() async throws {
    let stranger = PathValidator(
      anchors: AnchorSet([try SignedCertificate.root("Stranger", 40)]), rules: .rfc5280)
    let answer = await OnlineValidator(stranger, fetching: servers)
      .answer(to: made.request([made.leaf, made.intermediate, made.root]))
    #expect(throws: PathError.self) { try answer.path }
    #expect(servers.urls.isEmpty)
  }

  @Test("a soft demand accepts an unknown status, a hard one does not")
  func demands() async throws {
    let chain = [made.leaf, made.intermediate]
    let soft = await made.validator(servers).answer(to: made.request(chain))
    #expect(throws: Never.self) { try soft.path }
    let hard = await made.validator(Servers())
      .answer(to: made.request(chain, .init(.required(of: .leaf))))
    let error = #expect(throws: PathError.self) { try hard.path }
    #expect(error?.rejections.first?.rule == .revocationUnknown)
    let ignored = await made.validator(servers).answer(to: made.request(chain, .init(.ignored)))
    #expect(throws: Never.self) { try ignored.path }
    #expect(ignored.fetches.isEmpty)
  }

  @Test(
    "a hard demand that fails on one path is met on another", arguments: [false, true])
  func anotherPath(isFirst: Bool) async throws {
    let urls = ["http://crl.example/a", "http://crl.example/b"]
    let roots = [made.root, try SignedCertificate.root("Other Root", 30)]
    let intermediates = try zip(urls, [("Root", 1), ("Other Root", 30)] as [(String, UInt64)]).map {
      url, issuer in
      try SignedCertificate.authority("Middle", 2, by: issuer.0, issuer.1) {
        $0.extensions.append(Published.points([url]))
        $0.serialNumber = 7
      }
    }
    let good = isFirst ? 0 : 1
    servers.serve(urls[1 - good], .failure(.status(503)))
    servers.serve(Published.crl, try SignedRevocation.list(by: "Middle", 2).der)
    servers.serve(
      urls[good],
      try SignedRevocation.list(by: good == 0 ? "Root" : "Other Root", good == 0 ? 1 : 30).der)
    let validator = OnlineValidator(
      PathValidator(anchors: AnchorSet(roots), rules: .rfc5280), fetching: servers,
      policy: .patient([.crl]), cache: FetchCache(), clock: servers.clock)
    let request = made.request(
      [made.leaf] + intermediates, .init(.required(of: .everyCertificate)))
    let answer = await validator.answer(to: request)
    #expect(try answer.path.certificates == [made.leaf, intermediates[good], roots[good]])
    let count = servers.urls.count
    // What was of use on the other path is kept.
    #expect(throws: Never.self) { try answer.path }
    let again = await validator.answer(to: request)
    #expect(throws: Never.self) { try again.path }
    #expect(servers.urls.count == count)
  }

  @Test("no other path is asked about if the budget has ended")
  func anotherPathTooDear() async throws {
    let intermediates = try (0..<2).map { index in
      try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
        $0.extensions.append(Published.points(["http://crl.example/\(index)"]))
        $0.serialNumber = UInt64(7 + index)
      }
    }
    servers.serve(Published.crl, try SignedRevocation.list(by: "Middle", 2).der)
    let answer = await made.validator(servers, [.crl]) { $0.budget.requests = 2 }
      .answer(
        to: made.request([made.leaf] + intermediates, .init(.required(of: .everyCertificate))))
    let error = #expect(throws: PathError.self) { try answer.path }
    #expect(error?.rejections.first?.rule == .revocationUnknown)
    #expect(servers.urls.count == 2)
    #expect(answer.fetches.last?.outcome == .failed(.budgetExhausted(.requests(2))))
  }

  @Test("a validator with other anchors shares the cache, the requests and the failures")
  func otherAnchors() async throws {
    servers.serve(Published.issuers, made.intermediate.der)
    let validator = made.validator(servers, [.issuers])
    let request = made.request([made.leaf])
    _ = await validator.answer(to: request)
    let stranger = PathValidator(
      anchors: AnchorSet([try SignedCertificate.root("Stranger", 40)]), rules: .rfc5280)
    let other = await validator.with(stranger).answer(to: request)
    #expect(throws: PathError.self) { try other.path }
    #expect(other.fetches.first?.outcome == .cached)
    #expect(servers.urls == [Published.issuers])
  }

  @Test("URLs that are not fetched are reported, and cost nothing")
  func refusedURLs() async throws {
    let urls = ["http://127.0.0.1/i", "https://ca.example/i", "file:///i", "http://ca.example:1/i"]
    let made = try Published([Published.access(issuers: urls)])
    let answer = await made.validator(servers, [.issuers]).answer(to: made.request([made.leaf]))
    #expect(answer.fetches.count == urls.count && servers.urls.isEmpty)
    for report in answer.fetches {
      switch report.outcome {
      case .failed(.invalidURL): #expect(urls[1...2].contains(report.url))
      case .failed(.hostNotAllowed(urls[0], _)): #expect(report.url == urls[0])
      case .failed(.portNotAllowed("http://ca.example:1/i", port: 1)):
        #expect(report.url == urls[3])
      default: Issue.record("\(report)")
      }
    }
  }

  /// The OCSP response about the leaf.
  private func response(
    _ status: [UInt8], key: UInt64 = 2, until: String = "20260201000000Z"
  ) throws -> [UInt8] {
    let single = SignedRevocation.single(
      made.leaf, of: made.intermediate, status, until: until)
    return try SignedRevocation.answer(
      [single], by: made.intermediate, key, includesResponder: false
    ).der
  }
}

/// Containers of issuers.
enum Issuers {
  /// A SignedData without signers. RFC 5652 §5.
  static func pkcs7(_ certificates: [[UInt8]]) -> [UInt8] {
    let data = Made.der(0x30, Made.oid("1.2.840.113549.1.7.1"))
    let content = Made.der(
      0x30,
      [2, 1, 1] + Made.der(0x31, []) + data + Made.der(0xA0, certificates.flatMap { $0 })
        + Made.der(0x31, []))
    return Made.der(0x30, Made.oid("1.2.840.113549.1.7.2") + Made.der(0xA0, content))
  }
}
