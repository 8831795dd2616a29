/// validate: valid and invalid chains compared with the peers, and searches that find no path.
enum Validation {
  static func cases(_ peers: Peers) -> [Case] {
    ChainFiles.all.map { chain($0, peers) }
      + ["a_rsa2048", "b_p256"].compactMap { ChainFiles[$0] }.flatMap { variants($0, peers) }
      + [mesh(peers), constraints(peers)].compactMap(\.self)
  }

  private static func chain(_ files: ChainFiles, _ peers: Peers) -> Case {
    let question = Question(files)
    let ours =
      [question.cold, question.warm] + [question.newLeaves(files.leaves)].compactMap(\.self)
    return Case(
      subject: "validate", name: files.title, contenders: ours + checked(question, peers))
  }

  /// Returns the peers as contenders; one that accepts a wrong host is not measured.
  private static func checked(_ question: Question, _ peers: Peers) -> [Contender] {
    let wrong = peers.contenders(question.forWrongHost.inquiry)
    return zip(peers.contenders(question.inquiry), wrong).map { right, wrong in
      guard case .elsewhere = right.work, case .rejected = wrong.work else { return right }
      return Contender(name: right.name, isPeer: true, work: .rejected("takes any host"))
    }
  }

  /// The same chain under many anchors, for a wrong host and with a wrong signature.
  private static func variants(_ files: ChainFiles, _ peers: Peers) -> [Case] {
    let question = Question(files)
    var cases: [Case] = []
    if let others = Reading.system?.anchors {
      var many = question
      many.anchors = others + question.anchors
      cases.append(
        Case(
          subject: "validate", name: "\(files.title), many anchors",
          contenders: [
            .ours("many", many.validation()), .ours("one", question.validation()),
          ] + peers.contenders(many.inquiry), note: "\(many.anchors.count) anchors"))
    }
    for (what, wrong) in [
      ("wrong host", question.forWrongHost), ("last signature wrong", question.withBadSignature),
    ] {
      cases.append(
        Case(
          subject: "validate", name: "\(files.title), \(what)",
          contenders: [wrong.cold] + peers.contenders(wrong.inquiry), note: "rejected"))
    }
    return cases
  }

  private static func mesh(_ peers: Peers) -> Case? {
    guard let files = ChainFiles("path_mesh_8") else { return nil }
    var question = Question(files)
    question.isValid = false
    return Case(
      subject: "validate", name: "mesh of 8 authorities",
      contenders: [.ours("search", question.search()), question.cold]
        + peers.contenders(question.inquiry),
      note: "rejected; \(question.chain.count - 1) certificates")
  }

  private static func constraints(_ peers: Peers) -> Case? {
    guard let files = ChainFiles("path_nc_1000x100") else { return nil }
    var question = Question(files)
    // In other vectors, names may be outside the permitted subtrees.
    question.isValid = question.isRight(question.validator())
    return Case(
      subject: "validate", name: "1,000 names, 100 constraints",
      contenders: [question.cold] + peers.contenders(question.inquiry),
      note: question.isValid ? "valid" : "rejected")
  }
}
