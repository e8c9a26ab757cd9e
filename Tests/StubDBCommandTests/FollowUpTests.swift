import Foundation
import Testing

/// Types the commands that stubdb prints for the user to type next, taken from its real output.
struct FollowUpTests {
  /// Placeholders for the reader's own values, and what is typed in their place here.
  private static let fillIns = [
    ("SCENARIO [KEY [POINTER]]", "session/signed-in"), ("SCENARIO", "checkout/paid"),
    ("KEY …", "charge --priority 3"), ("REDACTED", "s3cr3t"), (" URL ", " /filled-in "),
  ]

  /// Printed commands that are not for typing as printed, and the reasons.
  private static let notTyped = [
    "stubdb set\n": "names a command, to be looked up",
    "stubdb cannot ": "a sentence", "stubdb did ": "a sentence",
    "stubdb (": "a sentence",
  ]

  /// The commands of a text, from the name of the program to the end of the line or of the quotation.
  static func commands(in text: String) -> [String] {
    let lines = text.replacing("\\\n", with: " ").components(separatedBy: "\n")
    return lines.compactMap { line in
      let line = line + "\n"
      guard
        let match = line.firstMatch(
          of: /(^|[ '(]|: )(git (-C \S+ )?(add|init|log --follow --|rm) |stubdb )/),
        !line.hasPrefix("Usage: "), !line.hasPrefix("  See "),
        !notTyped.keys.contains(where: line[match.2.startIndex...].hasPrefix)
      else { return nil }
      let start = match.2.startIndex
      let isQuoted = start > line.startIndex && line[line.index(before: start)] == "'"
      let end = isQuoted ? line[start...].firstIndex(of: "'") ?? line.endIndex : line.endIndex
      var command = String(line[start..<end]).trimmingCharacters(in: .newlines)
      for (word, value) in fillIns { command = (command + " ").replacing(word, with: value) }
      // The text after a command in a sentence.
      for tail in [" with --ours or", " shows all."] where command.contains(tail) {
        command = command.components(separatedBy: tail)[0]
        if tail.hasPrefix(" with") { command += " --ours" }
      }
      return command.trimmingCharacters(in: .whitespaces)
    }
  }

  @Test func commandsAreFound() {
    #expect(
      Self.commands(
        in: """
          Error: x
          To make one: stubdb init a.stubdb
          Next: stubdb show a/b
            stubdb add x \\
              --url /y
          Did you mean 'stubdb list'?
          To keep it: git add shop.stubdb
          in stubdb's folder
          """) == [
          "stubdb init a.stubdb", "stubdb show a/b", "stubdb add x      --url /y", "stubdb list",
          "git add shop.stubdb",
        ])
  }

  /// A repository with a catalog, and what the cases need.
  private static let prepared = Result {
    let box = try Sandbox.repository()
    try box.write("bad.json", #"{"scenario": "checkout/paid", "stubs": []}"#)
    try box.write(
      "includes.json", #"{"scenario": "a/b", "includes": ["not/there"], "stubs": []}"#)
    try box.write("stub.json", #"{"key": "k", "request": {"path": "/stub"}}"#)
    try box.write("a.http", "GET https://api.shop.test/none\n")
    try box.write("texts/note.txt", "a folder")
    try box.must("mirror", "shop-texts")
    try box.write("shop-texts/checkout/own.json", #"{"scenario":"checkout/own","stubs":[]}"#)
    try box.write("good.json", #"{"scenario": "x/y", "stubs": []}"#)
    let token = "q7Zt3Vw9" + "KxB2mN5p" + "Rs8Yd4Fg"
    try box.must("add", "with/secret", "--url", "/x", "--json", #"{"access_token": "\#(token)"}"#)
    try box.must("add", "keys/secret", "--key", "ghp_" + token + "aB1cD2eF3gH4", "--url", "/k")
    try box.must("set", "keys/secret", "ghp_" + token + "aB1cD2eF3gH4", "--then", "fail")
    try box.must("add", "a/once", "--key", "k", "--url", "/once", "--then", "fail")
    try box.must("add", "--key=--k", "--url", "/dash", "--", "-x")
    for key in ["k", "l"] { try box.must("add", "a/two", "--key", key, "--url", "/\(key)") }
    try box.mustGit(["add", "-A"], ["commit", "-qm", "More"])
    return try box.contents()
  }

  /// Command lines, each with the number of commands that it prints.
  private static let cases: [(line: String, count: Int)] = [
    ("list --catalog no.stubdb", 1), ("-C texts list --catalog no.stubdb", 1),
    ("show checkout/payd", 0), ("show no/such", 1), ("show zebra", 1), ("lst", 1),
    ("help lsit", 1), ("git instal", 1),
    ("init new.stubdb", 1), ("-C texts init new.stubdb", 1),
    ("add a/new --url /v1/x?y=1 --when-header 'X-A: b' --when-body-json '{\"a\": 1}'", 2),
    ("add checkout/paid --key charge --url /new", 1),
    ("add a/two --url /k", 3), ("add a/c --include not/there", 2), ("add --file bad.json", 1),
    ("add --url /q -- -new", 2), ("add --url /dash -- -x", 3), ("show -- -x --l", 0),
    ("add --key=--k --url /other -- -x", 1), ("add --key=--l --url /dash -- -x", 3),
    ("match -- -x GET https://h.test/none", 2), ("copy -- checkout/paid -x", 2),
    ("copy checkout/paid checkout/paid", 1), ("add --file includes.json", 2),
    ("add --file stub.json", 1),
    ("add other/one --file good.json", 1),
    ("set checkout/paid --status 404", 1), ("set checkout/paid nope --status 404", 0),
    ("match checkout/paid GET https://api.shop.test/none -H 'Authorization: Bearer x1y2z3a4'", 2),
    ("match a/once GET https://h.test/once", 0),
    ("play checkout/paid a.http", 2), ("copy checkout/paid session/signed-in", 1),
    ("rename checkout/paid session/signed-in", 1), ("copy checkout/paid a/once", 2),
    ("rename checkout/paid a/once", 2), ("rename a/two --key k l", 2), ("restore no/such", 1),
    ("log no/such", 0), ("log --rev nope", 1), ("diff --rev nope", 1),
    ("-C texts diff --rev nope", 1),
    ("mirror texts --check", 1), ("mirror shop-texts --check", 2), ("mirror shop-texts", 3),
    ("-C texts mirror ../shop-texts --check", 2), ("scan", 2), ("git status", 1),
    ("edit checkout/paid", 1), ("remove session/signed-in", 1),
  ]

  @Test(arguments: cases.indices)
  func whatIsPrintedCanBeTyped(index: Int) throws {
    let (line, count) = Self.cases[index]
    // Also from a folder with another catalog, where the commands must name it.
    for start in ["", "elsewhere"] {
      let box = try Sandbox(holding: Self.prepared.get())
      var line = line
      if !start.isEmpty {
        // The repository of a command that asks git is that of the folder it is typed in.
        if ["git", "log", "diff", "restore", "-C", "init", "mirror", "help", "lst", "a.http"]
          .contains(where: line.contains) || line.contains("--file") || line.contains("--catalog")
        {
          continue
        }
        // Without a name, another catalog would be found here.
        try box.write("elsewhere/note", "a folder of its own")
        try box.must("init", "own.stubdb", in: "elsewhere")
        line =
          line.contains(" -- ")
          ? line.replacing(" -- ", with: " --catalog ../shop.stubdb -- ")
          : line + " --catalog ../shop.stubdb"
      }
      try type("stubdb " + line, count: count, in: box, start)
    }
  }

  private func path(of box: Sandbox, _ file: String) -> String {
    box.folder.appendingPathComponent(file).path
  }

  private func type(_ line: String, count: Int, in box: Sandbox, _ start: String) throws {
    let environment = Sandbox.gitEnvironment.merging(["EDITOR": "cp /dev/null"]) { $1 }
    let result = try box.shell(line, environment: environment, in: start)
    let commands = Self.commands(in: result.out + "\n" + result.err)
    #expect(commands.count == count, "\(line): \(result)")
    let after = try box.contents()
    for (number, command) in commands.enumerated() {
      let copy = try Sandbox(holding: after)
      // Commands to be typed again are typed after those that come first.
      let first = number > 0 && (result.err.contains("Then again: ")) ? "\(commands[0]) && " : ""
      // The path of the catalog is that of the copy; the text that an editor left is only read.
      let typed = try copy.shell(
        (first + command).replacing(
          path(of: box, "shop.stubdb"), with: path(of: copy, "shop.stubdb")),
        environment: Sandbox.gitEnvironment.merging(["EDITOR": "true"]) { $1 },
        in: start)
      let isAnswer =
        typed.code == 2
        && ["match", "mirror", "scan", "check", "status"].contains(where: command.contains)
      // The text that was kept of an edit is still invalid.
      let isKept =
        command.contains("add --file - --replace ") && typed.err.contains("standard input:1:1:")
      #expect(typed.code == 0 || isAnswer || isKept, "\(line)\nprints: \(command)\n\(typed)")
    }
  }
}
