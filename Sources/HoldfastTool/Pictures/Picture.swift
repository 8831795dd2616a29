internal import Holdfast

/// Certificates as boxes, and lines from issuers to what they have issued; the leaf comes first, and
/// its issuers after it.
struct Picture {
  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []

  /// A box.
  struct Node {
    let title: String
    let details: [String]
    let kind: Kind
    /// What is wrong with it, in words.
    var problems: [String] = []
    /// Where it stands; `layOut` says.
    var column = 0
    var row = 0
  }

  /// What a box stands for.
  enum Kind: String, Sendable {
    case anchor, authority, leaf
  }

  /// A line from an issuer to what it has issued, by their places among the nodes.
  struct Edge {
    let issuer: Int
    let subject: Int
    var mark: Mark
    var label: String?
  }

  /// How a line is drawn.
  enum Mark: String, Sendable {
    /// On the path that was found valid.
    case accepted
    /// The way is closed: the label says by which rule.
    case rejected
    /// The names and the signature fit.
    case linked
  }

  mutating func add(_ node: Node) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  /// Adds what is wrong with a box, once.
  mutating func note(_ problem: String, at node: Int) {
    if !nodes[node].problems.contains(problem) { nodes[node].problems.append(problem) }
  }

  /// Adds a line, or lets the better of two between the same boxes count.
  mutating func add(_ edge: Edge) {
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
  var size: (columns: Int, rows: Int) {
    ((nodes.map(\.column).max() ?? 0) + 1, (nodes.map(\.row).max() ?? 0) + 1)
  }

  /// Gives each box a column, the leaves in the first, and a row beside what it has issued.
  mutating func layOut() {
    var subjects = [[Int]](repeating: [], count: nodes.count)
    var hasIssuer = [Bool](repeating: false, count: nodes.count)
    for edge in edges {
      subjects[edge.issuer].append(edge.subject)
      hasIssuer[edge.subject] = true
    }
    var isPlaced = [Bool](repeating: false, count: nodes.count)
    // Where certificates issue each other in a circle, each has an issuer: then it begins anywhere.
    let first = nodes.indices.filter { !hasIssuer[$0] }
    for start in first { isPlaced[start] = true }
    placeColumns(from: first, subjects, &isPlaced)
    let others = nodes.indices.filter { !isPlaced[$0] }
    for start in others where !isPlaced[start] {
      isPlaced[start] = true
      placeColumns(from: [start], subjects, &isPlaced)
    }
    placeRows(first + others, subjects)
    // So far the roots are first.
    let last = size.columns - 1
    for index in nodes.indices { nodes[index].column = last - nodes[index].column }
  }

  /// The shortest way from the roots, for all that is reached from some boxes.
  private mutating func placeColumns(
    from starts: [Int], _ subjects: [[Int]], _ isPlaced: inout [Bool]
  ) {
    var queue = starts
    var index = 0
    while index < queue.count {
      let node = queue[index]
      index += 1
      for subject in subjects[node] where !isPlaced[subject] {
        isPlaced[subject] = true
        nodes[subject].column = nodes[node].column + 1
        queue.append(subject)
      }
    }
  }

  /// Each box beside the first that it has issued, and a row of its own for who has issued nothing.
  private mutating func placeRows(_ starts: [Int], _ subjects: [[Int]]) {
    var nextRow = 0
    var taken: Set<[Int]> = []
    var seen = [Bool](repeating: false, count: nodes.count)
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
        let first = subjects[top.node].first { nodes[$0].column > nodes[top.node].column }
        let beside = first.map { nodes[$0].row }
        if let beside, taken.insert([nodes[top.node].column, beside]).inserted {
          nodes[top.node].row = beside
        } else {
          nodes[top.node].row = nextRow
          taken.insert([nodes[top.node].column, nextRow])
          nextRow += 1
        }
      }
    }
  }
}
