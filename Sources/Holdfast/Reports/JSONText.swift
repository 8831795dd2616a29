/// A JSON value as it is read. RFC 8259.
package indirect enum JSONText: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number as it is written; the grammar is kept, the size is for whoever asks.
  case number(String)
  case string(String)
  case array([JSONText])
  case object([String: JSONText])

  /// Reads a document: strict, at most 1 MiB, sixteen levels deep, no member twice.
  package init(_ text: String) throws(JSONTextError) {
    var reader = Reader(octets: Array(text.utf8))
    guard reader.octets.count <= 1 << 20 else { throw JSONTextError(.tooLarge, at: 0) }
    self = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.place == reader.octets.count else { throw reader.error(.notJSON) }
  }
}

/// Why a text is not JSON, and where in its UTF-8.
package struct JSONTextError: Error, Sendable, Hashable {
  package let problem: Problem
  package let offset: Int

  package enum Problem: Sendable, Hashable {
    case notJSON, tooLarge, tooDeep, duplicateMember
  }

  fileprivate init(_ problem: Problem, at offset: Int) {
    self.problem = problem
    self.offset = offset
  }
}

extension JSONText {
  private struct Reader {
    let octets: [UInt8]
    var place = 0

    init(octets: [UInt8]) {
      self.octets = octets
    }

    func error(_ problem: JSONTextError.Problem) -> JSONTextError {
      JSONTextError(problem, at: place)
    }

    private var next: UInt8? { place < octets.count ? octets[place] : nil }

    mutating func skipBlanks() {
      while let octet = next, [0x20, 0x09, 0x0A, 0x0D].contains(octet) { place += 1 }
    }

    private mutating func take(_ octet: UInt8) throws(JSONTextError) {
      guard next == octet else { throw error(.notJSON) }
      place += 1
    }

    // Sixteen levels: the depth is bounded before the input can use it.
    mutating func value(depth: Int) throws(JSONTextError) -> JSONText {
      guard depth < 16 else { throw error(.tooDeep) }
      skipBlanks()
      switch next {
      case 0x7B: return .object(try members(depth))
      case 0x5B: return .array(try elements(depth))
      case 0x22: return .string(try string())
      case 0x74: return try word("true", .bool(true))
      case 0x66: return try word("false", .bool(false))
      case 0x6E: return try word("null", .null)
      default: return .number(try number())
      }
    }

    private mutating func word(
      _ word: String, _ value: JSONText
    ) throws(JSONTextError) -> JSONText {
      for octet in word.utf8 { try take(octet) }
      return value
    }

    private mutating func members(_ depth: Int) throws(JSONTextError) -> [String: JSONText] {
      var members: [String: JSONText] = [:]
      try take(0x7B)
      skipBlanks()
      if next == 0x7D {
        place += 1
        return members
      }
      while true {
        skipBlanks()
        let name = try string()
        guard members[name] == nil else { throw error(.duplicateMember) }
        skipBlanks()
        try take(0x3A)
        members[name] = try value(depth: depth + 1)
        guard try goesOn(until: 0x7D) else { return members }
      }
    }

    private mutating func elements(_ depth: Int) throws(JSONTextError) -> [JSONText] {
      var elements: [JSONText] = []
      try take(0x5B)
      skipBlanks()
      if next == 0x5D {
        place += 1
        return elements
      }
      while true {
        elements.append(try value(depth: depth + 1))
        guard try goesOn(until: 0x5D) else { return elements }
      }
    }

    /// Takes a comma, or the end.
    private mutating func goesOn(until end: UInt8) throws(JSONTextError) -> Bool {
      skipBlanks()
      if next == end {
        place += 1
        return false
      }
      try take(0x2C)
      return true
    }

    /// RFC 8259 §6.
    private mutating func number() throws(JSONTextError) -> String {
      let start = place
      func isDigit(_ octet: UInt8?) -> Bool { octet.map { 0x30...0x39 ~= $0 } ?? false }
      if next == 0x2D { place += 1 }
      guard isDigit(next) else { throw error(.notJSON) }
      let isZero = next == 0x30
      place += 1
      if isZero, isDigit(next) { throw error(.notJSON) }
      while isDigit(next) { place += 1 }
      if next == 0x2E {
        place += 1
        guard isDigit(next) else { throw error(.notJSON) }
        while isDigit(next) { place += 1 }
      }
      if next == 0x65 || next == 0x45 {
        place += 1
        if next == 0x2B || next == 0x2D { place += 1 }
        guard isDigit(next) else { throw error(.notJSON) }
        while isDigit(next) { place += 1 }
      }
      return String(decoding: octets[start..<place], as: UTF8.self)
    }

    /// RFC 8259 §7.
    private mutating func string() throws(JSONTextError) -> String {
      try take(0x22)
      var text: [UInt8] = []
      while let octet = next {
        place += 1
        switch octet {
        case 0x22:
          guard let string = String(validating: text, as: UTF8.self) else {
            throw error(.notJSON)
          }
          return string
        case 0x5C: text += String(try escape()).utf8
        case ..<0x20: throw error(.notJSON)
        default: text.append(octet)
        }
      }
      throw error(.notJSON)
    }

    private mutating func escape() throws(JSONTextError) -> Unicode.Scalar {
      guard let mark = next else { throw error(.notJSON) }
      place += 1
      switch mark {
      case 0x22, 0x5C, 0x2F: return Unicode.Scalar(mark)
      case 0x62: return "\u{8}"
      case 0x66: return "\u{C}"
      case 0x6E: return "\n"
      case 0x72: return "\r"
      case 0x74: return "\t"
      case 0x75: break
      default: throw error(.notJSON)
      }
      var code = try unit()
      if 0xD800...0xDBFF ~= code {
        try take(0x5C)
        try take(0x75)
        let low = try unit()
        guard 0xDC00...0xDFFF ~= low else { throw error(.notJSON) }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw error(.notJSON) }
      return scalar
    }

    private mutating func unit() throws(JSONTextError) -> UInt32 {
      var unit: UInt32 = 0
      for _ in 0..<4 {
        guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
          throw error(.notJSON)
        }
        unit = unit << 4 | UInt32(digit)
        place += 1
      }
      return unit
    }
  }
}
