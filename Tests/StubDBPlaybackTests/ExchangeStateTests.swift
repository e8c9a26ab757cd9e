import Testing

@testable import StubDBPlayback

@Suite struct ExchangeStateTests {
  @Test func theTimerOfAWaitThatIsOverDoesNotDisplaceTheNextOne() {
    var state = ExchangeState()
    let (first, second) = (state.beginWait(), state.beginWait(passing: .seconds(1)))
    let held = [state.hold([Timer()], for: second), state.hold([Timer()], for: first)]
    let pending = state.takePending()
    let isHeldAfterwards = state.hold([Timer()], for: second)
    #expect(held == [true, false])
    #expect(pending.count == 1)
    #expect(!isHeldAfterwards)
    #expect(state.elapsed == .seconds(1))
  }

  private struct Timer: Cancellable {
    func cancel() {}
  }
}
