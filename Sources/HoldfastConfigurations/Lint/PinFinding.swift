public import Holdfast

/// A present or future problem with pins.
public struct PinFinding: Sendable, Hashable {
  /// The severity.
  public let severity: Severity

  /// A stable name for programs.
  public let name: String

  /// The host or the pattern concerned.
  public let subject: String

  /// A description of the problem.
  public let message: String

  /// The severity of a finding.
  public enum Severity: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Worth knowing.
    case note
    /// It will cause trouble one day.
    case warning
    /// It is wrong now: connections are rejected, or hosts are not pinned.
    case error

    /// The word for it. Embedded Swift prints no case by its name.
    package var name: String {
      switch self {
      case .note: "note"
      case .warning: "warning"
      case .error: "error"
      }
    }

    /// Whether one is less severe than another.
    public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
  }
}

extension PinFinding: CustomStringConvertible {
  /// `warning: good.com: a single pin: … [noBackup]`.
  public var description: String { "\(severity.name): \(subject): \(message) [\(name)]" }
}

/// A check of a table of pins for present and future problems, with or without its hosts' chains.
public struct PinLint: Sendable {
  private let table: PinTable
  private let time: Timestamp
  private var findings: [PinFinding] = []

  /// Returns the findings about a configuration, the worst first.
  ///
  /// - Parameter chains: The chains that the hosts present, each with the server's certificate
  ///   first.
  public static func findings(
    of configuration: PinConfiguration, chains: [[Certificate]] = [], at time: Timestamp = .now
  ) -> [PinFinding] {
    let remarks = configuration.remarks.map {
      PinFinding(
        severity: .note, name: configuration.isAboutOtherHosts($0) ? "otherHosts" : "difference",
        subject: $0.subject + ($0.line.map { " (line \($0))" } ?? ""), message: $0.message)
    }
    return sorted(findings(of: configuration.table, chains: chains, at: time) + remarks)
  }

  /// Returns the findings about a table, the worst first.
  ///
  /// - Parameter chains: The chains that the hosts present, each with the server's certificate
  ///   first.
  public static func findings(
    of table: PinTable, chains: [[Certificate]] = [], at time: Timestamp = .now
  ) -> [PinFinding] {
    var lint = PinLint(table: table, time: time)
    for entry in table.entries { lint.look(at: entry) }
    for chain in chains { lint.look(at: chain) }
    return sorted(lint.findings)
  }

  private static func sorted(_ findings: [PinFinding]) -> [PinFinding] {
    var seen: Set<PinFinding> = []
    let distinct = findings.filter { seen.insert($0).inserted }
    return PinFinding.Severity.allCases.reversed().flatMap { severity in
      distinct.filter { $0.severity == severity }
    }
  }

  private init(table: PinTable, time: Timestamp) {
    self.table = table
    self.time = time
  }

  private mutating func add(
    _ severity: PinFinding.Severity, _ name: String, _ subject: HostPattern, _ message: String
  ) {
    findings.append(
      PinFinding(severity: severity, name: name, subject: "\(subject)", message: message))
  }
}

/// Findings in a table alone.
extension PinLint {
  private mutating func look(at entry: PinTable.Entry) {
    let pattern = entry.pattern
    guard let set = entry.pins else {
      // An entry may also say only what is required of logs.
      guard table.hasPins(above: pattern) else { return }
      add(.note, "excluded", pattern, "not pinned, though a wider entry would pin it")
      return
    }
    lookAtHosts(pattern)
    // Where entries are united, a pin of another one may be the backup.
    let counting = countingSet(for: pattern) ?? set
    let pins = Set(counting.pins.map { $0.pin })
    if pins.count == 1 {
      add(
        .warning, "noBackup", pattern,
        "a single pin: if its key is lost or replaced, every connection is rejected")
    }
    for scope in counting.requiredScopes
    where !counting.pins.contains(where: { $0.scope == scope }) {
      add(
        .error, "neverSatisfied", pattern,
        "a pin for \(scope) is required, but the set has none: every connection is rejected")
    }
    if set.mode == .reportOnly {
      add(.warning, "reportOnly", pattern, "mismatches are reported, not rejected")
    }
    if let start = set.mode.start, time < start {
      add(.note, "notYetEnforced", pattern, "the pins are enforced from \(start)")
    }
    lookAtExpiry(set, pattern)
    for uri in set.reportURIs {
      let host = uri.split(separator: "/").dropFirst().first.map(String.init) ?? ""
      do throws(HostNameError) {
        if pattern.matches(try HostName(host)) {
          add(
            .warning, "reportToPinnedHost", pattern,
            "the host of the report URI \(uri) is pinned itself: a report that you send there "
              + "after a mismatch fails, too")
        }
      } catch {
        add(.warning, "badReportURI", pattern, "\"\(uri)\" is not a usable report URI: \(error)")
      }
    }
    for pin in set.pins where pin.isForDebugging {
      add(.warning, "debugPin", pattern, "\(pin.pin) is for debugging: leave it out of a release")
    }
  }

  /// Returns the pins that count for the hosts of an entry, with those of the entries that are
  /// united with it; nil if there is no such host.
  private func countingSet(for pattern: HostPattern) -> PinSet? {
    let example = pattern.reach == .oneLabelBelow ? "x.\(pattern.host)" : "\(pattern.host)"
    guard let (nearest, set) = pins(of: example), nearest == pattern else { return nil }
    return set
  }

