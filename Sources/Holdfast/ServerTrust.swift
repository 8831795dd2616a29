/// The input of an evaluator: the question about a server, and the validator that answers it.
///
/// Keep the validator and create a `ServerTrust` for each connection, so that anchor keys are
/// prepared once and verified signatures are cached.
public struct ServerTrust: Sendable {
  /// What was presented, when, and what the handshake told. Its purpose holds for any server, since
  /// an evaluator gets the host by itself; `question(for:)` has another.
  public var question: Question

  /// The validator, with the anchors, the rules and the revocation data.
  public var validator: PathValidator

  /// Creates the input for a question, such as one with a handshake's staple and timestamps.
  ///
  /// A question without a time is evaluated at this moment.
  public init(_ question: Question, validator: PathValidator) {
    self.question = question
    self.validator = validator
    self.question.time = time
  }

  /// Creates the input for a chain as it was sent. RFC 8446 §4.4.2.
  ///
  /// - Parameters:
  ///   - chain: The certificates as they were sent, the leaf first, the others in any order.
  ///   - revocation: Revocation data to use instead of the validator's; what a handshake tells is
  ///     added to the validator's.
  public init(
    chain: [Certificate], validator: PathValidator, at time: Timestamp = .now,
    revocation: Revocation? = nil
  ) {
    self.init(
      Question(chain, for: .anyServer, at: time, revocation: revocation), validator: validator)
  }

  /// Creates an input that follows the rules of Apple's platforms, which AFNetworking and Alamofire
  /// assume.
  ///
  /// - Parameter chain: The certificates as they were sent, the leaf first, the others in any
  ///   order.
  public init(chain: [Certificate], anchors: AnchorSet, at time: Timestamp = .now) {
    self.init(chain: chain, validator: PathValidator(anchors: anchors, rules: .apple), at: time)
  }

  /// The time of the evaluation.
  public var time: Timestamp { question.time ?? .now }

  /// Returns the question for a purpose, such as `.server(host)`.
  public func question(for purpose: Purpose) -> Question {
    var question = question
    question.purpose = purpose
    return question
  }
}

extension ServerTrust: CustomStringConvertible {
  /// The question and the anchors.
  public var description: String { "\(question), \(validator)" }
}
