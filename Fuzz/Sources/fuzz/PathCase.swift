import Foundation
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
    let anchors = pool.anchors.enumerated().filter { bytes[0] >> UInt8($0.offset) & 1 == 1 }.map(
      \.element)
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
    let validator = PathValidator(
      anchors: AnchorSet(anchors), rules: rules,
      cache: bytes[3] & 0x80 == 0 ? pool.cache : nil)
    do throws(PathError) {
      let purpose = try Purpose.server(host)
      do throws(PathError) {
        check(try validator.validate(chain, for: purpose, at: time), rules, anchors, host, time)
      } catch {
        precondition(!"\(error)".isEmpty)
      }
    } catch {
      preconditionFailure("the hosts are names")
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
    let path = ProcessInfo.processInfo.environment["HOLDFAST_FUZZ_POOL"] ?? ""
    do {
      certificates = try Certificate.certificates(inFile: path)
      // `issuers:` has the numbers of all certificates whose name and key fit the signature: a root
      // and its cross-certificates share a key.
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for (index, line) in text.split(separator: "\n").filter({ $0.hasPrefix("issuers:") })
        .enumerated()
      {
        let numbers = line.dropFirst(8).split(separator: " ").compactMap { Int($0) }
        issuers[Pool.signedPart(certificates[index]), default: []].formUnion(
          numbers.map { certificates[$0] })
      }
      let chain = certificates.suffix(3)
      let list = try CRL(pem: text)
      listed = Listed(
        certificates: chain.dropLast(), list: list, time: list.thisUpdate,
        validators: [ValidationRules.webPKI, .strict].map { rules in
          PathValidator(anchors: AnchorSet(chain.suffix(1)), rules: rules, cache: cache)
        })
      anchors = certificates.filter {
        $0.isSelfIssued && $0.extensions.basicConstraints?.isCA == true
      }
    } catch {
      print("HOLDFAST_FUZZ_POOL: \(error)")
      exit(2)
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
