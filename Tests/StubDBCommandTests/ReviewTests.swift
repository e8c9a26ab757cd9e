import Foundation
import Testing

/// `review`, which decides about the draft beside a catalog.
struct ReviewTests {
  /// An exchange of a draft; a request is a method and a path.
  private static func line(
    _ run: String, _ order: Int, _ request: String, _ answer: String,
    scenario: String = "checkout/paid",
    mode: String = "newEpisodes", process: String = "99999999-1"
  ) -> String {
    let words = request.split(separator: " ")
    return """
      {"draft":1,"process":"\(process)","run":\(run),"order":\(order),"scenario":"\(scenario)","mode":"\(mode)",\
      "test":"Shop/test\(run)()","stub":{"key":"recorded","recorded":{"at":"2026-11-20"},"request":{"method":"\(words[0])",\
      "url":"https://api.shop.test\(words[1])"},"responses":[{"text":"\(answer)"}]}}
      """
  }

  private func box(_ lines: [String]) throws -> Sandbox {
    let box = try Sandbox()
    _ = try box.run("init", "shop.stubdb")
    let document = """
      {"scenario": "checkout/paid", "stubs": [
        {"key": "me", "recorded": {"at": "2026-11-01"}, "request": {"method": "GET", "url": "https://api.shop.test/me"},
         "responses": [{"text": "Ada"}]},
        {"key": "tax", "recorded": {"at": "2026-11-01"}, "request": {"method": "GET", "url": "https://api.shop.test/tax"},
         "responses": [{"text": "19"}]},
        {"key": "own", "request": {"method": "GET", "url": "https://api.shop.test/own"}}]}
      """
    let added = try box.run("add", "--file", "-", input: document)
    try #require(added.code == 0, "\(added)")
    try box.write("shop.stubdb.draft/1.jsonl", lines.joined(separator: "\n"))
    return box
  }

  private static let lines = [
    // The second answer of the same request makes a sequence.
    line("1", 2, "GET /orders", "two"), line("1", 1, "GET /orders", "one"),
    line("1", 3, "GET /me", "Ada"), line("2", 1, "GET /tax", "7"), line("2", 2, "POST /pay", "yes"),
    line("3", 1, "POST /pay", "no"), line("4", 1, "GET /failed", "x"),
    #"{"draft":1,"process":"99999999-1","run":4,"failed":true}"#,
    line("5", 1, "GET /home", "hi", scenario: "home/new"),
    #"{"draft":1,"process":"99999999-1","ru"#,
  ]

