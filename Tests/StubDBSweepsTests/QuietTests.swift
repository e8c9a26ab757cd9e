#if os(Linux)
  import Testing

  @testable import StubDBSweeps

  /// When the code under test has had its turn.
  struct QuietTests {
    @Test func threadsThatWereReadyAreWaitedForUntilTheyHadAProcessor() {
      let before: [String: UInt64] = ["1": 50, "2": 0]
      #expect(Quiet.isStarved(before, ["1": 60, "2": 0]))
      #expect(!Quiet.isStarved(before, ["1": 60, "2": 7]))
      // One has fallen asleep or ended, another one has come.
      #expect(!Quiet.isStarved(before, ["1": 60, "3": 0]))
      // A kernel that does not count.
      #expect(!Quiet.isStarved(["1": 0, "2": 0], ["1": 0, "2": 0]))
    }
  }
#endif
