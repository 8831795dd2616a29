internal import Holdfast
internal import HoldfastCertificates
internal import HoldfastJSON

/// What the lines of a run come to: how many there are of each verdict, of each broken rule, and of
/// the issuer, the month of issuance and the key of the certificate in question.
///
/// `--summary FILE.json` writes `{"version": 1, "lines", "listed", "verdicts", "rules", "issuers",
/// "months", "keys"}`. `verdicts` has a number for each verdict. The others are lists of `{"name",
/// "count"}`: months in their order, others with the largest count first. A month is that of
/// notBefore, like `2026-11`. Of many names those that came first are counted on their own; how
/// often others came is the `count` of `{"name": null}` at the end. A certificate that could not be
/// parsed has neither issuer nor month nor key.
struct BatchSummary: Sendable {
  private(set) var counts = BatchCounts()
  private(set) var rules = Tally()
  private(set) var issuers = Tally()
  private(set) var months = Tally()
  private(set) var keys = Tally()

  /// Counts a line.
  mutating func add(_ verdict: Answer.Verdict, rule: String?, leaf: Facts?) {
    counts.count(verdict)
    if let rule { rules.add(rule, 1) }
    add(leaf)
  }

  /// Counts a certificate that was only listed.
  mutating func add(listed leaf: Facts?) {
    counts.listed += 1
    add(leaf)
  }

  private mutating func add(_ leaf: Facts?) {
    guard let leaf else { return }
    issuers.add(leaf.issuer, 1)
    months.add(leaf.month, 1)
    keys.add(leaf.key, 1)
  }

  /// Adds the summary of later lines.
  static func += (a: inout BatchSummary, b: BatchSummary) {
    a.counts += b.counts
    a.rules += b.rules
    a.issuers += b.issuers
    a.months += b.months
    a.keys += b.keys
  }

  /// What is counted of a certificate.
  struct Facts: Sendable {
    let issuer: String
    let month: String
    let key: String
  }

  /// Counts of names in the order in which they came, of which memory has room for some.
  struct Tally: Sendable {
    private(set) var names: [String] = []
    private(set) var counts: [Int] = []
    private(set) var others = 0
    private var places: [String: Int] = [:]

    /// The maximum number of names. Neighbors of a corpus of the Web PKI have a few hundred issuers.
    static let maximumNames = 1000

    mutating func add(_ name: String, _ count: Int) {
      if let place = places[name] {
        counts[place] += count
      } else if names.count < Tally.maximumNames {
        places[name] = names.count
        names.append(name)
        counts.append(count)
      } else {
        others += count
      }
    }

    /// Adds the counts of later lines. The names of a piece are fewer than the maximum or are all
    /// that count, so that the result does not depend on how the input is cut.
    static func += (a: inout Tally, b: Tally) {
      for (name, count) in zip(b.names, b.counts) { a.add(name, count) }
      a.others += b.others
    }

    /// Names and counts, the largest first.
    var largest: [(name: String, count: Int)] {
      zip(names, counts).sorted { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1 }
        .map { (name: $0, count: $1) }
    }

    /// Names and counts, in the order of the names.
    var ordered: [(name: String, count: Int)] {
      zip(names, counts).sorted { $0.0 < $1.0 }.map { (name: $0, count: $1) }
    }
  }
}

/// The facts of certificates. Most of a run have one of a few issuers and keys.
struct BatchFacts {
  private var issuers: [DistinguishedName: String] = [:]
  private static let maximumIssuers = 256

  mutating func facts(of certificate: Certificate) -> BatchSummary.Facts {
    BatchSummary.Facts(
      issuer: name(of: certificate.issuer),
      month: String("\(certificate.notBefore)".prefix(7)), key: "\(certificate.publicKey)")
  }

  private mutating func name(of issuer: DistinguishedName) -> String {
    if let known = issuers[issuer] { return known }
    let name = CertificateDocuments.name(issuer)
    if issuers.count >= BatchFacts.maximumIssuers { issuers = [:] }
    issuers[issuer] = name
    return name
  }
}

/// The summary as JSON.
extension BatchSummary {
  var json: JSONValue {
    .object([
      "version": .number(1), "lines": .number(counts.all), "listed": .number(counts.listed),
      "verdicts": verdicts, "rules": rules.json(rules.largest),
      "issuers": issuers.json(issuers.largest), "months": months.json(months.ordered),
      "keys": keys.json(keys.largest),
    ])
  }

  private var verdicts: JSONValue {
    .object(
      Answer.Verdict.ofLines.map { verdict in
        JSONValue.Member(name: verdict.rawValue, value: .number(counts[verdict]))
      })
  }

  /// As it is kept for a run that goes on: names in the order in which they came.
  var state: JSONValue {
    .object([
      "listed": .number(counts.listed), "verdicts": verdicts,
      "rules": rules.state, "issuers": issuers.state, "months": months.state, "keys": keys.state,
    ])
  }

  /// Reads what `state` has written; nil if it is something else.
  init?(state: JSONValue?) {
    guard let state, let listed = state["listed"]?.integer, let verdicts = state["verdicts"],
      let rules = Tally(state["rules"]), let issuers = Tally(state["issuers"]),
      let months = Tally(state["months"]), let keys = Tally(state["keys"])
    else { return nil }
    counts.listed = listed
    for verdict in Answer.Verdict.ofLines {
      guard let count = verdicts[verdict.rawValue]?.integer else { return nil }
      counts[verdict] = count
    }
    (self.rules, self.issuers, self.months, self.keys) = (rules, issuers, months, keys)
  }
}

extension BatchSummary.Tally {
  private static func member(_ name: JSONValue, _ count: Int) -> JSONValue {
    .object(["name": name, "count": .number(count)])
  }

  fileprivate func json(_ counts: [(name: String, count: Int)]) -> JSONValue {
    .array(
      counts.map { Self.member(.string($0.name), $0.count) }
        + (others > 0 ? [Self.member(.null, others)] : []))
  }

  fileprivate var state: JSONValue {
    json(zip(names, counts).map { (name: $0, count: $1) })
  }

  fileprivate init?(_ state: JSONValue?) {
    guard case .array(let members)? = state else { return nil }
    for member in members {
      guard let name = member["name"], let count = member["count"]?.integer else { return nil }
      if let text = name.text { add(text, count) } else { others += count }
    }
  }
}

extension JSONValue {
  /// The value of a whole number.
  var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }
}
