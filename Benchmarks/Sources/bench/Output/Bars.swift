/// The picture of the chains: how many times as long as ours each peer takes.
struct Bars {
  let rows: [Row]

  private static let peers = ["OpenSSL", "GnuTLS", "Go", "pyca"]
  private static let (left, top, bar, gap) = (228.0, 64.0, 15.0, 16.0)
  private static let width = 760.0

  /// Nil if no chain was measured.
  var picture: String? {
    let chains = rows.filter { row in
      row.subject == "validate" && ChainFiles.all.contains { $0.title == row.name }
    }
    let groups = chains.map { row in (row, Bars.peers.compactMap { bar($0, row) }) }
    let largest = groups.flatMap { $0.1 }.compactMap(\.ratio).max() ?? 0
    guard largest > 0 else { return nil }
    let count = groups.reduce(0) { $0 + $1.1.count }
    let height = Bars.top + Double(count) * Bars.bar + Double(groups.count) * Bars.gap + 16
    var picture = SVG(width: Bars.width, height: height)
    let room = Bars.width - Bars.left - 110
    let unit = room / max(largest, 1)
    picture.text("A server's chain, read and validated cold", at: 16, 26, "title")
    picture.text(
      "how many times as long as Holdfast others take (the dashed line is Holdfast); medians",
      at: 16, 44, "small")
    var y = Bars.top
    for (row, bars) in groups {
      picture.text(row.name, at: 16, y + 12, "group")
      if let ours = row["cold"]?.spread {
        picture.text("\(ours.median.shown) µs cold", at: 16, y + 26, "small")
      }
      for bar in bars {
        picture.text(bar.name, at: Bars.left - 6, y + 11, "small", anchor: .end)
        if let ratio = bar.ratio {
          let length = ratio * unit
          picture.rectangle(Bars.left, y + 1, length, Bars.bar - 2, SVG.style(bar.name))
          picture.text("\(ratio.text(1))×", at: Bars.left + length + 5, y + 11, "small")
        } else {
          picture.text("does not take this chain", at: Bars.left + unit + 5, y + 11, "small")
        }
        y += Bars.bar
      }
      y += Bars.gap
    }
    let one = Bars.left + unit
    picture.line((one, Bars.top - 6), (one, y - Bars.gap + 2), "one")
    return picture.document(title: "Time of other libraries beside Holdfast, for each chain")
  }

  /// A peer's time beside ours: nil for a peer that is not there, no ratio for one that refuses.
  private func bar(_ peer: String, _ row: Row) -> (name: String, ratio: Double?)? {
    guard let figure = row[peer] else { return nil }
    guard figure.spread != nil else { return (peer, nil) }
    return (peer, row.ratio(of: peer, to: "cold")?.median)
  }
}
