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
    "where a GET is refused, or the answer is no OCSP response, a POST is tried",
    arguments: [
      .failure(.status(405)), .failure(.status(400)), .failure(.status(404)),
      .success(FetchResponse(Array("<html>".utf8))), .success(FetchResponse([])),
    ] as [Servers.Reply])
  func post(reply: Servers.Reply) async throws {
    servers.serve(Self.url, reply, try response(SignedRevocation.good))
    let answer = await ask()
    guard case .good? = try answer.path.leafStatus else {
      Issue.record("\(answer.fetches)")
      return
    }
    #expect(servers.requests.map { $0.body == nil } == [true, false])
    #expect(servers.requests.last?.url.text == Self.url)
    #expect(answer.fetches.count == 2 && answer.fetches.allSatisfy { $0.url == Self.url })
  }

  @Test("no POST follows an answer, or a server that is silent or has failed")
  func noPost() async throws {
    for reply in [
      .failure(.timeout), .failure(.status(500)), .failure(.tooLong(limit: 9)),
      .success(FetchResponse([0x30, 0x03, 0x0A, 0x01, 0x03])),
      try response(SignedRevocation.unknown),
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
        == "not fetched: its port is 8080, which FetchPolicy.ports does not allow")
    let address = FetchError.addressNotAllowed(
      host: "ca.example", address: "10.0.0.1", reason: "private (RFC 1918)")
    #expect(
      "\(address)"
        == "ca.example is at 10.0.0.1, which is private (RFC 1918), and not allowed by "
        + "HTTPFetcher(allowing:)")
    #expect(
      address.text(beside: "http://ca.example/i")
        == "the address 10.0.0.1 is not asked: it is private (RFC 1918), and not allowed by "
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
