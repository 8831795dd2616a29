#if Curl
  import Dispatch
  import Testing

  @testable import HoldfastHTTP

  /// Threads and connections that end while the process exits.
  @Suite("The exit of the process", .timeLimit(.minutes(10))) struct ProcessExitTests {
    @Test("the exit waits for what has begun, and nothing begins after it")
    func order() {
      let exit = ProcessExit()
      #expect(exit.enter() && exit.enter())
      exit.leave()
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { exit.leave() }
      let start = ContinuousClock.now
      exit.begin(waitingAtMost: .seconds(300))
      let waited = ContinuousClock.now - start
      #expect(waited > .milliseconds(10) && waited < .seconds(250))
      #expect(!exit.enter())
    }

    @Test("the exit waits no longer than it is told for what does not end")
    func limit() {
      let exit = ProcessExit()
      #expect(exit.enter())
      exit.begin(waitingAtMost: .milliseconds(20))
      #expect(!exit.enter())
      exit.leave()
    }
  }
#endif
