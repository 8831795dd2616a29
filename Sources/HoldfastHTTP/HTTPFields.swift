#if Curl
  internal import HoldfastDER

  /// The header fields of a request or a response, in order; names differ not by case. RFC 9110 §5.
  public struct HTTPFields: Sendable, ExpressibleByDictionaryLiteral {
    /// A field.
    public struct Field: Sendable, Hashable {
      /// The name, as it was sent.
      public var name: String
      /// The value, without white space at its ends.
      public var value: String

      /// Creates a field.
      public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
      }
    }

    /// The fields.
    public var fields: [Field] = []

    /// Creates no field.
    public init() {}

    /// Creates fields from names and values.
    public init(dictionaryLiteral elements: (String, String)...) {
      fields = elements.map { Field($0.0, $0.1) }
    }

    /// The value of the first field of a name. Setting it replaces all fields of the name; nil
    /// removes them.
    public subscript(name: String) -> String? {
      get { fields.first { HTTPFields.isEqual($0.name, name) }?.value }
      set {
        fields.removeAll { HTTPFields.isEqual($0.name, name) }
        if let newValue { fields.append(Field(name, newValue)) }
      }
    }

    /// Returns the values of all fields of a name.
    public func values(of name: String) -> [String] {
      fields.filter { HTTPFields.isEqual($0.name, name) }.map(\.value)
    }
  }

  extension HTTPFields: CustomStringConvertible {
    /// A line for each field.
    public var description: String {
      fields.map { Printable.text("\($0.name): \($0.value)") }.joined(separator: "\n")
    }
  }

  extension HTTPFields {
    /// Whether two names are the same. `String` would fold more than case.
    static func isEqual(_ one: String, _ other: String) -> Bool {
      one.utf8.count == other.utf8.count
        && zip(one.utf8, other.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
      0x41...0x5A ~= byte ? byte | 0x20 : byte
    }

    /// Whether a text is a token. RFC 9110 §5.6.2.
    static func isToken(_ text: String) -> Bool {
      !text.isEmpty
        && text.utf8.allSatisfy { byte in
          switch byte {
          case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E, 0x21, 0x23...0x27, 0x2A, 0x2B,
            0x2D, 0x2E:
            true
          default: false
          }
        }
    }

    /// The fields that frame a message, choose the host or concern one connection: the client sets
    /// them.
    private static let reserved = [
      "Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Authorization",
      "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    ]

    /// Whether the client sets a field itself.
    package static func isReserved(_ name: String) -> Bool {
      reserved.contains { isEqual($0, name) }
    }

    /// Throws if a field cannot be sent.
    func check() throws(HTTPError) {
      for field in fields {
        guard HTTPFields.isToken(field.name), !HTTPFields.isReserved(field.name),
          // RFC 9110 §5.5: CR, LF and NUL end or cut a field.
          !field.value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 })
        else { throw .invalidField(field.name) }
      }
    }

    /// What is wrong with the codings that a head of a response names; nil if nothing is.
    ///
    /// - Parameters:
    ///   - undoes: Whether the client undoes content codings.
    ///   - isInterim: Whether another head follows.
    func codingProblem(undoes: Bool, isInterim: Bool) -> String? {
      let contents = undoes ? codings(in: "Content-Encoding").count : 0
      // RFC 9112 §6.1: a server uses only those that the client has said it accepts.
      let hasTransfer = codings(in: "Transfer-Encoding").contains { coding in
        !["chunked", "identity"].contains { HTTPFields.isEqual($0, coding) }
      }
      if isInterim, contents > 0 { return "a content coding before the response" }
      if contents > 1 { return "more than one content coding" }
      return hasTransfer ? "a transfer coding that was not asked for" : nil
    }

    /// The members of the lists that all fields of a name have. RFC 9110 §5.6.1.
    private func codings(in name: String) -> [String] {
      values(of: name).flatMap { $0.utf8.split { $0 == 0x2C || HTTPFields.isSpace($0) } }
        .map { String($0) ?? "" }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  }
#endif
