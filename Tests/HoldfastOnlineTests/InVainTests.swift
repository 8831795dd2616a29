import Holdfast
@testable import HoldfastOnline
import TestSupport
import Testing

@Suite("What was asked for in vain") struct InVainTests {
  private let made: Published
  private let servers = Servers()

  init() throws { made = try Published() }

  @Test("a status that was asked for in vain says what failed, and not that nothing was given")
  func askedInVain() async throws {
    let refused = FetchError.unreachable(host: "ocsp.example", reason: "Connection refused")
    let problem = "ocsp \(Published.ocsp): cannot connect: Connection refused"
    let chain = [made.leaf, made.intermediate]
    servers.serve(Published.ocsp, .failure(refused))
    let soft = await made.validator(servers, [.ocsp]).answer(to: made.request(chain))
    let found = try #require(try soft.path.revocation.first)
    #expect(found.status == .unknown(.unanswered([problem])))
    let others = try soft.path.revocation.dropFirst().map(\.status)
    #expect(others.allSatisfy { $0 == .unknown(.noSources) }, "nothing was asked about the others")
    let hard = await made.validator(servers, [.ocsp])
      .answer(to: made.request(chain, .init(.required(of: .leaf))))
    let error = try #require(throws: PathError.self) { try hard.path }
    #expect(error.headline == "CN=Leaf has unknown revocation status: \(problem)")
    let finding = error.rejections.first.map { "\($0.violation)" }
    #expect(finding == "has unknown revocation status: \(problem)")
    // A manager that decides on the same data says the same.
    let again = try #require(throws: PathError.self) {
      try made.validator(servers).validator.validate(
        hard.chain, for: .server(named: SignedCertificate.host), at: hard.time,
        revocation: hard.revocation)
    }
    #expect(again.headline == error.headline)
    // A URL that is not fetched at all is known only after the first validation.
    let url = "https://crl.example/1"
    let elsewhere = try Published([Published.points([url])])
    let refusal = await elsewhere.validator(servers, [.crl])
      .answer(to: elsewhere.request([elsewhere.leaf, elsewhere.intermediate]))
    #expect(
      try refusal.path.revocation.first?.status
        == .unknown(.unanswered(refusal.fetches.map { "\($0)" })))
    #expect(refusal.fetches.map(\.url) == [url])
  }

  @Test("what came and cannot be used is the reason rather than what did not come")
  func unusableBesideVain() async throws {
    let chain = [made.leaf, made.intermediate]
    servers.serve(Published.ocsp, .failure(.status(404)))
    servers.serve(Published.crl, try SignedRevocation.list(by: "Other", 50).der)
    let answer = await made.validator(servers, [.ocsp, .crl]).answer(to: made.request(chain))
    #expect(try answer.path.revocation.first?.status == .unknown(.nothingUsable))
  }

  @Test(
    "under a hard demand, too, no URL is asked that no CA has signed, or of no use for the host")
  func unsigned() async throws {
    let forged = try SignedCertificate.leaf(by: "Middle", 66) {
      $0.extensions += [
        Published.access(ocsp: [Published.ocsp]), Published.points([Published.crl]),
      ]
    }
    for demand in [Revocation.Demand.required(of: .leaf), .required(of: .everyCertificate)] {
      let answer = await made.validator(servers, [.ocsp, .crl])
        .answer(to: made.request([forged, made.intermediate], .init(demand)))
      let error = #expect(throws: PathError.self) { try answer.path }
      #expect(error?.rejections.contains { $0.rule == .signature } == true)
      #expect(servers.urls.isEmpty)
      var request = made.request([made.leaf, made.intermediate], .init(demand))
      request.purpose = Purpose.server(named: "other.example")
      _ = await made.validator(servers, [.ocsp, .crl]).answer(to: request)
      #expect(servers.urls.isEmpty)
    }
  }
}
