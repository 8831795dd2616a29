internal import HoldfastDER
internal import Synchronization

/// Why a search found no valid path. It is found when it is first read: a wrong chain must not cost a
/// server more than a right one, and most of it is for people.
final class Reasons: Sendable {
  /// Nothing was tried.
  static let none = Reasons(Found())

  private let state: Mutex<State>

  /// What is found.
  struct Found: Sendable {
    /// The paths that were tried, the nearest miss first.
    var attempts: [PathError.Attempt] = []
    /// The number of tried paths that are not among them.
    var omitted = 0
    var hints: [PathError.Hint] = []
  }

  private struct State: ~Copyable {
    /// The search that goes on when somebody reads; nil when it has ended.
    var search: Search?
    var found = Found()
  }

  private struct Search: ~Copyable {
    var builder: PathBuilder
    let question: Question
    let steps: Int
  }

  /// Creates what is found already.
  init(_ found: Found) { state = Mutex(State(search: nil, found: found)) }

  /// Creates what a search that found no path would say, had it gone on for this many steps.
  init(_ builder: consuming PathBuilder, _ question: Question, atMost steps: Int) {
    state = Mutex(State(search: Search(builder: builder, question: question, steps: steps)))
  }

  /// What is found. The first reader searches, and others wait.
  var found: Found {
    state.withLock { state in
      if var search = state.search.take() {
        state.found = search.builder.reasons(search.question, atMost: search.steps)
      }
      return state.found
    }
  }
}
