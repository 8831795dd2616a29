internal import Glibc
internal import HoldfastBase
internal import Synchronization

/// Lets threads compete for what Embedded Swift has in place of the runtime: the mutex, references,
/// and values that are made at their first use.
///
/// Prints what went wrong, or the counts. The first scene has no lock and must lose turns: otherwise
/// the others show nothing.
@_cdecl("main")
func main(_ count: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>>) -> Int32 {
  let scene = Scene()
  let handle = UnsafeMutableRawPointer(Unmanaged.passUnretained(scene).toOpaque())
  let threads = (0..<Scene.threads).map { _ in
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { handle in
        if let handle { Unmanaged<Scene>.fromOpaque(handle).takeUnretainedValue().run() }
        return nil
      }, handle)
    if result != 0 { abort() }
    return thread
  }
  for thread in threads { pthread_join(thread, nil) }
  let wrong = scene.wrong()
  for line in wrong { _ = puts("FAILED \(line)") }
  if wrong.isEmpty { _ = puts("\(Scene.threads) threads, \(Scene.turns) turns each: all counted") }
  return wrong.isEmpty ? 0 : 1
}

/// What the threads share.
final class Scene: Sendable {
  static let threads = 4
  static let turns = 5_000

  private let arrived = Atomic(0)
  private let counts = Mutex(Counts())
  private let guarded = Guarded(0)
  private let shared = Mutex(Counted())
  private let failures = Atomic(0)
  private let unlocked = Atomic(0)

  /// What one thread does.
  func run() {
    arrived.add(1, ordering: .sequentiallyConsistent)
    while arrived.load(ordering: .sequentiallyConsistent) < Scene.threads { sched_yield() }
    if Made.once.number != 1 { failures.add(1, ordering: .relaxed) }
    for turn in 0..<Scene.turns {
      // Two steps, between which others run.
      let before = unlocked.load(ordering: .relaxed)
      if turn & 63 == 0 { sched_yield() }
      unlocked.store(before + 1, ordering: .relaxed)
      counts.withLock { counts in
        let first = counts.first
        if turn & 63 == 0 { sched_yield() }
        // Both are equal for each thread that has the lock.
        if first != counts.second { failures.add(1, ordering: .relaxed) }
        counts.first = first + 1
        counts.second += 1
      }
      guarded.withLock { $0 += 1 }
      // Each thread holds a reference while others drop theirs.
      let held = shared.withLock { $0 }
      if turn & 63 == 0 { shared.withLock { $0 = Counted() } }
      if held.number != Counted.mark { failures.add(1, ordering: .relaxed) }
      // An error leaves the lock, too.
      do throws(Refusal) {
        try counts.withLock { _ throws(Refusal) in throw Refusal() }
      } catch {}
    }
  }

  /// What is not as it must be after all threads have ended.
  func wrong() -> [String] {
    var wrong: [String] = []
    let all = Scene.threads * Scene.turns
    let counts = counts.withLock { $0 }
    let lossy = unlocked.load(ordering: .relaxed)
    if lossy >= all { wrong.append("threads without a lock lost no turn") }
    if counts.first != all { wrong.append("\(counts.first) turns counted under the lock") }
    if counts.second != all { wrong.append("\(counts.second) turns counted in place") }
    let guarded = guarded.withLock { $0 }
    if guarded != all { wrong.append("\(guarded) turns counted under a guard") }
    let failures = failures.load(ordering: .relaxed)
    if failures != 0 { wrong.append("\(failures) wrong values seen by threads") }
    shared.withLock { $0 = Counted() }
    let left = Counted.alive.load(ordering: .relaxed)
    if left != 1 { wrong.append("\(left) objects are left of one") }
    return wrong
  }
}

/// Two counts that are always equal.
struct Counts: Sendable {
  var first = 0
  var second = 0
}

struct Refusal: Error {}

/// A value that the first use makes, and no other.
final class Made: Sendable {
  static let once = Made()
  private static let count = Atomic(0)
  let number: Int

  private init() {
    sched_yield()
    number = Made.count.add(1, ordering: .relaxed).newValue
  }
}

/// An object whose memory is in use as long as a thread has it.
final class Counted: Sendable {
  static let alive = Atomic(0)
  static let mark = 0x5eaf_00d
  private let mutable: Mutex<Int>
  var number: Int { mutable.withLock { $0 } }

  init() {
    mutable = Mutex(Counted.mark)
    Counted.alive.add(1, ordering: .relaxed)
  }

  deinit {
    mutable.withLock { $0 = 0 }
    Counted.alive.subtract(1, ordering: .relaxed)
  }
}
