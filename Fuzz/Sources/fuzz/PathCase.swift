import Holdfast

/// A chain chosen by the input from the certificates in `pool.txt` and their mutations.
///
/// The oracle is simple. A trusted path must end at one of the chosen anchors. The signed part of
/// each certificate must be in the pool, and its signature by the next one made and checked by
/// another implementation. Every certificate must be valid at the time, every issuer a CA, and the
/// host among the names of the leaf. An anchor may have expired unless the rules check that: RFC
/// 5280 §6.1 uses only its name and key.
///
/// Bytes: anchors (a bit each), time, host, rules, then three for each certificate: its number, the
/// position of a change and the change, 0 for no change.
enum PathCase {
  static let pool = Pool()
  private static let times = ["2025-06-01", "2026-06-01", "2028-06-01"].compactMap { Timestamp($0) }
  private static let hosts = ["www.example.com", "other.test", "a.b.example.com", "192.0.2.1"]
  private static let presets: [ValidationRules] = [
    .webPKI, .rfc5280, .apple, .strict, .strictRFC5280,
  ]

  static func run(_ bytes: [UInt8]) {
    guard bytes.count >= 7 else { return }
    let time = times[Int(bytes[1]) % times.count]
    let host = hosts[Int(bytes[2]) % hosts.count]
    let anchors = pool.anchors.enumerated().filter { bytes[0] >> UInt8($0.offset) & 1 == 1 }
      .map { $0.element }
    var chain: [Certificate] = []
    var index = 4
    while index + 3 <= bytes.count, chain.count < 12 {
      let source = pool.certificates[Int(bytes[index]) % pool.certificates.count]
      var der = source.der
      if bytes[index + 2] != 0 {
        let offset = Int(bytes[index + 1]) * der.count / 256 + Int(bytes[index + 2]) % 5
        der[min(offset, der.count - 1)] ^= bytes[index + 2]
      }
      do throws(ParseError) { chain.append(try Certificate(der: der)) } catch {}
      index += 3
    }
    guard !chain.isEmpty else { return }
    let rules = presets[Int(bytes[3]) % presets.count]
    do throws(PathError) {
      let asked = Asked(chain: chain, purpose: try .server(host), time: time)
      let answer = asked.answer(anchors, rules, cache: bytes[3] & 0x80 == 0 ? pool.cache : nil)
      do throws(PathError) {
        let path = try answer.get()
        check(path, rules, anchors, host, time)
        say("\(path)")
      } catch {
        mustSay("\(error)")
      }
      compare(answer, to: asked, anchors, rules, dropped: Int(bytes[3] >> 3 & 0x0F))
    } catch {
      preconditionFailure("the hosts are names")
    }
  }

  private typealias Answer = Result<ValidatedPath, PathError>

  /// A question without its anchors and rules.
  private struct Asked {
    let chain: [Certificate]
    let purpose: Purpose
    let time: Timestamp

    func answer(
      _ anchors: [Certificate], _ rules: ValidationRules, cache: SignatureCache? = pool.cache,
      revocation: Revocation? = nil, unreadable: [UnreadableCertificate] = []
    ) -> Answer {
      let validator = PathValidator(anchors: AnchorSet(anchors), rules: rules, cache: cache)
      return Result { () throws(PathError) in
        try validator.validate(
          Question(
            chain, for: purpose, at: time, revocation: revocation, unreadable: unreadable))
      }
    }
  }

  /// Asks the same in other ways, which may not end in more trust.
  private static func compare(
    _ answer: Answer, to asked: Asked, _ anchors: [Certificate], _ rules: ValidationRules,
    dropped: Int
  ) {
    // What is remembered decides nothing, and the second question is answered like the first.
    for cache in [nil, pool.cache] {
      precondition(
        isEqual(answer, asked.answer(anchors, rules, cache: cache)), "the cache decides")
    }
    // Nor does what was sent and cannot be read.
    do throws(ParseError) {
      _ = try Certificate(der: [0x30])
    } catch {
      let unreadable = UnreadableCertificate(der: [0x30], error: error, number: 2)
      let beside = asked.answer(anchors, rules, unreadable: [unreadable])
      precondition(isTrusted(answer) == isTrusted(beside), "an unreadable certificate decides")
    }
    if let listed = pool.listed {
      let revocation = Revocation(.ifAvailable, crls: [listed.list])
      mustBeTrusted(answer, if: asked.answer(anchors, rules, revocation: revocation))
    }
    if !anchors.isEmpty {
      var fewer = anchors
      fewer.remove(at: dropped % anchors.count)
      mustBeTrusted(answer, if: asked.answer(fewer, rules))
    }
    // Each preset refuses what the one that it adds to refuses.
    mustBeTrusted(asked.answer(anchors, .rfc5280), if: asked.answer(anchors, .strictRFC5280))
    mustBeTrusted(asked.answer(anchors, .webPKI), if: asked.answer(anchors, .strict))
    mustBeTrusted(asked.answer(anchors, .rfc5280), if: asked.answer(anchors, .webPKI))
  }

