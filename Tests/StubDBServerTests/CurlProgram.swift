#if Server
import Foundation
import StubDBTestSupport

/// The program curl, which asks no proxy of the environment.
enum CurlProgram {
  /// What curl prints, errors included, and its exit code.
  static func run(_ arguments: [String]) throws -> (text: String, code: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["curl", "--silent", "--show-error", "--noproxy", "*"] + arguments
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.start()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
  }
}
#endif
