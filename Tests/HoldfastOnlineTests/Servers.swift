import Holdfast
@testable import HoldfastOnline
import Synchronization
import TestSupport

/// A fetcher that serves from memory, and writes down what it was asked.
final class Servers: Fetching {
  typealias Reply = Result<FetchResponse, FetchError>

  private struct State {
    var replies: [String: [Reply]] = [:]
    var requests: [FetchRequest] = []
    var isHeld = false
    var now = SignedCertificate.time
  }

  private let state = Mutex(State())
  let allowedRanges: [AddressRange]

  /// - Parameter isHeld: Whether responses wait for `release`.
  init(isHeld: Bool = false, allowing ranges: [AddressRange] = []) {
    allowedRanges = ranges
    state.withLock { $0.isHeld = isHeld }
  }

  /// The time by the clock of questions and caches; it moves only here.
  var time: Timestamp { state.withLock { $0.now } }

  /// The system's clock for deadlines, and this one's time.
  var clock: FetchClock {
    var clock = FetchClock.system
    clock.time = { [self] in time }
    return clock
  }

  /// Moves the clock.
  func pass(_ seconds: Int64) { state.withLock { $0.now = $0.now.advanced(bySeconds: seconds) } }

  /// Lets responses come.
  func release() { state.withLock { $0.isHeld = false } }

  /// The URLs that were asked for, without what a GET adds to that of a responder.
  var urls: [String] {
    state.withLock { $0.requests.map(Servers.place) }
  }

  var requests: [FetchRequest] { state.withLock { $0.requests } }

  /// Serves these responses in turn at a URL, the last one again and again.
  func serve(_ url: String, _ replies: Reply...) {
    state.withLock { $0.replies[url] = replies }
  }

  func serve(_ url: String, _ body: [UInt8]) { serve(url, .success(FetchResponse(body))) }

  private static func place(_ request: FetchRequest) -> String {
    let text = request.url.text
    guard request.kind == .ocsp, request.body == nil, let end = text.utf8.lastIndex(of: 0x2F) else {
      return text
    }
    return String(text[...end])
  }

  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    let reply = state.withLock { state -> Reply in
      state.requests.append(request)
      let place = Servers.place(request)
      guard var replies = state.replies[place], let reply = replies.first else {
        return .failure(.status(404))
      }
      if replies.count > 1 { replies.removeFirst() }
      state.replies[place] = replies
      return reply
    }
    while state.withLock({ $0.isHeld }) {
      do { try await Task.sleep(for: .milliseconds(2)) } catch { throw .cancelled }
    }
    let response = try reply.get()
    guard response.body.count <= request.maximumBytes else {
      throw .tooLong(limit: request.maximumBytes)
    }
    return response
  }
}

extension FetchPolicy {
  /// The policy of tests: a busy machine is no reason to give up.
  static func patient(_ kinds: Set<FetchKind> = Set(FetchKind.allCases)) -> FetchPolicy {
    var policy = FetchPolicy(kinds)
    policy.budget.time = .seconds(600)
    return policy
  }
}

/// A root, an intermediate and a leaf, which say where everything is.
struct Published {
  static let issuers = "http://ca.example/intermediate.crt"
  static let ocsp = "http://ocsp.example/"
  static let crl = "http://crl.example/1.crl"
  static let rootCRL = "http://crl.example/root.crl"

  let root: Certificate
  let intermediate: Certificate
  let leaf: Certificate
  let offline: PathValidator

  /// - Parameter leafExtensions: Where the leaf's information is, by default everywhere.
  init(
    _ leafExtensions: [[UInt8]] = [
      Published.access(ocsp: [Published.ocsp], issuers: [Published.issuers]),
      Published.points([Published.crl]),
    ],
    revocation: Revocation? = nil
  ) throws {
    root = try SignedCertificate.root()
    intermediate = try SignedCertificate.authority("Middle", 2, by: "Root", 1) {
      $0.serialNumber = 7
    }
    leaf = try SignedCertificate.leaf(by: "Middle", 2) {
      $0.extensions += leafExtensions
      $0.serialNumber = 9
    }
    offline = PathValidator(
      anchors: AnchorSet([root]), rules: .rfc5280, revocation: revocation)
  }

  static func access(ocsp: [String] = [], issuers: [String] = []) -> [UInt8] {
    let rows =
      ocsp.map { ("1.3.6.1.5.5.7.48.1", $0) } + issuers.map { ("1.3.6.1.5.5.7.48.2", $0) }
    return Made.extension(
      "1.3.6.1.5.5.7.1.1",
      Made.der(0x30, rows.flatMap { Made.der(0x30, Made.oid($0.0) + Made.uri($0.1)) }))
  }

  static func points(_ urls: [String], delta: Bool = false) -> [UInt8] {
    let points = urls.flatMap { Made.der(0x30, Made.der(0xA0, Made.der(0xA0, Made.uri($0)))) }
    return Made.extension(delta ? "2.5.29.46" : "2.5.29.31", Made.der(0x30, points))
  }

  func validator(
    _ servers: Servers, _ kinds: Set<FetchKind> = Set(FetchKind.allCases),
    cache: FetchCache = FetchCache(), _ change: (inout FetchPolicy) -> Void = { _ in }
  ) -> OnlineValidator {
    var policy = FetchPolicy.patient(kinds)
    change(&policy)
    return OnlineValidator(
      offline, fetching: servers, policy: policy, cache: cache, clock: servers.clock)
  }

  func request(
    _ chain: [Certificate], _ revocation: Revocation? = nil
  ) -> Question {
    Question(
      chain, for: Purpose.server(named: SignedCertificate.host), at: SignedCertificate.time,
      revocation: revocation)
  }
}
