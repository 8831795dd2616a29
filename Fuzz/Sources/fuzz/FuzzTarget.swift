import Holdfast
import HoldfastBase
import HoldfastConfigurations
@testable import HoldfastHTTP
import HoldfastIdentities
import HoldfastTransparency
import HoldfastTrustStores

/// The targets. A target parses bytes, and may throw. Only a trap, a hang, too much memory or a
/// failed precondition ends the run.
enum FuzzTarget: String, CaseIterable {
  case certificate
  case list
  case answer
  case request
  case pem
  case name
  case host
  case pin
  case trustKit
  case nsPinnedDomains
  case android
  case okHttp
  case curl
  case pkcs12
  case identity
  case path
  case logList
  case json
  case timestamps
  case filter
  case certdata
  case p11Kit
  case chromeStore
  case companyStore
  case lint
  case fetch
  case gzip
  case merkle

  /// Runs the target on an input.
  func run(_ bytes: [UInt8]) {
    switch self {
    case .certificate: attempt { () throws(ParseError) in try Self.certificate(bytes) }
    case .list: attempt { () throws(ParseError) in try Self.list(bytes) }
    case .answer: attempt { () throws(ParseError) in try Self.answer(bytes) }
    case .request: attempt { () throws(ParseError) in try Self.request(bytes) }
    case .pem: Self.pem(bytes)
    case .name: Self.names(bytes)
    case .host: attempt { () throws(HostNameError) in try Self.host(bytes) }
    case .pin: attempt { () throws(PinError) in try Self.pin(bytes) }
    case .trustKit: Self.configuration(bytes, .trustKit)
    case .nsPinnedDomains: Self.configuration(bytes, .nsPinnedDomains)
    case .android: Self.configuration(bytes, .android)
    case .okHttp: Self.configuration(bytes, .okHttp)
    case .curl: Self.configuration(bytes, .curl)
    case .pkcs12: attempt { () throws(IdentityError) in try Self.pkcs12(bytes) }
    case .identity: Self.identity(bytes)
    case .path: PathCase.run(bytes)
    case .logList: attempt { () throws(LogListError) in try LogCase.list(bytes) }
    case .json: attempt { () throws(LogListError) in try LogCase.value(bytes) }
    case .timestamps: LogCase.timestamps(bytes)
    case .filter: attempt { () throws(FilterError) in try FilterCase.read(bytes) }
    case .certdata, .p11Kit, .companyStore:
      attempt { () throws(TrustStoreError) in try StoreCase.read(bytes) }
    case .chromeStore: attempt { () throws(TrustStoreError) in try StoreCase.chrome(bytes) }
    case .fetch: FetchCase.run(bytes)
    case .gzip: Self.gzip(bytes)
    case .merkle: MerkleCase.run(bytes)
    case .lint: attempt { () throws(ParseError) in try StoreCase.lint(bytes) }
    }
  }

  /// Runs `body`; an error must have a description.
  private func attempt<Problem: Error & CustomStringConvertible>(_ body: () throws(Problem) -> Void)
  {
    do throws(Problem) {
      try body()
    } catch {
      mustSay("\(error)")
    }
  }
}

/// Bodies of responses.
extension FuzzTarget {
  private static let longest = 1 << 20

  /// The first byte says where the stream is cut in two; its bytes and what is wrong with it do not
  /// depend on that. A stream may grow without end, so what comes out is limited.
  private static func gzip(_ bytes: [UInt8]) {
    guard let split = bytes.first.map({ Int($0) * bytes.count / 256 }) else { return }
    let stream = Array(bytes.dropFirst())
    let whole = output([stream], limit: longest)
    say("\(whole.bytes.count) \(whole.problem?.text ?? "") \(whole.isComplete)")
    say("\(String(decoding: whole.bytes, as: UTF8.self))")
    let pieces = [Array(stream.prefix(split)), Array(stream.dropFirst(split))]
    let parts = output(pieces, limit: 1 + 7 * split)
    precondition(parts.bytes.starts(with: whole.bytes) || whole.bytes.starts(with: parts.bytes))
    if whole.bytes.count < longest, parts.bytes.count < longest {
      precondition(whole.problem == parts.problem && whole.bytes == parts.bytes)
      precondition(whole.isComplete == parts.isComplete)
    }
  }

