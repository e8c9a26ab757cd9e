import Foundation
import Testing

struct SecretNameTests {
  // Concatenated here so that secret scanners do not report this file.
  private static let token = "ghp_" + "x9Kd82LqPz7RtVw3" + "YbNm5HcJf1GsAe4UoTi6"

  /// A catalog, named through a symbolic link, in which the token is the name of everything.
  private func box() throws -> Sandbox {
    let box = try Sandbox()
    let token = Self.token
    try box.write(
      "names.json",
      """
      {"scenario": "a/\(token)", "stubs": [{"key": "\(token)", "capture": {"x/\(token)": {"query": "a"}},
        "request": {"url": "/x", "headers": {"X-\(token)": "1"}},
        "responses": [{"json": {"tokens": {"\(token)": 1}}}]}]}
      """)
    try box.write("real/note.txt", "a folder")
    #expect(try box.run("init", "real/names.stubdb").code == 0)
    let added = try box.run("add", "--file", "names.json", "--catalog", "real/names.stubdb")
    try #require(added.code == 0, "\(added)")
    try FileManager.default.removeItem(at: box.folder.appendingPathComponent("names.json"))
    try FileManager.default.createSymbolicLink(
      atPath: box.folder.appendingPathComponent("link.stubdb").path,
      withDestinationPath: "real/names.stubdb")
    return box
  }

  @Test func aNameThatIsASecretIsNeverPrinted() throws {
    let box = try box()
    for (arguments, code) in [
      (["scan"], Int32(2)), (["scan", "--json"], 2), (["redact", "--findings", "--dry-run"], 0),
      (["redact", "--findings"], 0), (["scan"], 0),
    ] {
      let result = try box.run(
        executable: Sandbox.binary, arguments: arguments + ["--catalog", "link.stubdb"])
      #expect(result.code == code, "\(arguments)")
      #expect(!"\(result)".contains(Self.token), "\(arguments)")
    }
  }

  @Test func aFileThatAStoppedWriterLeftBesideTheTargetIsNamed() throws {
    let box = try box()
    // Process 1 always runs, so that no writer considers its file abandoned.
    try box.write("real/.names.stubdb.tmp-1-ABCDEF01", "..\(Self.token)..")
    let result = try box.run("redact", "--findings", "--catalog", "link.stubdb")
    let isLeft = FileManager.default.fileExists(
      atPath: box.folder.appendingPathComponent("real/.names.stubdb.tmp-1-ABCDEF01").path)
    // Either the writer removed the file, or it is reported; the redaction is never reported as complete.
    #expect(result.code == (isLeft ? 1 : 0), "\(result)")
    #expect(result.err.contains("rm real/.names.stubdb.tmp-1-ABCDEF01") == isLeft)
    #expect(result.err.contains("no longer contains them") != isLeft)
  }

  @Test func aFileBesideThatCannotBeReadIsNamed() throws {
    let box = try box()
    // A folder cannot be read as a file, not even by root.
    try box.write("real/.names.stubdb.tmp-1-ABCDEF02/x", "a file")
    let result = try box.run("redact", "--findings", "--catalog", "link.stubdb")
    #expect(result.code == 1)
    #expect(
      result.err.contains(
        "Cannot be read, so it may contain one: real/.names.stubdb.tmp-1-ABCDEF02"), "\(result)")
    #expect(!result.err.contains("no longer contains"))
  }

  @Test func ofAWordOnlyTheScenariosAreSaidToBeFree() throws {
    let box = try Sandbox()
    #expect(try box.run("init", "word.stubdb").code == 0)
    let text = "priority 4929-8310 abc"
    #expect(try box.run("add", "a/b", "--url", "/x", "--text", text).code == 0)
    let result = try box.run(
      "redact", "--regex", "priority", "--regex", "[0-9-]{9}", "--regex", "abc")
    #expect(result.code == 0)
    #expect(
      result.err.contains(
        "The file no longer contains the one that was searched for in all its bytes. 1 value consists "
          + "only of letters; removed from every scenario, but not searched for in the raw file. 1 value "
          + "has less than 6 bytes; removed only where a rule selects it."), "\(result)")
  }

  @Test func anExpressionThatTakesTooLongIsRefused() throws {
    let box = try Sandbox()
    #expect(try box.run("init", "slow.stubdb").code == 0)
    let text = String(repeating: "a", count: 60) + "!"
    #expect(try box.run("add", "a/b", "--url", "/x", "--text", text).code == 0)
    let result = try box.run("redact", "--regex", "(a+)+b", "--dry-run")
    #expect(result.code == 1)
    #expect(result.err.contains("\"(a+)+b\" takes too long on a/b "))
    #expect(result.err.contains("/stubs/0/responses/0/text; nothing was changed"))
    #expect(result.err.contains("Do not nest repetitions: a+b in place of (a+)+b"))
  }
}
