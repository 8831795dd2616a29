package import HoldfastBase
public import HoldfastCertificates
internal import HoldfastDER
internal import HoldfastJSON
public import HoldfastPaths

/// The CAs of a SPIFFE trust domain. SPIFFE Trust Domain and Bundle §3.
///
/// ```swift
/// let bundles = [
///   try SPIFFEBundle(file: "bundle.pem", of: SPIFFETrustDomain("example.org")),
///   try SPIFFEBundle(file: "partner.json", of: SPIFFETrustDomain("partner.example")),
/// ]
/// let validator = PathValidator(anchors: try AnchorSet(bundles: bundles))
/// ```
///
/// Its anchors vouch for the IDs of this trust domain alone. A bundle without a CA is one, too: its
/// trust domain has withdrawn all, and no certificate of it is valid.
public struct SPIFFEBundle: Sendable {
  /// The trust domain. No bundle says whose it is: who gives it does.
  public let trustDomain: SPIFFETrustDomain

  /// The certificates of the CAs, in their order, each once.
  public private(set) var authorities: [Certificate] = []

  /// A number that grows with each change, `spiffe_sequence`; nil if there is none, as in PEM.
  public private(set) var sequence: UInt64?

  /// How often to look for a change, `spiffe_refresh_hint`; nil if nothing is said.
  public private(set) var refreshHint: Duration?

  /// The keys that were left out, and why. Those that are for other documents than certificates, such
  /// as `jwt-svid`, are not among them.
  public private(set) var ignored: [TrustStoreError] = []

  /// Reads a bundle: a JSON document by the standard, a JWK set whose keys have certificates, or
  /// certificates in PEM or DER.
  ///
  /// Members that are not known are ignored, and so are keys of an unknown type or use, as the standard
  /// asks for. A key that is for certificates and cannot be read is an error, and so is a file of
  /// certificates without one.
  public init(_ bytes: [UInt8], of trustDomain: SPIFFETrustDomain) throws(TrustStoreError) {
    self.trustDomain = trustDomain
    if TrustStore.format(of: bytes) == .json {
      try read(try SPIFFEBundle.document(bytes), at: "")
    } else {
      try readCertificates(bytes)
    }
  }

  /// Reads a bundle from a file.
  public init(file path: String, of trustDomain: SPIFFETrustDomain) throws(TrustStoreError) {
    try self.init(file: path, of: trustDomain, from: .system)
  }

  /// Reads a bundle from a file in the given way.
  package init(
    file path: String, of trustDomain: SPIFFETrustDomain, from files: FileReading
  ) throws(TrustStoreError) {
    self = try SPIFFEBundle.read(path, from: files) { (bytes) throws(TrustStoreError) in
      try SPIFFEBundle(bytes, of: trustDomain)
    }
  }

  /// Reads a bundle map: the bundles of several trust domains, in JSON. SPIFFE Trust Domain and
  /// Bundle §5.
  public static func bundles(inMap bytes: [UInt8]) throws(TrustStoreError) -> [SPIFFEBundle] {
    guard case .object(let members)? = try document(bytes)["trust_domains"] else {
      throw TrustStoreError(.value("trust_domains"))
    }
    var bundles: [SPIFFEBundle] = []
    for member in members {
      do throws(SPIFFEIDError) {
        bundles.append(SPIFFEBundle(of: try SPIFFETrustDomain(member.name)))
      } catch {
        throw TrustStoreError(.trustDomain(error), label: "trust_domains")
      }
      try bundles[bundles.count - 1].read(member.value, at: "trust_domains.\(member.name).")
    }
    return bundles
  }

  /// Reads a bundle map from a file.
  public static func bundles(inMapFile path: String) throws(TrustStoreError) -> [SPIFFEBundle] {
    try bundles(inMapFile: path, from: .system)
  }

  /// Reads a bundle map from a file in the given way.
  package static func bundles(
    inMapFile path: String, from files: FileReading
  ) throws(TrustStoreError) -> [SPIFFEBundle] {
    try read(path, from: files, bundles(inMap:))
  }

