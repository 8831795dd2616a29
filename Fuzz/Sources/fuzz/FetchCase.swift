import Foundation
import Holdfast
@testable import HoldfastOnline
import Synchronization

/// Two questions to an `OnlineValidator` whose servers do what the input says. Neither may cost more
/// than its budget, ask for the same twice, or trust what the offline validator does not trust on
/// the same data.
///
/// Bytes: the leaf, the certificates that are sent (a bit each), the kinds (a bit each), the demand,
/// then the budget: requests, requests for issuers, KiB, seconds. Then three for each thing that a
/// server may do: what, which object of `fetch.txt`, and after how many seconds.
enum FetchCase {
  private static let objects = Objects()
  private static let demands: [Revocation.Demand] = [
    .ifAvailable, .required(of: .leaf), .required(of: .everyCertificate), .ignored,
  ]

  /// How fast the clock moves while all wait.
  static let tick = Duration.milliseconds(100)

  static func run(_ bytes: [UInt8]) {
    guard bytes.count >= 11 else { return }
    var policy = FetchPolicy(
      Set(FetchKind.allCases.enumerated().filter { bytes[2] >> $0.offset & 1 == 1 }.map(\.element)))
    policy.budget.requests = Int(bytes[4] % 10)
    policy.budget.issuerRequests = Int(bytes[5] % 6)
    policy.budget.bytes = Int(bytes[6]) << 10
    policy.budget.time = .seconds(Int(bytes[7] % 32))
    policy.hostInterval = .milliseconds(100 * Int(bytes[7] >> 5))
    let servers = ScriptedServers(objects, Array(bytes[8...]), policy)
    let online = OnlineValidator(
      objects.validator, fetching: servers, policy: policy,
      cache: FetchCache(maximumBytes: 1 << 16), clock: servers.clock)
    let sent = objects.sent.enumerated().filter { bytes[1] >> $0.offset & 1 == 1 }.map(\.element)
    let request = Question(
      [objects.leaves[Int(bytes[0]) % objects.leaves.count]] + sent, for: objects.purpose,
      at: objects.time, revocation: Revocation(demands[Int(bytes[3]) % demands.count]))
    for _ in 0..<2 {
      servers.begin()
      let answer = wait { await online.answer(to: request) }
      servers.end()
      check(answer, request, policy, asked: servers.requests)
    }
  }

  private static func check(
    _ answer: OnlineAnswer, _ request: Question, _ policy: FetchPolicy,
    asked: [FetchRequest]
  ) {
    precondition(answer.chain.starts(with: request.chain), "the chain was changed")
    for report in answer.fetches {
      precondition(policy.kinds.contains(report.kind), "not among the kinds")
      precondition(!"\(report)".isEmpty)
    }
    precondition(asked.count <= answer.fetches.count, "a request is not reported")
    // The same data, without fetching, must be decided in the same way.
    let offline = Result { () throws(PathError) in
      try objects.validator.validate(
        answer.chain, for: request.purpose, at: objects.time, revocation: answer.revocation)
    }
    switch (answer.result, offline) {
    case (.success(let a), .success(let b)):
      precondition(a.certificates == b.certificates, "another path")
    case (.failure, .failure): break
    default: preconditionFailure("decided otherwise: \(answer.result) and \(offline)")
    }
  }

  /// Waits for asynchronous work.
  private static func wait(
    _ work: @escaping @Sendable () async -> OnlineAnswer
  ) -> OnlineAnswer {
    let result = Mutex<OnlineAnswer?>(nil)
    let box = Box(result)
    let done = DispatchSemaphore(value: 0)
    Task {
      let answer = await work()
      box.value.withLock { $0 = answer }
      done.signal()
    }
    done.wait()
    guard let answer = box.value.withLock({ $0 }) else { preconditionFailure("no answer") }
    return answer
  }

  private final class Box: Sendable {
    let value: Mutex<OnlineAnswer?>
    init(_ value: consuming Mutex<OnlineAnswer?>) { self.value = value }
  }

  /// The output of `make_fetch.py`.
  struct Objects: Sendable {
    private(set) var validator = PathValidator(anchors: AnchorSet([]))
    private(set) var leaves: [Certificate] = []
    /// What the peer may send.
    private(set) var sent: [Certificate] = []
    /// What servers may send.
    private(set) var bodies: [[UInt8]] = []
    let purpose = Purpose.anyServer
    let time = Timestamp("2026-01-01T00:00:00Z") ?? .now

    init() {
      let path = objectsPath("fetch.txt")
      do {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let certificates = CertificateBundle(Array(text.utf8)).certificates
        validator = PathValidator(
          anchors: AnchorSet(certificates.prefix(2)), rules: .rfc5280, cache: SignatureCache())
        leaves = Array(certificates[2..<6])
        sent = Array(certificates[6...].prefix(8))
        bodies = text.split(separator: "-----BEGIN ").map { block in
          let lines = block.split(separator: "\n").dropFirst().prefix { !$0.hasPrefix("-----") }
          return Array(Data(base64Encoded: lines.joined()) ?? Data())
        }
      } catch {
        print("\(path): \(error)")
        exit(2)
      }
    }
  }
}

/// Servers that do what the input says, on a clock that they move. It traps when a question asks for
/// more than its budget.
private final class ScriptedServers: Fetching {
  private let objects: FetchCase.Objects
  private let script: [UInt8]
  private let policy: FetchPolicy
  private let state: Mutex<State>
  private let start = ContinuousClock.now

