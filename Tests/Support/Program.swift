public import Foundation

/// Programs that tests start.
public enum Program {
  /// A program of this package, which is built beside the tests.
  public static func built(_ name: String) -> URL {
    #if os(macOS)
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      let folder = tests.bundleURL.deletingLastPathComponent()
    #else
      let tests = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
      let folder = tests.deletingLastPathComponent()
    #endif
    return folder.appendingPathComponent(name)
  }

  /// Runs a program without showing its output, and returns its exit code.
  public static func run(_ path: String, _ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.start()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
