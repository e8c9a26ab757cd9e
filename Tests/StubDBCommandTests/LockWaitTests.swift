import Foundation
import StubDBTestSupport
import Testing

/// A catalog that another program has locked.
struct LockWaitTests {
  /// What holds the lock until its input ends, and says when it has it.
  private static let holder = """
    import sqlite3, sys
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    print("locked", flush=True)
    sys.stdin.read()
    """

  @Test(arguments: [["add", "a/b", "--url", "/x"], ["list"]])
  func aCommandSaysThatItWaitsAndGoesOn(words: [String]) throws {
    let box = try Sandbox.shop()
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    let holder = Process()
    holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    holder.arguments = ["python3", "-c", Self.holder, box.folder.path + "/shop.stubdb"]
    (holder.standardInput, holder.standardOutput) = (input, output)
    try holder.start()
    defer {
      try? input.fileHandleForWriting.close()
      holder.waitUntilExit()
    }
    try #require(output.fileHandleForReading.availableData.starts(with: Data("locked".utf8)))
    let command = Process()
    command.executableURL = Sandbox.binary
    command.arguments = words
    command.currentDirectoryURL = box.folder
    command.environment = box.base
    command.standardOutput = FileHandle.nullDevice
    command.standardError = errors
    try command.start()
    // It comes while the lock is held.
    let line = errors.fileHandleForReading.availableData
    #expect(
      String(decoding: line, as: UTF8.self)
        == "Waiting for another program, which has shop.stubdb locked …\n")
    #expect(command.isRunning)
    try input.fileHandleForWriting.close()
    command.waitUntilExit()
    #expect(command.terminationStatus == 0)
  }
}
