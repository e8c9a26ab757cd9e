import Foundation
import StubDBDrift
import StubDBRemote

/// The part of `stubdb verify --live`, `stubdb push` and `stubdb pull` that speaks to the network.
///
/// A program of its own, since loading Foundation's networking and the forty libraries behind it would make every other
/// command of stubdb start four times as slowly on Linux. It reads `LiveRequests` from standard input, and writes a
/// line and the content for each `LiveAnswer`; as `stubdb-fetch transfer` it reads a `TransferRequest` a line. Header
/// fields with credentials are on no command line that way.
@main
enum StubDBFetch {
  static func main() async {
    switch CommandLine.arguments.dropFirst() {
    case []: await answerLiveRequests()
    case ["transfer"]: await Transfers.carryOut()
    default: refuse()
    }
  }

  private static func answerLiveRequests() async {
    do {
      let input = try FileHandle.standardInput.readToEnd() ?? Data()
      let work = try JSONDecoder().decode(LiveRequests.self, from: input)
      let fetcher = Fetcher(timeout: TimeInterval(work.timeout) / 1000)
      let queue = RequestQueue(count: work.requests.count, delay: .milliseconds(work.delay))
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<max(1, work.width) {
          group.addTask {
            while let index = await queue.next() {
              await queue.write(fetcher.answer(to: work.requests[index], index: index))
            }
          }
        }
      }
    } catch {
      refuse()
    }
  }

  /// Ends the program that was not started by stubdb.
  static func refuse() -> Never {
    FileHandle.standardError.write(
      Data("stubdb-fetch: this is run by stubdb verify, push and pull, not by hand\n".utf8))
    exit(64)
  }
}

/// Hands requests out, each some time after the one before, and writes answers one after another.
private actor RequestQueue {
  private let count: Int
  private let delay: Duration
  private var index = 0
  private var nextStart = ContinuousClock.now

  init(count: Int, delay: Duration) {
    (self.count, self.delay) = (count, delay)
  }

  /// The index of the next request once it may be sent, or nil.
  func next() async -> Int? {
    guard index < count else { return nil }
    let mine = index
    let start = max(nextStart, .now)
    index += 1
    nextStart = start + delay
    if start > .now { try? await Task.sleep(until: start, clock: .continuous) }
    return mine
  }

  func write(_ answer: LiveAnswer) {
    guard let head = try? answer.head else { return }
    FileHandle.standardOutput.write(head)
    FileHandle.standardOutput.write(answer.body)
  }
}

/// The mode `transfer`: a request a line of standard input, and its reports as lines of standard output.
enum Transfers {
  static func carryOut() async {
    let transferer = Transferer { report in
      guard let line = try? JSONEncoder().encode(report) else { return }
      FileHandle.standardOutput.write(line + Data("\n".utf8))
    }
    // Says that this is a program that knows the mode: before it stubdb sends nothing.
    transferer.report(TransferReport())
    for await line in lines() {
      guard let request = try? JSONDecoder().decode(TransferRequest.self, from: Data(line.utf8))
      else { StubDBFetch.refuse() }
      await transferer.carryOut(request)
    }
  }

  /// The lines of standard input.
  ///
  /// Its end means that stubdb has ended, perhaps killed. Then nothing is carried out any more: a file that this program
  /// still appended to could be one that the next stubdb appends to.
  private static func lines() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(line) }
      exit(0)
    }
    return stream
  }
}
