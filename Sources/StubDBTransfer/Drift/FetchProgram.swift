package import Foundation
package import StubDBDrift
package import StubDBJobs

/// The program `stubdb-fetch`, which sends requests over the network.
///
/// It is a program of its own because loading Foundation's networking would make every other command start four times
/// as slowly on Linux.
package struct FetchProgram {
  private let url: URL

  /// - Throws: `JobError` if the program is not beside this one.
  package init() throws {
    url = try Self.executable()
  }

  /// Where the program is.
  ///
  /// - Throws: `JobError` if it is not beside this one.
  @Sendable package static func executable() throws(JobError) -> URL {
    let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    guard let url = folder?.appendingPathComponent("stubdb-fetch"),
      FileManager.default.isExecutableFile(atPath: url.path)
    else {
      throw JobError(
        .notFound, "the program stubdb-fetch, which sends the requests, is not beside stubdb",
        hints: ["\(wayToGetIt(folder))"])
    }
    return url
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
  /// - Throws: `JobError` if the program cannot be run, and what `take` throws.
  package func ask(
    _ work: LiveRequests, once: Set<Int>, progress: (_ done: Int, _ count: Int) -> Void,
    _ take: (LiveAnswer) throws -> Void
  ) throws {
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
        progress(count - rounds.open.count, count)
      }
      if isComplete, !rounds.open.isEmpty {
        throw JobError(.program, "\(url.path) ended without all answers")
      }
      if !isComplete {
        for answer in rounds.closeCrashed() { try take(answer) }
        Thread.sleep(forTimeInterval: Double(work.delay) / 1000)
      }
    }
  }

  /// Runs the program once; false if it crashed.
  private func run(_ work: LiveRequests, _ take: (LiveAnswer) throws -> Void) throws -> Bool {
    let program = try Program.fetching(url).start(input: .pipe, errors: .nothing)
    var isEnded = false
    defer {
      if !isEnded {
        program.send(SIGTERM)
        _ = program.wait()
      }
    }
    // A program that has ended already says so with its exit code.
    try? program.write(JSONEncoder().encode(work))
    try? program.input?.close()
    var reader = LiveAnswerReader()
    while true {
      let piece = program.output?.availableData ?? Data()
      if piece.isEmpty { break }
      do {
        try reader.read(piece, take)
      } catch is DecodingError {
        throw JobError(
          .program, "what \(url.path) writes cannot be read", hints: [Self.wayToRenewIt])
      }
    }
    let end = program.wait()
    isEnded = true
    if end.isCrash { return false }
    guard end.code == 0 else {
      throw JobError(.program, "\(url.path) ended with \(end.code)", hints: [Self.wayToRenewIt])
    }
    return true
  }

  private static let wayToRenewIt: JobText =
    "It must be of the same version as stubdb; scripts/install puts both in place."
}
