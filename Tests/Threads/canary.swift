import Foundation

/// A number that two threads change at once, on purpose: `Scripts/threads` wants it reported.
final class Shared {
  nonisolated(unsafe) static var number = 0
}

let group = DispatchGroup()
for _ in 0..<2 {
  group.enter()
  Thread {
    for _ in 0..<100_000 { Shared.number += 1 }
    group.leave()
  }.start()
}
group.wait()
print(Shared.number)
