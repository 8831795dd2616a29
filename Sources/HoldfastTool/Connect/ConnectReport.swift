package import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastHashes
internal import HoldfastJSON

/// What became of one server, in no words of the TLS library.
package struct ConnectOutcome: Sendable {
  package let target: ConnectTarget
  package let answer: Answer
  /// The certificates as they were sent, in DER, the leaf first.
  package var chain: [[UInt8]] = []
  /// The stapled OCSP response, in DER.
  package var staple: [UInt8]?
  /// What was agreed on, if it came that far.
  package var handshake: Handshake?

  package init(_ target: ConnectTarget, _ answer: Answer) {
    self.target = target
    self.answer = answer
  }

  /// Whether the server is trusted, and why not.
  package enum Answer: Sendable {
    case trusted(Verdict)
    /// The broken rule, or what is wrong with the pins, and the reason in words.
    case rejected(rule: String?, String)
    /// What was sent is no certificate.
    case unreadable(String)
    /// There was no handshake, or it failed for another reason than the certificates.
    case unreachable(String)
  }

  /// The facts of a handshake.
  package struct Handshake: Sendable {
    let version: String
    let cipher: String
    let applicationProtocol: String?
    let isResumed: Bool

    package init(
      version: String, cipher: String, applicationProtocol: String? = nil, isResumed: Bool = false
    ) {
      self.version = version
      self.cipher = cipher
      self.applicationProtocol = applicationProtocol
      self.isResumed = isResumed
    }
  }
}

/// What `connect` says of one server.
package struct ConnectReport {
  let outcome: ConnectOutcome
  /// The certificates that were sent, as far as they can be read, the leaf first.
  let chain: [Certificate]
  private let time: Timestamp

  package init(_ outcome: ConnectOutcome, at time: Timestamp) {
    self.outcome = outcome
    self.time = time
    var chain: [Certificate] = []
    for (index, der) in outcome.chain.enumerated() {
      do throws(ParseError) {
        chain.append(try Certificate(der: der))
      } catch {
        // Of a leaf that cannot be read nothing is known; what else cannot be read is on no path.
        if index == 0 { break }
      }
    }
    self.chain = chain
  }

  /// What this server comes to.
  package var status: ExitStatus {
    switch outcome.answer {
    case .trusted: .success
    case .rejected: .rejected
    case .unreadable, .unreachable: .notUnderstood
    }
  }

  /// Whether an explanation can follow: there are certificates, and they decided.
  var isExplained: Bool {
    if case .unreachable = outcome.answer { return false }
    return !chain.isEmpty
  }

  /// The word for programs, the rule, and why, in words.
  private var verdict: (word: String, rule: String?, reason: String) {
    switch outcome.answer {
    case .trusted(let verdict): ("trusted", nil, "\(verdict)")
    case .rejected(let rule, let reason): ("rejected", rule, reason)
    case .unreadable(let reason): ("unreadable", nil, reason)
    case .unreachable(let reason): ("unreachable", nil, reason)
    }
  }

  /// How many days the verdict will hold, or the leaf is valid; negative if it has expired.
  private var daysLeft: Int? {
    var end = chain.first?.notAfter
    if case .trusted(let verdict) = outcome.answer {
      // Where revocation is checked a verdict is one for the moment.
      let last = verdict.validity.upperBound
      end = time < last ? last : verdict.certificates.map(\.notAfter).min()
    }
    guard let end else { return nil }
    let seconds = end.seconds(since: time)
    return Int((seconds >= 0 ? seconds : seconds - 86_399) / 86_400)
  }

  /// What the stapled response says of the leaf.
  private var staple: String {
    guard let der = outcome.staple else { return "none" }
    do throws(ParseError) {
      let single = try OCSPResponse(der: der).basic?.responses.first {
        $0.certificateID.serialNumber == chain.first?.serialNumber
      }
      switch single?.status {
      case .good: return "good"
      case .revoked: return "revoked"
      case .unknown, nil: return "unknown"
      }
    } catch {
      return "unknown"
    }
  }

  /// The report for programs, on one line.
  package var json: String { document.line }

  /// `tls` is null without a handshake, `daysLeft` where no certificate can be read.
  var document: Document {
    func hashes(_ certificates: [[UInt8]]) -> [String] {
      certificates.map { Hexadecimal.text(of: HashAlgorithm.sha256.hash($0).array) }
    }
    var path: [[UInt8]] = []
    if case .trusted(let verdict) = outcome.answer {
      path = verdict.path?.certificates.map(\.der) ?? []
    }
    let (word, rule, reason) = verdict
    var document = Document()
    document.add("host", outcome.target.name)
    document.add("verdict", word)
    document.add("rule", rule)
    document.add("path", hashes(path))
    document.add("presented", hashes(outcome.chain))
    document.add("tls", outcome.handshake)
    document.add("staple", staple)
    document.add("daysLeft", daysLeft)
    document.add("explanation", reason)
    return document
  }

  /// One line, for many hosts.
  func row(_ style: TextStyle) -> String {
    let name = Command.padded(printable(outcome.target.name), to: 32)
    switch outcome.answer {
    case .trusted:
      let days = daysLeft.map { "\($0) days left" } ?? ""
      return "\(name)\(style.good("✓ trusted"))  \(days), \(outcome.handshake?.version ?? "")\n"
    case .rejected(let rule, _):
      return "\(name)\(style.bad("✗ rejected"))  \(rule.map { "\($0): " } ?? "")\(firstLine)\n"
    case .unreadable, .unreachable:
      return "\(name)\(style.bad("✗ \(verdict.word)"))  \(firstLine)\n"
    }
  }

  /// One line, for many hosts, without colours.
  package var row: String { row(.plain) }

  private var firstLine: String {
    printable(verdict.reason.split(separator: "\n").first.map(String.init) ?? "")
  }

  /// The facts of the handshake, and the verdict where no explanation follows.
  func text(_ style: TextStyle) -> String {
    let handshake = outcome.handshake?.lines.joined() ?? ""
    var text = "\(printable(outcome.target.name))\(printable(handshake))\n"
    if !outcome.chain.isEmpty {
      let count = outcome.chain.count
      text += "  sent \(count) certificate\(count == 1 ? "" : "s"), stapled response: \(staple)\n"
      for (index, certificate) in chain.enumerated() {
        let validity = Validity(certificate, at: time).text
        text += "  \(index): \(PathText.name(certificate)), \(validity)\n"
      }
    }
    if !isExplained { text += "\(style.bad("✗ \(verdict.word):")) \(firstLine)\n" }
    if case .trusted = outcome.answer, let daysLeft { text += "  \(daysLeft) days left\n" }
    return text
  }

  /// The facts and the verdict, without colours.
  package var text: String { text(.plain) }
}

extension ConnectOutcome.Handshake: DocumentValue {
  /// `: TLSv1.3, TLS_AES_256_GCM_SHA384, h2`, to follow the name of the server.
  var lines: [String] {
    [": \(version), \(cipher)" + (applicationProtocol.map { ", \($0)" } ?? "")]
  }
  var json: JSONValue {
    .object([
      "version": .string(version), "cipher": .string(cipher),
      "alpn": .optional(applicationProtocol), "resumed": .bool(isResumed),
    ])
  }
}
