internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastTrustStores

extension Command {
  /// `holdfast roots`: the anchors, what root programs think of them, and what is too much or
  /// missing.
  static let rootsCommand = Command(
    name: "roots",
    summary: "lists trust anchors, with what root programs think of each",
    usage: "[FILE | FOLDER] [--against FILE] [--at TIME] [--html FILE] [--json]",
    options: [
      [
        against, TrustOption.certificates,
        CommonOptions.at.described("say what has expired by then"), page,
        CommonOptions.force.described("replace the file of --html if it exists"),
        CommonOptions.json,
      ]
    ],
    examples: """
      holdfast roots
          the system's anchors, with what Mozilla thinks of each
      holdfast roots --against certdata.txt
          what the system has too much, without conditions, or too little
      holdfast roots bundle.pem --against certdata.txt --json
          the same of a file, for programs
      holdfast roots --against root_store.textproto --store-certificates root_store.certs --html roots.html
          as a page, against Chrome's store
      """,
    run: roots)

  private static let against: Option<String?> = .file(
    "--against", "compare with this store: certdata.txt, a .p11-kit file, textproto, JSON or PEM")
  private static let page: Option<String?> = .file(
    "--html", "one page beside the answer; - is standard output", use: .written)

  private static func roots(_ call: Invocation) throws(UsageError) -> ExitStatus {
    guard call.operands.count <= 1 else { throw .conflict("one file of anchors at a time") }
    let time = call[CommonOptions.at] ?? .now
    let anchors: AnchorSet
    let source: String
    // What can be read is listed; the rest is named, and does not change the status.
    var problems: [String] = []
    if let folder = call.operands.first, folder != "-", Platform.names(inFolder: folder) != nil {
      anchors = try UsageError.about(folder) { () throws(ParseError) in
        try AnchorSet(folder: folder)
      }
      source = folder
    } else if let file = call.operands.first {
      let store = try TrustOption.read(file, certificates: nil)
      problems += TrustOption.problems(of: store, file, limit: 20)
      (anchors, source) = (store.anchors, store.program.source)
    } else {
      (anchors, source) = (try TrustOption.system(call), "the system")
    }
    var store: TrustStore?
    if let path = call[against] {
      let read = try TrustOption.read(path, certificates: call[TrustOption.certificates])
      problems += TrustOption.problems(of: read, path, limit: 20)
      store = read
    }
    for problem in problems { call.console.message("holdfast: \(printable(problem))\n") }
    var report = RootsReport(anchors, of: source, against: store, at: time)
    report.problems = problems
    if call.has(page) {
      try FileWriter(call).write(RootsPage(report: report).text.utf8, to: call[page])
    }
    if call[page] != "-" { call.write(report.document) }
    return report.isClean ? .trusted : .rejected
  }
}
