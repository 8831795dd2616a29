/// A picture as SVG, and as DOT for Graphviz.
extension Picture {
  private static let width = 300
  private static let height = 62
  private static let gap = (across: 84, down: 18)
  private static let margin = 16

  /// The picture as SVG, with all that it needs in it; colours are those of `style`.
  var svg: String {
    let (columns, rows) = size
    let across = Picture.width + Picture.gap.across
    let down = Picture.height + Picture.gap.down
    let width = columns * across - Picture.gap.across + 2 * Picture.margin
    let height = rows * down - Picture.gap.down + 2 * Picture.margin
    var text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" "
      + "width=\"\(width)\" height=\"\(height)\" role=\"img\" "
      + "font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<title>"
      + "\(nodes.count) certificates, issuers on the left</title>\n<style>\(Picture.style)</style>\n"
    for edge in edges { text += svg(edge, across: across, down: down) }
    for node in nodes {
      text += svg(
        node, x: Picture.margin + node.column * across, y: Picture.margin + node.row * down)
    }
    return text + "</svg>\n"
  }

  /// The colours, light and dark.
  private static let style =
    ".box{fill:#fff;stroke:#57606a}.anchor .box{stroke-width:3}.leaf .box{stroke-dasharray:none}"
    + ".wrong .box{stroke:#cf222e}.name{font-weight:600;fill:#1f2328}.fact{fill:#57606a}"
    + ".problem{fill:#cf222e}path{fill:none;stroke:#8c959f;stroke-width:1.5}"
    + ".accepted path{stroke:#1a7f37;stroke-width:3}"
    + ".refused path{stroke:#cf222e;stroke-dasharray:5 4}.refused text{fill:#cf222e}"
    + "@media(prefers-color-scheme:dark){:root{background:#0d1117}.box{fill:#151b23;stroke:#9198a1}"
    + ".wrong .box{stroke:#ff7b72}"
    + ".name{fill:#e6edf3}.fact{fill:#9198a1}.problem,.refused text{fill:#ff7b72}"
    + ".accepted path{stroke:#3fb950}.refused path{stroke:#ff7b72}}"

  private func svg(_ node: Node, x: Int, y: Int) -> String {
    var text = "<g class=\"\(node.kind.rawValue)\(node.problems.isEmpty ? "" : " wrong")\">"
    let all = [node.title] + node.details + node.problems
    text += "<title>\(Markup.text(all.joined(separator: "\n")))</title>"
    text += "<rect class=\"box\" x=\"\(x)\" y=\"\(y)\" width=\"\(Picture.width)\" "
    text += "height=\"\(Picture.height)\" rx=\"6\"/>"
    let problem = node.problems.joined(separator: ", ")
    let lines =
      [("name", node.title)] + node.details.prefix(1).map { ("fact", $0) }
      + (problem.isEmpty
        ? node.details.dropFirst().prefix(1).map { ("fact", $0) } : [("problem", problem)])
    for (index, (style, line)) in lines.enumerated() {
      text += "<text class=\"\(style)\" x=\"\(x + 10)\" y=\"\(y + 20 + 17 * index)\">"
      text += Markup.text(line, most: 42) + "</text>"
    }
    return text + "</g>\n"
  }

  private func svg(_ edge: Edge, across: Int, down: Int) -> String {
    let (from, to) = (nodes[edge.issuer], nodes[edge.subject])
    let start = (
      x: Picture.margin + from.column * across + Picture.width,
      y: Picture.margin + from.row * down + Picture.height / 2
    )
    let end = (
      x: Picture.margin + to.column * across, y: Picture.margin + to.row * down + Picture.height / 2
    )
    let bend = Picture.gap.across / 2
    var text = "<g class=\"\(edge.mark.rawValue)\"><path d=\"M\(start.x) \(start.y) "
    text += "C\(start.x + bend) \(start.y) \(end.x - bend) \(end.y) \(end.x) \(end.y)\"/>"
    if let label = edge.label {
      text += "<text x=\"\((start.x + end.x) / 2)\" y=\"\((start.y + end.y) / 2 - 5)\" "
      text += "text-anchor=\"middle\">\(Markup.text(label, most: 18))</text>"
    }
    return text + "</g>\n"
  }

  /// The picture as DOT, the language of Graphviz.
  var dot: String {
    var text = "digraph certificates {\n  rankdir=LR;\n  node [shape=box];\n"
    for (index, node) in nodes.enumerated() {
      let lines = [node.title] + node.details + node.problems
      let label = lines.map(Picture.quoted).joined(separator: "\\n")
      var style = node.kind == .anchor ? ", penwidth=3" : ""
      if !node.problems.isEmpty { style += ", color=red" }
      text += "  n\(index) [label=\"\(label)\"\(style)];\n"
    }
    for edge in edges {
      var style: [String] = []
      if let label = edge.label { style.append("label=\"\(Picture.quoted(label))\"") }
      switch edge.mark {
      case .accepted: style.append("color=darkgreen, penwidth=3")
      case .refused: style.append("color=red, style=dashed")
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
