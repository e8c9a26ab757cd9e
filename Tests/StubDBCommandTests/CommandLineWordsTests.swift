import Foundation
import Testing

struct CommandLineWordsTests {
  private static let list = """
    checkout/paid      1+1  checkout,smoke  The bank accepts the card
    session/signed-in    1

    """

  @Test(arguments: [
    ["-C", "work", "list"], ["list", "-C", "work"], ["-Cwork", "list"], ["list", "-Cwork"],
    ["-C", ".", "-C", "work", "list"], ["list", "-C", ".", "-C", "work"],
    ["--catalog", "work/shop.stubdb", "list"], ["--catalog=work/shop.stubdb", "list"],
    ["-C", "work", "--catalog", "shop.stubdb", "list"], ["-C", "work", "ls"],
    ["--no-pager", "--color", "never", "-C", "work", "list"],
  ])
  func optionsMayStandBeforeTheCommand(words: [String]) throws {
    let box = try Sandbox.shop()
    let result = try box.run(executable: Sandbox.binary, arguments: words, in: "..")
    #expect(result == CommandResult(out: Self.list))
  }

  /// The commands in the lines, each from the name of the program to the end of the line.
  private func commands(in text: String) -> [String] {
    text.replacing("\\\n", with: " ").split(separator: "\n").compactMap { line in
      line.firstRange(of: "stubdb -C").map { String(line[$0.lowerBound...]) }
    }
  }

