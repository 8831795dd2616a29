/// A picture as it grows: shapes with classes, whose colours are those of the reader's scheme.
struct SVG {
  let width: Double
  let height: Double
  private var shapes: [String] = []

  init(width: Double, height: Double) {
    (self.width, self.height) = (width, height)
  }

  enum Anchor: String {
    case start, middle, end
  }

  mutating func text(
    _ text: String, at x: Double, _ y: Double, _ style: String = "label",
    anchor: Anchor = .start
  ) {
    shapes.append(
      "<text x='\(x.text(1))' y='\(y.text(1))' class='\(style)' text-anchor='\(anchor.rawValue)'>"
        + SVG.escaped(text) + "</text>")
  }

  mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String
  ) {
    shapes.append(
      "<rect x='\(x.text(1))' y='\(y.text(1))' width='\(max(width, 0).text(1))' "
        + "height='\(height.text(1))' rx='2' class='\(style)'/>")
  }

  mutating func line(_ from: (Double, Double), _ to: (Double, Double), _ style: String) {
    shapes.append(
      "<line x1='\(from.0.text(1))' y1='\(from.1.text(1))' x2='\(to.0.text(1))' "
        + "y2='\(to.1.text(1))' class='\(style)'/>")
  }

  mutating func curve(_ points: [(Double, Double)], _ style: String) {
    let path = points.map { "\($0.0.text(1)),\($0.1.text(1))" }.joined(separator: " ")
    shapes.append("<polyline points='\(path)' class='curve \(style)'/>")
    for point in points {
      shapes.append(
        "<circle cx='\(point.0.text(1))' cy='\(point.1.text(1))' r='2.5' class='\(style)'/>")
    }
  }

  /// The picture, which brings its own background, so that it can be read on any page.
  func document(title: String) -> String {
    """
    <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 \(width.text(0)) \(height.text(0))' \
    width='\(width.text(0))' height='\(height.text(0))' role='img'>
    <title>\(SVG.escaped(title))</title>
    <style>
    \(SVG.style)
    </style>
    <rect width='100%' height='100%' rx='8' class='page'/>
    \(shapes.joined(separator: "\n"))
    </svg>

    """
  }

  /// The class of a contender's shapes.
  static func style(_ contender: String) -> String {
    switch contender {
    case "cold", "warm", "new leaf", "OpenSSL", "GnuTLS", "Go", "pyca":
      "c-" + contender.filter { $0 != " " }.lowercased()
    default: "c-cold"
    }
  }

  private static let style = """
    text { font: 12px system-ui, sans-serif; fill: #1f2328 }
    .title { font-size: 15px; font-weight: 600 }
    .group { font-weight: 600 }
    .small, .axis-text { font-size: 10px; fill: #59636e }
    .page { fill: #ffffff; stroke: #d1d9e0 }
    .axis { stroke: #818b98; stroke-width: 1 }
    .grid { stroke: #d1d9e0; stroke-width: 0.5 }
    .one { stroke: #1f2328; stroke-width: 1; stroke-dasharray: 3 3 }
    .curve { fill: none; stroke-width: 2 }
    rect.c-cold, circle.c-cold { fill: #0969da } .curve.c-cold { stroke: #0969da }
    rect.c-warm, rect.c-newleaf { fill: #54aeff }
    rect.c-openssl, circle.c-openssl { fill: #bc4c00 } .curve.c-openssl { stroke: #bc4c00 }
    rect.c-gnutls { fill: #9a6700 }
    rect.c-go { fill: #1a7f37 }
    rect.c-pyca { fill: #8250df }
    @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .small, .axis-text { fill: #9198a1 }
    .page { fill: #0d1117; stroke: #3d444d }
    .axis { stroke: #656c76 }
    .grid { stroke: #2a313c }
    .one { stroke: #f0f6fc }
    rect.c-cold, circle.c-cold { fill: #4493f8 } .curve.c-cold { stroke: #4493f8 }
    rect.c-warm, rect.c-newleaf { fill: #a5d6ff }
    rect.c-openssl, circle.c-openssl { fill: #f0883e } .curve.c-openssl { stroke: #f0883e }
    rect.c-gnutls { fill: #d29922 }
    rect.c-go { fill: #3fb950 }
    rect.c-pyca { fill: #ab7df8 }
    }
    """

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
