/// The table of whole chains as the README shows it.
struct MarkdownReport {
  let results: Results

  /// The columns, by contender; the last is the ratio of `cold` to the fastest peer.
  private static let contenders = [
    "cold", "new leaf", "warm", "OpenSSL", "GnuTLS", "Go", "pyca",
  ]

  var text: String {
    let head = ["chain"] + MarkdownReport.contenders + ["cold to fastest peer"]
    var lines = [line(head), "|---" + String(repeating: "|--:", count: head.count - 1) + "|"]
    for row in results.rows where ChainFiles.all.contains(where: { $0.title == row.name }) {
      guard row.subject == "validate" else { continue }
      let cells = MarkdownReport.contenders.map { row[$0]?.spread?.median.shown ?? "–" }
      lines.append(line([row.name] + cells + [row.toFastestPeer?.median.text(2) ?? "–"]))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
