internal import Foundation
import StubDBFiles
package import StubDBJobs
package import StubDBRemote

/// Carries requests out with the program `stubdb-fetch`, which starts with the first of them.
///
/// A store that is a folder needs none.
// Safe to share: all state is used with the lock held.
package final class FetchTransport: HTTPTransport, @unchecked Sendable {
  /// How long the program may take to start, in milliseconds.
  private static let longestStart: Int32 = 30_000

  private let lock = NSLock()
  private var running: RunningProgram?
  /// Where the program is.
  private let executable: Program.Location

  package init(_ executable: @escaping Program.Location) {
    self.executable = executable
  }

  deinit { _ = running?.wait() }

  package func answer(
    to request: TransferRequest, progress: (Int) -> Void
  ) throws(RemoteError) -> TransferAnswer {
    lock.lock()
    defer { lock.unlock() }
    do {
      return try JobProgress.during(.uploading) { try send(request, progress, uploaded: $0) }
    } catch let error as RemoteError {
      throw error
    } catch let error as JobError {
      throw RemoteError(
        .unreachable, error.message.description, hints: error.hints.map(\.description))
    } catch {
      throw RemoteError(.unreachable, "no request can be sent: \(error.localizedDescription)")
    }
  }

  private func send(
    _ request: TransferRequest, _ progress: (Int) -> Void, uploaded: (Int, Int) -> Void
  ) throws -> TransferAnswer {
    let program = try running ?? start()
    running = nil
    let line = try JSONEncoder().encode(request) + Data("\n".utf8)
    do {
      try program.write(line)
    } catch {
      return end(program)
    }
    while let report = try Self.nextReport(of: program) {
      if let sent = report.sent {
        uploaded(sent, request.contentFile.flatMap { PathStatus($0)?.byteCount } ?? 0)
      }
      if let received = report.received { progress(received) }
      if let answer = report.answer {
        running = program
        return answer
      }
    }
    return end(program)
  }

  /// The program has ended: Foundation on Linux traps on an answer with trailer fields.
  private func end(_ program: RunningProgram) -> TransferAnswer {
    let end = program.wait()
    return TransferAnswer(
      failure: end.isCrash
        ? "what the server sent ended stubdb-fetch" : "stubdb-fetch ended with \(end.code)",
      isPassing: end.isCrash)
  }

  private func start() throws -> RunningProgram {
    let url = try executable()
    let program = try Program.fetching(url, ["transfer"]).start(
      input: .pipe, errors: .nothing)
    // An older program waits for the end of its input, and must not get credentials.
    var end = pollfd(
      fd: program.output?.fileDescriptor ?? -1, events: Int16(POLLIN), revents: 0)
    guard poll(&end, 1, Self.longestStart) > 0, try Self.nextReport(of: program) == TransferReport()
    else {
      program.send(SIGTERM)
      throw JobError(
        .program, "\(url.path) is not of the same version as stubdb",
        hints: ["To install both: scripts/install in a checkout of stubdb"])
    }
    return program
  }

  /// The next report; nil if the program has ended.
  private static func nextReport(of program: RunningProgram) throws -> TransferReport? {
    try program.nextLine().map { try JSONDecoder().decode(TransferReport.self, from: $0) }
  }
}