  private struct State {
    var now: Duration = .zero
    /// When the question has begun, and which it is.
    var begin: Duration = .zero
    var question = 0
    var isOpen = false
    var requests: [FetchRequest] = []
    var bytes = 0
  }

  init(_ objects: FetchCase.Objects, _ script: [UInt8], _ policy: FetchPolicy) {
    self.objects = objects
    self.script = script
    self.policy = policy
    state = Mutex(State())
  }

  var requests: [FetchRequest] { state.withLock { $0.requests } }

  /// The clock of the questions: it moves when a server takes its time.
  var clock: FetchClock {
    var clock = FetchClock(
      now: { self.start + self.state.withLock(\.now) },
      wait: { moment in
        while self.state.withLock({ self.start + $0.now }) < moment {
          try await Task.sleep(for: .microseconds(200))
          // Where no server moves the clock, waiting does.
          self.state.withLock { $0.now += FetchCase.tick }
        }
      })
    clock.time = { [time = objects.time] in time }
    return clock
  }

  func begin() {
    state.withLock { state in
      // What failed is asked again.
      state.now += .seconds(61)
      (state.begin, state.isOpen, state.requests, state.bytes) = (state.now, true, [], 0)
      state.question += 1
    }
  }

  func end() { state.withLock { $0.isOpen = false } }

  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    let (step, question) = state.withLock { state in
      let step = self.step(for: request)
      let planned = request.deadline - policy.requestTimeout
      // A request whose host's turn came as its question ended is made all the same. It is of no
      // question any more, and does not move the clock of the next one.
      if state.isOpen, start + state.begin <= planned {
        count(request, planned, &state)
        state.now += .seconds(step[0] % 16 == 14 ? 1_000 : Int(step[2] % 16))
      }
      return (step, state.question)
    }
    let object = objects.bodies[Int(step[1]) % objects.bodies.count]
    switch step[0] % 16 {
    case 0..<6: return try send(object, request)
    case 6:
      // Two objects in one, which PEM may be.
      let other = objects.bodies[Int(step[2]) % objects.bodies.count]
      return try send(pem(object) + pem(other), request)
    case 7:
      var body = object
      body[Int(step[2]) * body.count / 256] ^= step[0] | 1
      return try send(body, request)
    case 8: return FetchResponse(object, isUnchanged: true, entityTag: "x", maximumAge: 0)
    case 9: throw .status(404)
    case 10: throw .tooManyRedirects(request.maximumRedirects)
    case 11:
      // It lies about what it was asked for: more than the limit.
      spend(request.maximumBytes, request)
      return FetchResponse([UInt8](repeating: step[1], count: request.maximumBytes + 1))
    case 12:
      spend(request.maximumBytes, request)
      throw .invalidResponse("cut")
    case 13: return try send([], request)
    case 14:
      // It never answers: the question must end by its own clock.
      while state.withLock({ $0.isOpen && $0.question == question }) {
        do { try await Task.sleep(for: .microseconds(200)) } catch { break }
      }
      throw .timeout
    default:
      return try send([UInt8](repeating: 0x30, count: request.maximumBytes), request)
    }
  }

  /// Counts a request against the budget.
  private func count(
    _ request: FetchRequest, _ planned: ContinuousClock.Instant, _ state: inout State
  ) {
    let budget = policy.budget
    for other in state.requests {
      precondition(
        other.url != request.url || other.kind != request.kind || other.body != request.body,
        "\(request.url) is asked for twice")
    }
    state.requests.append(request)
    precondition(policy.kinds.contains(request.kind), "not among the kinds")
    precondition(state.requests.count <= budget.requests, "more requests")
    precondition(
      state.requests.count { $0.kind == .issuers } <= budget.issuerRequests, "more for issuers")
    precondition(request.maximumBytes <= budget.bytes - state.bytes, "more bytes")
    precondition(request.url.port == 80 && request.url.host.address == nil, "another place")
    // It was planned while there was time. The clock may move between two looks of the question.
    let slack = FetchCase.tick * 10
    precondition(planned <= start + state.begin + budget.time + slack, "planned too late")
  }

  /// What a server does: by its URL, as requests made at once come in any order.
  private func step(for request: FetchRequest) -> ArraySlice<UInt8> {
    var hash: UInt32 = 0x811C_9DC5
    for byte in request.url.text.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    let count = script.count / 3
    let index = Int(hash >> 8) % count * 3
    return [script[index], script[index + 1], script[index + 2]]
  }

  private func send(_ body: [UInt8], _ request: FetchRequest) throws(FetchError) -> FetchResponse {
    guard body.count <= request.maximumBytes else {
      spend(request.maximumBytes, request)
      throw .tooLong(limit: request.maximumBytes)
    }
    spend(body.count, request)
    return FetchResponse(body, entityTag: "x", maximumAge: Int64(body.count) * 30)
  }

  private func spend(_ count: Int, _ request: FetchRequest) {
    state.withLock { state in
      guard
        state.requests.contains(where: { $0.deadline == request.deadline && $0.url == request.url })
      else { return }
      state.bytes += count
      precondition(state.bytes <= policy.budget.bytes, "more bytes than the budget has")
    }
  }

  private func pem(_ der: [UInt8]) -> [UInt8] {
    let text = Data(der).base64EncodedString(options: .lineLength64Characters)
    return Array("-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n".utf8)
  }
}
