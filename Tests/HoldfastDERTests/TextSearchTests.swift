import HoldfastDER
import Testing

@Suite struct TextSearchTests {
  @Test(
    "a part is found where its bytes are, and nowhere else",
    arguments: [
      ("www.example.com: expired", "example.com", "www.example.com"),
      ("error:0A00045C:SSL routines", "error:0A", "error:0A"),
      ("aab", "ab", "aab"), ("example.co", "example.com", nil), ("", "a", nil),
      // One character in two normal forms is not the same bytes.
      ("caf\u{E9}", "caf\u{E9}", "caf\u{E9}"), ("cafe\u{301}", "caf\u{E9}", nil),
    ] as [(text: String, part: String, upToEnd: String?)])
  func end(text: String, part: String, upToEnd: String?) {
    let end = TextSearch.end(of: part, in: text)
    #expect(end.map { String(text[..<$0]) } == upToEnd)
    #expect(TextSearch.contains(part, in: text) == (upToEnd != nil))
  }
}
