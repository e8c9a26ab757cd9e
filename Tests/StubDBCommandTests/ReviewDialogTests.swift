import Foundation
import Testing

/// `review` on a terminal, which asks about each proposal.
struct ReviewDialogTests {
  /// A catalog with a recorded stub, and a draft of four proposals in two scenarios.
  private static func box(mode: String = "once") throws -> Sandbox {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    let document = """
      {"scenario": "a/shop", "stubs": [
        {"key": "tax", "recorded": {"at": "2026-11-01"}, "request": {"method": "GET", "url": "https://api.shop.test/tax"},
         "responses": [{"text": "19"}]},
        {"key": "old", "recorded": {"at": "2026-11-01"}, "request": {"method": "GET", "url": "https://api.shop.test/old"},
         "responses": [{"text": "old"}]}]}
      """
    let added = try box.run("add", "--file", "-", input: document)
    try #require(added.code == 0, "\(added)")
    func line(
      _ run: Int, _ order: Int, _ request: String, _ answer: String, _ scenario: String = "a/shop",
      body: String = ""
    ) -> String {
      let words = request.split(separator: " ")
      return """
        {"draft":1,"process":"1-1","run":\(run),"order":\(order),"scenario":"\(scenario)","mode":"\(mode)",\
        "test":"T/test\(run)()","stub":{"key":"recorded","recorded":{"at":"2026-11-20"},"request":{"method":"\(words[0])",\
        "url":"https://api.shop.test\(words[1])"\(body)},"responses":[{"text":"\(answer)"}]}}
        """
    }
    func event(_ time: Int) -> String {
      #","body":{"equalToJson":{"type":"tap","at":\#(time)}}"#
    }
    try box.write(
      "shop.stubdb.draft/1-1.jsonl",
      [
        line(1, 1, "GET /tax", "7"), line(1, 2, "GET /me", "Ada"),
        line(1, 3, "POST /events", "ok", body: event(1_763_600_000_001)),
        line(1, 4, "POST /events", "ok", body: event(1_763_600_000_777)),
        line(1, 5, "POST /pay", "yes"), line(2, 1, "POST /pay", "no"),
        line(3, 1, "GET /home", "hi", "b/home"),
      ].joined(separator: "\n") + "\n")
    return box
  }

  private static let prompts = (
    tax: "Take this answer? [", me: "Take this stub? [", pay: "Take which answer? ["
  )

  private func answer(_ box: Sandbox, _ request: String, in scenario: String = "a/shop") throws
    -> String
  {
    let words = request.split(separator: " ").map(String.init)
    return try box.run(
      executable: Sandbox.binary,
      arguments: ["match", scenario, words[0], "https://api.shop.test\(words[1])"]
        + words.dropFirst(2).flatMap { ["--data", $0] }
    ).out
  }

