// A file of its own, because Embedded Swift, which has no `Codable`, compiles the others.
extension Pin: Codable {
  /// Reads a pin in any notation that `init(_:)` reads.
  public init(from decoder: any Decoder) throws {
    let field = try decoder.singleValueContainer()
    let text = try field.decode(String.self)
    do throws(PinError) {
      try self.init(text)
    } catch {
      throw DecodingError.dataCorruptedError(in: field, debugDescription: "\(error)")
    }
  }

  /// Writes `sha256/…`. The certificate from which a pin was made is not written.
  public func encode(to encoder: any Encoder) throws {
    var field = encoder.singleValueContainer()
    try field.encode(text())
  }
}
