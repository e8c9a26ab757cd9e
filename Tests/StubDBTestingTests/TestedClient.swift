#if os(Linux)
  import Foundation
  import StubDBTestSupport

  /// Tests of a client that run in a process of their own, and what its environment tells them.
  enum TestedClient {
    static let storedToken = "rT5nW8kQ2vZ7mB4xL9cJ6hYd"
    static let password = "kV8-bn2Qz7_Lx4Rt"

    private static let catalogVariable = "STUBDB_TESTED_CATALOG"
    private static let serverVariable = "STUBDB_TESTED_SERVER"

    static let catalog = ProcessInfo.processInfo.environment[catalogVariable]
    static let server = ProcessInfo.processInfo.environment[serverVariable] ?? ""

    /// Runs the tests of a suite; returns the exit code, and all that it printed.
    static func test(
      _ suite: String, _ catalog: URL, _ server: String, _ environment: [String: String] = [:]
    ) throws -> (code: Int32, text: String) {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
      process.arguments = ["--testing-library", "swift-testing", "--filter", suite]
      process.environment = ProcessInfo.processInfo.environment.filter {
        !["CI", "STUBDB_RECORD", "STUBDB_RECORD_ALLOW_CI", "STUBDB_LEDGER"].contains($0.key)
      }.merging([catalogVariable: catalog.path, serverVariable: server]) { $1 }
        .merging(environment) { $1 }
      // Its end is not the end of this process's input.
      process.standardInput = Pipe()
      return try run(process)
    }

    /// Runs the command line in a folder; returns the exit code, and all that it printed.
    static func stubdb(_ arguments: String..., in folder: URL) throws -> (code: Int32, text: String)
    {
      let process = Process()
      process.executableURL = Program.built("stubdb")
      process.arguments = arguments
      process.currentDirectoryURL = folder
      process.standardInput = FileHandle.nullDevice
      return try run(process)
    }

    private static func run(_ process: Process) throws -> (code: Int32, text: String) {
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      try process.start()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, text)
    }
  }
#endif
