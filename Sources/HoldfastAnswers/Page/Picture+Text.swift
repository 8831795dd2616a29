/// A picture as SVG, and as DOT for Graphviz.
extension Picture {
  /// Where certificates stand beside their issuers.
  package enum Direction {
    /// Issuers on the right: for bundles and for wide pages.
    case rightwards
    /// Issuers below: as narrow as a path can be.
    case downwards
  }

  /// Boxes on a page, in pixels.
  private struct Grid {
    let direction: Direction
    /// All boxes are as high as the one with the most lines.
    let boxHeight: Int

    /// Between boxes, to the next column and to the next row of the picture.
    var gap: (x: Int, y: Int) { direction == .rightwards ? (84, 18) : (18, 40) }

    static let boxWidth = 300
    static let lineHeight = 17
    static let margin = 16
    /// The characters of a line in a box.
    static let lineLength = 42

    /// The upper left corner of a box.
    func corner(of node: Node) -> (x: Int, y: Int) {
      corner(column: node.column, row: node.row)
    }

    private func corner(column: Int, row: Int) -> (x: Int, y: Int) {
      let (across, down) = direction == .rightwards ? (column, row) : (row, column)
      return (
        x: Grid.margin + across * (Grid.boxWidth + gap.x),
        y: Grid.margin + down * (boxHeight + gap.y)
      )
    }

    /// Where a line passes in a row, or in the gap behind it: its height if issuers are on the right,
    /// else its distance from the left.
    func place(of passage: (row: Int, isGap: Bool)) -> Int {
      let corner = corner(column: 0, row: passage.row)
      let (start, size, gap) =
        direction == .rightwards
        ? (corner.y, boxHeight, gap.y) : (corner.x, Grid.boxWidth, gap.x)
      return start + (passage.isGap ? size + gap / 2 : size / 2)
    }
  }

  /// The picture as SVG, with all that it needs in it; colors are those of `style`.
  package func svg(_ direction: Direction) -> String {
    let maximumLines = nodes.map { Picture.lines(of: $0).count }.max() ?? 0
    let grid = Grid(direction: direction, boxHeight: 11 + Grid.lineHeight * maximumLines)
    let corners = nodes.map { grid.corner(of: $0) }
    let width = (corners.map { $0.x }.max() ?? 0) + Grid.boxWidth + Grid.margin
    let height = (corners.map { $0.y }.max() ?? 0) + grid.boxHeight + Grid.margin
    var text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" "
      + "width=\"\(width)\" height=\"\(height)\" role=\"img\" "
      + "font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<title>"
      + "\(nodes.count) certificate\(nodes.count == 1 ? "" : "s"), the leaf first</title>\n<style>\(Picture.style)</style>\n"
    for edge in edges { text += svg(edge, grid) }
    for node in nodes { text += svg(node, grid) }
    return text + "</svg>\n"
  }

  /// The colors, light and dark.
  private static let style =
    ".box{fill:#fff;stroke:#57606a}.anchor .box{stroke-width:3}.leaf .box{stroke-dasharray:none}"
    + ".wrong .box{stroke:#cf222e}.name{font-weight:600;fill:#1f2328}.fact{fill:#57606a}"
    + ".problem{fill:#cf222e}path{fill:none;stroke:#8c959f;stroke-width:1.5}"
    + ".accepted path{stroke:#1a7f37;stroke-width:3}"
    + ".rejected path{stroke:#cf222e;stroke-dasharray:5 4}.rejected text{fill:#cf222e}"
    + "@media(prefers-color-scheme:dark){:root{background:#0d1117}.box{fill:#151b23;stroke:#9198a1}"
    + ".wrong .box{stroke:#ff7b72}"
    + ".name{fill:#e6edf3}.fact{fill:#9198a1}.problem,.rejected text{fill:#ff7b72}"
    + ".accepted path{stroke:#3fb950}.rejected path{stroke:#ff7b72}}"

  /// What stands in a box, each line with its style: the title, two details, and what is wrong.
  private static func lines(of node: Node) -> [(style: String, text: String)] {
    let maximumProblemLines = 4
    var problems = node.problems.flatMap { wrapped(printable($0), to: Grid.lineLength) }
    if problems.count > maximumProblemLines {
      problems.removeSubrange(maximumProblemLines...)
      problems[maximumProblemLines - 1] += " …"
    }
    return [("name", node.title)] + node.details.prefix(2).map { ("fact", $0) }
      + problems.map { ("problem", $0) }
  }

