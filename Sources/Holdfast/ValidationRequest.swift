public import HoldfastCertificates
public import HoldfastPaths

/// A chain to validate, one of many.
public struct ValidationRequest: Sendable {
  /// The certificates as they were sent, the leaf first.
  public var chain: [Certificate]
  /// The purpose of the validation.
  public var purpose: Purpose
  /// The time of the validation; nil for the moment at which it takes place.
  public var time: Timestamp?
  /// Revocation data to use instead of the validator's.
  public var revocation: Revocation?
  /// The pins that the path must satisfy; nil to compare none.
  public var pins: PinSet?
  /// What was sent and cannot be read. It changes no verdict, only reasons.
  public var unreadable: [UnreadableCertificate] = []

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - chain: The certificates as they were sent, the leaf first, the others in any order.
  ///   - time: The time of the validation; nil for the moment at which it takes place.
  ///   - revocation: Revocation data to use instead of the validator's; nil for the validator's.
  ///   - pins: The pins that the path must satisfy; nil to compare none.
  public init(
    _ chain: [Certificate], for purpose: Purpose, at time: Timestamp? = nil,
    revocation: Revocation? = nil, pins: PinSet? = nil
  ) {
    self.chain = chain
    self.purpose = purpose
    self.time = time
    self.revocation = revocation
    self.pins = pins
  }
}

extension ValidationRequest: CustomStringConvertible {
  /// The leaf, how many certificates came with it, and the purpose.
  public var description: String {
    "\(ServerTrust.words(of: chain)), for \(purpose)\(time.map { " at \($0)" } ?? "")"
  }
}

/// Validation of many chains.
extension PathValidator {
  /// Returns the first valid path that satisfies the pins of the request.
  ///
  /// A valid path that does not satisfy them is rejected as `Rule.veto`.
  package func validate(_ request: ValidationRequest) throws(PathError) -> ValidatedPath {
    var missed: [PinnedPath] = []
    return try validate(
      request.chain, for: request.purpose, at: request.time ?? .now,
      revocation: request.revocation, unreadable: request.unreadable, holding: request.pins,
      missed: &missed
    ).path
  }

  /// Validates the chains of a stream, several at once, and returns the answers in the order of the
  /// requests.
  ///
  /// ```swift
  /// for try await answer in validator.answers(to: requests, concurrency: 2) {
  ///   switch answer {
  ///   case .success(let path): print("trusted: \(path)")
  ///   case .failure(let error): print("rejected: \(error)")
  ///   }
  /// }
  /// ```
  ///
  /// A request is answered without waiting for the next one to come. Memory is bounded: if the
  /// answers are not taken, no more requests are taken. A task that is cancelled while it takes them
  /// gets `CancellationError`.
  ///
  /// - Parameter concurrency: Maximum number of validations at the same time; less than 1 counts as
  ///   1.
  public func answers<Requests: AsyncSequence & Sendable>(
    to requests: Requests, concurrency: Int
  ) -> OrderedAnswers<Requests, Result<ValidatedPath, PathError>>
  where Requests.Element == ValidationRequest {
    OrderedAnswers(to: requests, concurrency: concurrency) { request in
      Result { () throws(PathError) in try validate(request) }
    }
  }
}
