/// An element of an XML text, with its content.
struct XMLElement: Sendable, Hashable {
  let name: String
  let attributes: [Attribute]
  /// The line of its first character, from 1.
  let line: Int
  fileprivate(set) var children: [XMLElement] = []
  /// All characters directly in it, without those of its children.
  fileprivate(set) var text = ""

  struct Attribute: Sendable, Hashable {
    let name: String
    let value: String
  }

  /// The value of an attribute; nil if it is absent.
  subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  /// The text without white space around it.
  var trimmedText: String {
    let blanks: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
    let start = text.drop(while: blanks)
    return String(start.reversed().drop(while: blanks).reversed())
  }
}

/// A reader of the part of XML 1.0 that configurations use: elements, attributes, characters,
/// comments and the five predefined entities.
///
/// It supports no custom entities and no internal subset, and fetches nothing: a document type is
/// skipped. At most 1 MiB, 32 levels, 20,000 elements.
struct XMLReader {
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var count = 0

  private static let maximumSize = 1 << 20
  private static let maximumDepth = 32
  private static let maximumElements = 20_000

  /// Reads the root element of a text.
  static func root(of bytes: [UInt8]) throws(ConfigurationError) -> XMLElement {
    guard bytes.count <= maximumSize else {
      throw ConfigurationError(.malformed("larger than \(maximumSize) bytes"), line: 1)
    }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw ConfigurationError(.malformed("UTF-16, where UTF-8 is needed"), line: 1)
    }
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard String(validating: body, as: UTF8.self) != nil else {
      throw ConfigurationError(.malformed("not UTF-8"), line: 1)
    }
    var reader = XMLReader(body)
    return try reader.document()
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private func fault(_ message: String) -> ConfigurationError {
    ConfigurationError(.malformed(message), line: line)
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func step() {
    if bytes[offset] == 0x0A { line += 1 }
    offset += 1
  }

  private func isNext(_ word: String) -> Bool {
    bytes[offset...].starts(with: word.utf8)
  }

  private mutating func take(_ word: String) throws(ConfigurationError) {
    guard isNext(word) else { throw fault("expected \"\(word)\"") }
    for _ in word.utf8 { step() }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private mutating func skipBlanks() {
    while let byte = next, XMLReader.isBlank(byte) { step() }
  }

  private mutating func document() throws(ConfigurationError) -> XMLElement {
    if isNext("<?xml") { try declaration() }
    var hasType = false
    while true {
      skipBlanks()
      if isNext("<!--") {
        try comment()
      } else if isNext("<!DOCTYPE"), !hasType {
        hasType = true
        try documentType()
      } else {
        break
      }
    }
    let root = try tree()
    while offset < bytes.count {
      skipBlanks()
      if isNext("<!--") {
        try comment()
      } else if offset < bytes.count {
        throw fault("content after the root element")
      }
    }
    return root
  }

  /// Reads `<?xml version="1.0" encoding="UTF-8"?>`.
  private mutating func declaration() throws(ConfigurationError) {
    try take("<?xml")
    let attributes = try self.attributes()
    try take("?>")
    guard attributes.first?.name == "version", attributes.first?.value == "1.0" else {
      throw fault("expected an XML 1.0 declaration")
    }
    for attribute in attributes.dropFirst() {
      switch (attribute.name, attribute.value.lowercased()) {
      case ("encoding", "utf-8"), ("standalone", "yes"), ("standalone", "no"): continue
      default: throw fault("\(attribute.name)=\"\(attribute.value)\" in the XML declaration")
      }
    }
  }

  private mutating func comment() throws(ConfigurationError) {
    let start = line
    try take("<!--")
    while !isNext("--") {
      guard next != nil else {
        throw ConfigurationError(.malformed("unterminated comment"), line: start)
      }
      step()
    }
    try take("-->")
  }

  /// Skips a document type; an internal subset, which could declare entities, is an error.
  private mutating func documentType() throws(ConfigurationError) {
    try take("<!DOCTYPE")
    while let byte = next, byte != 0x3E {
      guard byte != 0x5B, byte != 0x3C else {
        throw fault("document type with declarations")
      }
      step()
    }
    try take(">")
  }

  /// Reads an element with its content, without recursion.
  private mutating func tree() throws(ConfigurationError) -> XMLElement {
    var open: [XMLElement] = []
    while true {
      guard let byte = next else {
        throw fault(
          open.last.map { "<\($0.name)> of line \($0.line) is not closed" } ?? "there is no element"
        )
      }
      if isNext("<!--") {
        try comment()
      } else if isNext("</") {
        let start = line
        try take("</")
        let name = try self.name()
        skipBlanks()
        try take(">")
        guard let element = open.popLast(), element.name == name else {
          throw ConfigurationError(.malformed("</\(name)> without its opening tag"), line: start)
        }
        guard !open.isEmpty else { return element }
        open[open.count - 1].children.append(element)
      } else if byte == 0x3C {
        let (element, isEmpty) = try startTag()
        if !isEmpty {
          guard open.count < XMLReader.maximumDepth else { throw fault("nested too deeply") }
          open.append(element)
        } else if open.isEmpty {
          return element
        } else {
          open[open.count - 1].children.append(element)
        }
      } else {
        guard !open.isEmpty else { throw fault("characters before the root element") }
        open[open.count - 1].text += try characters(until: [0x3C])
      }
    }
  }

  private mutating func startTag() throws(ConfigurationError)
    -> (element: XMLElement, isEmpty: Bool)
  {
    let start = line
    count += 1
    guard count <= XMLReader.maximumElements else {
      throw fault("more than \(XMLReader.maximumElements) elements")
    }
    try take("<")
    if next == 0x21 || next == 0x3F {
      throw fault("CDATA sections and processing instructions are not supported")
    }
    let name = try self.name()
    let attributes = try self.attributes()
    let element = XMLElement(name: name, attributes: attributes, line: start)
    if isNext("/>") {
      try take("/>")
      return (element, true)
    }
    try take(">")
    return (element, false)
  }

  private mutating func attributes() throws(ConfigurationError) -> [XMLElement.Attribute] {
    var attributes: [XMLElement.Attribute] = []
    while let byte = next, XMLReader.isBlank(byte) {
      skipBlanks()
      guard let byte = next, ![0x3E, 0x2F, 0x3F].contains(byte) else { break }
      let name = try self.name()
      skipBlanks()
      try take("=")
      skipBlanks()
      guard let quote = next, quote == 0x22 || quote == 0x27 else {
        throw fault("the value of \(name) is not quoted")
      }
      step()
      let value = try characters(until: [quote, 0x3C])
      guard next == quote else { throw fault("unterminated value of \(name)") }
      step()
      guard !attributes.contains(where: { $0.name == name }), attributes.count < 32 else {
        throw fault("duplicate \(name), or too many attributes")
      }
      attributes.append(XMLElement.Attribute(name: name, value: value))
    }
    return attributes
  }

  /// Reads an ASCII name; configurations have no others.
  private mutating func name() throws(ConfigurationError) -> String {
    let start = offset
    while let byte = next {
      switch byte {
      case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x3A: step()
      case 0x30...0x39, 0x2D, 0x2E:
        guard offset > start else { throw fault("expected a name") }
        step()
      default:
        guard offset > start else { throw fault("expected a name") }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
      }
    }
    throw fault("the text ends inside a name")
  }

  private mutating func characters(until ends: [UInt8]) throws(ConfigurationError) -> String {
    var text: [UInt8] = []
    while let byte = next, !ends.contains(byte) {
      switch byte {
      case 0x26: text += String(try entity()).utf8
      case 0x09, 0x0A, 0x0D, 0x20...:
        text.append(byte)
        step()
      default: throw fault("a control character (code \(byte))")
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads `&lt;` and the like, `&#60;` or `&#x3C;`.
  private mutating func entity() throws(ConfigurationError) -> Unicode.Scalar {
    try take("&")
    let start = offset
    while let byte = next, byte != 0x3B, offset - start < 12 { step() }
    let name = String(decoding: bytes[start..<offset], as: UTF8.self)
    try take(";")
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let isHexadecimal = name.hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard name.hasPrefix("#"), digits.first != "+", digits.first != "-",
      let code = UInt32(digits, radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(code),
      code >= 0x20 || code == 0x09 || code == 0x0A || code == 0x0D
    else { throw fault("the entity \"&\(name);\" is not one of the five of XML") }
    return scalar
  }
}