  /// Traps if `stricter` is trusted and `looser` is not, unless its search has met a limit.
  private static func mustBeTrusted(_ looser: Answer, if stricter: Answer) {
    guard isTrusted(stricter), case .failure(let error) = looser else { return }
    if case .limitReached = error.cause { return }
    preconditionFailure("only the stricter question is trusted: \(error)")
  }

  private static func isTrusted(_ answer: Answer) -> Bool {
    if case .success = answer { true } else { false }
  }

  /// Whether both are the same path, or rejections with the same reason.
  private static func isEqual(_ a: Answer, _ b: Answer) -> Bool {
    switch (a, b) {
    case (.success(let a), .success(let b)): a.certificates == b.certificates
    case (.failure(let a), .failure(let b)): "\(a)" == "\(b)"
    default: false
    }
  }

  private static func check(
    _ path: ValidatedPath, _ rules: ValidationRules, _ anchors: [Certificate], _ host: String,
    _ time: Timestamp
  ) {
    let certificates = path.certificates
    precondition(anchors.contains { $0 == certificates.last }, "no anchor at the end")
    for (child, issuer) in zip(certificates, certificates.dropFirst()) {
      precondition(pool.isIssued(child, by: issuer), "no signature")
      precondition(issuer.extensions.basicConstraints?.isCA == true, "no CA")
    }
    for certificate in certificates.dropLast(rules.anchors.checksValidity ? 0 : 1) {
      precondition(certificate.notBefore <= time && time <= certificate.notAfter, "not valid then")
    }
    let names = certificates[0].extensions.subjectAlternativeNames.map { "\($0)" }
    let parent = host.split(separator: ".").dropFirst().joined(separator: ".")
    precondition(
      names.contains { $0 == "DNS:\(host)" || $0 == "DNS:*.\(parent)" || $0 == "IP:\(host)" },
      "\(host) is not among \(names)")
  }
}

/// The output of `make_corpus.py`: certificates, anchors and the issuers of each certificate.
struct Pool {
  /// The last three certificates, a chain from its leaf to its anchor, and a list of its issuer.
  struct Listed {
    let certificates: [Certificate]
    let list: CRL
    let time: Timestamp
    let validators: [PathValidator]
  }

  private(set) var listed: Listed?
  private(set) var certificates: [Certificate] = []
  private(set) var anchors: [Certificate] = []
  let cache = SignatureCache()
  private var issuers: [[UInt8]: Set<Certificate>] = [:]

  init() {
    let path = objectsPath("pool.txt")
    do throws(ParseError) {
      certificates = try Certificate.certificates(inFile: path)
      let chain = certificates.suffix(3)
      let text = contents(of: path)
      let list = try CRL(pem: text)
      listed = Listed(
        certificates: chain.dropLast(), list: list, time: list.thisUpdate,
        validators: [ValidationRules.webPKI, .strict].map { rules in
          PathValidator(anchors: AnchorSet(chain.suffix(1)), rules: rules, cache: cache)
        })
      anchors = certificates.filter {
        $0.isSelfIssued && $0.extensions.basicConstraints?.isCA == true
      }
      readIssuers(in: text)
    } catch {
      preconditionFailure("\(path): \(error)")
    }
  }

  /// `issuers:` has the numbers of all certificates whose name and key fit the signature: a root and
  /// its cross-certificates share a key.
  private mutating func readIssuers(in text: String) {
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("issuers:") }
    for (index, line) in lines.enumerated() {
      let numbers = line.dropFirst(8).split(separator: " ").compactMap { Int($0) }
      issuers[Pool.signedPart(certificates[index]), default: []].formUnion(
        numbers.map { certificates[$0] })
    }
  }

  /// Returns the signed bytes.
  private static func signedPart(_ certificate: Certificate) -> [UInt8] {
    Array(certificate.tbs)
  }

  func isIssued(_ child: Certificate, by issuer: Certificate) -> Bool {
    issuers[Pool.signedPart(child)]?.contains(issuer) == true
  }
}
