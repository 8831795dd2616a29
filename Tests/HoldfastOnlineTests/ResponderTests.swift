import Holdfast
@testable import HoldfastOnline
import TestSupport
import Testing

/// How responders are asked. RFC 6960 A.1, RFC 5019 §5.
@Suite("Asking responders") struct ResponderTests {
  private let made: Published
  private let servers = Servers()

  init() throws {
    made = try Published([Published.access(ocsp: [ResponderTests.url])])
  }

  /// A POST goes to the URL itself; a GET to one below it.
  private static let url = "http://ocsp.example/"

  private func response(_ status: [UInt8]) throws -> Servers.Reply {
    let single = SignedRevocation.single(made.leaf, of: made.intermediate, status)
    return .success(
      FetchResponse(
        try SignedRevocation.answer(
          [single], by: made.intermediate, 2, includesResponder: false
        ).der))
  }

  private func ask(_ change: (inout FetchPolicy) -> Void = { _ in }) async -> OnlineAnswer {
    await made.validator(servers, [.ocsp], change)
      .answer(to: made.request([made.leaf, made.intermediate], .init(.required(of: .leaf))))
  }

  @Test(
    "where the answer to a GET does not settle the status, a POST is tried, and decides",
    arguments: [
      .failure(.status(405)), .failure(.status(404)), .failure(.status(501)),
      .failure(.tooManyRedirects(2)), .failure(.tooLong(limit: 9)),
      .failure(.invalidURL("https://ocsp.example/login", reason: "its scheme is not http")),
      .success(FetchResponse(Array("<html>".utf8))), .success(FetchResponse([])),
      // RFC 6960 §4.2.1: malformedRequest, tryLater, unauthorized.
      .success(FetchResponse([0x30, 0x03, 0x0A, 0x01, 0x01])),
      .success(FetchResponse([0x30, 0x03, 0x0A, 0x01, 0x03])),
      .success(FetchResponse([0x30, 0x03, 0x0A, 0x01, 0x06])),
    ] as [Servers.Reply])
  func post(reply: Servers.Reply) async throws {
    servers.serve(Self.url, reply, try response(SignedRevocation.revoked))
    let answer = await ask()
    let error = #expect(throws: PathError.self) { try answer.path }
    #expect(error?.rejections.first?.rule == .revoked, "\(answer.fetches)")
    #expect(servers.requests.map { $0.body == nil } == [true, false])
    #expect(servers.requests.last?.url.text == Self.url)
    #expect(answer.fetches.count == 2 && answer.fetches.allSatisfy { $0.url == Self.url })
    guard case .failed? = answer.fetches.first?.outcome else {
      Issue.record("\(answer.fetches)")
      return
    }
  }

  @Test("an answer about another certificate, or that it is unknown, is followed by a POST as well")
  func unhelpful() async throws {
    let other = try SignedCertificate.leaf(by: "Middle", 2) { $0.serialNumber = 99 }
    let single = SignedRevocation.single(other, of: made.intermediate, SignedRevocation.good)
    let body = try SignedRevocation.answer(
      [single], by: made.intermediate, 2, includesResponder: false
    ).der
    for reply in [.success(FetchResponse(body)), try response(SignedRevocation.unknown)]
      as [Servers.Reply]
    {
      let servers = Servers()
      servers.serve(Self.url, reply, try response(SignedRevocation.revoked))
      let answer = await made.validator(servers, [.ocsp])
        .answer(to: made.request([made.leaf, made.intermediate], .init(.required(of: .leaf))))
      let error = #expect(throws: PathError.self) { try answer.path }
      #expect(error?.rejections.first?.rule == .revoked, "\(answer.fetches)")
      #expect(servers.requests.map { $0.body == nil } == [true, false])
    }
  }

  @Test("what is fetched by POST is kept, and the GET that failed does not stand in its way")
  func kept() async throws {
    servers.serve(Self.url, .failure(.status(503)), try response(SignedRevocation.good))
    let validator = made.validator(servers, [.ocsp])
    let request = made.request([made.leaf, made.intermediate], .init(.required(of: .leaf)))
    await #expect(throws: Never.self) { try await validator.answer(to: request).path }
    let again = await validator.answer(to: request)
    #expect(again.fetches.map(\.outcome) == [.cached])
    #expect(servers.requests.count == 2)
  }

  @Test("no POST follows a good answer, or a server that is silent")
  func noPost() async throws {
    for reply in [
      .failure(.timeout), .failure(.noAddress(host: "ocsp.example")),
      .failure(.unreachable(host: "ocsp.example", reason: "Connection refused")),
      try response(SignedRevocation.good),
    ] as [Servers.Reply] {
      let servers = Servers()
      servers.serve(Self.url, reply)
      _ = await made.validator(servers, [.ocsp])
        .answer(to: made.request([made.leaf, made.intermediate]))
      #expect(servers.requests.count == 1)
    }
  }

