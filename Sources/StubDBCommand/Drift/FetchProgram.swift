import Foundation
import StubDBDrift

/// The program `stubdb-fetch`, which sends requests over the network.
///
/// It is a program of its own because loading Foundation's networking would make every other command start four times
/// as slowly on Linux.
struct FetchProgram {
  private let url: URL

  /// - Throws: ``CommandError`` if the program is not beside this one.
  init() throws {
    let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    guard let url = folder?.appendingPathComponent("stubdb-fetch"),
      FileManager.default.isExecutableFile(atPath: url.path)
    else {
      throw CommandError(
        "the program stubdb-fetch, which sends the requests, is not beside stubdb",
        hints: [
          "scripts/install puts both in place; to build it: swift build --product stubdb-fetch"
        ]
      )
    }
    self.url = url
  }

  /// The answers, in the order of the requests.
  ///
  /// - Throws: ``CommandError`` if the program fails.
  func answers(to work: LiveRequests) throws -> [LiveAnswer] {
    // A program that ends early is an error, and no signal, which would end this process.
    signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, SIG_DFL) }
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = url
    process.standardInput = input
    process.standardOutput = output
    do {
      try process.run()
      try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(work))
      try input.fileHandleForWriting.close()
    } catch {
      throw CommandError("cannot run \(url.path): \(error.localizedDescription)")
    }
    let text = Self.text(from: output.fileHandleForReading, of: work.requests.count)
    process.waitUntilExit()
    let answers = try text.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(LiveAnswer.self, from: $0)
    }
    guard process.terminationStatus == 0, answers.count == work.requests.count else {
      throw CommandError("\(url.path) ended with \(process.terminationStatus)")
    }
    return answers.sorted { $0.index < $1.index }
  }

  /// All that the program writes, with a line on the terminal that counts the answers.
  private static func text(from handle: FileHandle, of count: Int) -> Data {
    let progress = ProgressLine("Asking")
    defer { progress.end() }
    var (text, done) = (Data(), 0)
    while true {
      let piece = handle.availableData
      if piece.isEmpty { return text }
      text += piece
      done += piece.count { $0 == UInt8(ascii: "\n") }
      progress.show(done, of: count, "request")
    }
  }
}
