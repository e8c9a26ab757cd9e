import Foundation
import HTTPTypes
import StubDBPlayback
import Testing

/// Requests that differ only in volatile values, which `review` makes one stub of.
struct ReviewFreeingTests {
  /// A request of a run, and its answer.
  private struct Seen {
    let run: Int
    let body: String
    var answer: String
    let mode: RecordMode
    let query: String
  }

  private static func seen(
    _ run: Int, body: String, answer: String = "ok", mode: RecordMode = .newEpisodes,
    query: String = ""
  ) -> Seen {
    Seen(run: run, body: body, answer: answer, mode: mode, query: query)
  }

  /// Records what each run saw, as its test would.
  private func record(_ seen: [Seen], in box: Sandbox) throws {
    for (run, seen) in Dictionary(grouping: seen, by: \.run).sorted(by: { $0.key < $1.key }) {
      let exchanges = seen.map {
        SeenExchange(
          method: "POST", url: "https://api.shop.test/events\($0.query)",
          headers: [.contentType: "application/json"], content: $0.body, answer: $0.answer)
      }
      try box.record(exchanges, "a/shop", test: "T/t\(run)()", mode: seen[0].mode)
    }
  }

  private func box(_ seen: [Seen], existing body: String? = nil) throws -> Sandbox {
    let box = try Sandbox.empty()
    if let body {
      try box.must(
        "add", "a/shop", "--key", "event", "--method", "POST", "--url",
        "https://api.shop.test/events", "--when", #"{"body": {"equalToJson": \#(body)}}"#, "--text",
        "known")
    }
    try record(seen, in: box)
    return box
  }

  private func match(_ box: Sandbox, _ body: String, query: String = "") throws -> CommandResult {
    try box.run(
      "match", "a/shop", "POST", "https://api.shop.test/events\(query)", "--data", body)
  }

  private static let ids = [
    "a1d5c7e0-1111-4222-8333-444455556666", "b2d5c7e0-1111-4222-8333-444455556666",
  ]

