internal import Holdfast

/// validate: whole chains beside the peers, right and wrong ones, and searches that find nothing.
enum Validation {
  static func cases(_ peers: Peers) -> [Case] {
    ChainFiles.all.map { chain($0, peers) }
      + ["a_rsa2048", "b_p256"].flatMap { name in
        ChainFiles[name].map { variants($0, peers) } ?? []
      } + [mesh(peers), constraints(peers)].compactMap(\.self)
  }

  /// What is promised of a chain.
  private struct Promise {
    /// The most of the fastest peer's time.
    let ratio: Double
    /// The most microseconds where OpenSSL takes so many.
    let cold: Double
    let openSSL: Double
    /// The same for a new leaf of an issuer that was seen, and the most of the cold time.
    var newLeaf: (microseconds: Double, ofCold: Double)?

    var goals: [Goal] {
      var goals: [Goal] = [
        .toFastestPeer(ratio), .allocations(40), .scaled(of: "cold", cold, openSSL: openSSL),
      ]
      if let newLeaf {
        goals += [
          .ratio(of: "warm", to: "cold", newLeaf.ofCold),
          .ratio(of: "new leaf", to: "cold", newLeaf.ofCold),
          .scaled(of: "new leaf", newLeaf.microseconds, openSSL: openSSL),
        ]
      }
      return goals
    }
  }

  private static func goals(_ name: String) -> [Goal] {
    let promise =
      switch name {
      case "a_rsa2048": Promise(ratio: 0.45, cold: 31, openSSL: 231, newLeaf: (17, 0.6))
      case "b_p256": Promise(ratio: 0.70, cold: 58, openSSL: 291, newLeaf: (18, 0.4))
      case "c_p256_p384root": Promise(ratio: 0.50, cold: 110, openSSL: 783)
      case "d_rsa4096root_mixed": Promise(ratio: 0.55, cold: 70, openSSL: 309)
      case "e_p384": Promise(ratio: 0.50, cold: 265, openSSL: 1_215, newLeaf: (62, 0.4))
      case "f_rsapss2048": Promise(ratio: 0.45, cold: 32, openSSL: 278)
      default: Promise(ratio: 0.65, cold: 54, openSSL: 310)
      }
    return promise.goals
  }

  private static func chain(_ files: ChainFiles, _ peers: Peers) -> Case {
    let question = Question(files)
    let ours =
      [question.cold, question.warm] + [question.newLeaves(files.leaves)].compactMap(\.self)
    return Case(
      subject: "validate", name: files.title, contenders: ours + checked(question, peers),
      goals: goals(files.name))
  }

  /// The peers that tell the right host from the wrong one.
  private static func checked(_ question: Question, _ peers: Peers) -> [Contender] {
    let wrong = peers.contenders(question.forWrongHost)
    return zip(peers.contenders(question), wrong).map { right, wrong in
      if case .refused = right.work { return right }
      guard case .refused = wrong.work else { return right }
      return Contender(name: right.name, isPeer: true, work: .refused("takes any host"))
    }
  }

  /// The same chain under many anchors, and two that are refused.
  private static func variants(_ files: ChainFiles, _ peers: Peers) -> [Case] {
    let question = Question(files)
    let others = Reading.system?.anchors ?? []
    let many = question.withAnchors(others)
    let (validator, one) = (many.validator(nil), question.validator(nil))
    var cases: [Case] = []
    if !others.isEmpty {
      cases.append(
        Case(
          subject: "validate", name: "\(files.title), \(others.count + 1) anchors",
          contenders: [
            .ours("many") { many.isRight(validator) }, .ours("one") { question.isRight(one) },
          ] + peers.contenders(many), goals: [.ratio(of: "many", to: "one", 1.05)]))
    }
    for (what, wrong) in [
      ("wrong host", question.forWrongHost), ("last signature wrong", question.withBadSignature),
    ] {
      cases.append(
        Case(
          subject: "validate", name: "\(files.title), \(what)",
          contenders: [wrong.cold] + peers.contenders(wrong), note: "refused"))
    }
    return cases
  }

  private static func mesh(_ peers: Peers) -> Case? {
    guard let files = ChainFiles("path_mesh_8") else { return nil }
    var question = Question(files)
    question.isValid = false
    let asked = question
    let validator = asked.validator(nil)
    let read = asked.chain.compactMap { try? Certificate(der: $0) }
    return Case(
      subject: "validate", name: "mesh of 8 authorities",
      contenders: [
        .ours("search") { asked.isRight(validator, read) },
        .ours("cold") { asked.isRight(validator) },
      ] + peers.contenders(asked), goals: [.microseconds(500)],
      note: "refused; \(asked.chain.count - 1) certificates")
  }

  private static func constraints(_ peers: Peers) -> Case? {
    guard let files = ChainFiles("path_nc_1000x100") else { return nil }
    var question = Question(files)
    let validator = question.validator(nil)
    // The yardstick's names are in none of the subtrees that are permitted, ours are.
    question.isValid = question.isRight(validator)
    let asked = question
    return Case(
      subject: "validate", name: "1,000 names, 100 constraints",
      contenders: [asked.cold] + peers.contenders(asked),
      note: asked.isValid ? "valid" : "refused")
  }
}