  @Test("a POST that follows a GET is paid from the budget, and ends the asking")
  func budget() async throws {
    servers.serve(Self.url, .failure(.status(405)))
    let poor = await ask { $0.budget.requests = 1 }
    #expect(
      poor.fetches.map(\.outcome) == [
        .failed(.status(405)), .failed(.budgetExhausted(.requests(1))),
      ])
    #expect(servers.requests.count == 1)
    let answer = await ask()
    #expect(answer.fetches.map(\.outcome) == [.failed(.status(405)), .failed(.status(405))])
    #expect(servers.requests.count == 3)
  }

  @Test("a response that was signed while the question waited is not from the future")
  func signedOnDemand() async throws {
    struct Slow: Fetching {
      let servers: Servers
      func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
        servers.pass(5)
        return try await servers.fetch(request)
      }
    }
    // Its thisUpdate is 2025-12-31T00:00:00Z.
    servers.serve(Self.url, try response(SignedRevocation.good))
    servers.pass(-86_403)
    var exact = Revocation(.required(of: .leaf))
    exact.tolerance = 0
    var request = made.request([made.leaf, made.intermediate], exact)
    request.time = nil
    let validator = OnlineValidator(
      made.offline, fetching: Slow(servers: servers), policy: .patient([.ocsp]),
      cache: FetchCache(), clock: servers.clock)
    let answer = await validator.answer(to: request)
    #expect(throws: Never.self) { try answer.path }
    #expect("\(answer.time)" == "2025-12-31T00:00:02Z")
  }
}

/// What refuses says which setting would allow it.
@Suite("Refused places") struct RefusedPlaceTests {
  @Test("a port that is not allowed names the setting, and so does an address")
  func settings() {
    let error = #expect(throws: FetchError.self) { try FetchURL("http://ca.example:8080/") }
    #expect(error == .portNotAllowed("http://ca.example:8080/", port: 8080))
    #expect(
      error?.text(beside: "http://ca.example:8080/")
        == "not fetched: its port is 8080; allow it with FetchPolicy.ports")
    let address = FetchError.addressNotAllowed(
      host: "ca.example", address: "10.0.0.1", reason: "private (RFC 1918)")
    #expect(
      "\(address)"
        == "ca.example is at 10.0.0.1, which is private (RFC 1918); allow it with "
        + "HTTPFetcher(allowing:)")
    #expect(
      address.text(beside: "http://ca.example/i")
        == "the address 10.0.0.1 is not asked: it is private (RFC 1918); allow it with "
        + "HTTPFetcher(allowing:)")
  }

  @Test("the ports of a policy go with each request, for redirects")
  func ports() async throws {
    let made = try Published([Published.access(issuers: ["http://ca.example:8080/i"])])
    let servers = Servers()
    _ = await made.validator(servers, [.issuers]) { $0.ports = [80, 8080] }
      .answer(to: made.request([made.leaf]))
    #expect(servers.requests.map(\.ports) == [[80, 8080]])
  }

  @Test("what many paths lack, and what was asked in vain, costs no more than its number")
  func manyPaths() async throws {
    let (paths, count) = (16, 1_800)
    let made = try Published()
    let issuers = try (0..<paths).map { path in
      try SignedCertificate.authority("Issuer", 40, by: "Missing \(path)", 41) {
        let urls = (0..<count).map { "http://\(path).\($0).x/" }
        $0.serialNumber = UInt64(path + 1)
        $0.extensions.append(Published.access(issuers: urls))
      }
    }
    let leaf = try SignedCertificate.leaf(by: "Issuer", 40)
    let error = try #require(throws: PathError.self) {
      try made.offline.validate(made.request([leaf] + issuers))
    }
    var urls: [String] = []
    // Compared with each other, 28,800 URLs take more than this, in debug and in release.
    let limit = Duration.seconds(1)
    #expect(leastProcessorTime(of: 3) { urls = error.issuerLocations } < limit)
    #expect(Set(urls).count == paths * count && urls.count == paths * count)

    var revocation = Revocation(.ifAvailable)
    revocation.unanswered = urls.map { .init(made.leaf, $0) }
    let request = made.request([made.leaf, made.intermediate], revocation)
    var path: ValidatedPath?
    #expect(leastProcessorTime(of: 1) { path = try? made.offline.validate(request) } < limit)
    #expect(path?.revocation.first?.status == .unknown(.unanswered(urls)))
  }

  @Test(
    "URLs that are not fetched cost no more than their number", .timeLimit(.minutes(10)))
  func many() async throws {
    let count = isDebug ? 10_000 : 40_000
    let urls = (0..<count).map { "a\($0)" }
    let made = try Published([Published.access(issuers: urls)])
    let servers = Servers()
    // Compared with each other they would take minutes.
    let answer = await made.validator(servers, [.issuers]).answer(to: made.request([made.leaf]))
    #expect(answer.fetches.count == count && servers.urls.isEmpty)
  }
}
