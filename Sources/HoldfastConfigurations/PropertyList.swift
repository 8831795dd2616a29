/// A property list, in which TrustKit and App Transport Security are configured.
///
/// It is read from XML, or written as a literal in place of an Objective-C dictionary.
public struct PropertyList: Sendable, Hashable {
  /// The value.
  public let value: Kind

  /// The line of the value in the file, from 1; nil for a literal.
  public let line: Int?

  /// The kinds of values.
  public indirect enum Kind: Sendable, Hashable {
    /// Values by key, in the order of the file.
    case dictionary([Member])
    /// Values in order.
    case array([PropertyList])
    /// A string.
    case string(String)
    /// A boolean.
    case bool(Bool)
    /// An integer.
    case integer(Int)
    /// A real number, a date or data, as text.
    case other(kind: String, String)
  }

  /// A key and its value.
  public struct Member: Sendable, Hashable {
    /// The key.
    public let key: String
    /// The value.
    public let value: PropertyList
    /// The line of the key.
    public let line: Int?
  }

  /// Creates a value.
  ///
  /// - Parameter line: The line of the value in the file, from 1; nil for a literal.
  public init(_ value: Kind, line: Int? = nil) {
    self.value = value
    self.line = line
  }

  /// Returns the value of a key; nil if the key is absent, or if this is not a dictionary.
  public subscript(key: String) -> PropertyList? {
    guard case .dictionary(let members) = value else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The name of the value's kind.
  var kindName: String {
    switch value {
    case .dictionary: "dictionary"
    case .array: "array"
    case .string: "string"
    case .bool: "boolean"
    case .integer: "integer"
    case .other(let kind, _): kind
    }
  }
}

extension PropertyList: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
  /// Creates a dictionary: `["TSKPinnedDomains": …]`.
  public init(dictionaryLiteral elements: (String, PropertyList)...) {
    self.init(.dictionary(elements.map { Member(key: $0.0, value: $0.1, line: nil) }))
  }
  /// Creates an array.
  public init(arrayLiteral elements: PropertyList...) { self.init(.array(elements)) }
  /// Creates a string.
  public init(stringLiteral value: String) { self.init(.string(value)) }
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self.init(.bool(value)) }
  /// Creates an integer.
  public init(integerLiteral value: Int) { self.init(.integer(value)) }
}

extension PropertyList {
  /// Reads a property list in XML. The binary form is rejected: convert it with `plutil -convert
  /// xml1`.
  public init(xml bytes: [UInt8]) throws(ConfigurationError) {
    if bytes.starts(with: "bplist".utf8) {
      throw ConfigurationError(
        .unsupported(
          "binary property list; convert it with `plutil -convert xml1 FILE` or plistutil"))
    }
    let root = try XMLReader.root(of: bytes)
    guard root.name == "plist" else {
      throw ConfigurationError(
        .badValue(found: "<\(root.name)>", expected: "<plist>"), line: root.line)
    }
    guard root.children.count == 1, root.trimmedText.isEmpty else {
      throw ConfigurationError(
        .malformed("<plist> must hold exactly one value"), line: root.line)
    }
    self = try PropertyList.read(root.children[0])
  }

  // The XML reader bounds the depth.
  private static func read(_ element: XMLElement) throws(ConfigurationError) -> PropertyList {
    func fault(_ message: String) -> ConfigurationError {
      ConfigurationError(.malformed(message), line: element.line)
    }
    guard element.attributes.isEmpty else { throw fault("<\(element.name)> has attributes") }
    switch element.name {
    case "dict", "array":
      guard element.trimmedText.isEmpty else {
        throw fault("text between the values of <\(element.name)>")
      }
      if element.name == "dict" { return try readMembers(element) }
      var values: [PropertyList] = []
      for child in element.children { values.append(try read(child)) }
      return PropertyList(.array(values), line: element.line)
    default: break
    }
    guard element.children.isEmpty else { throw fault("<\(element.name)> holds elements") }
    switch element.name {
    case "string": return PropertyList(.string(element.text), line: element.line)
    case "true", "false":
      guard element.text.isEmpty else { throw fault("<\(element.name)> holds text") }
      return PropertyList(.bool(element.name == "true"), line: element.line)
    case "integer":
      guard let number = Int(element.trimmedText) else { throw fault("not a whole number") }
      return PropertyList(.integer(number), line: element.line)
    case "real", "date", "data":
      return PropertyList(.other(kind: element.name, element.trimmedText), line: element.line)
    default: throw fault("unknown element <\(element.name)>")
    }
  }

  private static func readMembers(
    _ element: XMLElement
  ) throws(ConfigurationError) -> PropertyList {
    var members: [Member] = []
    var keys: Set<String> = []
    var rest = element.children[...]
    while let child = rest.popFirst() {
      guard child.name == "key", child.children.isEmpty, child.attributes.isEmpty else {
        throw ConfigurationError(
          .malformed("expected <key> before <\(child.name)>"), line: child.line)
      }
      guard keys.insert(child.text).inserted else {
        throw ConfigurationError(.duplicateKey(child.text), line: child.line)
      }
      guard let value = rest.popFirst(), value.name != "key" else {
        throw ConfigurationError(
          .malformed("the key \(child.text) has no value"), line: child.line)
      }
      members.append(Member(key: child.text, value: try read(value), line: child.line))
    }
    return PropertyList(.dictionary(members), line: element.line)
  }

  /// The list as an XML file.
  public var xml: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    \(lines(depth: 0).joined(separator: "\n"))
    </plist>

    """
  }

  private func lines(depth: Int) -> [String] {
    let indent = String(repeating: "  ", count: depth)
    switch value {
    case .string(let text): return ["\(indent)<string>\(Printable.escapedForXML(text))</string>"]
    case .bool(let truth): return ["\(indent)<\(truth)/>"]
    case .integer(let number): return ["\(indent)<integer>\(number)</integer>"]
    case .other(let kind, let text):
      return ["\(indent)<\(kind)>\(Printable.escapedForXML(text))</\(kind)>"]
    case .array(let values):
      return ["\(indent)<array>"] + values.flatMap { $0.lines(depth: depth + 1) }
        + ["\(indent)</array>"]
    case .dictionary(let members):
      let inner = members.flatMap { member in
        ["\(indent)  <key>\(Printable.escapedForXML(member.key))</key>"]
          + member.value.lines(depth: depth + 1)
      }
      return ["\(indent)<dict>"] + inner + ["\(indent)</dict>"]
    }
  }
}
