internal import HoldfastOnline
internal import Synchronization

/// A fetcher that shows on the terminal what is being asked, in one line.
final class FetchProgress: Fetching {
  private let fetching: any Fetching
  private let state = Mutex(State())

  fileprivate struct State {
    var line = ProgressLine()
    /// What is on its way, in the order of asking.
    var requests: [(kind: FetchKind, host: String)] = []
  }

  init(of fetching: any Fetching) {
    self.fetching = fetching
  }

  var allowedRanges: [AddressRange] { fetching.allowedRanges }

  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    let (kind, host) = (request.kind, "\(request.url.host)")
    state.withLock { state in
      state.requests.append((kind, host))
      state.show()
    }
    defer {
      state.withLock { state in
        if let index = state.requests.firstIndex(where: { $0 == (kind, host) }) {
          state.requests.remove(at: index)
          state.show()
        }
      }
    }
    return try await fetching.fetch(request)
  }

  /// Takes the line off the terminal: the question has its answer, although servers may still be
  /// silent.
  func end() {
    state.withLock { state in
      state.requests = []
      state.show()
    }
  }

  /// `asking ca.example for issuers, and 2 more`.
  static func text(_ requests: [(kind: FetchKind, host: String)]) -> String {
    guard let first = requests.first else { return "" }
    let what =
      switch first.kind {
      case .issuers: "issuers"
      case .ocsp: "an OCSP response"
      case .crl: "a CRL"
      }
    let more = requests.count > 1 ? ", and \(requests.count - 1) more" : ""
    // A host may be longer than a line of the terminal.
    return "asking \(first.host.prefix(40)) for \(what)\(more)"
  }
}

extension FetchProgress.State {
  fileprivate mutating func show() {
    if requests.isEmpty { line.clear() } else { line.show(FetchProgress.text(requests)) }
  }
}
