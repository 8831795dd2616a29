internal import Holdfast
internal import HoldfastAnswers
internal import HoldfastBase

/// A policy: a draft until the first question, and from then on what decides.
final class Policy: Sendable {
  private let state = Guarded(State())

  private struct State: Sendable {
    var draft = Draft()
    /// The first call that failed.
    var problem: Problem?
    var judge: Judge?
  }

  /// The whole text of what went wrong first.
  var problem: String? { state.withLock { $0.problem?.text } }

  /// Changes the draft as a whole or not at all; a failure breaks the policy.
  func change(_ change: (inout Draft) throws(Problem) -> Void) -> Status {
    state.withLock { state in
      do throws(Problem) {
        guard state.judge == nil else {
          throw Problem(.frozen, "the policy was asked before, and does not change any more")
        }
        var draft = state.draft
        try change(&draft)
        state.draft = draft
        return .ok
      } catch {
        if state.problem == nil { state.problem = error }
        return error.status
      }
    }
  }

  /// Returns what decides; the first call freezes the policy.
  func judge() throws(Problem) -> Judge {
    let result: Result<Judge, Problem> = state.withLock { state in
      if let problem = state.problem {
        return .failure(Problem(.broken, problem.text))
      }
      if let judge = state.judge { return .success(judge) }
      let made = Result { () throws(Problem) in try Judge(state.draft) }
      switch made {
      case .success(let judge): state.judge = judge
      case .failure(let problem): state.problem = problem
      }
      return made
    }
    return try result.get()
  }
}

/// What a policy is made of.
struct Draft: Sendable {
  var anchors: [TrustAnchor] = []
  var rules = ValidationRules.webPKI
  /// The pins of each pattern, and the place of each pattern.
  private(set) var pins: [(pattern: HostPattern, pins: [Pin])] = []
  private var places: [HostPattern: Int] = [:]
  var requiresPins = false
  var revocation = Revocation()
  /// The files of filters as they were given.
  var cards: [Result<Clubcard, FilterError>] = []
  /// Whether anything was said about revocation.
  var checksRevocation = false
  var upkiFolder: String?
  var transparency: TransparencyCheck?
  var limits = Limits.default

  mutating func add(_ pin: Pin, for pattern: HostPattern) {
    if let place = places[pattern] {
      pins[place].pins.append(pin)
    } else {
      places[pattern] = pins.count
      pins.append((pattern, [pin]))
    }
  }
}

/// What decides.
struct Judge: Sendable {
  let manager: TrustManager
  /// The revocation data; nil not to check revocation.
  let revocation: Revocation?
  let upkiFolder: String?
  let hasPins: Bool

  /// Whether nothing can be trusted is a problem here: an empty set of anchors is a mistake.
  init(_ draft: Draft) throws(Problem) {
    guard !draft.anchors.isEmpty else { throw Problem(.notUsable, "the policy trusts nothing") }
    var entries: [PinTable.Entry] = []
    for (pattern, pins) in draft.pins {
      do throws(PinSetError) {
        // One call adds one pin, so that a missing backup is not known here.
        entries.append(PinTable.Entry(pattern, try PinSet(pins, backup: .waived)))
      } catch {
        throw Problem(.notUsable, "\(pattern): \(error)")
      }
    }
    let table: PinTable
    do throws(PinTableError) {
      table = try PinTable(entries)
    } catch {
      throw Problem(.notUsable, "\(error)")
    }
    var revocation = draft.revocation
    revocation.filters += RevocationFilter.all(of: draft.cards)
    self.revocation = draft.checksRevocation ? revocation : nil
    upkiFolder = draft.upkiFolder
    hasPins = !draft.pins.isEmpty || draft.requiresPins
    manager = TrustManager(
      pins: table, anchors: AnchorSet(draft.anchors), rules: draft.rules, limits: draft.limits,
      revocation: self.revocation, transparency: draft.transparency,
      otherHosts: draft.requiresPins ? .reject : .validate)
  }
}