  /// - Parameter limit: How many bytes may come out at once.
  private static func output(
    _ pieces: [[UInt8]], limit: Int
  ) -> (bytes: [UInt8], problem: GzipReader.Problem?, isComplete: Bool) {
    var (reader, bytes, next) = (GzipReader(), [UInt8](), [UInt8]())
    do throws(GzipReader.Problem) {
      for piece in pieces {
        var offset = 0
        while bytes.count < longest {
          try reader.read(piece.span, from: &offset, to: &next, limit: limit)
          if next.isEmpty { break }
          bytes += next
          next = []
        }
      }
    } catch {
      // What came out before the problem counts, too.
      return (bytes + next, error, false)
    }
    return (bytes, nil, reader.isComplete)
  }
}

/// Certificates, lists, OCSP messages and requests. Parsing must give the same value every time.
extension FuzzTarget {
  private static func certificate(_ bytes: [UInt8]) throws(ParseError) {
    let certificate: Certificate
    do throws(ParseError) {
      certificate = try Certificate(der: bytes)
    } catch {
      let unreadable = UnreadableCertificate(der: bytes, error: error, number: 2)
      say("\(unreadable) \(unreadable.subject)")
      throw error
    }
    precondition(certificate.der == bytes)
    // The reader of what cannot be read finds the same name in what can.
    do throws(ParseError) {
      _ = try Certificate(der: [])
    } catch {
      let other = UnreadableCertificate(der: bytes, error: error, number: 2)
      precondition(other.subject == certificate.subject, "another subject")
    }
    let again = try Certificate(der: bytes)
    precondition(again == certificate)
    say("\(certificate) \(certificate.serialNumber) \(certificate.signatureAlgorithm)")
    say("\(certificate.subject) \(certificate.issuer) \(certificate.subject.commonName ?? "")")
    say("\(certificate.publicKey) \(certificate.publicKey.pin) \(Array(certificate.deviations))")
    _ = certificate.isSelfIssued && certificate.isCurrent(at: certificate.notBefore)
    say("\(Array(certificate.embeddedTimestamps))")
    precondition(certificate.subject.matches(again.subject))
    readValues(of: certificate.extensions)
    let read = try Certificate(pem: certificate.pem)
    precondition(read == certificate)
    Questions.ask(certificate)
  }

  /// Every value of extensions is read again when it is asked for.
  private static func readValues(of extensions: Extensions) {
    say("\(extensions) \(extensions.count)")
    for item in extensions { say("\(item)") }
    say("\(extensions.basicConstraints) \(extensions.inhibitAnyPolicy ?? 0)")
    say("\(extensions.keyUsage) \(Array(extensions.tlsFeatures))")
    if let usages = extensions.extendedKeyUsage { _ = usages.map { "\($0)" } }
    for name in extensions.subjectAlternativeNames { say("\(name)") }
    for name in extensions.issuerAlternativeNames { say("\(name)") }
    if let constraints = extensions.nameConstraints {
      say("\(constraints.permitted.map { $0.base }) \(constraints.excluded.map { $0.base })")
    }
    for policy in extensions.certificatePolicies {
      for qualifier in policy.qualifiers {
        switch qualifier {
        case .practiceStatement(let text): say("\(policy.policy) at \(text)")
        case .userNotice(let bytes): say("\(policy.policy) with \(bytes)")
        case .other(let type, let bytes): say("\(policy.policy), \(type) \(bytes)")
        }
      }
    }
    for mapping in extensions.policyMappings {
      say("\(mapping.issuerDomainPolicy) \(mapping.subjectDomainPolicy)")
    }
    for point in extensions.crlDistributionPoints + Array(extensions.freshestCRL) {
      say("\(Array(point.fullNames)) \(Array(point.crlIssuer))")
    }
    for access in extensions.authorityInformationAccess { say("\(access)") }
    for access in extensions.subjectInformationAccess { say("\(access)") }
    _ = extensions.hasOCSPNoCheck
    if let authority = extensions.authorityKeyIdentifier {
      say("\(authority.keyIdentifier) \(Array(authority.issuer)) \(authority.serialNumber)")
    }
  }

