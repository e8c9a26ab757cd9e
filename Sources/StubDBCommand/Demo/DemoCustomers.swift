import Foundation

/// Runs `stubdb-demo`, the program beside this one that plays a scenario against a real URLSession.
struct DemoCustomers {
  let catalog: URL
  let scenario: String

  /// What came back to each customer, in order.
  ///
  /// - Throws: a ``CommandFailure`` where the program is not there or fails.
  func pay() throws -> [String] {
    guard let folder = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
      throw CommandFailure("cannot find the folder of this program")
    }
    let program = folder.deletingLastPathComponent().appendingPathComponent("stubdb-demo")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw CommandFailure(
        "this step is a program of its own, and there is no \(program.path); build it with: "
          + "swift build --product stubdb-demo")
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = [catalog.path, scenario]
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CommandFailure("\(program.path) ended with \(process.terminationStatus)")
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
