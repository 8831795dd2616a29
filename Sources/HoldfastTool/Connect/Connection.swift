internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastJSON
internal import HoldfastOnline

extension Answer {
  /// A handshake, and what was sent in it.
  struct Connection: Sendable {
    /// The certificates as they were sent, in DER, the leaf first.
    var sent: [[UInt8]] = []
    /// What the stapled OCSP response says; nil without one.
    var staple: StapleStatus?
    /// What was agreed on, if it came that far.
    var handshake: Handshake?
    /// How many days the answer will hold, or the leaf is valid; negative if it has expired.
    private(set) var daysLeft: Int?
    /// What the decision rests on and that ends, the earliest first; nil of `get`.
    var endings: [TrustEnding]?

    /// The facts of a handshake.
    struct Handshake: Sendable {
      let version: String
      let cipher: String
      var applicationProtocol: String?
      var isResumed = false
      /// Whether the server has asked for a client certificate, and what became of it; nil if it was
      /// not asked for, or the handshake did not come that far.
      var requestsCertificate = false
      var clientCertificate: ClientCertificate?
    }

    /// What became of a client certificate that the server has asked for.
    enum ClientCertificate: String, Sendable {
      /// There was none.
      case absent
      /// It is for another origin, which has redirected to this one.
      case withheld
      /// It was sent, and the server went on.
      case accepted
      /// It was sent, and the server has not said anything for a while.
      case unanswered
    }
  }
}

extension Answer.Connection {
  /// The certificates that were sent, as far as they can be read, the leaf first.
  var chain: [Certificate] { read().chain }

  /// The certificates that were sent and can be read, the leaf first, and those that cannot.
  func read() -> (chain: [Certificate], unreadable: [UnreadableCertificate]) {
    var chain: [Certificate] = []
    var unreadable: [UnreadableCertificate] = []
    for (index, der) in sent.enumerated() {
      do throws(ParseError) {
        chain.append(try Certificate(der: der))
      } catch {
        // Of a leaf that cannot be read nothing is known; what else cannot be read is on no path.
        if index == 0 { break }
        unreadable.append(UnreadableCertificate(der: der, error: error, number: index + 1))
      }
    }
    return (chain, unreadable)
  }

  /// Counts the days that a verdict will hold or, without one, the leaf is valid.
  mutating func countDays(of verdict: Verdict?, at time: Timestamp) {
    var end = chain.first?.notAfter
    if let verdict {
      // Revocation data are renewed every few days, and are not what a warning is about.
      let last = verdict.validity.upperBound
      let isRenewed = last == verdict.path?.revocationEnd
      end = time < last && !isRenewed ? last : verdict.certificates.map { $0.notAfter }.min()
    }
    guard let end else { return }
    let seconds = end.seconds(since: time)
    // The days of `Validity`, and never 0 if it has expired.
    daysLeft = Int(seconds >= 0 ? seconds / 86_400 : min(seconds / 86_400, -1))
  }

  /// What people read of it below the answer about a server.
  func lines(of address: String, at time: Timestamp) -> [Line] {
    var lines: [Line] = []
    lines.append("\([address, handshake?.text].compactMap { $0 }.joined(separator: ": "))")
    if let line = handshake?.certificateRequest { lines.append("  \(line)") }
    let count = sent.count
    guard count > 0 else { return lines }
    lines.append(
      "  sent \(count) certificate\(count == 1 ? "" : "s"), "
        + "stapled response: \(staple?.rawValue ?? "none")")
    lines += chain.enumerated().map { index, certificate in
      "  \(index): \(PathText.name(certificate)), \(Validity(certificate, at: time).text)"
    }
    return lines
  }

  /// - Parameter time: The time of the answer.
  func document(at time: Timestamp) -> Document {
    var document: Document = [
      "presented": sent.map { Hexadecimal.text(of: HashAlgorithm.sha256.hash($0).array) },
      "tls": handshake?.json ?? .null,
      "staple": staple?.rawValue ?? "none", "daysLeft": daysLeft,
    ]
    if let endings { document.add("endings", endings.map { $0.document(at: time) }) }
    return document
  }
}

extension TrustEnding {
  fileprivate func document(at time: Timestamp) -> Document {
    [
      "kind": kind.rawValue, "name": Printable.redacted(name), "end": "\(end)",
      "days": Int(days(from: time)), "failsAfter": failsAfter.map { "\($0)" },
    ]
  }
}

extension Answer.Connection.Handshake {
  /// `TLSv1.3, TLS_AES_256_GCM_SHA384, h2`.
  fileprivate var text: String {
    [version, cipher, applicationProtocol].compactMap { $0 }.joined(separator: ", ")
  }

  fileprivate var json: JSONValue {
    .object([
      "version": .string(version), "cipher": .string(cipher),
      "alpn": .optional(applicationProtocol), "resumed": .bool(isResumed),
      "requestsCertificate": .bool(requestsCertificate),
      "clientCertificate": .optional(clientCertificate?.rawValue),
    ])
  }

  /// That the server asks for a client certificate; nil if it does not.
  fileprivate var certificateRequest: String? {
    guard requestsCertificate else { return nil }
    let fate =
      switch clientCertificate {
      case nil: ""
      case .absent: "; none was sent: --identity FILE"
      case .withheld: "; none was sent: that of --identity does not follow a redirect elsewhere"
      case .accepted: "; that of --identity was sent, and the server went on"
      case .unanswered: "; that of --identity was sent, and the server has not answered yet"
      }
    return "asks for a client certificate\(fate)"
  }
}

extension Answer {
  /// One line, for many hosts.
  var line: Line {
    let name = Line(padded(printable(input.address ?? ""), to: 32))
    guard isTrusted else { return name + headline }
    let handshake = connection?.handshake
    let facts = [
      connection?.daysLeft.map { "\($0) days left" }, handshake?.version,
      handshake?.requestsCertificate == true ? "asks for a client certificate" : nil,
    ]
    return name + .good("✓ trusted") + "  \(facts.compactMap { $0 }.joined(separator: ", "))"
  }
}