  /// A list that cannot be read counts, too.
  private static func list(_ bytes: [UInt8]) throws(ParseError) {
    Questions.ask(list: bytes)
    let list = try CRL(der: bytes)
    precondition(list.der == bytes)
    say("\(list) \(list.issuer) \(Array(list.deviations)) \(list.isDelta)")
    precondition(list.entries.reduce(0) { count, _ in count + 1 } == list.count)
    for entry in list.entries.prefix(20) {
      say("\(entry)")
      precondition(list.entries(for: entry.serialNumber).contains(entry))
    }
  }

  private static func answer(_ bytes: [UInt8]) throws(ParseError) {
    let response = try OCSPResponse(der: bytes)
    say("\(response)")
    Questions.ask(staple: response)
    guard let basic = response.basic else { return }
    say("\(basic.responder) \(Array(basic.deviations)) \(basic.nonce)")
    for single in basic.responses {
      say("\(single)")
      let request = OCSPRequest(single.certificateID)
      precondition(request.certificateIDs.count == 1)
      for signer in basic.certificates.prefix(2) {
        _ = single.certificateID.matches(signer, issuerKey: signer.publicKey)
      }
    }
  }

  /// A request that is written from what was read is read as the same.
  private static func request(_ bytes: [UInt8]) throws(ParseError) {
    do throws(ParseError) {
      let request = try OCSPRequest(der: bytes)
      if let written = OCSPRequest(request.certificateIDs, nonce: request.nonce) {
        let again = try OCSPRequest(der: written.der)
        precondition(again.certificateIDs.count == request.certificateIDs.count)
      }
    } catch {}
    let request = try CertificateRequest(der: bytes)
    precondition(request.der == bytes)
    say("\(request) \(request.subject) \(request.publicKey)")
    for attribute in request.attributes { say("\(attribute)") }
    if let extensions = request.requestedExtensions { readValues(of: extensions) }
  }

  /// The certificates of a bundle, written as PEM, must parse to the same certificates.
  private static func pem(_ bytes: [UInt8]) {
    let whole = String(decoding: bytes, as: UTF8.self)
    do throws(ParseError) { _ = try CRL(pem: whole) } catch { say("\(error)") }
    do throws(ParseError) { _ = try CertificateRequest(pem: whole) } catch { say("\(error)") }
    do throws(ParseError) { _ = try PublicKey(pem: whole).pin } catch { say("\(error)") }
    let bundle = CertificateBundle(bytes)
    let text = bundle.certificates.map { $0.pem }.joined(separator: "\n")
    say("\(text)")
    precondition(CertificateBundle(Array(text.utf8)).certificates == bundle.certificates)
    for error in bundle.errors { mustSay("\(error)") }
  }
}

/// Names: in certificates, and of servers.
extension FuzzTarget {
  /// A DistinguishedName cannot be parsed by itself, so the input becomes the subject and the
  /// alternative names of a certificate, then a constraint and the names below it.
  private static func names(_ bytes: [UInt8]) {
    guard let split = bytes.first.map({ Int($0) * bytes.count / 256 }) else { return }
    let subject = Array(bytes.dropFirst().prefix(split))
    let names = Array(bytes.dropFirst().dropFirst(split))
    Questions.ask(names, below: subject)
    let text = Skeleton.certificate(subject: subject, alternativeNames: names)
    do throws(ParseError) {
      let certificate = try Certificate(der: text)
      say("\(certificate.subject)")
      precondition(certificate.subject.matches(certificate.subject))
      do throws(PathError) {
        _ = try Purpose.server("www.example.com")
        _ = try Purpose.server("\(certificate.subject)")
      } catch {}
    } catch {
      mustSay("\(error)")
    }
  }

