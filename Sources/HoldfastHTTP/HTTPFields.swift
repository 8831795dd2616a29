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

  extension HTTPFields: CustomStringConvertible, CustomReflectable {
    /// A line for each field, with `…` for the value of one that holds credentials or cookies.
    public var description: String { fields.map(\.description).joined(separator: "\n") }

    /// The fields as they are described, so that `dump` shows no more.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields) }
  }

  extension HTTPFields.Field: CustomStringConvertible, CustomReflectable {
    /// The fields whose values are secrets. RFC 9110 §11, RFC 6265.
    private static let secrets = [
      "Authorization", "Cookie", "Proxy-Authorization", "Set-Cookie",
    ]

    /// `Accept: text/plain`, `Authorization: …`.
    public var description: String {
      let isSecret = Self.secrets.contains { HTTPFields.isEqual($0, name) }
      return Printable.text("\(name): \(isSecret ? "…" : value)")
    }

    /// An empty mirror, so that `dump` shows the description alone.
    public var customMirror: Mirror { Mirror(self, children: []) }
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
    package static func isToken(_ text: String) -> Bool {
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

    /// What is wrong with the content coding that a head of a response names, of which the client has
    /// asked for `gzip`; nil if nothing is.
    ///
    /// - Parameter isInterim: Whether another head follows.
    func codingProblem(isInterim: Bool) -> String? {
      let codings = codings(in: "Content-Encoding")
      guard let coding = codings.first else { return nil }
      if isInterim { return "a content coding before the response" }
      if codings.count > 1 { return "more than one content coding" }
      return isGzip || HTTPFields.isEqual(coding, "identity")
        ? nil : "a content coding that was not asked for"
    }

    /// Whether the body is coded with `gzip`, which has two names. RFC 9110 §8.4.1.3.
    var isGzip: Bool {
      codings(in: "Content-Encoding").contains { coding in
        ["gzip", "x-gzip"].contains { HTTPFields.isEqual($0, coding) }
      }
    }

    /// What is wrong with what a head of a response says of the end of its body; nil if nothing is.
    /// Readers that disagree about it take different bytes for the next response.
    ///
    /// libcurl takes the last of several lengths, and what is before the first byte that is no digit;
    /// it reads chunks if any coding is `chunked`, and goes by the length if none is.
    ///
    /// - Parameter isInterim: Whether another head follows, which alone has a body. libcurl would
    ///   measure it by this one.
    func framingProblem(isInterim: Bool, _ version: HTTPVersion) -> String? {
      let hasLength = self["Content-Length"] != nil
      guard self["Transfer-Encoding"] != nil else {
        if isInterim { return hasLength ? "a body before the response [RFC 9110 §8.6]" : nil }
        // RFC 9110 §8.6: a number may be repeated.
        return hasLength && contentLength == nil ? "an invalid Content-Length" : nil
      }
      if isInterim { return "a body before the response [RFC 9112 §6.1]" }
      if version == .http10 { return "Transfer-Encoding in HTTP/1.0 [RFC 9112 §6.1]" }
      if hasLength { return "Transfer-Encoding beside Content-Length [RFC 9112 §6.3]" }
      let codings = codings(in: "Transfer-Encoding")
      guard codings.allSatisfy({ HTTPFields.isChunked($0) || HTTPFields.isEqual($0, "identity") })
      else { return "a Transfer-Encoding that was not asked for [RFC 9112 §6.1]" }
      return codings.dropLast().contains(where: HTTPFields.isChunked)
        ? "chunked is not the last Transfer-Encoding [RFC 9112 §6.1]" : nil
    }

    private static func isChunked(_ coding: String) -> Bool { isEqual(coding, "chunked") }

    /// The length of the body; nil without one, and if what stands there is not one number. RFC 9110
    /// §8.6.
    var contentLength: Int? {
      let numbers = values(of: "Content-Length")
        .flatMap { $0.utf8.split(separator: 0x2C, omittingEmptySubsequences: false) }
        .map { text -> Int? in
          let digits = text.drop(while: HTTPFields.isSpace).prefix { !HTTPFields.isSpace($0) }
          let isAlone = text[digits.endIndex...].allSatisfy(HTTPFields.isSpace)
          guard isAlone, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
          return String(digits).flatMap { Int($0) }
        }
      guard let first = numbers.first, numbers.allSatisfy({ $0 == first }) else { return nil }
      return first
    }

    /// Whether the head says where the body ends, so that the end of the connection does not. A transfer
    /// coding overrides the length. RFC 9112 §6.3.
    var framesBody: Bool {
      guard self["Transfer-Encoding"] != nil else { return contentLength != nil }
      return codings(in: "Transfer-Encoding").last.map(HTTPFields.isChunked) == true
    }

    /// The members of the lists that all fields of a name have. RFC 9110 §5.6.1.
    private func codings(in name: String) -> [String] {
      values(of: name).flatMap { $0.utf8.split { $0 == 0x2C || HTTPFields.isSpace($0) } }
        .map { String($0) ?? "" }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  }
#endif
