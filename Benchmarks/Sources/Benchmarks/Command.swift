import Foundation

/// Runs another program to its end.
enum Command {
  /// What a program said when it failed.
  struct Failure: Error {
    var command: String
    var status: Int32
  }

  static func run(_ path: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        command: ([path] + arguments).joined(separator: " "), status: process.terminationStatus)
    }
  }
}
