/// Certificates as boxes, and lines from issuers to what they have issued; the leaf comes first, and
/// its issuers after it.
package struct Picture {
  package private(set) var nodes: [Node] = []
  package private(set) var edges: [Edge] = []

  package init() {}

  /// A box.
  package struct Node {
    package let title: String
    package let details: [String]
    package let kind: Kind
    /// What is wrong with it, in words.
    package var problems: [String] = []
    /// Whether it is drawn as wrong.
    package var isWrong = false
    /// Where it stands; `layOut` says.
    package var column = 0
    package var row = 0

    package init(title: String, details: [String], kind: Kind) {
      self.title = title
      self.details = details
      self.kind = kind
    }
  }

  /// What a box stands for.
  package enum Kind: String, Sendable {
    case anchor, authority, leaf
  }

  /// A line from an issuer to what it has issued, by their places among the nodes.
  package struct Edge {
    package let issuer: Int
    package let subject: Int
    package var mark: Mark
    package var label: String?

    package init(issuer: Int, subject: Int, mark: Mark, label: String? = nil) {
      self.issuer = issuer
      self.subject = subject
      self.mark = mark
      self.label = label
    }
  }

  /// How a line is drawn.
  package enum Mark: String, Sendable {
    /// On the path that was found valid.
    case accepted
    /// The way is closed: the label says by which rule.
    case rejected
    /// The names and the signature fit.
    case linked
  }

  package mutating func add(_ node: Node) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  /// Adds what is wrong with a box, once.
  ///
  /// - Parameter isWrong: Whether the box is wrong for that, and not only what it is used for.
  package mutating func note(_ problem: String, at node: Int, isWrong: Bool = true) {
    if !nodes[node].problems.contains(problem) { nodes[node].problems.append(problem) }
    if isWrong { nodes[node].isWrong = true }
  }

  /// Adds a line, or lets the better of two between the same boxes count.
  package mutating func add(_ edge: Edge) {
    guard edge.issuer != edge.subject else { return }
    if let known = edges.firstIndex(where: {
      $0.issuer == edge.issuer && $0.subject == edge.subject
    }) {
      if edge.mark == .accepted { edges[known] = edge }
    } else {
      edges.append(edge)
    }
  }

  /// How many columns and rows there are.
  package var size: (columns: Int, rows: Int) {
    ((nodes.map { $0.column }.max() ?? 0) + 1, (nodes.map { $0.row }.max() ?? 0) + 1)
  }

  /// Gives each box a column, by the longest way from the leaves, which are in the first, so that an
  /// issuer never stands beside what is below it; and a row beside what it has issued.
  package mutating func layOut() {
    var subjects = [[Int]](repeating: [], count: nodes.count)
    var hasIssuer = [Bool](repeating: false, count: nodes.count)
    for edge in edges {
      subjects[edge.issuer].append(edge.subject)
      hasIssuer[edge.subject] = true
    }
    // Where certificates issue each other in a circle, each has an issuer: then it ends with the last,
    // which is far from the leaf.
    let starts = nodes.indices.filter { !hasIssuer[$0] } + nodes.indices.reversed()
    let order = placeColumns(from: starts, subjects)
    // A CA that no line leads to stands with the roots.
    let last = size.columns - 1
    for index in nodes.indices
    where nodes[index].kind != .leaf && !hasIssuer[index] && subjects[index].isEmpty {
      nodes[index].column = last
    }
    placeRows(order, subjects)
  }

  /// Returns the boxes, each after what it has issued.
  private mutating func placeColumns(from starts: [Int], _ subjects: [[Int]]) -> [Int] {
    var order: [Int] = []
    var seen = [Bool](repeating: false, count: nodes.count)
    var isPlaced = seen
    for start in starts where !seen[start] {
      // Depth first, with a stack of our own: chains of a thousand are as good as short ones.
      var stack = [(node: start, next: 0)]
      seen[start] = true
      while let top = stack.last {
        if top.next < subjects[top.node].count {
          stack[stack.count - 1].next += 1
          let subject = subjects[top.node][top.next]
          if !seen[subject] {
            seen[subject] = true
            stack.append((subject, 0))
          }
          continue
        }
        stack.removeLast()
        // What it has issued and is not placed has issued it, in a circle.
        let below = subjects[top.node].filter { isPlaced[$0] }.map { nodes[$0].column }.max()
        nodes[top.node].column = below.map { $0 + 1 } ?? 0
        isPlaced[top.node] = true
        order.append(top.node)
      }
    }
    return order
  }

  /// Each box beside the first that it has issued, and a row of its own for who has issued nothing.
  private mutating func placeRows(_ order: [Int], _ subjects: [[Int]]) {
    var nextRow = 0
    var taken: Set<[Int]> = []
    for index in order {
      let column = nodes[index].column
      let beside = subjects[index].first { nodes[$0].column < column }.map { nodes[$0].row }
      if let beside, taken.insert([column, beside]).inserted {
        nodes[index].row = beside
      } else {
        nodes[index].row = nextRow
        taken.insert([column, nextRow])
        nextRow += 1
      }
    }
  }

  /// Where a line that passes other columns does so: in a row in which no box stands there, or in the
  /// gap behind one. Nil if it passes none.
  package func passage(of edge: Edge) -> (row: Int, isGap: Bool)? {
    let (issuer, subject) = (nodes[edge.issuer], nodes[edge.subject])
    guard issuer.column > subject.column + 1 else { return nil }
    let passed = subject.column + 1..<issuer.column
    for row in [subject.row, issuer.row]
    where !nodes.contains(where: { $0.row == row && passed.contains($0.column) }) {
      return (row, false)
    }
    return (subject.row, true)
  }
}
