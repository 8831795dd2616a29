internal import HoldfastJSON
internal import HoldfastSystem

#if OpenSSL
  internal import Holdfast
  internal import HoldfastCertificates
  internal import HoldfastDER
  internal import HoldfastHashes
  internal import HoldfastOpenSSL

  extension Command {
    /// Connects, and reports of each server.
    static func connect(_ call: Invocation) throws(UsageError) -> ExitStatus {
      let style = TextStyle(call)
      let jobs = call[ConnectOptions.jobs] ?? 16
      let request = try ConnectRequest.read(call)
      let (chainFile, page) = (call[ConnectOptions.chainFile], call[ExplanationPage.file])
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
      var statuses: Set<ExitStatus> = []
      for report in reports {
        statuses.insert(report.status)
        // A page or a chain on standard output is alone there.
        let isReplaced =
          page == "-" && report.isExplained || chainFile == "-" && !report.sent.isEmpty
        if !isReplaced {
          if call[CommonOptions.json] {
            call.console.write(report.document.line + "\n")
          } else if count > 1 {
            call.console.write(report.line.text(style) + "\n")
          } else {
            call.console.write(report.document.text(style))
          }
        }
        if let chainFile, !report.sent.isEmpty {
          let text = report.sent.map { PEMBlock.text(label: "CERTIFICATE", bytes: $0) }.joined()
          try FileWriter(call).write(text.utf8, to: chainFile)
        }
        guard count == 1, let question = request.question(about: report) else { continue }
        let pinned = try PinnedQuestion(question, call)
        // The handshake has decided. Where the pins agree, they say more.
        let answer = pinned.map(\.answer).flatMap { $0.status == report.status ? $0 : nil }
        let explanation = Explanation(question, pinned, answer ?? report.explained)
        try explanation.writePage(call)
        if !isReplaced && !call[CommonOptions.json] {
          question.write(explanation.document, call)
        }
      }
      return statuses.contains(.rejected)
        ? .rejected : statuses.contains(.notUnderstood) ? .notUnderstood : .success
    }
  }

  extension ConnectRequest {
    /// The same question as `explain` answers, of what the server has sent; nil if nothing can be
    /// read.
    fileprivate func question(about report: ConnectReport) -> PathQuestion? {
      guard report.isExplained else { return nil }
      var staple: OCSPResponse?
      if let der = report.staple?.der {
        do throws(ParseError) { staple = try OCSPResponse(der: der) } catch {}
      }
      var known = revocation
      if known != nil || staple != nil || report.chain[0].demandsStaple {
        known = RevocationQuestion(
          revocation: .handshake(staple: staple).added(to: revocation?.revocation),
          sources: sources)
      }
      return PathQuestion(
        chain: report.chain, purpose: .server(report.target.host), time: time,
        validator: PathValidator(
          anchors: validator.anchors, rules: validator.rules, revocation: known?.revocation),
        revocation: known, unreadable: [], transparency: transparency,
        timestamps: report.timestamps)
    }
  }
#endif
