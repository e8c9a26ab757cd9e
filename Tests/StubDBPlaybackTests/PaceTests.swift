import Foundation
import Testing

@testable import StubDBPlayback

@Suite struct PaceTests {
  @Test(arguments: [
    (Pace.real, Duration.milliseconds(200)), (.instant, .zero),
    (.scaled(0.5), .milliseconds(100)), (.scaled(-1), .zero), (.scaled(.nan), .zero),
  ])
  func paceScalesTimes(pace: Pace, time: Duration) {
    #expect(pace.scaled(.milliseconds(200)) == time)
  }

  @Test(arguments: [1e9, 1e19, 1e300, Double.greatestFiniteMagnitude])
  func aPaceThatIsTooSlowIsNoCrash(_ factor: Double) {
    #expect(Pace.scaled(factor).scaled(.seconds(3600)) >= .seconds(1_000_000_000_000))
    #expect(Pace.scaled(factor).scaled(.zero) == .zero)
  }

  @Test func thousandsOfEventsComeInTheirOrder() async {
    let timeline = VirtualTimeline()
    let (events, continuation) = AsyncStream.makeStream(of: (Int, Int).self)
    let (owner, count) = (ObjectIdentifier(timeline), 5_000)
    // Scheduled by an event, so that none of them comes before the last one is scheduled.
    _ = timeline.schedule(after: .zero, for: owner) {
      for number in 0..<count {
        let seconds = number * 7_919 % 1_000
        let event = timeline.schedule(after: .seconds(seconds), for: owner) {
          continuation.yield((seconds, number))
        }
        if number % 5 == 0 { event.cancel() }
      }
      _ = timeline.schedule(after: .seconds(1_000), for: owner) {
        continuation.finish()
      }
    }
    var order: [(Int, Int)] = []
    for await event in events { order.append(event) }
    #expect(order.count == count - count / 5)
    #expect(order.allSatisfy { $0.1 % 5 != 0 })
    #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func theNextThingDueComesNextHoweverFarItIs() async {
    let timeline = VirtualTimeline(grace: .milliseconds(50))
    let (times, continuation) = AsyncStream.makeStream(of: Int.self)
    let owners = [NSObject(), NSObject(), NSObject()]
    for (owner, seconds) in zip(owners, [4000, 5, 2]) {
      _ = timeline.schedule(after: .seconds(seconds), for: ObjectIdentifier(owner)) {
        continuation.yield(seconds)
        guard seconds == 2 else { return }
        // Between the events at 2 and at 5 seconds.
        _ = timeline.schedule(after: .seconds(1), for: ObjectIdentifier(timeline)) {
          continuation.yield(3)
        }
      }
    }
    let given = timeline.schedule(after: .seconds(1), for: ObjectIdentifier(timeline)) {
      continuation.yield(1)
    }
    given.cancel()
    var order: [Int] = []
    for await time in times {
      order.append(time)
      if time == 4000 { break }
    }
    #expect(order == [2, 3, 5, 4000])
  }
}
