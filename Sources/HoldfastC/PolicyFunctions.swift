public import CHoldfast
internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastBase
internal import HoldfastTrustStores

// The functions of `holdfast.h` about policies, in its order; the header describes them.

/// Returns a name for a status.
@c @implementation
public func holdfast_status_text(_ status: holdfast_status) -> UnsafePointer<CChar>? {
  // SAFETY: the text lives as long as the library.
  unsafe constant(Status(rawValue: status)?.name ?? "an unknown status")
}

/// Returns the version of the library.
@c @implementation
public func holdfast_version() -> UnsafePointer<CChar>? {
  // SAFETY: the text lives as long as the library.
  unsafe constant(Answer.version)
}

/// Makes a policy.
@c @implementation
public func holdfast_policy_new(
  _ policy: UnsafeMutablePointer<OpaquePointer?>?
) -> holdfast_status {
  guard let policy = unsafe policy else { return Status.badArgument.rawValue }
  let number = Objects.policies.insert(Policy())
  // SAFETY: the caller promises a place for a pointer.
  unsafe policy.pointee = number.flatMap { unsafe OpaquePointer(bitPattern: $0) }
  return (number == nil ? Status.tooMany : .ok).rawValue
}

/// Frees a policy.
@c @implementation
public func holdfast_policy_free(_ policy: OpaquePointer?) -> holdfast_status {
  guard let policy = unsafe policy else { return Status.ok.rawValue }
  // SAFETY: the pointer is a number, and never read through.
  let removed = Objects.policies.remove(UInt(bitPattern: policy))
  return (removed == nil ? Status.badObject : .ok).rawValue
}

