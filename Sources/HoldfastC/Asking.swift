internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastJSON

/// A question as C asks it, with everything copied.
struct AskedQuestion {
  /// What the certificate is for, and the name that goes with it.
  enum Use {
    case server(String), client, peer(String), email(String), codeSigning, timeStamping, any
  }

  let use: Use
  /// The certificates, or the files that hold them.
  let chain: [[UInt8]]
  let holdsFiles: Bool
  let time: Timestamp
  let isHandshake: Bool
  let staple: [UInt8]?
  let timestamps: [UInt8]?
}

extension AskedQuestion.Use {
  /// The purpose; an error if the name is none.
  fileprivate var purpose: Purpose {
    get throws(TrustError) {
      switch self {
      case .server(let host): return .server(try HostName(evaluating: host))
      case .client: return .client
      case .peer(let host): return .peer(try HostName(evaluating: host))
      case .email(let address):
        do throws(PathError) { return try .email(address) } catch { throw .invalidPath(error) }
      case .codeSigning: return .codeSigning
      case .timeStamping: return .timeStamping
      case .any: return .any
      }
    }
  }
}

extension AskedQuestion {
  /// The certificates in DER.
  fileprivate var certificates: [[UInt8]] {
    get throws(TrustError) {
      guard holdsFiles else { return chain }
      var certificates: [[UInt8]] = []
      for file in chain {
        guard file.first != DERTag.sequence.rawValue || PEMText.isLikely(file) else {
          certificates.append(file)
          continue
        }
        let text = PEMText(file, labels: Certificate.labels)
        certificates += text.blocks.map { $0.bytes }
        var error = text.errors.first
        if error == nil, text.blocks.isEmpty {
          error = PEMError(problem: .noBlock, block: 0, line: 1)
        }
        if let error {
          throw .invalidCertificate(
            index: certificates.count, ParseError(.certificate, pem: error))
        }
      }
      return certificates
    }
  }
}

/// What was decided, and what it is about.
struct Judgment: Sendable {
  let outcome: TrustOutcome
  /// Makes the answer. Most programs ask only whether the chain is trusted.
  let answer: @Sendable () -> Answer
  /// What was asked; nil if it could not be understood.
  let question: Question?
}

extension Judge {
  /// Judges a chain. There is always an answer.
  func judgment(_ asked: AskedQuestion) -> Judgment {
    var input = Answer.Input(time: asked.time)
    input.sources.upkiFolder = upkiFolder
    let question: Question
    do throws(TrustError) {
      input.purpose = try asked.use.purpose
      question = try self.question(asked, &input)
    } catch {
      return Judgment(
        outcome: .failure(error), answer: { [input] in Answer(error, input) }, question: nil)
    }
    guard case .server = asked.use, let host = input.host else {
      return judgment(question, input)
    }
    let outcome = Result { () throws(TrustError) in try manager.evaluate(question) }
    let answer: @Sendable () -> Answer = { [self, input] in
      let pins = hasPins ? manager.pins.selection(for: host, at: asked.time) : nil
      var answer = Answer(outcome, input, pins: pins)
      answer.note(question.chain, limit: 1 + manager.validator.limits.candidates)
      return answer
    }
    return Judgment(outcome: outcome, answer: answer, question: question)
  }

  /// Judges a chain that is not of a server.
  private func judgment(_ question: Question, _ input: Answer.Input) -> Judgment {
    do throws(PathError) {
      let path = try manager.validator.validate(question)
      let verdict = Verdict(.validPath, host: nil, path: path, at: path.time)
      let answer: @Sendable () -> Answer = {
        var answer = Answer(path, nil, input)
        answer.note(question.chain, limit: 1 + manager.validator.limits.candidates)
        return answer
      }
      return Judgment(outcome: .success(verdict), answer: answer, question: question)
    } catch {
      return Judgment(
        outcome: .failure(.invalidPath(error)), answer: { Answer(error, input) },
        question: question)
    }
  }

  private func question(
    _ asked: AskedQuestion, _ input: inout Answer.Input
  ) throws(TrustError) -> Question {
    var question = try manager.validator.question(
      der: try asked.certificates, staple: asked.staple, timestamps: asked.timestamps,
      for: input.purpose ?? .any, at: asked.time)
    if asked.staple != nil {
      input.sources.ocspResponses = [
        asked.isHandshake ? "the stapled response" : "the OCSP response"
      ]
    }
    if !asked.isHandshake {
      // Nothing is known of a handshake, so the response counts as any other.
      let responses = question.revocation?.ocspResponses ?? []
      question.revocation = nil
      if !responses.isEmpty {
        var known = revocation ?? Revocation()
        known.ocspResponses += responses
        question.revocation = known
      }
    }
    input.unreadable = question.unreadable.map { Answer.Note($0) }
    return question
  }
}

extension Answer.Note {
  /// A certificate of the chain that cannot be read.
  fileprivate init(_ certificate: UnreadableCertificate) {
    let error = certificate.error
    let place = "certificate \(certificate.number) of the chain"
    self.init(
      "\(place): \(error)",
      .object([
        "file": .string(place), "block": .null, "line": .null, "offset": .number(error.offset),
        "field": .string(error.fieldName), "problem": .string(error.message),
        "rule": .string(error.citation),
      ]))
  }
}
