import StubDBDrift
import Testing

/// What is asked again after an answer has ended the program that asks.
struct LiveRoundsTests {
  @Test func theRequestThatEndsTheProgramIsFoundByAskingOneAtATime() {
    var rounds = LiveRounds(count: 5, width: 2, once: [])
    rounds.close(1)
    rounds.close(0)
    // 2 or 3 did it.
    #expect(rounds.closeCrashed().isEmpty)
    #expect(rounds.open == [2, 3, 4] && rounds.width == 1)
    rounds.close(2)
    let lost = rounds.closeCrashed()
    #expect(lost.map(\.index) == [3])
    #expect(lost.first?.problem?.contains("trailer") == true)
    #expect(rounds.open == [4])
    rounds.close(4)
    #expect(rounds.open.isEmpty)
  }

  @Test func whatMayChangeSomethingIsNotSentTwice() {
    var rounds = LiveRounds(count: 4, width: 2, once: [1, 3])
    let lost = rounds.closeCrashed()
    #expect(lost.map(\.index) == [1])
    #expect(lost.first?.problem?.hasSuffix("is not sent again") == true)
    // 3 was not sent yet.
    #expect(rounds.open == [0, 2, 3])
  }

  @Test func eachCrashEndsSomething() {
    var rounds = LiveRounds(count: 3, width: 2, once: [])
    var lost: [Int] = []
    for _ in 0..<4 { lost += rounds.closeCrashed().map(\.index) }
    #expect(lost == [0, 1, 2] && rounds.open.isEmpty)
    #expect(rounds.closeCrashed().isEmpty)
  }
}