  @Test func oneKeyDecidesEachProposal() throws {
    let box = try Self.box()
    let report = try box.atTerminal(
      ["review"], environment: ["NO_COLOR": "1", "COLUMNS": "100"],
      [
        .see("(1/5) Take this answer? [y,n,l,e,a,d,q,?] "), .type("y"),
        .see("(2/5) Take this stub? [y,n,l,e,a,d,q,?] "), .type("n"),
        .see("(3/5) Take this stub? [y,n,l,e,f,a,d,q,?] "), .type("f"),
        .see("(5/5) Take which answer? [1-2,y,n,l,e,a,d,q,?] "), .type("1"),
        .see("~ b/home (a new scenario)"), .see("(1/1) "), .type("l"),
      ])
    #expect(report.code == 2 && report.usualModes == [true], "\(report)")
    #expect(
      report.screen.hasPrefix(
        """
        ~ a/shop
          ~ tax
              /responses/0/text  "19" → "7"
              /recorded/at  "2026-11-01" → "2026-11-20"
              /recorded/from  + "https://api.shop.test"
          # T/test1()
        (1/5) Take this answer? [y,n,l,e,a,d,q,?] y
          + get-me  GET https://api.shop.test/me
        """), "\(report.screen)")
    #expect(
      report.screen.contains("  * with /body/at free, one stub with post-events-2\n"))
    #expect(
      report.screen.contains(
        """
          ! tests saw different answers:
            1  T/test1()
               status 200
                 yes
            2  T/test2(), the last one
        """), "\(report.screen)")
    #expect(report.screen.hasSuffix("Took 3 stubs into shop.stubdb, dropped 1.\n"))
    #expect(!report.screen.contains("\u{1B}"))

    #expect(try answer(box, "GET /tax").contains("7"))
    #expect(try answer(box, "POST /pay").contains("yes"))
    #expect(try box.run("match", "a/shop", "GET", "https://api.shop.test/me").code == 2)
    for time in ["1763600000001", "1763600000777", "1863600000000"] {
      let answer = try answer(box, #"POST /events {"type":"tap","at":\#(time)}"#)
      #expect(answer.contains("post-events") && answer.contains("ok"), "\(answer)")
    }
    let rest = try box.run("review")
    #expect(rest.out.hasPrefix("~ b/home (a new scenario)\n  + get-home"), "\(rest)")
    #expect(rest.err.hasPrefix("1 stub to be taken"))
  }

  @Test func theRestOfAScenarioIsDecidedWithOneKey() throws {
    let box = try Self.box()
    let taken = try box.atTerminal(
      ["review"],
      [
        .see(Self.prompts.tax), .type("a"), .see(Self.prompts.pay), .type("2"),
        .see(Self.prompts.me), .type("d"),
      ])
    #expect(taken.code == 0, "\(taken)")
    #expect(taken.screen.hasSuffix("Took 5 stubs into shop.stubdb, dropped 1.\n"))
    #expect(try answer(box, "POST /pay").contains("no"))
    #expect(try box.run("list", "b").code == 2)
    #expect(!FileManager.default.fileExists(atPath: box.folder.path + "/shop.stubdb.draft"))
  }

  @Test(arguments: [("y", 1), ("n", 0)])
  func whatNothingAskedForIsRemovedOrKept(key: String, code: Int32) throws {
    let box = try Self.box(mode: "all")
    let report = try box.atTerminal(
      ["review", "a/shop/old"], [.see("Remove this stub from the catalog? ["), .type(key)])
    #expect(report.code == 2 && report.screen.contains("- old  GET"), "\(report)")
    #expect(try box.run("show", "a/shop", "old").code == code)
    #expect(try box.run("show", "a/shop", "tax").code == 0)
  }

  @Test func quittingWritesWhatIsDecided() throws {
    let box = try Self.box()
    let report = try box.atTerminal(
      ["review"], [.see(Self.prompts.tax), .type("y"), .see(Self.prompts.me), .type("q")])
    #expect(report.code == 2 && report.usualModes == [true])
    #expect(report.screen.hasSuffix("Took 1 stub into shop.stubdb, dropped 0.\n"))
    let nothing = try box.atTerminal(["review"], [.see(Self.prompts.me), .type("\u{4}")])
    #expect(nothing.code == 2 && nothing.screen.hasSuffix("\nNothing was decided.\n"))
    #expect(try answer(box, "GET /tax").contains("7"))
  }

  @Test(arguments: ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
  func aSignalLeavesEverythingAsItWas(name: String) throws {
    let box = try Self.box()
    let before = try box.contents().map(\.content)
    let end: TerminalStep = name == "SIGINT" ? .type("\u{3}") : .signal(name)
    let report = try box.atTerminal(
      ["review"],
      [
        .see(Self.prompts.tax), .type("y"), .see(Self.prompts.me), .suspendAndResume,
        .see(Self.prompts.me), .type("n"), .see(Self.prompts.me), end,
      ])
    #expect(report.signal == name && report.code == nil, "\(report)")
    #expect(report.usualModes == [true, true])
    #expect(try box.contents().map(\.content) == before)
  }

  @Test func otherKeysDecideNothing() throws {
    let box = try Self.box()
    let report = try box.atTerminal(
      ["review", "a/shop/tax"], environment: ["COLUMNS": "12"],
      [
        .see(Self.prompts.tax), .type("\u{1B}[d"), .see(Self.prompts.tax), .type("\u{1B}Od"),
        .see(Self.prompts.tax), .type("é"), .see(Self.prompts.tax), .see(Self.prompts.tax),
        .type("x"), .see("Control-C ends it"), .see(Self.prompts.tax), .type("?"),
        .see("e  edit it, and take what is saved"), .see(Self.prompts.tax), .type("1"),
        .see(Self.prompts.tax), .type("n"),
      ])
    #expect(report.code == 2 && report.screen.contains("dropped 1."), "\(report)")
  }

  @Test func anEditedStubIsTaken() throws {
    let box = try Self.box()
    let editor = try box.write(
      "editor", "#!/bin/sh\nsed 's/\"7\"/\"8\"/' \"$1\" > t && cp t \"$1\"\n", executable: true)
    let report = try box.atTerminal(
      ["review"], environment: ["EDITOR": editor.path],
      [.see(Self.prompts.tax), .type("e"), .see(Self.prompts.me), .type("q")])
    #expect(report.code == 2 && report.usualModes == [true], "\(report)")
    #expect(try answer(box, "GET /tax").contains("8"))
    #expect(try box.temporaryFiles().filter { $0.hasPrefix("stubdb-edit") } == [])
  }

  @Test func anEditorThatFailsLeavesTheQuestionOpen() throws {
    let box = try Self.box()
    let report = try box.atTerminal(
      ["review"], environment: ["EDITOR": "false"],
      [
        .see(Self.prompts.tax), .type("e"), .see("ended with an error"), .see(Self.prompts.tax),
        .type("q"),
      ])
    #expect(report.screen.hasSuffix("Nothing was decided.\n"), "\(report)")
  }

  @Test func aPlaceThatNothingHintsAtIsChosen() throws {
    let box = try Self.box()
    #expect(try box.run("review", "--reject", "a/shop/post-events-2").code == 2)
    let report = try box.atTerminal(
      ["review", "a/shop/post-events"],
      [
        .see("e,f,a"), .type("f"), .see("1  /body/at"), .see("2  /body/type"), .see("[1-2] "),
        .type("2"),
      ])
    #expect(report.code == 2, "\(report)")
    let other = #"POST /events {"type":"swipe","at":1763600000001}"#
    #expect(try answer(box, other).contains("ok"))
  }

  @Test func nothingIsAskedWhileAProcessRecords() throws {
    let box = try Self.box()
    let file = box.folder.appendingPathComponent("shop.stubdb.draft/1-1.jsonl")
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    defer { close(descriptor) }
    let report = try box.atTerminal(["review"], [])
    #expect(report.code == 2 && report.screen.contains("! post-pay"), "\(report)")
    #expect(!report.screen.contains("[y,n"))
  }

  @Test func recordedControlCharactersAreShownAsText() throws {
    let box = try Self.box()
    let file = "shop.stubdb.draft/1-1.jsonl"
    let text = try box.read(file).replacing("\"Ada\"", with: #""A\u001b]0;x\u0007da""#)
      .replacing("T/test1()", with: #"T/\u001b[2Jtest()"#)
    try box.write(file, text)
    let report = try box.atTerminal(
      ["review"], environment: ["NO_COLOR": "1"],
      [.see(Self.prompts.tax), .type("l"), .see(Self.prompts.me), .type("q")])
    #expect(!report.screen.contains("\u{1B}") && !report.screen.contains("\u{7}"))
    #expect(report.screen.contains(#"A\u{1B}]0;x\u{7}da"#), "\(report.screen)")
  }
}