  @Test(arguments: [("my work", ""), ("b/c", "my work"), ("one.stubdb", "")])
  func whatIsToBeTypedNextWorksWhereThePersonStands(folder: String, start: String) throws {
    let box = try Sandbox()
    try box.write("my work/note", "")
    try box.write("b/c/note", "")
    // With two catalogs in the folder, the commands name one; with one catalog, they do not.
    let path = folder == "one.stubdb" ? "below" : folder
    try box.write(path + "/note", "")
    let there = start.isEmpty ? path : "../" + path
    let option = start.isEmpty ? path : box.folder.appendingPathComponent(path).path
    func run(_ words: [String], code: Int32 = 0) throws -> [String] {
      let result = try box.run(
        executable: Sandbox.binary, arguments: ["-C", there] + words, in: start)
      #expect(result.code == code, "\(result)")
      let commands = commands(in: result.out + "\n" + result.err)
      let typed = option.contains(" ") ? "'\(option)'" : option
      #expect(commands.allSatisfy { $0.hasPrefix("stubdb -C \(typed) ") }, "\(commands)")
      return commands
    }
    var found = try run(["init", "shop.stubdb"])
    #expect(found.count == 1)
    #expect(try box.shell(found[0], in: start).code == 0)
    if folder == "one.stubdb" { #expect(try run(["init", "other.stubdb"]).count == 1) }
    let catalog = folder == "one.stubdb" ? ["--catalog", "shop.stubdb"] : []
    found = try run(["add", "a/b", "--url", "/x", "--json", #"{"id": 1}"#] + catalog)
    #expect(found.count == 2)
    for line in found {
      let result = try box.shell(line, in: start)
      #expect(result.code == 0, "\(line) \(result)")
    }
    found = try run(["match", "a/b", "GET", "https://shop.test/y"] + catalog, code: 2)
    #expect(found.count == 2)
    #expect(try box.shell(found[0], in: start).code == 2)
    #expect(try box.shell(found[1], in: start).code == 0)
    let secret = #"{"access_token": "\#("q7Zt3Vw9" + "KxB2mN5p" + "Rs8Yd4Fg")"}"#
    _ = try run(["add", "c/d", "--url", "/x", "--json", secret] + catalog)
    found = try run(["scan"] + catalog, code: 2)
    #expect(found.count == 2)
    #expect(try box.shell(found[0], in: start).code == 0)
    #expect(try run(["scan"] + catalog).isEmpty)
  }

  @Test func whatMakesACatalogOrTellsTwoApartWorksWhereThePersonStands() throws {
    let box = try Sandbox()
    try box.write("my work/note", "")
    let none = try box.run("-C", "my work", "list")
    #expect(none.err.contains("To make one here: stubdb -C 'my work' init\n"), "\(none)")
    let missing = try box.run("-C", "my work", "list", "--catalog", "a.stubdb")
    #expect(missing.err.contains("To make one: stubdb -C 'my work' init a.stubdb\n"))
    #expect(try box.shell("stubdb -C 'my work' init a.stubdb").code == 0)
    #expect(try box.shell("stubdb -C 'my work' init stubs").code == 0)
    let two = try box.run("-C", "my work", "list")
    #expect(two.err.hasSuffix("  --catalog a.stubdb\n  --catalog stubs.stubdb\n"))
    #expect(try box.shell("stubdb -C 'my work' list --catalog a.stubdb").code == 0)
    let include = try box.run(
      "add", "a/b", "--url", "/x", "--include", "c/d", "--catalog", "a.stubdb", "-C", "my work")
    let make = try #require(commands(in: include.err).first, "\(include)")
    #expect(make.hasSuffix("--catalog a.stubdb") && make.hasPrefix("stubdb -C 'my work' add c/d "))
    #expect(try box.shell(make).code == 0)
    #expect(try box.shell("stubdb -C 'my work' show c/d --catalog a.stubdb").code == 0)
  }

  @Test func whatCannotBeEnteredIsSaid() throws {
    let box = try Sandbox.shop()
    let message = "Error: cannot work in the folder \"gone\" of -C: No such file or directory\n"
    #expect(try box.run("-C", "gone", "list") == CommandResult(err: message, code: 1))
    #expect(try box.run("list", "-C", "gone") == CommandResult(err: message, code: 1))
    #expect(try box.run("-C").code == 64)
    #expect(try box.run("--catalog").code == 64)
  }

  @Test func optionsMoveBehindACommandOfTwoWords() throws {
    let box = try Sandbox()
    let result = try box.run("--catalog", "a.stubdb", "git", "install", "--help")
    #expect(result.code == 0 && result.out.contains("USAGE: stubdb git install"))
    #expect(try box.run("--catalog", "a.stubdb", "lsit").err.contains("'stubdb list'"))
  }

  @Test func aliasesDoWhatTheCommandDoes() throws {
    let box = try Sandbox.shop()
    try box.must("cp", "checkout/paid", "checkout/copy")
    try box.must("mv", "checkout/copy", "checkout/moved")
    try box.must("rm", "checkout/moved", "--force")
    #expect(try box.run("ls") == CommandResult(out: Self.list))
    let help = try box.run().out
    for label in ["list, ls", "remove, rm", "rename, mv", "copy, cp"] {
      #expect(help.contains("\n  \(label) "))
    }
  }

  @Test func whatIsNotUTF8IsRefused() throws {
    let box = try Sandbox()
    let stubdb = "'\(Sandbox.binary.path)'"
    func shell(_ script: String) throws -> CommandResult {
      try box.run(executable: URL(fileURLWithPath: "/bin/bash"), arguments: ["-c", script])
    }
    let argument = try shell("\(stubdb) init $'\\xff.stubdb'")
    #expect(argument.code == 64)
    #expect(argument.err.hasPrefix("Error: argument 2 is not UTF-8: \\xFF.stubdb. "))
    #expect(try shell("ls").out == "")
    let variable = try shell("STUBDB_CATALOG=$'\\xfe' \(stubdb) list")
    #expect(variable.code == 64 && variable.err.contains("the path in $STUBDB_CATALOG"))
    let folder = try shell("mkdir $'\\xfd' && cd $'\\xfd' && \(stubdb) init")
    #expect(folder.code == 64 && folder.err.contains("the path of the current folder"))
    let found = try shell("\(stubdb) init a.stubdb && mv a.stubdb $'a\\xfd.stubdb'; \(stubdb) list")
    #expect(found.code == 1)
    #expect(found.err.contains("a catalog whose name is not UTF-8: a\\xFD.stubdb"))
    #expect(try shell("rm $'a\\xfd.stubdb'; rmdir $'\\xfd'; ls").out == "")
  }
}
