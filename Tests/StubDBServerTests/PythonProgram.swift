#if Server
import Foundation
import StubDBTestSupport

/// Programs in Python, which find the packages of `scripts/python-packages`.
enum PythonProgram {
  /// Whether Python and the packages are there.
  static func has(_ packages: String...) -> Bool {
    let process = process(["-c", "import " + packages.joined(separator: ", ")])
    process.standardError = FileHandle.nullDevice
    return (try? process.start()).map { _ in
      process.waitUntilExit()
      return process.terminationStatus == 0
    } ?? false
  }

  /// What a script beside the tests prints.
  static func output(of script: String, _ arguments: String...) throws -> String {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent(script).path
    let process = process([path] + arguments)
    let output = Pipe()
    process.standardOutput = output
    try process.start()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }

  private static func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["PYTHONPATH": root.appendingPathComponent(".build-python").path]
    ) { $1 }
    return process
  }
}
#endif
