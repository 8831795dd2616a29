import Testing

/// The sentences that a program can show to its users.
@Suite("Summaries of errors") struct SummaryTests {
  private static let modules = [
    "HoldfastDER", "HoldfastCertificates", "HoldfastPaths", "HoldfastTransparency", "Holdfast",
    "HoldfastTrustStores", "HoldfastCompatibility",
    "HoldfastConfigurations", "HoldfastIdentities", "HoldfastOnline", "HoldfastOpenSSL",
    "HoldfastHTTP",
  ]

  private static var sources: [String] {
    modules.flatMap { SourceTree.texts(in: "Sources/\($0)", ending: ".swift") }
  }

  @Test("every public error type has a summary")
  func complete() {
    let types = Self.sources.flatMap { text in
      text.matches(of: #/public (?:enum|struct) (\w+): Error\b/#).map { String($0.1) }
    }
    #expect(types.count > 15)
    for type in types {
      let pattern = "\(type): HoldfastError"
      #expect(Self.sources.contains { $0.contains(pattern) }, "\(type)")
    }
  }

  @Test("a summary is one plain sentence without numbers, identifiers or citations")
  func sentences() {
    var found = 0
    for text in Self.sources {
      for body in text.components(between: "public var summary: String {", and: "\n  }\n") {
        // A name that is filled in counts as a word.
        for match in body.matches(of: #/"((?:[^"\\]|\\\([a-z]+\))+)"/#) where match.1.hasSuffix(".")
        {
          let sentence = match.1.replacing(#/\\\([a-z]+\)/#, with: "A")
          found += 1
          #expect(sentence.first?.isUppercase == true, "\(sentence)")
          #expect(sentence.count { $0 == "." } == 1, "\(sentence)")
          #expect(!sentence.contains { $0.isNumber || $0 == "§" }, "\(sentence)")
        }
      }
    }
    #expect(found > 40)
  }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> [Substring] {
    split(separator: start, omittingEmptySubsequences: false).dropFirst().map { rest in
      rest.split(separator: end, maxSplits: 1, omittingEmptySubsequences: false)[0]
    }
  }
}
