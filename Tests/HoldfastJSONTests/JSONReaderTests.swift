import HoldfastJSON
import TestSupport
import Testing

@Suite("JSON") struct JSONReaderTests {
  @Test("every kind of value is read")
  func values() throws {
    let text = #" {"a": [1, -2.5e+3, true, false, null, {}], "b\u00e9\uD83D\uDE00\n": "\"\\\/"} "#
    let tree = try JSONValue(parsing: Array(text.utf8))
    #expect(
      tree
        == .object([
          "a": .array([
            .number("1"), .number("-2.5e+3"), .bool(true), .bool(false), .null, .object([:]),
          ]),
          "b\u{E9}\u{1F600}\n": .string("\"\\/"),
        ]))
  }

  @Test(
    "anything that RFC 8259 does not allow is rejected, with its position",
    arguments: [
      ("", 0), ("[1,]", 3), ("{\"a\":1,}", 7), ("01", 0), ("1.", 0), ("+1", 0), ("\"\u{1}\"", 1),
      ("\"\\x\"", 1), ("\"\\uD800\"", 7), ("\"\\uD800\\u0041\"", 13), ("\"\\u12\"", 1), ("tru", 0),
      ("[] []", 3), ("\"a", 2), ("{\"a\":1,\"a\":2}", 7), ("{1:2}", 1), ("NaN", 0), ("[1 2]", 3),
      ("{\"a\" 1}", 5), ("\"\\uDC00\"", 7), ("1e", 0), ("-", 0), ("[", 1), ("{", 1),
    ])
  func rejected(text: String, offset: Int) {
    let failure = #expect(throws: JSONReader.Problem.self) {
      try JSONValue(parsing: Array(text.utf8))
    }
    #expect(failure?.offset == offset, "\(text): \(String(describing: failure))")
  }

  /// What a value costs: itself 48 bytes, as a member of an object 160 more, a text of more than
  /// fifteen bytes its length and 64 more, an array or object with elements 64.
  @Test(
    "a text is rejected where its tree takes more memory than allowed, however short the text is",
    arguments: [
      (#"[0,0,0,0]"#, 48 + 64 + 4 * 48, 7), (#"[[],[],[]]"#, 48 + 64 + 3 * 48, 7),
      (#"[[0],[0]]"#, 48 + 64 + 2 * (48 + 64 + 48), 6),
      (#"{"a":0,"b":0}"#, 48 + 64 + 2 * (160 + 48), 11),
      (#"["0123456789abcdef"]"#, 48 + 64 + 48 + 64 + 16, 19),
      (#"{"0123456789abcdef":1}"#, 48 + 64 + 160 + 64 + 16 + 48, 20),
      ("1234567890123456", 48 + 64 + 16, 16),
    ])
  func memory(text: String, size: Int, offset: Int) throws {
    let bytes = Array(text.utf8)
    _ = try JSONValue(parsing: bytes, maximumSize: size)
    let error = #expect(throws: JSONReader.Problem.self) {
      try JSONValue(parsing: bytes, maximumSize: size - 1)
    }
    #expect(error?.message == "too many values for the memory that they may take")
    #expect(error?.offset == offset)
  }

  @Test(
    "a text of a few megabytes whose tree would take a hundred is rejected",
    .enabled(if: !isDebug, "a debug build is not optimized"))
  func manyValues() {
    for element in ["0,", "[],", "{},"] {
      let text = "[" + String(repeating: element, count: 2_200_000) + "0]"
      let error = #expect(throws: JSONReader.Problem.self) {
        try JSONValue(parsing: Array(text.utf8))
      }
      #expect(error?.message == "too many values for the memory that they may take")
    }
  }

  @Test("excessive depth and bytes that are not UTF-8 are rejected")
  func limits() {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    #expect(throws: JSONReader.Problem.self) { try JSONValue(parsing: deep) }
    #expect(throws: JSONReader.Problem.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
  }

  @Test("written JSON reads back as the same value, on one line and on several")
  func bothWays() throws {
    let value: JSONValue = .object([
      "text": .string("a \"quoted\" \\ \n\t\u{0} \u{7F} \u{E9} \u{1F600}"), "number": .number(-7),
      "list": .array([.null, .bool(true), .strings(["", "x"]), .object([:])]),
    ])
    #expect(try JSONValue(parsing: value.line) == value)
    #expect(try JSONValue(parsing: value.lines()) == value)
    #expect(value.line.allSatisfy { 0x20...0x7E ~= $0 })
  }

  @Test("a text cut at any byte is rejected; with any byte changed it is read or rejected")
  func damaged() throws {
    let text = Array(#"{"a":[1,-2.5e+3,true,null,{"\u00e9\uD83D\uDE00":"é\n"}],"b":"c"}"#.utf8)
    _ = try JSONValue(parsing: text)
    for length in text.indices {
      #expect(throws: JSONReader.Problem.self) { try JSONValue(parsing: Array(text[..<length])) }
    }
    for offset in text.indices {
      for byte in [0x00, 0x22, 0x5C, 0x7B, 0x7D, 0xC3, 0xFF] as [UInt8] {
        var changed = text
        changed[offset] = byte
        do throws(JSONReader.Problem) {
          let value = try JSONValue(parsing: changed)
          #expect(try JSONValue(parsing: value.line) == value)
        } catch {
          #expect((0...changed.count).contains(error.offset))
        }
      }
    }
  }
}
