import Foundation
import StubDBTestSupport
import Testing

struct EditTests {
  /// A sandbox with a script as its editor, which gets the file as `$1`.
  private func shop(editor script: String) throws -> (Sandbox, [String: String]) {
    let box = try Sandbox.shop()
    let editor = try box.write("my editor", "#!/bin/sh\n\(script)\n", executable: true)
    return (box, ["EDITOR": "'\(editor.path)'"])
  }

  @Test func whatTheEditorSavedIsSaved() throws {
    let (box, environment) = try shop(
      editor: #"echo "$1" > seen; sed 's/Ada/Grace/' "$1" > t && cp t "$1""#)
    #expect(
      try box.run("edit", "session/signed-in", environment: environment)
        == CommandResult(err: "Saved session/signed-in in shop.stubdb.\n"))
    #expect(
      try box.run("show", "session/signed-in", "--json").out
        == ShopDocuments.signedIn.replacing("Ada", with: "Grace"))
    let file = try box.read("seen").trimmingCharacters(in: .newlines)
    #expect(file.hasSuffix("/session-signed-in.json"))
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func theEditorSeesTheCanonicalDocumentAndUnchangedTextChangesNothing() throws {
    let (box, environment) = try shop(editor: #"cp "$1" seen"#)
    let file = box.folder.appendingPathComponent("shop.stubdb")
    let before = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(
      try box.run("edit", "session/signed-in", environment: environment)
        == CommandResult(err: "session/signed-in is unchanged.\n"))
    #expect(try box.read("seen") == ShopDocuments.signedIn)
    let after = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
  }

  @Test func anotherCompositionOfALetterIsSaved() throws {
    let (box, environment) = try shop(
      editor: "sed 's/caf\u{e9}/cafe\u{301}/' \"$1\" > t && cp t \"$1\"")
    try box.must("set", "session/signed-in", "me", "--summary", "caf\u{e9}")
    #expect(
      try box.run("edit", "session/signed-in", environment: environment)
        == CommandResult(err: "Saved session/signed-in in shop.stubdb.\n"))
    let shown = try box.run("show", "session/signed-in", "--json").out
    #expect(shown.unicodeScalars.contains("\u{301}"))
  }

  @Test func aMistakeIsNamedAndTheTextKept() throws {
    let (box, environment) = try shop(editor: #"echo "$1" > seen; echo '{"scenario":3}' > "$1""#)
    let result = try box.run("edit", "session/signed-in", environment: environment)
    let file = try box.read("seen").trimmingCharacters(in: .newlines)
    #expect(result.code == 1)
    #expect(result.out == "")
    #expect(result.err.hasPrefix("Error: \(file):1: /scenario: "))
    #expect(
      result.err.hasSuffix(
        """
        Nothing was saved. Your text is in \(file)
        To save it once it is mended: stubdb add --file - --replace < \(file)

        """))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{\"scenario\":3}\n")
    #expect(
      try box.run("show", "session/signed-in", "--json").out == ShopDocuments.signedIn)
  }

  @Test func allMistakesAreNamed() throws {
    let (box, environment) = try shop(
      editor: #"sed 's/"stubs"/"oops": 1, "tagz": 2, "stubs"/' "$1" > t && cp t "$1""#)
    let result = try box.run("edit", "session/signed-in", environment: environment)
    #expect(result.code == 1)
    let lines = result.err.split(separator: "\n")
    try #require(lines.count == 4, "\(result)")
    #expect(lines[0].contains(":3: /oops: unknown key") && lines[0].hasPrefix("Error: "))
    #expect(lines[1].contains(":3: /tagz: unknown key"))
    #expect(lines[2].hasPrefix("Nothing was saved. "))
  }

  @Test func anotherNameIsNotARename() throws {
    let (box, environment) = try shop(editor: #"echo '{"scenario":"x/y"}' > "$1""#)
    let result = try box.run("edit", "session/signed-in", environment: environment)
    #expect(result.code == 1)
    #expect(result.err.contains("To rename it: stubdb rename session/signed-in x/y\n"))
    #expect(try box.run("list", "x/").out == "")
  }

  @Test func aConcurrentChangeIsNotOverwritten() throws {
    let (box, environment) = try shop(
      editor: "'\(Sandbox.binary.path)' set session/signed-in --summary theirs; "
        + #"sed 's/Ada/Grace/' "$1" > t && cp t "$1""#)
    let result = try box.run("edit", "session/signed-in", environment: environment)
    #expect(result.code == 1)
    #expect(result.err.contains("was changed by another process while it was being edited"))
    #expect(try box.run("list", "session").out.hasSuffix("  theirs\n"))
  }

  @Test func anEditorThatFailsChangesNothing() throws {
    let (box, environment) = try shop(editor: "exit 3")
    let result = try box.run("edit", "session/signed-in", environment: environment)
    #expect(result.code == 1)
    #expect(result.err.contains("ended with an error, so nothing was changed\n"))
  }

  @Test func aFileThatTheEditorRemovedIsNotNamed() throws {
    let (box, environment) = try shop(editor: #"rm "$1""#)
    let result = try box.run("edit", "session/signed-in", environment: environment)
    #expect(result.code == 1)
    #expect(
      result.err.contains(" removed the file that it was to change, so nothing was changed\n"))
    #expect(!result.err.contains("stubdb-edit-") && !result.err.contains("add --file"), "\(result)")
  }

  @Test func visualComesBeforeEditor() throws {
    let (box, environment) = try shop(editor: "exit 3")
    let both = environment.merging(["VISUAL": "true"]) { _, new in new }
    #expect(
      try box.run("edit", "session/signed-in", environment: both)
        == CommandResult(err: "session/signed-in is unchanged.\n"))
  }

  @Test func withoutAnEditorOrATerminalNothingIsOpened() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("edit", "session/signed-in")
        == CommandResult(
          err: """
            Error: no editor is chosen, and there is no terminal to open vi on
            To choose one: export EDITOR='code --wait'
            To change single things without one: stubdb set

            """, code: 1))
  }

  @Test func aFileThatMayNotGrowIsAnErrorAndLeavesNothing() throws {
    let box = try Sandbox.shop()
    let before = try Data(contentsOf: box.folder.appendingPathComponent("shop.stubdb"))
    let result = try box.run(
      executable: URL(fileURLWithPath: "/bin/sh"),
      arguments: [
        "-c", "ulimit -f 16 && exec \"$0\" add a/b --url /x", Sandbox.binary.path,
      ])
    #expect(result.code == 1)
    #expect(result.err.contains("the system does not allow a file of this size (see: ulimit -f)"))
    #expect(try Data(contentsOf: box.folder.appendingPathComponent("shop.stubdb")) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: box.folder.path).sorted()
        == ["shop.json", "shop.stubdb"])
  }

  /// A file that the document names is the same one for the command that saves the kept text.
  @Test func theKeptTextIsSavedByTheCommandThatIsPrinted() throws {
    let (box, environment) = try shop(
      editor: #"""
        echo '{"scenario": "session/signed-in", "stubs": [{"key": "me", "request": {"path": "/x"},'\
          '"responses": [{"file": "body.txt"}]}]}' > "$1"
        """#)
    let refused = try box.run("edit", "session/signed-in", environment: environment)
    #expect(refused.code == 1)
    try box.write("body.txt", "Grace")
    let line = try #require(
      refused.err.split(separator: "\n").last?.components(separatedBy: "mended: ").last)
    let saved = try box.shell(line)
    #expect(saved.code == 0, "\(line): \(saved)")
    #expect(try box.run("show", "session/signed-in").out.contains("Grace"))
  }
}