  /// Returns the entry and the pins for a host; nil if it is not pinned.
  private func pins(of host: String) -> (HostPattern, PinSet)? {
    do throws(HostNameError) {
      guard case .pinned(let pattern, let set) = table.selection(for: try HostName(host), at: time)
      else { return nil }
      return (pattern, set)
    } catch {
      return nil
    }
  }

  private mutating func lookAtHosts(_ pattern: HostPattern) {
    let host = "\(pattern.host)"
    if pattern.reach != .host, !host.utf8.contains(0x2E) {
      add(
        .warning, "oneLabelDomain", pattern,
        "\(host) has one label: if it is a top-level domain, the pins cover names of other owners")
    }
    if pattern.reach == .oneLabelBelow,
      case .unknown = table.selection(for: pattern.host, at: time)
    {
      add(.warning, "noApex", pattern, "\(host) itself is not pinned, only names one label below")
    }
    if pattern.reach == .hostAndOneLabelBelow || pattern.reach == .oneLabelBelow {
      add(.note, "oneLabel", pattern, "names two or more labels below are not pinned")
    }
    guard pattern.reach == .host else { return }
    for other in table.entries(of: pattern.host)
    where other.pattern != pattern && other.pins != nil && other.pattern.reach != .oneLabelBelow {
      add(.note, "overlap", pattern, "\(other.pattern) covers the same host")
    }
  }

  private mutating func lookAtExpiry(_ set: PinSet, _ pattern: HostPattern) {
    guard let expiry = set.expiry, let action = set.actionAfterExpiry else { return }
    let then =
      switch action {
      case .failClosed: "every connection is rejected after that"
      case .reportOnly: "mismatches are only reported after that"
      case .failOpen: "nothing is pinned after that, also if the clock was changed"
      }
    let left = expiry.time.seconds(since: time)
    if left <= 0 {
      add(.error, "expired", pattern, "the pins expired at \(expiry.time): \(then)")
    } else if left <= 60 * 86_400 {
      add(
        .warning, "expiresSoon", pattern,
        "the pins expire at \(expiry.time), in \(left / 86_400) days: \(then)")
    } else {
      add(.note, "expires", pattern, "the pins expire at \(expiry.time): \(then)")
    }
  }
}

/// Findings in a table together with the chain of a host.
extension PinLint {
  private mutating func look(at chain: [Certificate]) {
    guard let leaf = chain.first else { return }
    var seen: [HostPattern: Set<PinSet>] = [:]
    for name in leaf.extensions.subjectAlternativeNames {
      guard let host = PinLint.host(of: name), let (pattern, set) = pins(of: host),
        seen[pattern, default: []].insert(set).inserted
      else { continue }
      look(at: chain, leaf, set, pattern)
    }
    if seen.isEmpty {
      findings.append(
        PinFinding(
          severity: .warning, name: "notPinned", subject: "\(leaf.subject)",
          message: "no entry covers a name of this certificate"))
    }
  }

  /// Returns a host that a name of a certificate is for: an example, if it is a wildcard.
  private static func host(of name: GeneralName) -> String? {
    switch name {
    case .ip(let address): return "\(address)"
    case .dns(let text):
      var host = "\(text)"
      if let wildcard = FieldText.range(of: "*.", in: host[...]) {
        host.replaceSubrange(wildcard, with: "x.")
      }
      return host
    default: return nil
    }
  }

  private mutating func look(
    at chain: [Certificate], _ leaf: Certificate, _ set: PinSet, _ pattern: HostPattern
  ) {
    let present = set.pins.filter { pin in chain.contains { pin.pin.matches($0) } }
    for certificate in chain {
      let key = Pin(keyOf: certificate)
      for pin in set.pins where pin.pin.subject == .publicKey {
        if pin.pin.digest == certificate.fingerprint() {
          add(
            .error, "digestOfCertificate", pattern,
            "\(pin.pin) is the digest of the certificate of \(certificate.subject), not of its key: "
              + "the pin is \(key)")
        }
        if pin.pin.matchesRawKey(of: certificate) {
          add(
            .error, "digestOfRawKey", pattern,
            "\(pin.pin) is the digest of the raw key of \(certificate.subject), not of its "
              + "SubjectPublicKeyInfo: the pin is \(key)")
        }
      }
    }
    if present.isEmpty {
      add(
        .warning, "noPinInChain", pattern,
        "no pin is in the chain of \(leaf.subject); unless one is of its root, every connection is rejected"
      )
      return
    }
    if Set(present.map({ $0.pin })) == Set(set.pins.map({ $0.pin })), set.pins.count > 1 {
      add(
        .warning, "allInOneChain", pattern,
        "all pins are in this one chain: none is a backup for another chain")
    }
    if present.allSatisfy({ $0.pin.matches(leaf) }) {
      let hasBackup = set.pins.contains { pin in !present.contains { $0.pin == pin.pin } }
      add(
        hasBackup ? .note : .warning, "leafOnly", pattern,
        hasBackup
          ? "of this chain only the leaf's key is pinned: the next key must be that of another pin"
          : "only the leaf's key of this chain is pinned: a new key that is not pinned locks all "
            + "clients out")
      let left = leaf.notAfter.seconds(since: time) / 86_400
      if left < 60 {
        add(
          .warning, "expiringLeaf", pattern,
          "the only pinned certificate of this chain expires at \(leaf.notAfter), in \(left) days")
      }
    }
    for pin in present where pin.pin.subject == .certificate {
      add(
        .warning, "certificatePin", pattern,
        "\(pin.pin) is a certificate pin: a renewed certificate does not match, even with the same key"
      )
    }
  }
}
