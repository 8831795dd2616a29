internal import HoldfastAnswers
internal import HoldfastSystem

#if OpenSSL
  internal import Holdfast

  extension Command {
    /// Connects, and reports of each server.
    static func connect(_ call: Invocation) throws(UsageError) -> ExitStatus {
      let style = TextStyle(call)
      let jobs = call[ConnectOptions.jobs] ?? 16
      let request = try ConnectRequest.read(call)
      let (chainFile, page) = (call[ConnectOptions.chainFile], call[ExplanationPage.file])
      let metrics = call[ConnectOptions.metrics]
      for file in [chainFile, page] { try FileWriter(call).check(file) }
      if let metrics {
        // Standard output has the answers.
        guard metrics != "-" else { throw .conflict("--metrics needs the name of a file") }
        try FileWriter(call, replaces: true).check(metrics)
      }
      if request.targets.count > 1, chainFile != nil || page != nil {
        throw .conflict("--save-chain and --html are for one host")
      }
      if chainFile == "-", page == "-" {
        throw .conflict("only one of --save-chain and --html can be standard output")
      }
      let (count, showsProgress) = (request.targets.count, call.console.showsProgress && jobs > 1)
      let reports = request.run(jobs: jobs) { done in
        guard showsProgress, count > 1 else { return }
        do throws(System.SystemError) {
          try System.write(Array("\r\(done) of \(count)\(done == count ? "\n" : "")".utf8), to: 2)
        } catch {}
      }
      for report in reports {
        // A page or a chain on standard output is alone there.
        let isReplaced =
          page == "-" && report.isExplained
          || chainFile == "-" && report.answer.connection?.sent.isEmpty == false
        var answer = report.answer
        if count == 1, let question = request.policy.question(about: report) {
          answer = question.explained(answer)
          try ExplanationPage(answer, question).write(call)
        }
        if !isReplaced {
          if count > 1, !call[CommonOptions.json], !call[CommonOptions.verbose] {
            call.console.report(answer.line.text(style) + "\n")
          } else {
            answer.write(call)
          }
        }
        if let chainFile, let sent = report.answer.connection?.sent, !sent.isEmpty {
          let text = sent.map { PEMBlock.text(label: "CERTIFICATE", bytes: $0) }.joined()
          try FileWriter(call).write(text.utf8, to: chainFile)
        }
      }
      if let metrics {
        let text = ServerMetrics(reports, at: request.policy.time).text
        try FileWriter(call, replaces: true).write(text.utf8, to: metrics)
      }
      return .worst(reports.map { ExpiryWarning.status(of: $0.answer, call) })
    }
  }

  extension ConnectReport {
    /// Whether an explanation can follow: there are certificates, and they decided.
    var isExplained: Bool { answer.verdict != .unreachable && !chain.isEmpty }
  }
#endif
