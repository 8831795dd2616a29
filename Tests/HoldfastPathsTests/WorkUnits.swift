@testable import HoldfastPaths

/// The limit on work, in each unit of what is charged.
extension Limits {
  /// Comparisons of a name with a constraint.
  var nameComparisons: Int {
    get { work / Budget.nameComparison }
    set { work = newValue * Budget.nameComparison }
  }

  /// Bytes that are compared.
  var comparedBytes: Int {
    get { work }
    set { work = newValue }
  }

  /// Nodes of the policy graph.
  var policyNodes: Int {
    get { work / Budget.policyNode }
    set { work = newValue * Budget.policyNode }
  }
}
