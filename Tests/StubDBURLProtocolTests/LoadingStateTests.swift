import Foundation
import Testing

@testable import StubDBURLProtocol

/// What a protocol instance may do when; the rules whose breach shows once in thousands of requests.
@Suite struct LoadingStateTests {
  private let piece = ClientEvent.content(Data("piece".utf8))

  @Test func onlyTheFirstStartDecides() {
    var state = LoadingState()
    let decides = [state.start(), state.start()]
    #expect(decides == [true, false])
  }

  @Test func aThreadThatIsOnItsWayIsNotCalledAgain() {
    var state = begun()
    var calls = [state.arrive([piece]), state.arrive([piece])]
    _ = state.takeEvent()
    // At work: it asks for more before it goes.
    calls.append(state.arrive([piece]))
    let told = (0..<3).map { _ in state.takeEvent() != nil }
    calls.append(state.arrive([piece]))
    #expect(told == [true, true, false])
    #expect(calls == [true, false, false, true])
  }

  @Test func afterTheEndNobodyIsCalled() {
    var state = begun()
    _ = state.arrive([.finish, piece])
    let told = (0..<2).map { _ in state.takeEvent()?.isLast }
    let isCalled = state.arrive([piece])
    #expect(told == [true, nil])
    #expect(!isCalled)
  }

  @Test func whatIsStoppedIsToldAtTheNextStart() {
    var state = begun()
    state.stop()
    _ = state.arrive([.finish])
    let whileStopped = state.takeEvent()
    _ = state.start()
    let afterwards = state.takeEvent()
    #expect(whileStopped == nil)
    #expect(afterwards?.isLast == true)
  }

  @Test func theTimerOfAWaitThatIsOverDoesNotDisplaceTheNextOne() {
    var state = begun()
    let (first, second) = (state.beginWait(), state.beginWait(passing: .seconds(1)))
    let held = [state.hold([Timer()], for: second), state.hold([Timer()], for: first)]
    let pending = state.takePending()
    let isHeldAfterwards = state.hold([Timer()], for: second)
    #expect(held == [true, false])
    #expect(pending.count == 1)
    #expect(!isHeldAfterwards)
  }

  private func begun() -> LoadingState {
    var state = LoadingState()
    _ = state.start()
    return state
  }

  private struct Timer: Cancellable {
    func cancel() {}
  }
}
