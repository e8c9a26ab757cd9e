import Foundation
import StubDBRemote
import StubDBSupport

/// Carries requests out with the program `stubdb-fetch`, which starts with the first of them.
///
/// A store that is a folder needs none.
// Safe to share: all state is used with the lock held.
final class FetchTransport: HTTPTransport, @unchecked Sendable {
  fileprivate struct Running {
    let process: Process
    let input: FileHandle
    let output: FileHandle
    var rest = Data()
  }

  /// How long the program may take to start, in milliseconds.
  private static let longestStart: Int32 = 30_000

  private let lock = NSLock()
  private var running: Running?
  private let uploads = ProgressLine("Uploading")

  deinit {
    try? running?.input.close()
  }

  func answer(
    to request: TransferRequest, progress: (Int) -> Void
  ) throws(RemoteError) -> TransferAnswer {
    lock.lock()
    defer { lock.unlock() }
    do {
      return try send(request, progress)
    } catch let error as RemoteError {
      throw error
    } catch let error as CommandError {
      throw RemoteError(.unreachable, error.message, hints: error.hints)
    } catch {
      throw RemoteError(.unreachable, "no request can be sent: \(error.localizedDescription)")
    }
  }

  private func send(
    _ request: TransferRequest, _ progress: (Int) -> Void
  ) throws -> TransferAnswer {
    // A program that ends early is a failure, and no signal, which would end this process.
    let before = signal(SIGPIPE, SIG_IGN)
    defer {
      signal(SIGPIPE, before)
      uploads.end()
    }
    var program = try running ?? start()
    running = nil
    let line = try JSONEncoder().encode(request) + Data("\n".utf8)
    do {
      try program.input.write(contentsOf: line)
    } catch {
      return end(program)
    }
    while let report = try program.nextReport() {
      if let sent = report.sent {
        uploads.show("\(Plural.bytes(sent)) of \(Self.size(of: request.contentFile))")
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
  private func end(_ program: Running) -> TransferAnswer {
    try? program.input.close()
    program.process.waitUntilExit()
    let isCrash = program.process.terminationReason == .uncaughtSignal
    return TransferAnswer(
      failure: isCrash
        ? "what the server sent ended stubdb-fetch"
        : "stubdb-fetch ended with \(program.process.terminationStatus)",
      isPassing: isCrash)
  }

  private func start() throws -> Running {
    let (process, input, output) = try FetchProgram.process(
      FetchProgram.executable(), ["transfer"])
    do {
      try process.run()
    } catch {
      throw CommandError(
        "cannot run \(process.executableURL?.path ?? ""): \(error.localizedDescription)")
    }
    var running = Running(
      process: process, input: input.fileHandleForWriting, output: output.fileHandleForReading)
    // An older program waits for the end of its input, and must not get credentials.
    var end = pollfd(
      fd: running.output.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&end, 1, Self.longestStart) > 0, try running.nextReport() == TransferReport() else {
      process.terminate()
      throw CommandError(
        "\(process.executableURL?.path ?? "") is not of the same version as stubdb",
        hints: ["To install both: scripts/install in a checkout of stubdb"])
    }
    return running
  }

  private static func size(of path: String?) -> String {
    Plural.bytes(path.flatMap { PathSize.bytes(of: $0) } ?? 0)
  }
}

extension FetchTransport.Running {
  /// The next report; nil if the program has ended.
  fileprivate mutating func nextReport() throws -> TransferReport? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(rest[..<end])
        rest = Data(rest[(end + 1)...])
        return try JSONDecoder().decode(TransferReport.self, from: line)
      }
      let piece = output.availableData
      if piece.isEmpty { return nil }
      rest += piece
    }
  }
}

/// Sizes of files.
enum PathSize {
  /// Whether a folder is at a path, or a link to one.
  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Nil if there is no file; a folder is none.
  static func bytes(of path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    if attributes?[.type] as? FileAttributeType == .typeDirectory { return nil }
    return (attributes?[.size] as? NSNumber)?.intValue
  }
}
