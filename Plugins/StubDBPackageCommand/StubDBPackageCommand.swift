import Foundation
import PackagePlugin

/// Runs the command line of the package that this one depends on: `swift package stubdb list`.
///
/// It declares no permission, since SwiftPM would ask for it even where a command only reads. Commands that write to the
/// package's folder are allowed by `--allow-writing-to-package-directory`, in front of `stubdb`.
@main
struct StubDBPackageCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    // Built as a part of the package and not as a tool of the plugin, as SwiftPM would build every module that the tests
    // have built already a second time for that.
    let build = try packageManager.build(
      .product("stubdb"), parameters: .init(configuration: .debug, logging: .concise))
    let program = build.builtArtifacts.first { $0.kind == .executable }
    guard build.succeeded, let program else {
      return Diagnostics.error("stubdb cannot be built:\n\(build.logText)")
    }
    let process = Process()
    process.executableURL = program.url
    process.arguments = arguments
    process.currentDirectoryURL = folder(in: context.package.directoryURL)
    try process.run()
    process.waitUntilExit()
    // SwiftPM reports the code, and exits with 1 itself.
    let isCrash = process.terminationReason == .uncaughtSignal
    let code = isCrash ? 128 + process.terminationStatus : process.terminationStatus
    if code != 0 { exit(code) }
  }

  /// The current folder if it is in the package, else the package's.
  private func folder(in package: URL) -> URL {
    let current = URL(
      fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true
    ).standardizedFileURL
    let top = package.standardizedFileURL.path
    return current.path == top || current.path.hasPrefix(top + "/") ? current : package
  }
}
