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

  /// A program that prints how long each of its tests took: a line with `microseconds` and a number.
  struct Timed {
    var path: String
    var arguments: [String]
    var environment: [String: String]

    init(_ path: String, _ arguments: [String], _ environment: [String: String]) {
      (self.path, self.arguments, self.environment) = (path, arguments, environment)
    }

    fileprivate func microseconds() throws -> Double {
      let lines = try output(path, arguments, environment).split(separator: "\n")
      let words = lines.last { $0.hasPrefix("microseconds ") }?.split(separator: " ") ?? []
      guard words.count == 2, let time = Double(words[1]) else {
        throw Failure(command: path, status: 0)
      }
      return time
    }
  }

  /// The shortest times of two programs, which run alternately, since the machine is not equally fast all the time.
  static func fastest(_ first: Timed, _ second: Timed) throws -> (Double, Double) {
    var (firsts, seconds) = ([Double](), [Double]())
    for _ in 0..<15 {
      seconds.append(try second.microseconds())
      firsts.append(try first.microseconds())
    }
    return (firsts.min() ?? 0, seconds.min() ?? 0)
  }

  /// The shortest time of a program.
  static func fastest(_ program: Timed) throws -> Double {
    try (0..<5).map { _ in try program.microseconds() }.min() ?? 0
  }

  /// Runs a program to its end, and gives what it printed.
  static func output(
    _ path: String, _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
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