  /// The text of a parsed name must parse to the same name.
  private static func host(_ bytes: [UInt8]) throws(HostNameError) {
    let name = try HostName(String(decoding: bytes, as: UTF8.self))
    say("\(name)")
    let again = try HostName("\(name)")
    precondition(again == name)
    guard let address = name.address else {
      // A DNS name is the same host in capitals and with a dot at its end.
      let text = "\(name)".uppercased()
      let capitals = try HostName(text)
      let rooted = try HostName(text + ".")
      precondition(capitals == name && rooted == name, "\(name) depends on its case or dot")
      return
    }
    // An address is the one of its bytes, and an IPv4 address has no second host.
    precondition(IPAddress(address.bytes).map { HostName($0) } == name, "\(name)")
    guard address.bytes.count == 4 else { return }
    let mapped = IPAddress([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + address.bytes)
    precondition(mapped.map { HostName($0) } == name, "\(name) is two hosts")
  }

  /// The text of a parsed pin must parse to the same pin.
  private static func pin(_ bytes: [UInt8]) throws(PinError) {
    let pin = try Pin(String(decoding: bytes, as: UTF8.self))
    say("\(pin)")
    let again = try Pin("\(pin)")
    precondition(again == pin)
  }
}

/// Configurations and identities.
extension FuzzTarget {
  private static func configuration(_ bytes: [UInt8], _ format: PinConfiguration.Format) {
    do throws(ConfigurationError) {
      let context = PinConfiguration.Context(host: "example.com")
      let configuration = try PinConfiguration(bytes, as: format, context)
      // Without the format it is guessed, perhaps as another.
      do throws(ConfigurationError) { _ = try PinConfiguration(bytes, as: nil, context) } catch {}
      for remark in configuration.remarks { mustSay("\(remark)") }
      // What was read can be written in each format, or there is a reason why not.
      for other in PinConfiguration.Format.allCases {
        do throws(ConfigurationError) {
          let written = try PinConfiguration.write(configuration.table, as: other)
          say("\(written.text)")
        } catch {
          mustSay("\(error)")
        }
      }
    } catch {
      mustSay("\(error)")
    }
  }

  private static let options = IdentityOptions(maximumIterations: 64)

  private static func pkcs12(_ bytes: [UInt8]) throws(IdentityError) {
    let file = try PKCS12(bytes)
    say("\(Array(file.encryptions)) \(file.authentication) \(file.iterations)")
    for password in ["secret", nil] {
      do throws(IdentityError) {
        let contents = try file.open(password: password, options: options)
        for identity in contents.identities { say("\(identity)") }
      } catch {
        precondition(!TextSearch.contains("secret", in: "\(error)"))
        say("\(error)")
      }
    }
  }

  private static func identity(_ bytes: [UInt8]) {
    do throws(IdentityError) { _ = try PKCS7(bytes) } catch { say("\(error)") }
    do throws(IdentityError) {
      let key = try PrivateKey(der: bytes)
      let again = try PrivateKey(der: key.pkcs8)
      precondition(key.isEqual(to: again))
    } catch {
      say("\(error)")
    }
    do throws(IdentityError) {
      _ = try PrivateKey(encryptedPKCS8: bytes, password: "secret", options: options)
    } catch {
      say("\(error)")
    }
    do throws(IdentityError) {
      _ = try PrivateKey(pem: bytes, password: "secret", options: options)
    } catch {
      say("\(error)")
    }
    do throws(IdentityError) {
      let identity = try Identity(pem: bytes, password: "secret", options: options)
      precondition(!identity.chain.isEmpty)
    } catch {
      say("\(error)")
    }
  }
}
