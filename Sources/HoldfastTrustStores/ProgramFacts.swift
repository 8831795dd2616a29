public import Holdfast
internal import HoldfastCertificates
internal import HoldfastDER
public import HoldfastPaths

/// What a root program thinks of the roots that it includes, or once included: a small table of
/// facts, without the certificates, with the date and the source from which it was made.
///
/// ```swift
/// let anchors = try AnchorSet.system(applying: .mozilla)
/// ```
///
/// Certificates that are not in the table, such as those that an administrator added, are left
/// without constraints, and are not public.
public struct ProgramFacts: Sendable {
  /// The program, with the date of the table.
  public let program: RootProgram
  /// The facts, in the order of the table.
  package let facts: [Fact]
  private let byDigest: [String: Int]

  /// What a program thinks of a root.
  package struct Fact: Sendable, Hashable {
    /// The SHA-256 of the certificate, in lower-case hexadecimal.
    package let sha256: String
    /// The program's name for the root.
    package let label: String
    /// The state.
    package let state: State
  }

  /// What a program trusts a root with.
  @nonexhaustive
  package enum State: Sendable, Hashable {
    /// Trusted for servers.
    case trusted
    /// Trusted for servers whose certificates were issued until this time.
    case trustedUntil(Timestamp)
    /// Trusted for servers whose DNS names lie below this one.
    case trustedBelow(String)
    /// Included, but not trusted for servers; the time is the limit that was set before, if any.
    case otherPurposes(since: Timestamp?)
    /// No longer included; the version is the newest that is known to have included it.
    case removed(lastSeenIn: String)

    /// Whether servers below the root are trusted, perhaps under a condition.
    package var isForServers: Bool {
      switch self {
      case .trusted, .trustedUntil, .trustedBelow: true
      case .otherPurposes, .removed: false
      }
    }
  }

  /// The age in seconds above which a table is out of date: a year.
  package static let maximumAge: Int64 = 366 * 86_400

  init(_ program: RootProgram, _ facts: [Fact]) {
    self.program = program
    self.facts = facts
    var byDigest: [String: Int] = [:]
    for (index, fact) in facts.enumerated() { byDigest[fact.sha256] = index }
    self.byDigest = byDigest
  }

  /// Returns what the program thinks of a certificate; nil if it is not in the table.
  package func fact(about certificate: Certificate) -> Fact? {
    byDigest[certificate.sha256].map { facts[$0] }
  }

  /// Whether the table is older than a year.
  public func isOutdated(at time: Timestamp = .now) -> Bool {
    guard let date = program.date else { return true }
    return time.seconds(since: date) > ProgramFacts.maximumAge
  }

  /// Returns what the program demands of paths for servers to a root.
  package func constraint(on fact: Fact) -> ProgramConstraint {
    var conditions = ProgramConstraint.Conditions()
    switch fact.state {
    case .trusted: break
    case .trustedUntil(let limit): conditions.issuedUntil = limit
    case .trustedBelow(let name): conditions.dnsNames = [name]
    case .otherPurposes, .removed:
      return ProgramConstraint(program, decidesAbout: [.serverAuth], anyOf: [])
    }
    return ProgramConstraint(program, decidesAbout: [.serverAuth], anyOf: [conditions])
  }
}

extension AnchorSet {
  /// Returns the anchors, constrained for servers as a root program does. Those that the program
  /// does not trust stay in the set, so that an error names the program: no server below them is
  /// trusted. Those that it knows are public, as in a browser; the others are not. What it thinks of
  /// roots holds for other certificates of the same key that it does not know.
  public func applying(_ facts: ProgramFacts) -> AnchorSet {
    let known = anchors.map { $0.certificate.flatMap(facts.fact) }
    var byKey: [PublicKey: [ProgramFacts.Fact]] = [:]
    for (anchor, fact) in zip(anchors, known) {
      if let fact { byKey[anchor.publicKey, default: []].append(fact) }
    }
    return AnchorSet(
      zip(anchors, known).map { anchor, fact in
        guard let certificate = anchor.certificate else { return anchor }
        var constraints = anchor.constraints
        let found = fact.map { [$0] } ?? byKey[certificate.publicKey] ?? []
        for constraint in found.map(facts.constraint)
        where !constraints.programs.contains(constraint) {
          constraints.programs.append(constraint)
        }
        return anchor.with(constraints, isPublic: !found.isEmpty)
      })
  }

  /// Returns the system's anchors as a root program would use them for servers; throws if none are
  /// found.
  ///
  /// The files of most systems say nothing of dates and of purposes, and may be years old.
  public static func system(
    applying facts: ProgramFacts
  ) throws(SystemAnchorsError) -> AnchorSet {
    try system().applying(facts)
  }
}

extension ProgramFacts.State: CustomStringConvertible {
  /// `trusted until 2024-11-30T23:59:59Z`.
  package var description: String {
    switch self {
    case .trusted: "trusted"
    case .trustedUntil(let limit): "trusted if issued until \(limit)"
    case .trustedBelow(let name): "trusted below \(name)"
    case .otherPurposes(nil): "not for servers"
    case .otherPurposes(let limit?): "not for servers; limit \(limit) before that"
    case .removed(let version): "removed, last seen in \(version)"
    }
  }
}

extension ProgramFacts {
  /// Reads the lines of an embedded table: the SHA-256, a word for the state, and the label.
  ///
  /// As bytes: by characters, this took a quarter of a verification with the system's anchors.
  init(_ program: RootProgram, lines: StaticString) {
    var facts: [Fact] = []
    for line in Array("\(lines)".utf8).split(separator: 0x0A) {
      let words = line.split(separator: 0x20, maxSplits: 2).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard words.count == 3, let state = State(word: words[1]) else { continue }
      facts.append(Fact(sha256: words[0], label: words[2], state: state))
    }
    self.init(program, facts)
  }
}

extension ProgramFacts.State {
  /// Reads `servers`, `until=2024-11-30T23:59:59Z`, `below=tr`, `other`, `other=` with a limit, or
  /// `removed=2.74`.
  fileprivate init?(word: String) {
    let parts = word.split(separator: "=", maxSplits: 1)
    let value = parts.count > 1 ? String(parts[1]) : nil
    switch (parts[0], value, value.flatMap { Timestamp($0) }) {
    case ("servers", nil, _): self = .trusted
    case ("until", _, let limit?): self = .trustedUntil(limit)
    case ("below", let name?, _): self = .trustedBelow(name)
    case ("other", _, let limit): self = .otherPurposes(since: limit)
    case ("removed", let version?, _): self = .removed(lastSeenIn: version)
    default: return nil
    }
  }
}

extension ProgramFacts: CustomStringConvertible {
  /// The program, and how many roots it has an opinion of.
  public var description: String { "\(program), \(facts.count) roots" }
}
