#if os(Linux)
  import Foundation
  import StubDBTestSupport

  /// Runs of this program with tests that find defects.
  enum DefectRun {
    /// The variable that switches these tests on.
    static let variable = "STUBDB_SWEPT_DEFECTS"
    static let isOn = ProcessInfo.processInfo.environment[variable] != nil

    /// Runs the tests that a regular expression matches; returns the exit code, and all that was printed.
    static func test(
      _ filter: String, _ environment: [String: String]
    ) throws -> (code: Int32, text: String) {
      try run(
        URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]),
        ["--testing-library", "swift-testing", "--filter", filter],
        environment.merging([variable: "1", "NO_COLOR": "1"]) { given, _ in given })
    }

    /// Runs a program; returns its exit code, and all that it printed.
    static func run(
      _ program: URL, _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> (code: Int32, text: String) {
      let (process, output) = (Process(), Pipe())
      process.executableURL = program
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.standardOutput = output
      process.standardError = output
      // Its end is not the end of this process's input.
      process.standardInput = Pipe()
      try process.start()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, text)
    }
  }
#endif
