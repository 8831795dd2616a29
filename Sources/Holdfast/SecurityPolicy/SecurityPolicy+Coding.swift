internal import HoldfastDER

/// The four fields that AFNetworking archives, under its names; certificates are DER in base64.
extension SecurityPolicy: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case pinningMode = "SSLPinningMode"
    case allowsInvalidCertificates = "allowInvalidCertificates"
    case validatesDomainName
    case pinnedCertificates
  }

  /// Reads a policy that has all four fields.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let mode = try fields.decode(UInt.self, forKey: .pinningMode)
    let texts = try fields.decode([String].self, forKey: .pinnedCertificates)
    var certificates: [Certificate] = []
    for (index, text) in texts.enumerated() {
      guard let octets = Base64.octets(of: Array(text.utf8)) else {
        throw DecodingError.dataCorruptedError(
          forKey: .pinnedCertificates, in: fields,
          debugDescription: "pinned certificate \(index): not base64")
      }
      do throws(PinnedCertificateError) {
        certificates.append(
          try PinnedCertificateError.certificate(octets, from: .element(index)))
      } catch {
        throw DecodingError.dataCorruptedError(
          forKey: .pinnedCertificates, in: fields, debugDescription: "\(error)")
      }
    }
    self.init(pinningMode: PinningMode(rawValue: mode), pinnedCertificates: certificates)
    allowsInvalidCertificates = try fields.decode(Bool.self, forKey: .allowsInvalidCertificates)
    validatesDomainName = try fields.decode(Bool.self, forKey: .validatesDomainName)
  }

  /// Writes the four fields.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(pinningMode.rawValue, forKey: .pinningMode)
    try fields.encode(allowsInvalidCertificates, forKey: .allowsInvalidCertificates)
    try fields.encode(validatesDomainName, forKey: .validatesDomainName)
    try fields.encode(
      pinnedCertificates.map { Base64.text(of: $0.der) }, forKey: .pinnedCertificates)
  }
}
