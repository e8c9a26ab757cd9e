import Foundation
import StubDBRemote

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
