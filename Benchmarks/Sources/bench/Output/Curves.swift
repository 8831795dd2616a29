/// The picture of the growth curves: a panel for each, both axes logarithmic.
struct Curves {
  let results: Results

  private static let (columns, width, height) = (3, 300.0, 220.0)

  /// Nil if there are no curves.
  var picture: String? {
    let count = results.curves.count + (results.scaling.isEmpty ? 0 : 1)
    guard count > 0 else { return nil }
    let rows = (count + Curves.columns - 1) / Curves.columns
    var picture = SVG(
      width: Double(Curves.columns) * Curves.width + 20,
      height: Double(rows) * Curves.height + 70)
    picture.text("What a validation costs when there is more of something", at: 16, 26, "title")
    picture.text(
      "microseconds of reading and validating a P-256 chain; blue: Holdfast, orange: OpenSSL; "
        + "both axes logarithmic; the exponent is that of Holdfast at the end", at: 16, 44, "small")
    for (place, curve) in results.curves.enumerated() {
      draw(curve, in: &picture, at: Curves.corner(place))
    }
    if !results.scaling.isEmpty {
      drawThreads(in: &picture, at: Curves.corner(results.curves.count))
    }
    return picture.document(title: "Cost of a validation over the size of its parts")
  }

  private static func corner(_ place: Int) -> (x: Double, y: Double) {
    (
      10 + Double(place % columns) * width, 56 + Double(place / columns) * height
    )
  }

  /// Where the axes of a panel lie in it.
  private static let frame = (left: 48.0, right: 284.0, top: 30.0, bottom: 186.0)

  private func draw(
    _ curve: Growth.Curve, in picture: inout SVG, at corner: (x: Double, y: Double)
  ) {
    let contenders = curve.points.first?.figures.map(\.contender) ?? []
    let costs = contenders.map { contender in
      zip(curve.sizes, curve.points).compactMap { size, row in
        row[contender]?.spread.map { (Double(size), $0.median) }
      }
    }
    let all = costs.flatMap { $0.map(\.1) }
    guard let least = all.min(), let most = all.max(), let last = curve.sizes.last else { return }
    let (low, high) = (Curves.power(atMost: least), Curves.power(atLeast: most))
    let frame = Curves.frame
    let across = { (size: Double) in
      corner.x + frame.left
        + (frame.right - frame.left) * logarithm(size) / max(logarithm(Double(last)), 1)
    }
    let up = { (cost: Double) in
      corner.y + frame.bottom
        - (frame.bottom - frame.top) * logarithm(cost / low) / logarithm(high / low)
    }
    title(curve.name, in: &picture, at: corner)
    var mark = low
    while mark <= high * 1.01 {
      picture.line(
        (corner.x + frame.left, up(mark)), (corner.x + frame.right, up(mark)), "grid")
      let label = mark < 1_000 ? mark.text(0) : "\((mark / 1_000).text(0)) ms"
      picture.text(
        label, at: corner.x + frame.left - 4, up(mark) + 3, "axis-text", anchor: .end)
      mark *= 10
    }
    for size in curve.sizes where size == 1 || size == last || size == 16 || size == 256 {
      picture.text(
        String(size), at: across(Double(size)), corner.y + frame.bottom + 14, "axis-text",
        anchor: .middle)
    }
    for (contender, points) in zip(contenders, costs) where !points.isEmpty {
      picture.curve(points.map { (across($0.0), up($0.1)) }, SVG.style(contender))
    }
    if let exponent = curve.exponent(of: "cold") {
      picture.text(
        "exponent \(exponent.text(2))", at: corner.x + frame.right, corner.y + 18, "axis-text",
        anchor: .end)
    }
  }

  private func drawThreads(in picture: inout SVG, at corner: (x: Double, y: Double)) {
    let frame = Curves.frame
    title("threads: throughput beside one", in: &picture, at: corner)
    let most = Double(results.scaling.flatMap(\.threads).max() ?? 1)
    let start = corner.x + 158
    let width = (frame.right - 222) / most
    for (place, result) in results.scaling.enumerated() {
      let y = corner.y + frame.top + 8 + Double(place) * 18
      picture.text(result.name, at: corner.x + 16, y + 8, "axis-text")
      guard let ratio = result.ratios.last, let threads = result.threads.last else { continue }
      picture.rectangle(start, y, width * ratio.median, 10, "c-cold")
      picture.text(
        "\(ratio.median.text(2))× with \(threads)", at: start + 4 + width * ratio.median, y + 9,
        "axis-text")
    }
  }

  private func title(_ text: String, in picture: inout SVG, at corner: (x: Double, y: Double)) {
    let frame = Curves.frame
    picture.text(text, at: corner.x + 16, corner.y + 18, "group")
    guard !text.hasPrefix("threads") else { return }
    picture.line(
      (corner.x + frame.left, corner.y + frame.bottom),
      (corner.x + frame.right, corner.y + frame.bottom), "axis")
  }

  private static func power(atMost value: Double) -> Double {
    var power = 1.0
    while power * 10 <= value { power *= 10 }
    return power
  }

  private static func power(atLeast value: Double) -> Double {
    var power = 10.0
    while power < value { power *= 10 }
    return power
  }
}
