internal import Holdfast
internal import HoldfastAnswers
@_spi(MerkleTrees) internal import HoldfastPaths
@_spi(MerkleTrees) internal import HoldfastTransparency
internal import HoldfastTrustStores

/// What a command line trusts besides certificates of its own: `--trust`.
enum TrustOption {
  static let store: Option<String?> = .file(
    "--trust",
    "mozilla (the default: the system's anchors as Mozilla would use them), system (without that), "
      + "or a store: certdata.txt, a .p11-kit file, JSON or certificates",
    placeholder: "STORE")
  static let certificates: Option<String?> = .file(
    "--store-certificates", "the root_store.certs that belongs to Chrome's root_store.textproto")

  static let merkleTrust: Option<String?> = .file(
    "--merkle-trust", "also trust the CAs of Merkle Tree Certificates in this file (experimental)")

  /// What was read.
  struct Anchors {
    let anchors: AnchorSet
    /// What is trusted, in words; nil if it is what the command line names.
    let description: String?
    /// What should be known about it.
    var remarks: [String] = []
  }

  /// Reads what a command line trusts.
  static func read(_ call: Invocation, at time: Timestamp) throws(UsageError) -> Anchors {
    switch call[store] {
    case "system": return Anchors(anchors: try system(call), description: "the system's anchors")
    case nil, "mozilla"?:
      let facts = ProgramFacts.mozilla
      var anchors = Anchors(
        anchors: try system(call).applying(facts),
        description: "the system's anchors, as \(facts.program)")
      if facts.isOutdated(at: time) {
        anchors.remarks.append(
          "what is known of \(facts.program.name)'s roots is more than a year old: update holdfast, "
            + "or name a newer store with --trust")
      }
      return anchors
    case let path?:
      let store = try read(path, certificates: call[certificates])
      return Anchors(
        anchors: store.anchors, description: "\(store.program)",
        remarks: problems(of: store, path, limit: 4))
    }
  }

  /// Adds the CAs that issue in Merkle trees, if a command line names any.
  static func addTrees(_ call: Invocation, to anchors: Anchors) throws(UsageError) -> Anchors {
    guard let path = call[merkleTrust] else { return anchors }
    let json = try Invocation.contents(of: path, limit: MerkleTrust.maximumSize)
    let trust = try UsageError.about(path) { () throws(MerkleTrustError) in
      try MerkleTrust(json: json)
    }
    let remark = "Merkle trees are an experiment; \(path) counts until \(trust.end)"
    return Anchors(
      anchors: AnchorSet(anchors.anchors.anchors + trust.anchors),
      description: anchors.description, remarks: anchors.remarks + [remark])
  }

  /// The anchors of the system without anything else.
  static func system(_ call: Invocation) throws(UsageError) -> AnchorSet {
    do throws(SystemAnchorsError) {
      let (anchors, report) = try AnchorSet.systemWithReport()
      if call[CommonOptions.verbose] {
        call.console.note("holdfast: trusted: \(printable("\(report)"))\n")
      }
      return anchors
    } catch {
      throw .badInput(printable("\(error)"))
    }
  }

  /// Reads the store of a file.
  static func read(_ path: String, certificates: String?) throws(UsageError) -> TrustStore {
    guard let certificates else {
      do throws(TrustStoreError) {
        return try TrustStore(file: path)
      } catch {
        let text = "\(error)"
        guard let end = TextSearch.end(of: path, in: text) else {
          throw .badInput(printable(text))
        }
        let start = text.utf8.index(end, offsetBy: -path.utf8.count)
        throw .badInput(printable(text[..<start] + printable(word: path) + text[end...]))
      }
    }
    let store = try Invocation.contents(of: path, limit: TrustStore.maximumSize)
    let others = try Invocation.contents(of: certificates, limit: TrustStore.maximumSize)
    return try UsageError.about(path) { () throws(TrustStoreError) in
      try TrustStore(chrome: store, certificates: others)
    }
  }

  /// What could not be read of a store: the first few problems, and how many more there are.
  static func problems(of store: TrustStore, _ path: String, limit: Int) -> [String] {
    let more = store.problems.count - limit
    return store.problems.prefix(limit).map { "\(path): \($0)" }
      + (more > 0 ? ["\(path): \(more) more entries have problems"] : [])
  }
}
