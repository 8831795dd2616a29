import Testing

@Suite("the rules of the house") struct HouseTests {
  @Test("the source tree keeps every rule", arguments: HouseRule.all.map(\.name))
  func rules(name: String) throws {
    let rule = try #require(HouseRule.all.first { $0.name == name })
    let breaches = SourceTree.files.flatMap(rule.breaches).filter { breach in
      !HouseRule.allowances.contains { $0.covers(breach) }
    }
    #expect(breaches.isEmpty, "\(breaches.map(\.description).joined(separator: "\n"))")
  }

  @Test("the tree was found")
  func tree() {
    #expect(SourceTree.files.contains { $0.path == "Package.swift" })
    #expect(SourceTree.files.contains { $0.path == "Tests/HouseTests/HouseTests.swift" })
    #expect(SourceTree.files.contains { $0.target == "HoldfastConformance" })
  }

  @Test("no allowance is left over, and each has a reason")
  func allowances() {
    for allowance in HouseRule.allowances {
      #expect(allowance.reason.count > 10, "\(allowance.path) needs a reason")
      let rule = HouseRule.all.first { $0.name == allowance.rule }
      #expect(rule != nil, "there is no rule \(allowance.rule)")
      guard let file = SourceTree.files.first(where: { $0.path == allowance.path }) else {
        continue
      }
      #expect(
        rule?.breaches(in: file).contains(where: allowance.covers) == true,
        "\(allowance.path) no longer needs its allowance from \(allowance.rule)")
    }
  }

  @Test("every target has a place in the layers")
  func targets() {
    let targets = Set(SourceTree.files.filter(\.isSwift).compactMap(\.target))
    #expect(targets.isSubset(of: Layers.allowed.keys))
  }
}