  private init(of trustDomain: SPIFFETrustDomain) { self.trustDomain = trustDomain }

  private static func read<Value>(
    _ path: String, from files: FileReading,
    _ read: ([UInt8]) throws(TrustStoreError) -> Value
  ) throws(TrustStoreError) -> Value {
    let bytes: [UInt8]
    do throws(Platform.FileError) {
      bytes = try files.bytes(path, TrustStore.maximumSize)
    } catch {
      throw TrustStoreError(.unreadable(error.message), in: path)
    }
    do throws(TrustStoreError) {
      return try read(bytes)
    } catch {
      throw TrustStoreError(error.problem, in: path, line: error.line, label: error.label)
    }
  }
}

/// The formats.
extension SPIFFEBundle {
  private mutating func readCertificates(_ bytes: [UInt8]) throws(TrustStoreError) {
    let file = CertificateBundle(bytes)
    if let error = file.errors.first { throw TrustStoreError(.certificate(error)) }
    guard !file.certificates.isEmpty else { throw TrustStoreError(.noAnchors) }
    for certificate in file.certificates { try add(certificate, at: nil) }
  }

  private static func document(_ bytes: [UInt8]) throws(TrustStoreError) -> JSONValue {
    guard bytes.count <= TrustStore.maximumSize else {
      throw TrustStoreError(.tooLarge(limit: TrustStore.maximumSize))
    }
    do throws(JSONReader.Problem) {
      return try JSONValue(parsing: bytes)
    } catch {
      throw TrustStoreError(
        .syntax("not JSON: \(error.message) at byte \(error.offset)"),
        line: 1 + bytes.prefix(error.offset).count { $0 == 0x0A })
    }
  }

  /// Reads a JWK set. SPIFFE Trust Domain and Bundle §4.1.
  ///
  /// - Parameter path: What errors put before the name of a member.
  private mutating func read(_ document: JSONValue, at path: String) throws(TrustStoreError) {
    sequence = try document["spiffe_sequence"].map { (value) throws(TrustStoreError) in
      guard case .number(let text) = value, let number = UInt64(text) else {
        throw TrustStoreError(.value("\(path)spiffe_sequence"))
      }
      return number
    }
    refreshHint = try document["spiffe_refresh_hint"].map { (value) throws(TrustStoreError) in
      guard case .number(let text) = value, let seconds = UInt32(text) else {
        throw TrustStoreError(.value("\(path)spiffe_refresh_hint"))
      }
      return .seconds(seconds)
    }
    guard case .array(let keys)? = document["keys"] else {
      throw TrustStoreError(.value("\(path)keys"))
    }
    guard keys.count <= TrustStore.maximumEntries else {
      throw TrustStoreError(.tooManyEntries(limit: TrustStore.maximumEntries))
    }
    for (index, key) in keys.enumerated() { try read(key: key, at: "\(path)keys[\(index)]") }
  }

  /// Reads a JWK. SPIFFE Trust Domain and Bundle §4.2, X509-SVID §6.2.
  private mutating func read(key: JSONValue, at path: String) throws(TrustStoreError) {
    guard let type = key["kty"]?.text else { throw TrustStoreError(.value("\(path).kty")) }
    guard JWK.types.contains(type) else { return ignore("key type \(type)", at: path) }
    guard let use = key["use"] else { return ignore("no use", at: path) }
    guard let use = use.text else { throw TrustStoreError(.value("\(path).use")) }
    guard use == "x509-svid" else {
      return use == "jwt-svid" || use == "wit-svid" ? () : ignore("use \(use)", at: path)
    }
    guard let chain = key["x5c"], chain != .array([]) else {
      return ignore("no certificate (x5c)", at: path)
    }
    // All but the first are ignored.
    guard case .array(let values) = chain, let text = values.first?.text,
      let der = Base64.bytes(of: Array(text.utf8))
    else { throw TrustStoreError(.value("\(path).x5c")) }
    let certificate: Certificate
    do throws(ParseError) {
      certificate = try Certificate(der: der)
    } catch {
      throw TrustStoreError(.certificate(error), label: path)
    }
    guard JWK.isKey(key, of: certificate.publicKey) else {
      throw TrustStoreError(.otherKey(certificate), label: path)
    }
    try add(certificate, at: path)
  }

