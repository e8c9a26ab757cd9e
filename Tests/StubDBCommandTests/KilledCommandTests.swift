import Foundation
import StubDBTestSupport
import Testing

/// Commands that are killed at any point leave the catalog as it was before, or as it is afterwards.
@Suite(.serialized)
struct KilledCommandTests {
  /// For a thorough run: STUBDB_KILLS=50.
  private static let rounds =
    ProcessInfo.processInfo.environment["STUBDB_KILLS"].flatMap { Int($0) } ?? 6

  private static func scenarios(_ change: (Int) -> String) -> String {
    let scenarios = (0..<30).map { number in
      let stubs = (0..<20).map { stub in
        let text = "\(number) \(stub) " + String(repeating: "lorem ipsum ", count: 80)
        return #"""
          {"key": "k\#(stub)", "request": {"url": "https://api.shop.test/\#(number)/\#(stub)"},
           "responses": [{"status": 200, "text": "\#(text)"}]\#(change(stub))}
          """#
      }
      return #"{"scenario": "area/\#(number)", "stubs": [\#(stubs.joined(separator: ","))]}"#
    }
    return "[\(scenarios.joined(separator: ","))]"
  }

  /// Makes a catalog of a document.
  private func make(_ name: String, _ document: String, in box: Sandbox) throws {
    try box.write("all.json", document)
    try #require(try box.run("init", "\(name).stubdb").code == 0)
    let added = try box.run("add", "--file", "all.json", "--catalog", "\(name).stubdb")
    try #require(added.code == 0, "\(added)")
    try FileManager.default.removeItem(at: box.folder.appendingPathComponent("all.json"))
  }

  private func bytes(_ file: String, in box: Sandbox) -> Data? {
    try? Data(contentsOf: box.folder.appendingPathComponent(file))
  }

  /// Kills a command again and again while it changes a file, and then runs others.
  private func kill(_ arguments: [String], changing file: String, in box: Sandbox) throws {
    let contents = try box.contents()
    let before = bytes(file, in: box)
    let clock = ContinuousClock()
    let began = clock.now
    let whole = try run(arguments, in: box)
    let duration = clock.now - began
    try #require(whole.code == 0, "\(whole)")
    let after = try #require(bytes(file, in: box))
    #expect(after != before)
    let names = try box.contents().map(\.path)
    let longest = UInt64(duration / .microseconds(1)) + 1
    var random = SeededRandom(seed: 11)
    for _ in 0..<Self.rounds {
      let box = try Sandbox(holding: contents)
      try start(arguments, in: box, killingAfter: UInt32(random.next() % longest))
      let left = bytes(file, in: box)
      #expect(left == before || left == after)
      if left != nil {
        let check = try box.run("check", "--catalog", file)
        #expect(check.code == 0, "\(check)")
        // What is kept is whole, or there is nothing.
        let undo = try run(["undo", "--dry-run", "--catalog", file], in: box)
        #expect(undo.code == 0 || undo.err.contains("nothing to undo"), "\(undo)")
      }
      // The same command does what it did not do then; a merge into our file begins with what is there.
      let again = try run(arguments, in: box)
      #expect(again.code == 0, "\(again)")
      #expect(bytes(file, in: box) == after)
      #expect(try box.run("tag", "area/1", "--add", "seen", "--catalog", file).code == 0)
      #expect(try box.contents().map(\.path) == names)
    }
  }

  private func run(_ arguments: [String], in box: Sandbox) throws -> CommandResult {
    try box.run(
      executable: Sandbox.binary, arguments: arguments, environment: Self.noRepository(of: box))
  }

  /// Keeps git from finding the repository that the tests are in.
  private static func noRepository(of box: Sandbox) -> [String: String] {
    ["GIT_CEILING_DIRECTORIES": box.folder.deletingLastPathComponent().path]
  }

  /// Starts the command and ends it some microseconds later, wherever it is.
  private func start(
    _ arguments: [String], in box: Sandbox, killingAfter delay: UInt32
  ) throws {
    let process = Process()
    process.executableURL = Sandbox.binary
    process.arguments = arguments
    process.currentDirectoryURL = box.folder
    process.environment = box.base.merging(Self.noRepository(of: box)) { _, new in new }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.start()
    usleep(delay)
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Three versions, of which both later ones have changed every other stub.
  private func versions() throws -> Sandbox {
    let box = try Sandbox()
    try make("base", Self.scenarios { _ in "" }, in: box)
    try make("ours", Self.scenarios { $0 % 2 == 0 ? #", "summary": "ours""# : "" }, in: box)
    try make("theirs", Self.scenarios { $0 % 2 == 1 ? #", "summary": "theirs""# : "" }, in: box)
    return box
  }

  @Test(arguments: [
    (["merge", "base.stubdb", "ours.stubdb", "theirs.stubdb"], "ours.stubdb"),
    (["merge", "base.stubdb", "ours.stubdb", "theirs.stubdb", "-o", "new.stubdb"], "new.stubdb"),
    (
      ["git", "merge-driver", "base.stubdb", "ours.stubdb", "theirs.stubdb", "a.stubdb", "7"],
      "ours.stubdb"
    ),
  ])
  func aMergeIsWholeOrNotThere(arguments: [String], file: String) throws {
    try kill(arguments, changing: file, in: versions())
  }

  /// Git gives our file another name each time.
  @Test func aMergeOfGitRemovesWhatKilledOnesLeft() throws {
    let box = try Sandbox()
    for name in ["base", "ours", "theirs"] { try box.must("init", "\(name).stubdb") }
    let left = "..merge_file_abc123.tmp-1-55ED518B"
    for name in [left, "\(left)-journal", "..merge_file_mine"] { try box.write(name, "") }
    let merged = try run(
      ["git", "merge-driver", "base.stubdb", "ours.stubdb", "theirs.stubdb", "a.stubdb", "7"],
      in: box)
    #expect(merged.code == 0, "\(merged)")
    let names = try box.contents().map(\.path)
    #expect(names.sorted() == ["..merge_file_mine", "base.stubdb", "ours.stubdb", "theirs.stubdb"])
  }

  @Test func aCatalogThatIsMadeOfDocumentsIsWholeOrNotThere() throws {
    let box = try Sandbox()
    try make("shop", Self.scenarios { _ in "" }, in: box)
    try box.must("mirror", "texts")
    try FileManager.default.removeItem(at: box.folder.appendingPathComponent("shop.stubdb"))
    try kill(["mirror", "texts", "--from-text"], changing: "shop.stubdb", in: box)
  }

  @Test func anUpgradeIsWholeOrNotThere() throws {
    let box = try Sandbox()
    try make("shop", Self.scenarios { _ in "" }, in: box)
    let aged = try box.run(
      executable: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: [
        "python3", "-c",
        """
        import sqlite3
        sqlite3.connect("shop.stubdb").executescript(
            "ALTER TABLE stub DROP COLUMN resource; ALTER TABLE stub DROP COLUMN recorded;"
            "PRAGMA user_version = 3")
        """,
      ])
    try #require(aged.code == 0, "\(aged)")
    try kill(["upgrade", "--catalog", "shop.stubdb"], changing: "shop.stubdb", in: box)
  }

  /// Killed at any point, the file has all of the secrets or none, and no file beside it has one once it is done.
  @Test func aRedactionIsWholeOrNotThere() throws {
    let box = try Sandbox()
    let secret = "correct-horse-battery"
    let document = Self.scenarios { _ in "" }
      .replacing(#""status": 200"#, with: #""headers": {"X-Session": "\#(secret)"}"#)
    try make("shop", document, in: box)
    #expect(bytes("shop.stubdb", in: box)?.range(of: Data(secret.utf8)) != nil)
    try kill(
      ["redact", "--header", "X-Session", "--catalog", "shop.stubdb"], changing: "shop.stubdb",
      in: box)
    #expect(bytes("shop.stubdb", in: box)?.range(of: Data(secret.utf8)) == nil)
  }
}