/// Writes why a call for a policy failed first.
@c @implementation
public func holdfast_policy_copy_problem(
  _ policy: OpaquePointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> Int {
  // SAFETY: the pointer is a number; the buffer is only passed on.
  let text = unsafe object(policy)?.problem ?? ""
  unsafe Memory.copy(text, to: buffer, capacity)
  return text.utf8.count
}

/// Trusts the roots of the system.
@c @implementation
public func holdfast_policy_trust_system(
  _ policy: OpaquePointer?, _ flags: UInt32
) -> holdfast_status {
  // SAFETY: the pointer is only passed on.
  unsafe change(policy) { draft throws(Problem) in
    guard flags == 0 else { throw Problem(.badArgument, "unknown flags") }
    do throws(SystemAnchorsError) {
      draft.anchors += try AnchorSet.system().anchors
    } catch {
      throw Problem(.notUsable, "\(error)")
    }
  }
}

/// Trusts anchors.
@c @implementation
public func holdfast_policy_add_anchors(
  _ policy: OpaquePointer?, _ data: UnsafeRawPointer?, _ size: Int, _ flags: UInt32
) -> holdfast_status {
  // SAFETY: the pointer is only passed on.
  unsafe change(policy) { draft throws(Problem) in
    // SAFETY: the pointer is only passed on.
    guard
      let bytes = unsafe try Memory.bytes(data, size, limit: TrustStore.maximumSize, "anchors")
    else { throw Problem(.badArgument, "anchors: missing") }
    try draft.addAnchors(flags) { () throws(TrustStoreError) in
      try TrustStore(bytes, source: "the store of the program")
    }
  }
}

/// Trusts the anchors of a file.
@c @implementation
public func holdfast_policy_add_anchor_file(
  _ policy: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ size: Int, _ flags: UInt32
) -> holdfast_status {
  // SAFETY: the pointer is only passed on.
  unsafe change(policy) { draft throws(Problem) in
    // SAFETY: the pointer is only passed on.
    let path = unsafe try Memory.path(path, size, "path")
    try draft.addAnchors(flags) { () throws(TrustStoreError) in try TrustStore(file: path) }
  }
}

/// Sets how strict a policy is.
@c @implementation
public func holdfast_policy_set_rules(
  _ policy: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ size: Int
) -> holdfast_status {
  // SAFETY: the pointer is only passed on.
  unsafe change(policy) { draft throws(Problem) in
    // SAFETY: the pointer is only passed on.
    let name = unsafe try Memory.text(name, size, "rules")
    guard let preset = RulePreset(rawValue: name) else {
      throw Problem(.notUsable, "rules: expected webPKI, rfc5280, apple, strict or strictRFC5280")
    }
    draft.rules = preset.rules
  }
}

/// Pins hosts.
@c @implementation
public func holdfast_policy_add_pin(
  _ policy: OpaquePointer?, _ pattern: UnsafePointer<CChar>?, _ patternSize: Int,
  _ pin: UnsafePointer<CChar>?, _ pinSize: Int
) -> holdfast_status {
  // SAFETY: the pointer is only passed on.
  unsafe change(policy) { draft throws(Problem) in
    // SAFETY: the pointers are only passed on.
    let hosts = unsafe try Memory.text(pattern, patternSize, "pattern")
    let text = unsafe try Memory.text(pin, pinSize, "pin")
    let pattern: HostPattern
    do throws(HostPatternError) {
      pattern = try HostPattern(hosts)
    } catch {
      throw Problem(.notUsable, "pattern: \(error)")
    }
    do throws(PinError) {
      draft.add(try Pin(text), for: pattern)
    } catch {
      throw Problem(.notUsable, "pin of \(pattern): \(error)")
    }
  }
}

/// Sets what happens to hosts without pins.
@c @implementation
public func holdfast_policy_require_pins(
  _ policy: OpaquePointer?, _ isRequired: UInt32
) -> holdfast_status {
  // SAFETY: the pointer is only passed on.
  unsafe change(policy) { draft throws(Problem) in
    guard isRequired < 2 else { throw Problem(.badArgument, "neither 0 nor 1") }
    draft.requiresPins = isRequired == 1
  }
}

/// Adds CRLs.
@c @implementation
public func holdfast_policy_add_crls(
  _ policy: OpaquePointer?, _ data: UnsafeRawPointer?, _ size: Int
) -> holdfast_status {
  // SAFETY: the pointer is only passed on.
  unsafe change(policy) { draft throws(Problem) in
    // SAFETY: the pointer is only passed on.
    guard let bytes = unsafe try Memory.bytes(data, size, limit: CRL.maximumSize, "CRLs") else {
      throw Problem(.badArgument, "CRLs: missing")
    }
    let files = FileReading { (_, _) throws(Platform.FileError) in
      bytes
    } names: { _ in
      nil
    }
    do throws(ParseError) {
      draft.revocation.crls += try CRL.crls(inFile: "the CRLs", from: files)
    } catch {
      throw Problem(.notUsable, "\(error)")
    }
    draft.checksRevocation = true
  }
}

/// Adds a file of a revocation filter.
@c @implementation
public func holdfast_policy_add_filter_file(
  _ policy: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ size: Int
) -> holdfast_status {
  // SAFETY: the pointer is only passed on.
  unsafe change(policy) { draft throws(Problem) in
    // SAFETY: the pointer is only passed on.
    let path = unsafe try Memory.path(path, size, "path")
    do throws(FilterError) {
      draft.cards.append(.success(try Clubcard(file: path)))
    } catch {
      throw Problem(.notUsable, "\(error)")
    }
    draft.checksRevocation = true
  }
}

/// Adds the filters that upki keeps.
@c @implementation
public func holdfast_policy_add_upki(
  _ policy: OpaquePointer?, _ folder: UnsafePointer<CChar>?, _ size: Int
) -> holdfast_status {
  // SAFETY: the pointer is only passed on.
  unsafe change(policy) { draft throws(Problem) in
    // SAFETY: the pointer is only passed on.
    let folder = unsafe try Memory.optionalText(folder, size, "folder")
    do throws(FilterError) {
      let cache = try UpkiCache(folder: folder)
      draft.revocation.filters += cache.filters
      draft.upkiFolder = cache.folder
    } catch {
      throw Problem(.notUsable, "\(error)")
    }
    draft.checksRevocation = true
  }
}

/// Sets which revocation status must be known.
@c @implementation
public func holdfast_policy_set_revocation(
  _ policy: OpaquePointer?, _ demand: UInt32
) -> holdfast_status {
  // SAFETY: the pointer is only passed on.
  unsafe change(policy) { draft throws(Problem) in
    draft.revocation.demand =
      switch Int(demand) {
      case HOLDFAST_REVOCATION_IGNORED: .ignored
      case HOLDFAST_REVOCATION_GIVEN: .ifAvailable
      case HOLDFAST_REVOCATION_LEAF: .required(of: .leaf)
      case HOLDFAST_REVOCATION_REQUIRED: .required(of: .everyCertificate)
      default: throw Problem(.badArgument, "unknown demand")
      }
    draft.checksRevocation = true
  }
}

/// Sets a log list, and what it is for.
@c @implementation
public func holdfast_policy_set_log_list(
  _ policy: OpaquePointer?, _ json: UnsafeRawPointer?, _ size: Int,
  _ program: UnsafePointer<CChar>?, _ programSize: Int, _ demand: UInt32
) -> holdfast_status {
  // SAFETY: the pointer is only passed on.
  unsafe change(policy) { draft throws(Problem) in
    // SAFETY: the pointers are only passed on.
    guard let bytes = unsafe try Memory.bytes(json, size, limit: LogList.maximumSize, "log list")
    else { throw Problem(.badArgument, "log list: missing") }
    let logs: TransparencyPolicy
    switch unsafe try Memory.text(program, programSize, "program") {
    case "chrome": logs = .chrome
    case "apple": logs = .apple
    case "mozilla": logs = .mozilla
    default: throw Problem(.notUsable, "program: expected chrome, apple or mozilla")
    }
    guard HOLDFAST_LOGS_REPORT...HOLDFAST_LOGS_REQUIRED ~= Int(demand) else {
      throw Problem(.badArgument, "unknown demand")
    }
    do throws(LogListError) {
      draft.transparency = TransparencyCheck(
        TransparencyEvaluator(list: try LogList(json: bytes), policy: logs),
        isRequired: Int(demand) != HOLDFAST_LOGS_REPORT,
        rejectsUnevaluated: Int(demand) == HOLDFAST_LOGS_REQUIRED)
    } catch {
      throw Problem(.notUsable, "log list: \(error)")
    }
  }
}

/// Sets limits on the work of one question.
@c @implementation
public func holdfast_policy_set_limits(
  _ policy: OpaquePointer?, _ limits: UnsafePointer<holdfast_limits>?
) -> holdfast_status {
  // SAFETY: the pointer is only passed on.
  unsafe change(policy) { draft throws(Problem) in
    guard let limits = unsafe limits else { throw Problem(.badArgument, "limits: NULL") }
    // SAFETY: the structure begins with its size, and nothing else is read before that is known.
    let size = unsafe UnsafeRawPointer(limits).load(as: Int.self)
    guard size == MemoryLayout<holdfast_limits>.size else {
      throw Problem(.badArgument, "limits: structure_size is not one that this version knows")
    }
    // SAFETY: the structure has the size that it should have.
    let given = unsafe limits.pointee
    var new = Limits()
    if given.signatures > 0 { new.publicKeyOperations = Int(clamping: given.signatures) }
    if given.steps > 0 { new.steps = Int(clamping: given.steps) }
    if given.work > 0 { new.work = Int(clamping: given.work) }
    if given.path_length > 0 { new.pathLength = Int(clamping: given.path_length) }
    if given.candidates > 0 { new.candidates = min(Int(clamping: given.candidates), 1 << 20) }
    draft.limits = new
  }
}

/// Asks a question.
@c @implementation
public func holdfast_policy_ask(
  _ policy: OpaquePointer?, _ question: UnsafePointer<holdfast_question>?,
  _ answer: UnsafeMutablePointer<OpaquePointer?>?
) -> holdfast_status {
  guard let place = unsafe answer else { return Status.badArgument.rawValue }
  // SAFETY: the caller promises a place for a pointer.
  unsafe place.pointee = nil
  // SAFETY: the pointer is a number; the other is only passed on.
  guard let policy = unsafe object(policy) else { return Status.badObject.rawValue }
  do throws(Problem) {
    let judge = try policy.judge()
    let given = GivenAnswer(unsafe try Memory.question(question), judge, policy)
    guard let number = Objects.answers.insert(given) else { return Status.tooMany.rawValue }
    unsafe place.pointee = OpaquePointer(bitPattern: number)
    return Status.ok.rawValue
  } catch {
    return error.status.rawValue
  }
}

/// Changes a policy.
private func change(
  _ policy: OpaquePointer?, _ body: (inout Draft) throws(Problem) -> Void
) -> holdfast_status {
  // SAFETY: the pointer is a number, and never read through.
  guard let policy = unsafe object(policy) else { return Status.badObject.rawValue }
  return policy.change(body).rawValue
}

/// Returns the policy with a number that looks like a pointer.
func object(_ policy: OpaquePointer?) -> Policy? {
  // SAFETY: the pointer is a number, and never read through.
  unsafe policy.flatMap { Objects.policies.object(UInt(bitPattern: $0)) }
}

/// Returns a text of the program itself, which has a NUL at its end.
private func constant(_ text: StaticString) -> UnsafePointer<CChar>? {
  // SAFETY: the text lives as long as the library.
  unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

extension Draft {
  /// Adds the anchors of a store, all or none.
  fileprivate mutating func addAnchors(
    _ flags: UInt32, _ read: () throws(TrustStoreError) -> TrustStore
  ) throws(Problem) {
    guard flags & ~HOLDFAST_PUBLIC == 0 else { throw Problem(.badArgument, "unknown flags") }
    let store: TrustStore
    do throws(TrustStoreError) {
      store = try read()
    } catch {
      throw Problem(.notUsable, "\(error)")
    }
    guard store.format == .certificates else {
      anchors += store.anchors.anchors
      return
    }
    // Of a store, what it does not trust is left out; of certificates of a program's own, all count.
    if let problem = store.problems.first { throw Problem(.notUsable, "\(problem)") }
    anchors +=
      AnchorSet(store.entries.map { $0.certificate }, arePublic: flags & HOLDFAST_PUBLIC != 0)
      .anchors
  }
}
