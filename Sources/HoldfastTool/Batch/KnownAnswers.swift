internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER

/// The answers about trusted chains that were validated last, found again by all that they depend
/// on: chain, purpose, time and rules.
///
/// Corpora name the same host again and again, from other addresses and on other days. Lines with
/// anchors, pins or revocation data of their own are not kept.
struct KnownAnswers {
  private var places: [Place?]

  private struct Place {
    let question: Question
    let answer: Answer
  }

  /// What an answer depends on, besides the settings of the run.
  struct Question: Equatable {
    let chain: [Certificate]
    let purpose: Purpose
    let time: Timestamp
    let rules: String
  }

  /// - Parameter capacity: The number of answers, a power of two.
  init(capacity: Int) {
    places = Array(repeating: nil, count: capacity)
  }

  /// The answer to the same question of another line.
  func answer(to question: Question, line: Int) -> Answer? {
    guard let known = places[index(of: question)], known.question == question else { return nil }
    var answer = known.answer
    answer.input.line = line
    return answer
  }

  /// Keeps an answer, if its chain is trusted: others are long.
  mutating func keep(_ answer: Answer, to question: Question) {
    guard answer.isTrusted, answer.input.unreadable.isEmpty else { return }
    places[index(of: question)] = Place(question: question, answer: answer)
  }

  private func index(of question: Question) -> Int {
    CertificateCache.index(question.chain.first?.endKey ?? 0, of: places.count)
  }
}

extension Certificate {
  /// The last eight bytes, which are of the signature, and so tell certificates apart.
  var endKey: UInt64 {
    var key: UInt64 = 0
    for byte in der.suffix(8) { key = key << 8 | UInt64(byte) }
    return key
  }
}
