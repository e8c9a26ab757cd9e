import Foundation
import StubDBTestSupport
import Testing

/// A folder that is removed at the end, in which the real binary runs with an environment of its own.
final class Sandbox {
  let folder: URL
  private let root: URL

  init() throws {
    // In the build folder: a catalog left behind in the system's temporary folder would be
    // found from below it.
    root = Self.binary.deletingLastPathComponent().resolvingSymlinksInPath()
      .appendingPathComponent("sandboxes/\(UUID().uuidString)", isDirectory: true)
    folder = root.appendingPathComponent("work", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: root)
  }

  /// A sandbox whose folder holds `shop.stubdb` with two scenarios.
  static func shop() throws -> Sandbox {
    try Sandbox(holding: shopContents.get())
  }

  /// Made once, because most tests begin with it.
  private static let shopContents = Result {
    let box = try Sandbox()
    try box.write("shop.json", ShopDocuments.both)
    for arguments in [["init", "shop.stubdb"], ["add", "--file", "shop.json"]] {
      let result = try box.run(executable: binary, arguments: arguments)
      try #require(result.code == 0, "\(result)")
    }
    return try box.contents()
  }

  /// A file or a folder; a folder has no content.
  struct Item: Sendable {
    let path: String
    let content: Data?
    let permissions: Int?
  }

  /// Makes a sandbox with the content of another one.
  convenience init(holding items: [Item]) throws {
    try self.init()
    for item in items {
      let url = folder.appendingPathComponent(item.path)
      if let content = item.content {
        try content.write(to: url)
        try FileManager.default.setAttributes(
          [.posixPermissions: item.permissions ?? 0o644], ofItemAtPath: url.path)
      } else {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      }
    }
  }

  /// Everything in the folder, each folder before its content.
  func contents() throws -> [Item] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map { path in
      let url = folder.appendingPathComponent(path)
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      return Item(
        path: path, content: isFolder ? nil : try Data(contentsOf: url),
        permissions: (attributes[.posixPermissions] as? NSNumber)?.intValue)
    }
  }

  @discardableResult
  func write(_ path: String, _ text: String, executable: Bool = false) throws -> URL {
    let url = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    if executable {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    }
    return url
  }

  func read(_ path: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  /// The names of the entries in the command's temporary folder.
  func temporaryFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path)
  }

  /// Runs the command and waits for it.
  func run(
    _ arguments: String..., input: String = "", environment: [String: String] = [:],
    in subfolder: String = ""
  ) throws -> CommandResult {
    try run(
      executable: Self.binary, arguments: arguments, input: input, environment: environment,
      in: subfolder)
  }

  /// Runs a line that the command printed, as a shell reads it.
  func shell(
    _ line: String, input: String = "", environment: [String: String] = [:],
    in subfolder: String = ""
  ) throws -> CommandResult {
    let binaries = Self.binary.deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try run(
      executable: URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", line], input: input,
      environment: environment.merging(["PATH": "\(binaries):\(path)"]) { given, _ in given },
      in: subfolder)
  }

  /// Runs any program the same way.
  func run(
    executable: URL, arguments: [String], input: String = "", environment: [String: String] = [:],
    in subfolder: String = ""
  ) throws -> CommandResult {
    let files = try ["in", "out", "err"].map { name in
      let url = root.appendingPathComponent(name)
      try Data((name == "in" ? input : "").utf8).write(to: url)
      return url
    }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL =
      subfolder.isEmpty ? folder : folder.appendingPathComponent(subfolder)
    process.environment = base.merging(environment) { _, new in new }
    let input = try FileHandle(forReadingFrom: files[0])
    let output = try FileHandle(forWritingTo: files[1])
    let errors = try FileHandle(forWritingTo: files[2])
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
    try process.start()
    process.waitUntilExit()
    for file in [input, output, errors] { try file.close() }
    return CommandResult(
      out: try String(contentsOf: files[1], encoding: .utf8),
      err: try String(contentsOf: files[2], encoding: .utf8), code: process.terminationStatus)
  }

  /// The environment of every run, without variables that change the behaviour of the command.
  var base: [String: String] {
    let kept = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]
    let environment = ProcessInfo.processInfo.environment.filter { kept.contains($0.key) }
    return environment.merging(["HOME": root.path, "TMPDIR": root.path]) { _, new in new }
  }

  /// The command, as it was built with the tests.
  static let binary = Program.built("stubdb")
}
