import Foundation

/// A number with a deliberate race: `Scripts/checks/threads` requires the sanitizer to report it.
final class Shared {
  nonisolated(unsafe) static var number = 0
}

// Both threads wait at the gate before either continues, so nothing orders their changes. The race
// is reported even if one thread ends before the other wakes.
let atGate = DispatchSemaphore(value: 0)
let gate = DispatchSemaphore(value: 0)
let ended = DispatchSemaphore(value: 0)
for _ in 0..<2 {
  Thread {
    atGate.signal()
    gate.wait()
    for _ in 0..<1_000 { Shared.number += 1 }
    ended.signal()
  }.start()
}
for _ in 0..<2 { atGate.wait() }
for _ in 0..<2 { gate.signal() }
for _ in 0..<2 { ended.wait() }
print(Shared.number)
