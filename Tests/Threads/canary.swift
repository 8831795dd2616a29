import Foundation

/// A number that two threads change at once, on purpose: `Scripts/threads` wants it reported.
final class Shared {
  nonisolated(unsafe) static var number = 0
}

// Both threads stand at the gate before either may go on, so that nothing orders their changes: the
// race is there to be reported even where one thread has ended before the other is woken.
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
