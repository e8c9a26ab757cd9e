import Foundation
import StubDBTestSupport

/// The program `CatalogWorker`, run as another process.
final class Worker {
  private let process = Process()
  private let output = Pipe()
  /// A file, because with two pipes the one that is read later could fill up and block the program.
  private let errors = FileManager.default.temporaryDirectory
    .appendingPathComponent("stubdb-worker-\(UUID().uuidString)")

  /// The output of a finished worker.
  struct Result {
    var status: Int32
    var output: String
    var errorCode: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  init(_ arguments: String...) throws {
    process.executableURL = Program.built("CatalogWorker")
    process.arguments = arguments
    process.standardOutput = output
    try Data().write(to: errors)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.start()
  }

  deinit {
    try? FileManager.default.removeItem(at: errors)
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
  }

  /// Waits for the next line; nil if the worker ends without one.
  func nextByte() -> UInt8? {
    output.fileHandleForReading.readData(ofLength: 1).first
  }

  func finish() throws -> Result {
    let output = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let errors = try Data(contentsOf: errors)
    return Result(
      status: process.terminationStatus,
      output: String(decoding: output, as: UTF8.self),
      errorCode: String(decoding: errors, as: UTF8.self).trimmingCharacters(in: .newlines))
  }
}