  private mutating func ignore(_ reason: String, at path: String) {
    ignored.append(TrustStoreError(.ignoredKey(reason), label: path))
  }

  private mutating func add(
    _ certificate: Certificate, at path: String?
  ) throws(TrustStoreError) {
    // X509-SVID §4.1. What is no CA's would be trusted as itself.
    guard certificate.isCA else {
      throw TrustStoreError(.notCA(certificate), label: path)
    }
    if !authorities.contains(certificate) { authorities.append(certificate) }
  }
}

/// The members of a JWK that repeat the key of its certificate. RFC 7518 §6.2 and §6.3, RFC 8037 §2.
private enum JWK {
  /// The known values of `kty`.
  static let types: Set<String> = ["RSA", "EC", "OKP"]

  /// Whether a JWK has no other key than this one, as far as it has any. RFC 7517 §4.7.
  static func isKey(_ key: JSONValue, of certified: PublicKey) -> Bool {
    var expected: [(name: String, value: [UInt8])] = []
    let bytes = certified.bytes.array
    switch (key["kty"]?.text, certified.kind) {
    case ("RSA", .rsa), ("RSA", .rsaPSS):
      expected = [
        ("n", certified.modulus?.array ?? []), ("e", certified.exponent?.array ?? []),
      ]
    case ("EC", .ec(let curve)):
      guard key["crv"].map({ $0.text == "\(curve)" }) ?? true else { return false }
      // A point that is not compressed; the certificate of another is not compared. SEC 1 §2.3.3.
      let half = bytes.count / 2
      guard bytes.first == 4 else { return true }
      expected = [("x", Array(bytes[1...half])), ("y", Array(bytes[(half + 1)...]))]
    case ("OKP", .raw): expected = [("x", bytes)]
    default: return false
    }
    return expected.allSatisfy { name, value in
      key[name].map { $0.text == base64URL(value) } ?? true
    }
  }

  /// Returns bytes in base64url without padding. RFC 4648 §5.
  private static func base64URL(_ bytes: [UInt8]) -> String {
    let text: [UInt8] = Base64.text(of: bytes).utf8.compactMap {
      switch $0 {
      case 0x2B: 0x2D
      case 0x2F: 0x5F
      case 0x3D: nil
      default: $0
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension AnchorSet {
  /// Creates the set of the anchors of trust domains, each of which vouches for the IDs of its own trust
  /// domain alone.
  ///
  /// To other anchors, append those of this set.
  ///
  /// - Throws: If two bundles are of one trust domain: one of them would be out of date.
  public init(bundles: some Sequence<SPIFFEBundle>) throws(TrustStoreError) {
    var domains: Set<SPIFFETrustDomain> = []
    var order: [Certificate] = []
    // A CA of several trust domains is one anchor.
    var owners: [Certificate: Set<SPIFFETrustDomain>] = [:]
    for bundle in bundles {
      guard domains.insert(bundle.trustDomain).inserted else {
        throw TrustStoreError(.repeatedTrustDomain(bundle.trustDomain))
      }
      for certificate in bundle.authorities {
        if owners[certificate] == nil { order.append(certificate) }
        owners[certificate, default: []].insert(bundle.trustDomain)
      }
    }
    self.init(
      order.map { certificate in
        var constraints = TrustAnchor.Constraints()
        constraints.trustDomains = owners[certificate]
        return TrustAnchor(certificate, constraints: constraints)
      })
  }
}

extension SPIFFEBundle: CustomStringConvertible {
  /// `example.org: 2 CAs`.
  public var description: String {
    "\(trustDomain): \(authorities.count == 1 ? "1 CA" : "\(authorities.count) CAs")"
      + (sequence.map { ", sequence \($0)" } ?? "")
  }
}
