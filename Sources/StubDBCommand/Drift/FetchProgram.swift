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
    url = try Self.executable()
  }

  /// Where the program is.
  ///
  /// - Throws: ``CommandError`` if it is not beside this one.
  static func executable() throws -> URL {
    let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    guard let url = folder?.appendingPathComponent("stubdb-fetch"),
      FileManager.default.isExecutableFile(atPath: url.path)
    else {
      throw CommandError(
        "the program stubdb-fetch, which sends the requests, is not beside stubdb",
        hints: [wayToGetIt(folder)])
    }
    return url
  }

  /// The program with arguments and pipes, not yet started.
  static func process(
    _ url: URL, _ arguments: [String]
  ) throws -> (process: Process, input: Pipe, output: Pipe) {
    let process = try Process.startable()
    let (input, output) = (Pipe(), Pipe())
    (process.executableURL, process.arguments) = (url, arguments)
    (process.standardInput, process.standardOutput) = (input, output)
    // The report of a crash may have parts of answers.
    process.standardError = FileHandle.nullDevice
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { _, new in new }
    return (process, input, output)
  }

  /// SwiftPM puts what it builds into `.build`, where `swift run stubdb` builds nothing but stubdb.
  private static func wayToGetIt(_ folder: URL?) -> String {
    guard let parts = folder?.pathComponents, parts.contains(".build") else {
      return "Install stubdb again: scripts/install in a checkout of stubdb puts both in place."
    }
    let options = parts.last == "release" ? "-c release " : ""
    return "To build it: swift build \(options)--product stubdb-fetch"
  }

  /// Sends requests, and gives each answer as soon as it is there, in any order.
  ///
  /// An answer may end the program: Foundation on Linux traps on one with trailer fields. Then the others are asked for
  /// one at a time, except those of `once`, which are not sent a second time.
  ///
  /// - Throws: ``CommandError`` if the program cannot be run, and what `take` throws.
  func ask(
    _ work: LiveRequests, once: Set<Int>, _ take: (LiveAnswer) throws -> Void
  ) throws {
    let progress = ProgressLine("Asking")
    defer { progress.end() }
    let count = work.requests.count
    var rounds = LiveRounds(count: count, width: work.width, once: once)
    while !rounds.open.isEmpty {
      let places = rounds.open
      var part = work
      (part.requests, part.width) = (places.map { work.requests[$0] }, rounds.width)
      let isComplete = try run(part) { answer in
        guard places.indices.contains(answer.index) else { return }
        var answer = answer
        answer.index = places[answer.index]
        rounds.close(answer.index)
        try take(answer)
        progress.show(count - rounds.open.count, of: count, "request")
      }
      if isComplete, !rounds.open.isEmpty {
        throw CommandError("\(url.path) ended without all answers")
      }
      if !isComplete {
        for answer in rounds.closeCrashed() { try take(answer) }
        Thread.sleep(forTimeInterval: Double(work.delay) / 1000)
      }
    }
  }

  /// Runs the program once; false if it crashed.
  private func run(_ work: LiveRequests, _ take: (LiveAnswer) throws -> Void) throws -> Bool {
    // A program that ends early is an error, and no signal, which would end this process.
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    let (process, input, output) = try Self.process(url, [])
    do {
      try process.run()
    } catch {
      throw CommandError("cannot run \(url.path): \(error.localizedDescription)")
    }
    defer { if process.isRunning { process.terminate() } }
    // A program that has ended already says so with its exit code.
    try? input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(work))
    try? input.fileHandleForWriting.close()
    var reader = LiveAnswerReader()
    while true {
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { break }
      do {
        try reader.read(piece, take)
      } catch is DecodingError {
        throw CommandError("what \(url.path) writes cannot be read", hints: [Self.wayToRenewIt])
      }
    }
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal { return false }
    guard process.terminationStatus == 0 else {
      throw CommandError(
        "\(url.path) ended with \(process.terminationStatus)", hints: [Self.wayToRenewIt])
    }
    return true
  }

  private static let wayToRenewIt =
    "It must be of the same version as stubdb; scripts/install puts both in place."
}
