import HoldfastDER
import Testing

@Suite("A value that only one thread at a time can access") struct GuardedTests {
  @Test("no addition by concurrent tasks is lost")
  func additions() async {
    let guarded = Shared()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1000 { guarded.count.withLock { $0 += 1 } } }
      }
    }
    #expect(guarded.count.withLock { $0 } == 8000)
  }

  private final class Shared: Sendable {
    let count = Guarded(0)
  }
}
