import Holdfast
import HoldfastConfigurations
import HoldfastIdentities

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
  case hpkp
  case curl
  case pkcs12
  case identity
  case path

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
    case .hpkp: Self.configuration(bytes, .hpkp)
    case .curl: Self.configuration(bytes, .curl)
    case .pkcs12: attempt { () throws(IdentityError) in try Self.pkcs12(bytes) }
    case .identity: Self.identity(bytes)
    case .path: PathCase.run(bytes)
    }
  }

  /// Runs `body`; an error must have a description.
  private func attempt<Problem: Error>(_ body: () throws(Problem) -> Void) {
    do throws(Problem) {
      try body()
    } catch {
      precondition(!"\(error)".isEmpty)
    }
  }
}

/// Certificates, lists, OCSP messages and requests. Parsing must give the same value every time.
extension FuzzTarget {
  private static func certificate(_ bytes: [UInt8]) throws(ParseError) {
    let certificate = try Certificate(der: bytes)
    precondition(certificate.der == bytes)
    let again = try Certificate(der: bytes)
    precondition(again == certificate)
    _ = "\(certificate.subject) \(certificate.issuer) \(certificate.publicKey)"
    for name in certificate.extensions.subjectAlternativeNames { _ = "\(name)" }
    _ = certificate.isSelfIssued
    let read = try Certificate(pem: certificate.pem)
    precondition(read == certificate)
  }

  private static func list(_ bytes: [UInt8]) throws(ParseError) {
    let list = try CertificateList(der: bytes)
    precondition(list.der == bytes)
    _ = "\(list.issuer) \(list.thisUpdate)"
  }

  private static func answer(_ bytes: [UInt8]) throws(ParseError) {
    _ = "\(try OCSPResponse(der: bytes))"
  }

  private static func request(_ bytes: [UInt8]) throws(ParseError) {
    do throws(ParseError) { _ = try OCSPRequest(der: bytes) } catch {}
    let request = try CertificateRequest(der: bytes)
    precondition(request.der == bytes)
    _ = "\(request.subject) \(request.publicKey) \(request.attributes)"
  }

  /// The certificates of a bundle, written as PEM, must parse to the same certificates.
  private static func pem(_ bytes: [UInt8]) {
    let bundle = CertificateBundle(bytes)
    let text = bundle.certificates.map(\.pem).joined(separator: "\n")
    precondition(CertificateBundle(Array(text.utf8)).certificates == bundle.certificates)
    for error in bundle.errors { precondition(!"\(error)".isEmpty) }
  }
}

/// Names: in certificates, and of servers.
extension FuzzTarget {
  /// A DistinguishedName cannot be parsed by itself, so the input becomes the subject and the
  /// alternative names of a certificate.
  private static func names(_ bytes: [UInt8]) {
    guard let split = bytes.first.map({ Int($0) * bytes.count / 256 }) else { return }
    let subject = Array(bytes.dropFirst().prefix(split))
    let names = Array(bytes.dropFirst().dropFirst(split))
    let text = Skeleton.certificate(subject: subject, alternativeNames: names)
    do throws(ParseError) {
      let certificate = try Certificate(der: text)
      _ = "\(certificate.subject)"
      precondition(certificate.subject.matches(certificate.subject))
      do throws(HostNameError) {
        _ = try Purpose.server("www.example.com")
        _ = try Purpose.server("\(certificate.subject)")
      } catch {}
    } catch {
      precondition(!"\(error)".isEmpty)
    }
  }

  /// The text of a parsed name must parse to the same name.
  private static func host(_ bytes: [UInt8]) throws(HostNameError) {
    let name = try HostName(String(decoding: bytes, as: UTF8.self))
    let again = try HostName("\(name)")
    precondition(again == name)
  }

  /// The text of a parsed pin must parse to the same pin.
  private static func pin(_ bytes: [UInt8]) throws(PinError) {
    let pin = try Pin(String(decoding: bytes, as: UTF8.self))
    let again = try Pin("\(pin)")
    precondition(again == pin)
  }
}

/// Configurations and identities.
extension FuzzTarget {
  private static func configuration(_ bytes: [UInt8], _ format: PinConfiguration.Format) {
    do throws(ConfigurationError) {
      let context = PinConfiguration.Context(
        host: "example.com", received: Timestamp(secondsSince1970: 0))
      let configuration = try PinConfiguration(bytes, as: format, context)
      _ = configuration.table.entries.count
    } catch {
      precondition(!"\(error)".isEmpty)
    }
  }

  private static let options = IdentityOptions(mostIterations: 64)

  private static func pkcs12(_ bytes: [UInt8]) throws(IdentityError) {
    let file = try PKCS12(bytes)
    _ = "\(file.encryptions) \(String(describing: file.authentication)) \(file.iterations)"
    for password in ["secret", nil] {
      do throws(IdentityError) {
        let contents = try file.open(password: password, options: options)
        for identity in contents.identities { _ = "\(identity)" }
      } catch {
        precondition(!"\(error)".contains("secret"))
      }
    }
  }

  private static func identity(_ bytes: [UInt8]) {
    do throws(IdentityError) { _ = try PKCS7(bytes) } catch { _ = "\(error)" }
    do throws(IdentityError) { _ = try PrivateKey(der: bytes) } catch { _ = "\(error)" }
    do throws(IdentityError) {
      let identity = try Identity(pem: bytes, password: "secret", options: options)
      precondition(!identity.chain.isEmpty)
    } catch {
      _ = "\(error)"
    }
  }
}
