internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes
internal import HoldfastJSON

/// What became of one server, in no words of the TLS library, and what `connect` says of it.
struct ConnectReport: Sendable {
  let target: ConnectTarget
  let answer: Answer
  let time: Timestamp
  /// The certificates as they were sent, in DER, the leaf first.
  var sent: [[UInt8]] = []
  /// The stapled OCSP response.
  var staple: Staple?
  /// The timestamps of logs that were sent in extension 18.
  var timestamps: [UInt8]?
  /// What was agreed on, if it came that far.
  var handshake: Handshake?

  /// Whether the server is trusted, and why not.
  enum Answer: Sendable {
    case trusted(Verdict)
    /// The broken rule, or what is wrong with the pins; the reason in words; and in one line what
    /// the path nearest to a valid one lacks.
    case rejected(rule: String?, String, nearest: String? = nil)
    /// What was sent is no certificate.
    case unreadable(String)
    /// There was no handshake, or it failed for another reason than the certificates.
    case unreachable(String)
  }

  /// The facts of a handshake.
  struct Handshake: Sendable {
    let version: String
    let cipher: String
    var applicationProtocol: String?
    var isResumed = false
    /// Whether the server has asked for a client certificate, and whether there was one.
    var requestsCertificate = false
    var hasCertificate = false
  }
}

extension ConnectReport {
  /// The certificates that were sent, as far as they can be read, the leaf first.
  var chain: [Certificate] {
    var chain: [Certificate] = []
    for (index, der) in sent.enumerated() {
      do throws(ParseError) {
        chain.append(try Certificate(der: der))
      } catch {
        // Of a leaf that cannot be read nothing is known; what else cannot be read is on no path.
        if index == 0 { break }
      }
    }
    return chain
  }

  /// What this server comes to.
  var status: ExitStatus {
    switch answer {
    case .trusted: .success
    case .rejected: .rejected
    case .unreadable, .unreachable: .notUnderstood
    }
  }

  /// Whether an explanation can follow: there are certificates, and they decided.
  var isExplained: Bool {
    if case .unreachable = answer { return false }
    return !chain.isEmpty
  }

  /// The word for programs, the rule, and why, in words.
  private var verdict: (word: String, rule: String?, reason: String) {
    switch answer {
    case .trusted(let verdict): ("trusted", nil, "\(verdict)")
    case .rejected(let rule, let reason, _): ("rejected", rule, reason)
    case .unreadable(let reason): ("unreadable", nil, reason)
    case .unreachable(let reason): ("unreachable", nil, reason)
    }
  }

  /// How many days the verdict will hold, or the leaf is valid; negative if it has expired.
  private var daysLeft: Int? {
    var end = chain.first?.notAfter
    if case .trusted(let verdict) = answer {
      // Where revocation is checked a verdict is one for the moment.
      let last = verdict.validity.upperBound
      end = time < last ? last : verdict.certificates.map(\.notAfter).min()
    }
    guard let end else { return nil }
    let seconds = end.seconds(since: time)
    return Int((seconds >= 0 ? seconds : seconds - 86_399) / 86_400)
  }

  /// What the stapled response says of the leaf: `none` without one.
  private var stapleStatus: String { staple?.status.rawValue ?? "none" }

  /// The facts of the handshake, and the verdict where no explanation follows. For programs `tls`
  /// is null without a handshake, `daysLeft` where no certificate can be read.
  var document: Document {
    func hashes(_ certificates: [[UInt8]]) -> [String] {
      certificates.map { Hexadecimal.text(of: HashAlgorithm.sha256.hash($0).array) }
    }
    var path: [[UInt8]] = []
    var isTrusted = false
    if case .trusted(let verdict) = answer {
      path = verdict.path?.certificates.map(\.der) ?? []
      isTrusted = true
    }
    let (word, rule, reason) = verdict
    let title = [target.name, handshake?.text].compactMap(\.self)
    var document = Document(title: "\(title.joined(separator: ": "))")
    document.add("host", target.name)
    document.add("verdict", word)
    document.add("rule", rule)
    document.add("path", hashes(path))
    document.addLines("presented", Shown(hashes(sent), presentedLines))
    document.add("tls", handshake.map(\.json) ?? .null)
    document.add("staple", stapleStatus)
    if let line = handshake?.certificateRequest { document.addLines(nil, line) }
    document.addLines(
      "daysLeft", Shown(daysLeft, isTrusted ? daysLeft.map { ["\($0) days left"] } ?? [] : []))
    document.addLines(
      "explanation", Shown(reason, isExplained ? [] : [.bad("✗ \(word):") + " \(firstLine)"]))
    return document
  }

  private var presentedLines: [Line] {
    let count = sent.count
    guard count > 0 else { return [] }
    return ["sent \(count) certificate\(count == 1 ? "" : "s"), stapled response: \(stapleStatus)"]
      + chain.enumerated().map { index, certificate in
        "\(index): \(PathText.name(certificate)), \(Validity(certificate, at: time).text)"
      }
  }

  /// One line, for many hosts.
  var line: Line {
    let name = Line(Command.padded(printable(target.name), to: 32))
    switch answer {
    case .trusted:
      let days = daysLeft.map { "\($0) days left" } ?? ""
      let request = handshake?.requestsCertificate == true ? ", asks for a client certificate" : ""
      return name + .good("✓ trusted") + "  \(days), \(handshake?.version ?? "")\(request)"
    case .rejected(let rule, _, let nearest):
      return name + .bad("✗ rejected")
        + "  \(rule.map { "\($0): " } ?? "")\(nearest ?? firstLine)"
    case .unreadable, .unreachable:
      return name + .bad("✗ \(verdict.word)") + "  \(firstLine)"
    }
  }

  private var firstLine: String {
    verdict.reason.split(separator: "\n").first.map(String.init) ?? ""
  }

  /// The answer that an explanation has to explain.
  var explained: Explanation.Answer {
    if case .trusted(let verdict) = answer {
      return Explanation.Answer(status: status, verdict: "trusted", path: verdict.path)
    }
    return Explanation.Answer(
      status: status, verdict: verdict.word, path: nil, problem: firstLine)
  }
}

extension ConnectReport.Handshake {
  /// `TLSv1.3, TLS_AES_256_GCM_SHA384, h2`.
  fileprivate var text: String {
    [version, cipher, applicationProtocol].compactMap(\.self).joined(separator: ", ")
  }
  fileprivate var json: JSONValue {
    .object([
      "version": .string(version), "cipher": .string(cipher),
      "alpn": .optional(applicationProtocol), "resumed": .bool(isResumed),
      "requestsCertificate": .bool(requestsCertificate),
    ])
  }
  /// That the server asks for a client certificate; nil if it does not.
  fileprivate var certificateRequest: String? {
    guard requestsCertificate else { return nil }
    return "asks for a client certificate; "
      + (hasCertificate ? "that of --identity was offered" : "none was sent (see --identity)")
  }
}
