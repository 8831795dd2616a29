import Synchronization
import Testing

@testable import HoldfastPaths

/// What is made late, and once for all threads.
struct LateReferenceTests {
  /// Counts those that are there.
  private final class Thing: Sendable {
    let number: Int
    let population: Population

    init(_ number: Int, _ population: Population) {
      self.number = number
      self.population = population
      population.count.add(1, ordering: .sequentiallyConsistent)
    }

    deinit { population.count.subtract(1, ordering: .sequentiallyConsistent) }
  }

  private final class Population: Sendable {
    let count = Atomic(0)
    var size: Int { count.load(ordering: .sequentiallyConsistent) }
  }

  private final class Holder: Sendable {
    let late = LateReference<Thing>()
  }

  @Test("there is nothing before something is kept, and what is kept first stays")
  func first() {
    let population = Population()
    do {
      let holder = Holder()
      #expect(holder.late.load() == nil)
      let one = holder.late.storeIfNil(Thing(1, population)).number
      let two = holder.late.storeIfNil(Thing(2, population)).number
      #expect(one == 1 && two == 1)
      #expect(holder.late.load()?.number == 1)
      #expect(population.size == 1)
    }
    #expect(population.size == 0)
  }

  @Test("who has the object keeps it when the reference goes")
  func outlives() {
    let population = Population()
    var kept: Thing?
    do {
      let holder = Holder()
      kept = holder.late.storeIfNil(Thing(3, population))
    }
    #expect(kept?.number == 3)
    #expect(population.size == 1)
    kept = nil
    #expect(population.size == 0)
  }

  @Test("of many threads that make one at the same time all get the same, and the others go")
  func threads() async {
    let population = Population()
    for _ in 0..<200 {
      let holder = Holder()
      let numbers = await withTaskGroup(of: [Int].self) { group in
        for number in 0..<8 {
          group.addTask {
            let own = holder.late.load() ?? holder.late.storeIfNil(Thing(number, population))
            return [own.number, holder.late.load()?.number ?? -1]
          }
        }
        return await group.reduce(into: Set<Int>()) { $0.formUnion($1) }
      }
      #expect(numbers.count == 1)
      #expect(population.size == 1)
    }
    #expect(population.size == 0)
  }
}
