internal import HoldfastCertificates
internal import HoldfastPaths

/// The entries of a store while it is read. What one object distrusts counts for all others,
/// whatever their order, and what two say of one certificate must agree.
struct StoreEntries {
  private let program: RootProgram
  private var entries: [TrustStore.Entry] = []
  private var indices: [Certificate: Int] = [:]
  private var distrusted: Set<DistrustedCertificate> = []
  var problems: [TrustStoreError] = []

  init(_ program: RootProgram, problems: [TrustStoreError] = []) {
    self.program = program
    self.problems = problems
  }

  var count: Int { entries.count }

  /// Adds an entry. A second one of a certificate is listed; if it says something else, the
  /// certificate is not trusted.
  ///
  /// - Parameter place: What a problem calls the entry; nil for its label.
  mutating func add(_ entry: TrustStore.Entry, at place: String? = nil) {
    guard let known = indices[entry.certificate] else {
      indices[entry.certificate] = entries.count
      entries.append(entry)
      return
    }
    let agrees = entries[known].constraints == entry.constraints
    problems.append(
      TrustStoreError(
        agrees ? .duplicate : .contradiction, line: entry.line, label: place ?? entry.label))
    if !agrees { distrust(known) }
    if entry.isPublic { entries[known].isPublic = true }
  }

  /// Distrusts a certificate, and all others with its key.
  mutating func distrust(_ certificate: Certificate) {
    distrusted.formUnion(DistrustedCertificate.all(of: certificate))
  }

  mutating func distrust(_ certificate: DistrustedCertificate) { distrusted.insert(certificate) }

  private mutating func distrust(_ index: Int) {
    entries[index].constraints.programs = [ProgramConstraint(program, anyOf: [])]
  }

  /// Returns the store; throws if there is no entry.
  mutating func store(_ format: TrustStore.Format) throws(TrustStoreError) -> TrustStore {
    guard !entries.isEmpty else { throw problems.first ?? TrustStoreError(.noAnchors) }
    if !distrusted.isEmpty { spreadDistrust() }
    return TrustStore(format, program, entries, problems)
  }

  private mutating func spreadDistrust() {
    for (index, entry) in entries.enumerated() {
      let isTrusted = entry.constraints.programs.allSatisfy { !$0.alternatives.isEmpty }
      guard isTrusted else { continue }
      if DistrustedCertificate.all(of: entry.certificate).contains(where: distrusted.contains) {
        problems.append(TrustStoreError(.contradiction, line: entry.line, label: entry.label))
        distrust(index)
        continue
      }
      if entry.constraints.programs.isEmpty {
        entries[index].constraints.programs = [ProgramConstraint(program, anyOf: [.init()])]
      }
      // An intermediate can be distrusted as well, so paths are asked.
      entries[index].constraints.programs[0].distrusted = distrusted
    }
  }
}
