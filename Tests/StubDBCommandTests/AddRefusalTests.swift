import Foundation
import StubDBTestSupport
import Testing

/// What `add`, `set` and `edit` refuse, and whether the commands that they suggest work.
struct AddRefusalTests {
  /// The commands in a message, one per line, after the last `: `.
  private func commands(in message: String) -> [String] {
    message.split(separator: "\n").compactMap { line in
      line.firstRange(of: "stubdb ").map { String(line[$0.lowerBound...]) }
    }
  }

  @Test func allMistakesOfADocumentAreNamed() throws {
    let box = try Sandbox.shop()
    try box.write(
      "a.json",
      """
      {"key": "a",
       "request": {"urll": "/x", "hedders": {}},
       "responses": [{"file": "nope.txt"}]}
      """)
    let result = try box.run("add", "a/b", "--file", "a.json")
    #expect(
      result
        == CommandResult(
          err: """
            Error: a.json:2: /request/hedders: unknown key "hedders"; did you mean "headers"?
            a.json:2: /request/urll: unknown key "urll"; did you mean "url"?
            a.json:3: /responses/0/file: cannot read the file "nope.txt": there is no such file

            """, code: 1))
  }

  @Test func furtherFilesGetTheCommandThatReadsThemAll() throws {
    for names in [["a.json", "b.json"], ["a.json", "b.json", "c.json"]] {
      let box = try Sandbox.shop()
      for name in names {
        try box.write(name, #"{"scenario": "files/\#(name.prefix(1))", "stubs": []}"#)
      }
      // What a shell makes of `--file *.json`.
      let words = ["add", "--file"] + names
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      let command = "stubdb add " + names.map { "--file \($0)" }.joined(separator: " ")
      #expect(
        result.code == 64
          && result.err.hasPrefix("Error: --file takes one file; give it for each: \(command)\n"),
        "\(result)")
      let all = ["add"] + names.flatMap { ["--file", $0] }
      #expect(try box.run(executable: Sandbox.binary, arguments: all).code == 0)
      #expect(try box.run("list", "files/").out.split(separator: "\n").count == names.count)
    }
  }

  @Test(arguments: ["add", "evolve", "edit"])
  func aNameForSeveralScenariosIsNoneOfOne(command: String) throws {
    let box = try Sandbox.shop()
    let result = try box.run(command, "checkout/")
    #expect(result.code == 64)
    #expect(
      result.err.contains(
        ": name one scenario, such as checkout/NAME; 'stubdb list checkout/' lists those below it\n"
      ), "\(result)")
  }

  @Test func filesOfOtherToolsAreReferredToTheImport() throws {
    let box = try Sandbox.shop()
    try box.write("shop.har", #"{"log": {"entries": []}}"#)
    try box.write("api.yaml", "openapi: 3.0.0\n")
    try box.write("comma.json", #"{"scenario": "a/b", "stubs": [],}"#)
    #expect(
      try box.run("add", "--file", "shop.har").err
        == #"Error: shop.har:1: /log: unknown key "log"; HTTP archives (HAR) are read by `stubdb import FILE`"#
        + "\n")
    #expect(
      try box.run("add", "--file", "api.yaml").err
        == """
        Error: api.yaml:1:1: expected a value
        A document is JSON. To read a file of another tool: stubdb import api.yaml

        """)
    for command in [["add", "--file"], ["import"]] {
      let words = command + ["comma.json"]
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      #expect(
        result.code == 1
          && result.err.hasPrefix(
            "Error: comma.json:1:33: '}' after a comma; JSON has no comma after the last one, so remove it\n"
          ),
        "\(result)")
    }
  }

  @Test func aFurtherResponseNeedsAScenarioThatExists() throws {
    let box = try Sandbox.shop()
    let words = ["add", "checkout/piad", "--key", "charge", "--then-response", "--status", "201"]
    #expect(
      try box.run(executable: Sandbox.binary, arguments: words)
        == CommandResult(
          err: """
            Error: there is no scenario checkout/piad in shop.stubdb
            Did you mean checkout/paid?

            """, code: 1))
  }

  @Test func aRequestThatIsAnsweredAlreadyIsRefused() throws {
    let box = try Sandbox.shop()
    _ = try box.run("add", "a/b", "--key", "first", "--method", "GET", "--url", "/x")
    let words = ["add", "a/b", "--method", "GET", "--url", "/x", "--text", "it's"]
    let refused = try box.run(executable: Sandbox.binary, arguments: words)
    #expect(
      refused
        == CommandResult(
          err: """
            Error: stub first of a/b already answers this request
            To put this one in its place: stubdb add a/b --method GET --url /x --text 'it'\\''s' --replace
            To answer the next such request with it: stubdb add a/b --method GET --url /x --text \
            'it'\\''s' --then-response
            To let it answer first: stubdb add a/b --method GET --url /x --text 'it'\\''s' --priority 4

            """, code: 1))
    let next = commands(in: refused.err)
    try #require(next.count == 3)
    #expect(
      try box.shell(next[1])
        == CommandResult(err: "Added response 2 to stub first of a/b in shop.stubdb.\n"))
    #expect(try box.run("show", "a/b", "first").out.contains("2. status 200"))
    #expect(
      try box.shell(next[0])
        == CommandResult(err: "Replaced stub first of a/b in shop.stubdb.\n"))
    #expect(!(try box.run("show", "a/b", "first").out.contains("2. status")))
    #expect(
      try box.shell(next[2])
        == CommandResult(
          err: """
            Added stub get-x to a/b in shop.stubdb.
            Warning: stub first of a/b: it never answers: "get-x" comes first and matches whatever it matches; \
            give this stub a lower priority number, or remove it.

            """))
    #expect(
      try box.run("match", "a/b", "GET", "https://any.test/x").out.hasPrefix("Stub get-x answers"))
  }

  @Test func aFurtherResponseByKeyAndByRequest() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run(
        "add", "session/signed-in", "--key", "me", "--then-response", "--status", "401", "--then",
        "cycle")
        == CommandResult(err: "Added response 2 to stub me of session/signed-in in shop.stubdb.\n"))
    let shown = try box.run("show", "session/signed-in", "me").out
    #expect(shown.contains("2. status 401") && shown.contains("then begins again with the first"))
    #expect(
      try box.run("set", "session/signed-in", "me", "--then-response", "--status", "403").code == 0)
    #expect(try box.run("show", "session/signed-in", "me").out.contains("3. status 403"))
    let none = try box.run("add", "session/signed-in", "--url", "/no", "--then-response")
    #expect(none.code == 1)
    #expect(none.err.contains("leave out --then-response"))
    let other = try box.run(
      "add", "session/signed-in", "--key", "me", "--url", "/no", "--then-response")
    #expect(other.err.contains("answers another request"))
  }

  static let refused: [(options: [String], message: String)] = [
    (["--url", "http://ho%3A80/w"], "--url: \"http://ho%3A80/w\" is not a URL"),
    (["--url", "http://a%2Fb/w"], "--url: "), (["--url", "http://a%00b/w"], "--url: "),
    (["--url", "http://a%20b/w"], "--url: "), (["--url", "http://a%40b/w"], "--url: "),
    (["--url", "http://a%23b%3f/w"], "--url: "), (["--url", "http://a%zz/w"], "--url: "),
    (["--url", "/", "--template", "--text", "{{math 1 'plus' 2}}"], "--text: "),
    (["--url", "/", "--template", "--text", "{{request.nope}}"], "--text: "),
    (
      ["--url", "/", "--when-body-json", #"{"a": "${json-unit.regex}[a"}"#],
      "--when-body-json: "
    ),
    (["--url", "/", "--error", "notConnected"], "did you mean \"notConnectedToInternet\"?"),
    (["--url", "/", "--error", "zzz"], "secureConnectionFailed"),
    (
      ["--url", "/", "--status", "500", "--error", "timedOut"], "--status: \"status\" is never sent"
    ),
  ]

  @Test(arguments: refused)
  func whatCheckWouldRefuseIsRefusedWithTheOption(options: [String], message: String) throws {
    let box = try Sandbox.shop()
    let before = try Data(contentsOf: box.folder.appendingPathComponent("shop.stubdb"))
    for command in [["add", "a/b"], ["set", "session/signed-in", "me"]] {
      let result = try box.run(executable: Sandbox.binary, arguments: command + options)
      #expect(result.code == 64, "\(result)")
      #expect(result.err.contains(message), "\(result)")
    }
    #expect(try Data(contentsOf: box.folder.appendingPathComponent("shop.stubdb")) == before)
  }

  @Test func whatCheckWouldRefuseIsRefusedWithItsPlaceInTheFile() throws {
    let box = try Sandbox.shop()
    let file = box.folder.appendingPathComponent("shop.stubdb")
    let before = try Data(contentsOf: file)
    let text =
      "{\"scenario\": \"a/b\", \"stubs\": [\n{\"key\": \"k\",\n \"request\": {\"host\": \"ho%2Fst\"}}]}"
    try box.write("doc.json", text)
    let document = try box.run("add", "--file", "doc.json")
    #expect(document.code == 1)
    #expect(document.err.hasPrefix("Error: doc.json:3: /stubs/0/request/host"), "\(document)")
    try box.write("mirror/a/b.json", text)
    let mirror = try box.run("mirror", "mirror", "--from-text")
    #expect(mirror.code == 1)
    #expect(
      mirror.err.contains("mirror/a/b.json") && mirror.err.contains("/request/host"), "\(mirror)")
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func editRefusesWhatCannotBePlayed() throws {
    let box = try Sandbox.shop()
    let editor = try box.write(
      "editor",
      "#!/bin/sh\nsed 's/\"text\": \"Ada\"/\"template\": true, \"text\": \"{{nope}\"/' \"$1\" > t && cp t \"$1\"\n",
      executable: true)
    let result = try box.run(
      "edit", "session/signed-in", environment: ["EDITOR": editor.path])
    #expect(result.code == 1)
    #expect(result.err.contains(": /stubs/0/responses/0/text: "), "\(result)")
    #expect(result.err.contains("Nothing was saved."))
    #expect(try box.run("show", "session/signed-in", "--json").out == ShopDocuments.signedIn)
  }

  @Test func aMissingIncludeSaysWhatToDo() throws {
    let box = try Sandbox()
    _ = try box.run("init", "shop.stubdb")
    try box.write("paid.json", ShopDocuments.paid)
    try box.write("session.json", ShopDocuments.signedIn)
    let refused = try box.run("add", "--file", "paid.json")
    #expect(
      refused
        == CommandResult(
          err: """
            Error: checkout/paid includes session/signed-in, which shop.stubdb does not have
            To add its document in the same command: one more --file
            To make it first, without stubs: stubdb add session/signed-in --scenario-summary 'to be written'
            Then again: stubdb add --file paid.json

            """, code: 1))
    for command in commands(in: refused.err).suffix(2) {
      #expect(try box.shell(command).code == 0)
    }
    #expect(try box.run("list").out.contains("to be written\n"))
    let included = try box.run("add", "c/d", "--url", "/", "--include", "session/signed-inn")
    #expect(included.err.contains("Did you mean session/signed-in?"))
    #expect(try box.run("add", "c/d", "--url", "/", "--include", "checkout/paid").code == 0)
    #expect(try box.run("show", "c/d").out.contains("includes: checkout/paid\n"))
  }

  @Test func theCommandToTypeNextHasNoSecrets() throws {
    let box = try Sandbox.shop()
    try box.must("add", "a/b", "--key", "first", "--method", "GET", "--url", "https://h.test/x")
    let curl = try box.run("add", "a/b", "--from-curl", "curl https://h.test/x -u ada:pw1")
    #expect(
      curl.err.contains(
        "To put this one in its place, with the same text on standard input: "
          + "stubdb add a/b --from-curl - --replace\n"), "\(curl.err)")
    #expect(!curl.err.contains("pw1"))
    let options = try box.run(
      "add", "a/b", "--method", "GET", "--url", "https://h.test/x", "-H", "Cookie: sid=t1s2", "-d",
      #"{"password": "pw1"}"#)
    #expect(
      options.err.contains(
        #"-H 'Cookie: sid=REDACTED' -d '{"password": "REDACTED"}' --priority"#), "\(options.err)")
  }

  @Test(arguments: [
    "add s --method GET --url /a --text three",
    "add s --method GET --url /a --text three --priority 4",
    "add s --method GET --url /a --text three --priority=5",
    "add s --key=-zz --method GET --url /a --text three",
    "add s --key zz --method GET --url /a --text three --replace",
    "add --method GET --url /a --text three --summary=--x -- s",
  ])
  func theCommandsThatArePrintedDoWhatTheySay(line: String) throws {
    let box = try Sandbox()
    try box.must("init", "a.stubdb")
    let stubs = [("slow", 5), ("quick", 3), ("mid", 4)].map { key, priority in
      #"{"key": "\#(key)", "priority": \#(priority), "request": {"method": "GET", "path": "/a"}}"#
    }
    try box.write("s.json", "{\"scenario\": \"s\", \"stubs\": [\(stubs.joined(separator: ","))]}")
    try box.must("add", "--file", "s.json")
    let before = try box.contents()
    let refused = try box.shell("stubdb " + line)
    #expect(
      refused.code == 1
        && refused.err.hasPrefix("Error: stub quick of s already answers this request\n"),
      "\(refused)")
    let purposes = ["in its place", "next such request", "answer first"]
    let printed = commands(in: refused.err)
    try #require(printed.count == purposes.count, "\(refused)")
    for (purpose, command) in zip(purposes, printed) {
      let copy = try Sandbox(holding: before)
      let typed = try copy.shell(command)
      #expect(typed.code == 0, "\(command): \(typed)")
      if purpose == "next such request" {
        let shown = try copy.run("show", "s", "quick").out
        #expect(shown.contains("2. status 200") && shown.contains("three"), "\(command): \(shown)")
      } else {
        let match = try copy.run("match", "s", "GET", "https://h.test/a")
        #expect(match.out.hasSuffix("three\n"), "\(command): \(match)")
        #expect(match.out.hasPrefix("Stub quick ") == (purpose == "in its place"))
      }
    }
  }
}
