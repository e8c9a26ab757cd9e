import Foundation
import Testing

@testable import StubDBURLProtocol

/// The rules about when a protocol instance may act; breaking one shows only once in thousands of requests.
@Suite struct LoadingStateTests {
  private let piece = ClientEvent.content(Data("piece".utf8))

  @Test func onlyTheFirstStartDecides() {
    var state = LoadingState()
    let actions = [state.start(), state.start()]
    #expect(actions == [.decide, .deliver])
  }

  @Test func aThreadThatIsOnItsWayIsNotCalledAgain() {
    var state = begun()
    var calls = [state.arrive(piece), state.arrive(piece)]
    var told = [tells(&state)]
    // The client's thread is working, and asks for more events before it ends.
    calls.append(state.arrive(piece))
    for _ in 0..<3 { told.append(tells(&state)) }
    calls.append(state.arrive(piece))
    #expect(told == [true, true, true, false])
    #expect(calls == [.callClient, .nothing, .nothing, .callClient])
  }

  @Test func afterTheEndTheClientIsNotCalled() {
    var state = begun()
    _ = state.arrive(.finish)
    _ = state.arrive(piece)
    let isLast = if case .tellLast = state.deliver() { true } else { false }
    #expect(isLast)
    let tellsMore = tells(&state)
    #expect(!tellsMore)
    let action = state.arrive(piece)
    #expect(action == .nothing)
  }

  @Test func anAnswerAtOnceIsTheLastUnlessTheTaskIsStopped() {
    var state = begun()
    let isPieceTold = state.finishAtOnce(with: piece)
    let isEndTold = state.finishAtOnce(with: .finish)
    let isEndToldAgain = state.finishAtOnce(with: .finish)
    #expect(!isPieceTold && isEndTold && !isEndToldAgain)
    let action = state.arrive(piece)
    #expect(action == .nothing)

    var stopped = begun()
    stopped.stop()
    let isToldWhileStopped = stopped.finishAtOnce(with: .finish)
    #expect(!isToldWhileStopped)
    // It waits for the next start instead.
    stopped.append(.finish)
    _ = stopped.start()
    let isToldAfterwards = tells(&stopped)
    #expect(isToldAfterwards)
  }

  @Test func whatIsStoppedIsToldAtTheNextStart() {
    var state = begun()
    state.stop()
    _ = state.arrive(.finish)
    let whileStopped = tells(&state)
    _ = state.start()
    let afterwards = tells(&state)
    #expect(!whileStopped && afterwards)
  }

  private func tells(_ state: inout LoadingState) -> Bool {
    if case .nothing = state.deliver() { false } else { true }
  }

  private func begun() -> LoadingState {
    var state = LoadingState()
    _ = state.start()
    return state
  }
}