  @Test func placesWithVolatileValuesAreProposedAndTaken() throws {
    let bodies = Self.ids.enumerated().map {
      #"{"id":"\#($1)","sent":{"at":"2026-11-20T08:0\#($0):00Z"},"type":"tap"}"#
    }
    let other = #"{"id":"x","sent":{"at":"2026-11-20T08:00:00Z"},"type":"swipe"}"#
    let box = try box([
      Self.seen(1, body: bodies[0], answer: "one"), Self.seen(1, body: other),
      Self.seen(1, body: bodies[1], answer: "two"),
    ])
    let shown = try box.run("review")
    #expect(shown.code == 2)
    #expect(
      shown.out == """
        ~ a/shop (a new scenario)
          + post-events  POST https://api.shop.test/events
          + post-events-2  POST https://api.shop.test/events
          + post-events-3  POST https://api.shop.test/events
          = post-events  body is JSON \(bodies[0])
          # post-events  T/t1()
          * post-events  with /body/id, /body/sent/at free, one stub with post-events-3
          = post-events-2  body is JSON \(other)
          # post-events-2  T/t1()
          = post-events-3  body is JSON \(bodies[1])
          # post-events-3  T/t1()

        """)
    let line = try #require(
      shown.err.split(separator: "\n").last { $0.hasPrefix("To leave places free: ") })
    #expect(
      line.hasSuffix(
        "stubdb review --free a/shop/post-events:/body/id --free a/shop/post-events:/body/sent/at"))
    let json = try box.run("review", "--json").out
    #expect(
      json.components(separatedBy: #""free": {"#).count == 3 && json.contains(#""/body/sent/at""#))

    let taken = try box.shell(String(line.dropFirst("To leave places free: ".count)))
    #expect(taken.err == "Took 1 stub into shop.stubdb, dropped 0.\n" && taken.code == 2)
    for body in bodies {
      #expect(try match(box, body).out.contains("one"))
    }
    // The answers to the requests that became equal are a sequence.
    let stub = try box.run("show", "a/shop", "post-events", "--json").out
    #expect(stub.contains(#""two""#) && stub.contains("json-unit.ignore"), "\(stub)")
    #expect(try match(box, other).code == 2)
    #expect(try box.run("review").out.contains("+ post-events-2"))
  }

  @Test func whatTheStubWouldMatchTooIsNamedAndTaken() throws {
    let bodies = [Self.ids[0], "x", Self.ids[1]].map { #"{"id":"\#($0)","type":"tap"}"# }
    let box = try box(
      zip(1..., bodies).map { Self.seen(1, body: $1, answer: "answer \($0)") })
    let shown = try box.run("review").out
    #expect(shown.contains("with /body/id free, one stub with post-events-2, post-events-3\n"))
    #expect(try box.run("review", "--free", "a/shop/post-events:/body/id").code == 0)
    let stub = try box.run("show", "a/shop", "--json").out
    let places = [1, 2, 3].compactMap { stub.range(of: "answer \($0)")?.lowerBound }
    #expect(places.count == 3 && places == places.sorted(), "\(stub)")
    for body in bodies { #expect(try match(box, body).code == 0) }
  }

  @Test func theStubOfTheCatalogThatItIsLikeIsChangedAndKeepsItsAnswer() throws {
    let box = try box(
      [Self.seen(1, body: #"{"at":1763600009,"type":"tap"}"#, answer: "new")],
      existing: #"{"at":1763600001,"type":"tap"}"#)
    #expect(try box.run("review").out.contains("with /body/at free, one stub with the stub event"))
    let taken = try box.run("review", "--free", "a/shop/post-events:/body/at")
    #expect(taken == CommandResult(err: "Took 1 stub into shop.stubdb, dropped 0.\n"))
    for time in [1_763_600_001, 1_763_600_009, 5] {
      let answer = try match(box, #"{"at":\#(time),"type":"tap"}"#)
      #expect(answer.out.contains("event") && answer.out.contains("known"), "\(answer)")
    }
    #expect(try box.run("list").out.contains("1"))
    #expect(!FileManager.default.fileExists(atPath: box.folder.path + "/shop.stubdb.draft"))
  }

  @Test func whatIsFreeAlreadyIsTheSameStubWhenEverythingIsRecordedAgain() throws {
    let free = #"{"at":"${json-unit.ignore}","type":"tap"}"#
    let lines = [
      Self.seen(1, body: #"{"at":1763600009,"type":"tap"}"#, answer: "known", mode: .all)
    ]
    let same = try box(lines, existing: free)
    #expect(
      try same.run("review")
        == CommandResult(
          err: "Nothing waits to be taken into shop.stubdb.\n"
            + "To remove the rest of the draft: stubdb review --reject-all\n"))
    let other = try box(
      lines.map { Self.seen(1, body: $0.body, answer: "other", mode: .all) }
        + [Self.seen(1, body: #"{"at":1763600010,"type":"tap"}"#, answer: "third", mode: .all)],
      existing: free)
    #expect(try other.run("review").out.hasPrefix("~ a/shop\n  ~ event\n"))
    #expect(try other.run("review", "--accept-all").code == 0)
    let stub = try other.run("show", "a/shop", "event", "--json").out
    #expect(stub.contains("other") && stub.contains("third") && stub.contains("ignore"), "\(stub)")
  }

  @Test func numbersThatGrowAreVolatileIfTheAnswersAreTheSame() throws {
    func lines(_ answers: [String], _ numbers: [Int] = [1, 2, 3]) -> [Seen] {
      zip(numbers, answers).map { Self.seen(1, body: #"{"n":\#($0)}"#, answer: $1) }
    }
    let same = try box(lines(["ok", "ok", "ok"])).run("review")
    #expect(same.out.contains("with /body/n free, one stub with post-events-2, post-events-3"))
    // A page, and what counts down or not at all.
    for lines in [lines(["one", "two", "three"]), lines(["ok", "ok", "ok"], [3, 1, 2])] {
      #expect(try !box(lines).run("review").out.contains("free"))
    }
  }

  @Test func queryParametersAndHeaderFieldsAreFreedToo() throws {
    let body = #"{"type":"tap"}"#
    let lines = ["?stamp=\(Self.ids[0])&q=1", "?stamp=\(Self.ids[1])&q=1"].map {
      Self.seen(1, body: body, query: $0)
    }
    let box = try box(lines)
    #expect(try box.run("review").out.contains("with /query/stamp free"))
    #expect(try box.run("review", "--free", "a/shop/post-events:/query/stamp").code == 0)
    for stamp in Self.ids + ["x"] {
      #expect(try match(box, body, query: "?stamp=\(stamp)&q=1").code == 0)
    }
    #expect(try match(box, body, query: "?q=1").code == 2)
    #expect(try match(box, body, query: "?stamp=x&q=2").code == 2)
  }

  @Test func aPlaceThatIsNotThereIsRefused() throws {
    let box = try box([Self.seen(1, body: #"{"a/b":1,"c":2}"#)])
    for (text, code, message) in [
      (
        "a/shop/post-events:/body/x", Int32(1),
        "has no place \"/body/x\"; nothing was changed\nIt has: /body/a~1b, /body/c"
      ),
      ("a/shop/other:/body/x", 1, "the draft has nothing for"),
      ("a/shop/post-events", 64, "--free needs a place after the stub"),
    ] {
      let refused = try box.run("review", "--free", text)
      #expect(refused.code == code && refused.err.contains(message), "\(refused)")
    }
    #expect(try box.run("list").out == "")
    #expect(try box.run("review", "--free", "a/shop/post-events:/body/a~1b").code == 0)
    #expect(try match(box, #"{"a/b":true,"c":2}"#).code == 0)
  }

  @Test func whatWasDecidedStillCountsAsAskedForWhileOthersWait() throws {
    let box = try box([], existing: #"{"type":"tap"}"#)
    let known = #"{"type":"tap"}"#
    // As if it had been recorded.
    try box.must("set", "a/shop", "event", "--recorded", "2026-11-01")
    try record(
      [
        Self.seen(1, body: known, answer: "changed", mode: .all),
        Self.seen(1, body: #"{"type":"swipe"}"#, mode: .all),
        Self.seen(1, body: #"{"type":"pinch"}"#, mode: .all),
      ], in: box)
    #expect(try box.run("review", "--reject", "a/shop/event").code == 2)
    #expect(try !box.run("review", "--json").out.contains("unseen"))
    #expect(try box.run("review", "--accept", "a/shop/post-events-2").code == 2)
    let rest = try box.run("review").out
    #expect(
      rest
        == "~ a/shop\n  + post-events-3  POST https://api.shop.test/events\n"
        + #"  = post-events-3  no other query parameters, body is JSON {"type":"pinch"}"#
        + "\n  # post-events-3  T/t1()\n"
    )
    #expect(try box.run("review", "--accept-all").code == 0)
    #expect(try match(box, known).out.contains("known"))
    #expect(!FileManager.default.fileExists(atPath: box.folder.path + "/shop.stubdb.draft"))
  }
}

/// `review --edit`, which takes what somebody makes of a proposal.
struct ReviewEditTests {
  private func box(editor script: String) throws -> (Sandbox, [String: String]) {
    let box = try Sandbox.empty()
    try box.write(
      "shop.stubdb.draft/1.jsonl",
      ["me", "tax"].enumerated().map {
        """
        {"draft":1,"process":"1-1","run":1,"order":\($0),"scenario":"a/shop","mode":"once","stub":{"key":"recorded",\
        "request":{"method":"GET","url":"https://api.shop.test/\($1)"},"responses":[{"text":"Ada"}]}}

        """
      }.joined())
    let editor = try box.write("editor", "#!/bin/sh\n\(script)\n", executable: true)
    return (box, ["EDITOR": "'\(editor.path)'"])
  }

  private static let grace = #"echo "$1" > seen; sed 's/Ada/Grace/' "$1" > t && cp t "$1""#

  @Test func whatIsSavedOfAStubIsTaken() throws {
    let (box, environment) = try box(editor: Self.grace)
    let result = try box.run("review", "--edit", "a/shop/get-me", environment: environment)
    #expect(result == CommandResult(err: "Took 1 stub into shop.stubdb, dropped 0.\n", code: 2))
    #expect(try box.run("show", "a/shop").out.contains("Grace"))
    let file = try box.read("seen").trimmingCharacters(in: .newlines)
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try box.run("review").out.contains("+ get-tax"))
  }

  @Test func whatIsSavedOfAScenarioIsTaken() throws {
    let (box, environment) = try box(editor: Self.grace)
    let result = try box.run("review", "--edit", environment: environment)
    #expect(result == CommandResult(err: "Took 2 stubs into shop.stubdb, dropped 0.\n"))
    let shown = try box.run("show", "a/shop").out
    #expect(shown.contains("Grace") && !shown.contains("Ada"))
  }

  @Test func aMistakeIsNamedAndTheTextKept() throws {
    for name in ["a/shop", "a/shop/get-me"] {
      let (box, environment) = try box(editor: #"echo "$1" > seen; echo '{"key":3}' > "$1""#)
      let result = try box.run("review", "--edit", name, environment: environment)
      let file = try box.read("seen").trimmingCharacters(in: .newlines)
      #expect(
        result.code == 1 && result.err.contains("Nothing was saved. Your text is in \(file)\n"))
      #expect(FileManager.default.fileExists(atPath: file))
      #expect(try box.run("list").out == "")
      // The command that is printed saves the text once it is mended.
      let line = try #require(
        result.err.split(separator: "\n").last?.components(separatedBy: "mended: ").last)
      let stub = #"{"key": "k", "request": {"path": "/k"}}"#
      try (name == "a/shop" ? #"{"scenario": "a/shop", "stubs": [\#(stub)]}"# : stub)
        .write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try box.shell(line).code == 0)
      #expect(try box.run("show", "a/shop", "k").code == 0)
    }
  }

  @Test func aKeyOfAnotherStubIsRefused() throws {
    let (box, environment) = try box(editor: #"sed 's/get-me/get-tax/' "$1" > t && cp t "$1""#)
    let result = try box.run("review", "--edit", "a/shop/get-me", environment: environment)
    #expect(
      result.code == 1 && result.err.contains("another stub of a/shop has the key \"get-tax\""))
  }

  @Test func anEditorThatFailsChangesNothing() throws {
    let (box, environment) = try box(editor: "exit 3")
    let result = try box.run("review", "--edit", "a/shop", environment: environment)
    #expect(result.code == 1 && result.err.contains("so nothing was changed\n"))
    #expect(try box.run("review", "--edit", "a/shop", "--accept-all").code == 64)
  }
}