  @Test func whatWaitsIsShownByScenarioAndTakenInOneStep() throws {
    let box = try box(Self.lines)
    let shown = try box.run("review")
    #expect(shown.code == 2)
    #expect(
      shown.out == """
        ~ checkout/paid
          ~ tax
              /responses/0/text  "19" → "7"
              /recorded/at  "2026-11-01" → "2026-11-20"
              /recorded/from  + "https://api.shop.test"
          + get-orders  GET https://api.shop.test/orders
          + post-pay  POST https://api.shop.test/pay
          # get-orders  Shop/test1()
          # tax  Shop/test2()
          ! post-pay  tests saw different answers; this is the last one
          # post-pay  Shop/test2(), Shop/test3()
        ~ home/new (a new scenario)
          + get-home  GET https://api.shop.test/home
          # get-home  Shop/test5()

        """)
    #expect(
      shown.err == """
        Left out: 1 run of failed tests; --failed shows them.
        4 stubs to be taken into shop.stubdb, or not.
        To take them all: stubdb review --accept-all

        """)
    let before = try box.read("shop.stubdb.draft/1.jsonl")
    let unknown = try box.run("review", "--accept", "home/new", "--reject", "nothing/here")
    #expect(unknown.code == 1 && unknown.err.contains("nothing was changed"), "\(unknown)")
    #expect(try box.run("list").out.contains("home/new") == false)
    #expect(try box.read("shop.stubdb.draft/1.jsonl") == before)

    // What tests disagree about waits.
    let accepted = try box.run("review", "--accept-all")
    #expect(
      accepted
        == CommandResult(
          out: "", err: "Took 3 stubs into shop.stubdb, dropped 0.\n", code: 2))
    #expect(
      try box.run("match", "checkout/paid", "GET", "https://api.shop.test/tax").out.contains("7"))
    let orders = try box.run("show", "checkout/paid", "get-orders", "--json").out
    #expect(
      orders.range(of: #""one""#)?.lowerBound ?? orders.endIndex
        < orders.range(of: #""two""#)?.lowerBound ?? orders.startIndex)
    #expect(try box.run("review").out.contains("! post-pay"))
    let rest = try box.run("review", "--accept", "checkout/paid/post-pay")
    #expect(rest.code == 0, "\(rest)")
    #expect(
      try box.run("match", "checkout/paid", "POST", "https://api.shop.test/pay").out.contains("no"))
    // The run of the failed test is all that is left.
    #expect(try box.run("review").code == 0)
    #expect(
      try box.run("review", "--reject-all")
        == CommandResult(err: "Dropped 1 run of failed tests.\n"))
    #expect(!FileManager.default.fileExists(atPath: box.folder.path + "/shop.stubdb.draft"))
    #expect(try box.run("check").code == 0)
  }

  @Test func aRecordingOfEverythingProposesToDropWhatNothingAskedFor() throws {
    let box = try box([Self.line("1", 1, "GET /me", "Ada", mode: "all")])
    let kinds = try box.run("review", "--json")
    #expect(kinds.code == 2 && kinds.out.contains(#""kind": "unseen""#), "\(kinds)")
    #expect(
      try box.run("review").out == "~ checkout/paid\n  - tax  GET https://api.shop.test/tax\n")
    #expect(try box.run("review", "--accept", "checkout/paid").code == 0)
    let keys = try box.run("show", "checkout/paid", "--json").out
    #expect(keys.contains(#""me""#) && keys.contains(#""own""#) && !keys.contains(#""tax""#))
  }

  @Test func testsThatGotDifferentTokensSawTheSame() throws {
    let box = try box([
      Self.line("1", 1, "GET /token", "REDACTED-4"),
      Self.line("1", 2, "GET /both", "REDACTED-2, REDACTED-4"),
      Self.line("2", 1, "GET /token", "REDACTED-7"),
      Self.line("2", 2, "GET /both", "REDACTED-9, REDACTED-7"),
      Self.line("3", 1, "GET /token", "REDACTED-1"),
      Self.line("3", 2, "GET /both", "REDACTED-1, REDACTED-1"),
    ])
    let kinds = try box.run("review", "--json").out.split(separator: "\n")
      .filter { $0.contains("\"kind\"") }
    #expect(kinds.count == 2 && kinds[0].contains("new") && kinds[1].contains("conflict"))
    #expect(try box.run("review", "--accept-all", "--reject", "checkout/paid/get-both").code == 0)
    let answer = try box.run("match", "checkout/paid", "GET", "https://api.shop.test/token")
    #expect(answer.out.contains("REDACTED-1"), "\(answer)")
  }

  /// What was taken would be lost with a catalog that has to be restored.
  @Test(arguments: ["--accept-all", "--reject-all"])
  func nothingIsDecidedWhileTheCatalogIsDamaged(decision: String) throws {
    let box = try box(Self.lines)
    try box.must(
      "add", "checkout/declined", "--url", "/charge", "--json", #"{"error":"card_declined"}"#)
    let file = box.folder.appendingPathComponent("shop.stubdb")
    let whole = try Data(contentsOf: file)
    var damaged = whole
    let place = try #require(damaged.range(of: Data("card_declined".utf8)))
    damaged.replaceSubrange(place, with: Data("card_accepted".utf8))
    try damaged.write(to: file)
    let draft = try box.read("shop.stubdb.draft/1.jsonl")
    let refused = try box.run("review", decision)
    #expect(refused.code == 1 && refused.err.contains("is damaged"), "\(refused)")
    #expect(refused.err.contains("Nothing was taken or dropped; the draft is as it was.\n"))
    #expect(try Data(contentsOf: file) == damaged)
    #expect(try box.read("shop.stubdb.draft/1.jsonl") == draft)
    try whole.write(to: file)
    #expect(try box.run("review", decision).err.contains("Took "))
  }

  @Test func nothingIsDecidedWhileAProcessRecords() throws {
    // A process of the same number may be another one: the lock of the file says whether it lives.
    let process = "\(ProcessInfo.processInfo.processIdentifier)-1"
    let box = try box([Self.line("1", 1, "GET /new", "x", process: process)])
    let file = box.folder.appendingPathComponent("shop.stubdb.draft/1.jsonl")
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    #expect(try box.run("review").code == 2)
    let refused = try box.run("review", "--accept-all")
    #expect(
      refused.code == 1 && refused.err.contains("the process 1 still writes to the draft"),
      "\(refused)")
    #expect(try box.run("list").out.contains("3"))
    close(descriptor)
    #expect(try box.run("review", "--accept-all").code == 0)
  }

  @Test func largeContentsAreTakenFromTheirFilesAndLeaveWithTheirLines() throws {
    let line = Self.line("1", 1, "GET /big", "x")
      .replacing(#""responses":[{"text":"x"}]"#, with: #""responses":[{"status":200}]"#)
      .replacing(#"{"draft":1"#, with: #"{"draft":1,"files":{"/responses/0/text":"1-1.body"}"#)
    let lost = line.replacing("1-1.body", with: "1-2.body").replacing("/big", with: "/lost")
    let box = try box([line, lost, Self.line("2", 1, "GET /new", "y")])
    try box.write("shop.stubdb.draft/1-1.body", String(repeating: "large ", count: 300_000))
    #expect(try box.run("review", "--accept", "checkout/paid/get-big").code == 2)
    let shown = try box.run("show", "checkout/paid", "get-big", "--json").out
    #expect(shown.contains("large large") && shown.utf8.count > 1_800_000)
    #expect(try box.contents().contains { $0.path.hasSuffix(".body") } == false)
    #expect(try box.run("review", "--reject-all").code == 0)
  }

  @Test func aDraftOfSomebodyElseReadsAndWritesNothingOutsideItsFolder() throws {
    let box = try box([Self.line("1", 1, "GET /one", "1"), Self.line("1", 2, "GET /two", "2")])
    let secret = try box.write("precious.txt", "precious").path
    let long = Self.line("2", 1, "GET /long", "").replacingOccurrences(of: #""text":"""#, with: "")
    for (name, place) in [("link.body", "link"), ("../precious.txt", "path")] {
      let line = long.replacingOccurrences(
        of: #""run""#, with: #""files":{"/responses/0/text":"\#(name)"},"run""#)
      try box.write("shop.stubdb.draft/\(place).jsonl", line)
    }
    let draft = box.folder.path + "/shop.stubdb.draft"
    for name in ["link.body", "3.jsonl"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(draft)/\(name)", withDestinationPath: secret)
    }
    try FileManager.default.createDirectory(
      atPath: "\(draft)/4.jsonl", withIntermediateDirectories: false)
    #expect(mkfifo("\(draft)/5.jsonl", 0o600) == 0)

    let shown = try box.run("review", "--json")
    #expect(shown.code == 2 && !shown.out.contains("precious"), "\(shown)")
    #expect(!shown.out.contains("long"))
    let rejected = try box.run("review", "--reject", "checkout/paid/get-one")
    #expect(rejected.code == 2, "\(rejected)")
    #expect(try box.read("precious.txt") == "precious")
    #expect(!(try box.read("shop.stubdb.draft/1.jsonl")).contains("/one"))
  }

  @Test func contentsOfAProcessThatBeginsDuringTheReviewStay() throws {
    let box = try box([Self.line("1", 1, "GET /new", "x")])
    try box.write("shop.stubdb.draft/1-1.body", "old")
    let file = try box.write("shop.stubdb.draft/9.later", "")
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let editor = try box.write(
      "editor", "#!/bin/sh\ncd shop.stubdb.draft && mv 9.later 9.jsonl && echo new > 9-1.body\n",
      executable: true)
    let result = try box.run(
      "review", "--edit", "checkout/paid/get-new",
      environment: ["VISUAL": editor.path, "EDITOR": editor.path])
    #expect(result.err.contains("Took 1 stub"), "\(result)")
    #expect(try box.read("shop.stubdb.draft/9-1.body") == "new\n")
  }

  /// A process that is killed after the catalog was written leaves the draft as it was.
  @Test func whatWasTakenIsNotTakenTwice() throws {
    let box = try box([
      Self.line("1", 1, "GET /orders", "one"), Self.line("1", 2, "GET /orders", "two"),
    ])
    let draft = try box.read("shop.stubdb.draft/1.jsonl")
    try box.must("review", "--accept-all")
    let taken = try box.run("show", "checkout/paid", "--json").out
    try FileManager.default.createDirectory(
      atPath: box.folder.path + "/shop.stubdb.draft", withIntermediateDirectories: true)
    try box.write("shop.stubdb.draft/1.jsonl", draft)
    let shown = try box.run("review")
    #expect(shown.code == 0 && shown.out.isEmpty, "\(shown)")
    #expect(shown.err.contains("To remove the rest of the draft: stubdb review --reject-all\n"))
    try box.must("review", "--accept-all")
    #expect(try box.run("show", "checkout/paid", "--json").out == taken)
    #expect(!FileManager.default.fileExists(atPath: box.folder.path + "/shop.stubdb.draft"))
  }

  @Test func whatNoStubCanBeMadeOfIsSaid() throws {
    let notModified = Self.line("1", 1, "GET /cached", "").replacing(
      #"{"text":""}"#, with: #"{"status":304}"#)
    let later = #"{"draft":2,"kind":"of a later version"}"#
    let box = try box([
      notModified, later, Self.line("1", 2, "GET /new", "x"),
      Self.line("2", 1, "GET /other", "x", scenario: "../etc"),
    ])
    // What processes leave that were killed before their first line.
    try box.write("shop.stubdb.draft/2.jsonl", "")
    try box.write("shop.stubdb.draft/2-1.body", "half")
    try box.write("shop.stubdb.draft/2.jsonl.77.new", "half")

    let shown = try box.run("review")
    #expect(shown.code == 2, "\(shown)")
    #expect(
      shown.err.contains(
        "No stub of checkout/paid: GET https://api.shop.test/cached: 304 for a request that was not "
          + "conditional"), "\(shown)")
    #expect(shown.err.contains("Left out: 2 lines that cannot be read; --reject-all drops them.\n"))
    try box.must("review", "--accept-all")
    #expect(
      try box.read("shop.stubdb.draft/1.jsonl").split(separator: "\n").first.map(String.init)
        == later)
    #expect(
      try !box.contents().contains { $0.path.hasSuffix("2-1.body") || $0.path.hasSuffix("2.jsonl") }
    )
    let rest = try box.run("review")
    #expect(rest.code == 0 && !rest.err.contains("No stub"), "\(rest)")
    try box.must("review", "--reject-all")
    #expect(!FileManager.default.fileExists(atPath: box.folder.path + "/shop.stubdb.draft"))
  }
}
