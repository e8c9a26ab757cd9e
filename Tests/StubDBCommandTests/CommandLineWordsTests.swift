import Foundation
import Testing

struct CommandLineWordsTests {
  private static let list = """
    checkout/paid      1  checkout,smoke  The bank accepts the card
    session/signed-in  1

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