  private func svg(_ node: Node, _ grid: Grid) -> String {
    let (x, y) = grid.corner(of: node)
    var text = "<g class=\"\(node.kind.rawValue)\(node.isWrong ? " wrong" : "")\">"
    let all = [node.title] + node.details + node.problems
    text += "<title>\(all.map { Markup.text($0) }.joined(separator: "\n"))</title>"
    text += "<rect class=\"box\" x=\"\(x)\" y=\"\(y)\" width=\"\(Grid.boxWidth)\" "
    text += "height=\"\(grid.boxHeight)\" rx=\"6\"/>"
    for (index, line) in Picture.lines(of: node).enumerated() {
      let baseline = y + 20 + Grid.lineHeight * index
      text += "<text class=\"\(line.style)\" x=\"\(x + 10)\" y=\"\(baseline)\">"
      text += Markup.text(line.text, maximum: Grid.lineLength) + "</text>"
    }
    return text + "</g>\n"
  }

  /// The command for a curve that leaves one place and reaches another in the direction of `bend`.
  private static func curve(
    _ start: (x: Int, y: Int), _ end: (x: Int, y: Int), _ bend: (x: Int, y: Int)
  ) -> String {
    "C\(start.x + bend.x) \(start.y + bend.y) \(end.x - bend.x) \(end.y - bend.y) "
      + "\(end.x) \(end.y)"
  }

  private func svg(_ edge: Edge, _ grid: Grid) -> String {
    var start = grid.corner(of: nodes[edge.issuer])
    var end = grid.corner(of: nodes[edge.subject])
    var bend = (x: 0, y: 0)
    switch grid.direction {
    case .rightwards:
      start.y += grid.boxHeight / 2
      end.x += Grid.boxWidth
      end.y += grid.boxHeight / 2
      bend.x = -42
    case .downwards:
      start.x += Grid.boxWidth / 2
      end.x += Grid.boxWidth / 2
      end.y += grid.boxHeight
      bend.y = -20
    }
    let corner = start
    var middle = (x: (start.x + end.x) / 2, y: (start.y + end.y) / 2)
    // A line that passes others leaves its column for where no box stands, and comes back after them.
    var passed = ""
    if let place = passage(of: edge).map({ grid.place(of: $0) }) {
      var (out, back) = (start, end)
      switch grid.direction {
      case .rightwards:
        (out.x, back.x) = (start.x + 2 * bend.x, end.x - 2 * bend.x)
        (out.y, back.y, middle.y) = (place, place, place)
      case .downwards:
        (out.y, back.y) = (start.y + 2 * bend.y, end.y - 2 * bend.y)
        (out.x, back.x, middle.x) = (place, place, place)
      }
      passed = Picture.curve(start, out, bend) + " L\(back.x) \(back.y) "
      start = back
    }
    var text = "<g class=\"\(edge.mark.rawValue)\"><path d=\""
    text += "M\(corner.x) \(corner.y) " + passed + Picture.curve(start, end, bend) + "\"/>"
    if let label = edge.label {
      text += "<text x=\"\(middle.x)\" y=\"\(middle.y - 5)\" "
      text += "text-anchor=\"middle\">\(Markup.text(label, maximum: 18))</text>"
    }
    return text + "</g>\n"
  }

  /// The picture as DOT, the language of Graphviz.
  package var dot: String {
    var text = "digraph certificates {\n  rankdir=RL;\n  node [shape=box];\n"
    for (index, node) in nodes.enumerated() {
      let lines = [node.title] + node.details + node.problems
      let label = lines.map { Picture.quoted($0) }.joined(separator: "\\n")
      var style = node.kind == .anchor ? ", penwidth=3" : ""
      if node.isWrong { style += ", color=red" }
      text += "  n\(index) [label=\"\(label)\"\(style)];\n"
    }
    for edge in edges {
      var style: [String] = []
      if let label = edge.label { style.append("label=\"\(Picture.quoted(label))\"") }
      switch edge.mark {
      case .accepted: style.append("color=darkgreen, penwidth=3")
      case .rejected: style.append("color=red, style=dashed")
      case .linked: break
      }
      let attributes = style.isEmpty ? "" : " [\(style.joined(separator: ", "))]"
      text += "  n\(edge.issuer) -> n\(edge.subject)\(attributes);\n"
    }
    return text + "}\n"
  }

  /// Inside of double quotes a quote and a backslash are escaped; nothing else means anything.
  private static func quoted(_ text: String) -> String {
    printable(text).map { "\\\"".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }
}
