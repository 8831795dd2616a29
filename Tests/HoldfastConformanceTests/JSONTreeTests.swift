import HoldfastConformance
import Testing

@Suite("JSON") struct JSONTreeTests {
  @Test("every kind of value is read")
  func values() throws {
    let text = #" {"a": [1, -2.5e+3, true, false, null, {}], "b\u00e9\uD83D\uDE00\n": "\"\\\/"} "#
    let tree = try JSONTree(Array(text.utf8))
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
    "what RFC 8259 does not allow is refused, and where",
    arguments: [
      ("", 0), ("[1,]", 3), ("{\"a\":1,}", 7), ("01", 1), ("1.", 2), ("+1", 0), ("\"\u{1}\"", 1),
      ("\"\\x\"", 3), ("\"\\uD800\"", 7), ("\"\\uD800\\u0041\"", 13), ("\"\\u12\"", 3), ("tru", 0),
      ("[] []", 3), ("\"a", 2), ("{\"a\":1,\"a\":2}", 12), ("{1:2}", 1), ("NaN", 0),
    ])
  func refused(text: String, offset: Int) {
    let failure = #expect(throws: JSONTree.Failure.self) { try JSONTree(Array(text.utf8)) }
    #expect(failure?.offset == offset, "\(text): \(String(describing: failure))")
  }

  @Test("depth and bytes that are not UTF-8 are refused")
  func limits() {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    #expect(throws: JSONTree.Failure.self) { try JSONTree(deep) }
    #expect(throws: JSONTree.Failure.self) { try JSONTree([0x22, 0xFF, 0x22]) }
  }
}
