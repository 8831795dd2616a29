import HoldfastConformance
import HoldfastPaths
import TestSupport
import Testing

/// Every rule is reported by a case of our own, whose answer `RunTests` or `CausesTests` checks.
@Suite("The rules and their cases") struct RuleVectorTests {
  /// The first words behind `reject` of all cases.
  private func reported() throws -> Set<String> {
    let root = CommittedVectors.root
    var rules: Set<String> = []
    for test in try ChainCase.load(at: "\(root)/Vectors") {
      let words = test.expected.split(separator: " ")
      if words.count > 1, words[0] == "reject" { rules.insert(String(words[1])) }
    }
    // `CausesTests` and `MerkleTrustTests` check these: what is found only after a search has failed,
    // and below trees.
    for file in ["causes", "merkle"] {
      for words in try CommittedVectors.lines("\(file)/cases.txt") {
        for word in words where word.hasPrefix("rule=") {
          rules.insert(String(word.dropFirst(5)))
        }
      }
    }
    return rules
  }

  @Test("every rule has a case that must report it, and cases name no unknown rules")
  func everyRule() throws {
    let (reported, known) = (try reported(), Set(Rule.allCases.map(\.name)))
    #expect(known.subtracting(reported).sorted() == [], "rules without a case")
    #expect(reported.subtracting(known).sorted() == [], "cases of no rule")
  }
}
