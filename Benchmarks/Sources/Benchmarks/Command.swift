import Foundation

/// Runs another program to its end.
enum Command {
  /// What a program said when it failed.
  struct Failure: Error {
    var command: String
    var status: Int32
  }

  /// Runs a program to its end, and gives the most memory that it had, in bytes.
  static func peakMemory(_ path: String, _ arguments: [String]) throws -> Int {
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    #if canImport(Darwin)
      var files: posix_spawn_file_actions_t?
    #else
      var files = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var process = pid_t()
    guard posix_spawn(&process, path, &files, nil, words, environ) == 0 else {
      throw Failure(command: path, status: errno)
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
    guard status == 0 else { throw Failure(command: path, status: status) }
    #if canImport(Darwin)
      return Int(usage.ru_maxrss)
    #else
      return Int(usage.ru_maxrss) * 1024
    #endif
  }

  /// Runs a program to its end, and gives what it printed.
  static func output(_ path: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        command: ([path] + arguments).joined(separator: " "), status: process.terminationStatus)
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// Whether a program of this name is on the PATH.
  static func exists(_ name: String) -> Bool {
    (try? output("/bin/sh", ["-c", "command -v \(name)"])) != nil
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
