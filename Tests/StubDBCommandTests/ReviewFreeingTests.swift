import Foundation
import HTTPTypes
import Testing

/// Requests that differ only in volatile values, which `review` makes one stub of.
struct ReviewFreeingTests {
  private static let ids = [
    "a1d5c7e0-1111-4222-8333-444455556666", "b2d5c7e0-1111-4222-8333-444455556666",
  ]

  @Test func placesWithVolatileValuesAreProposedAndTaken() throws {
    let bodies = Self.ids.enumerated().map {
      #"{"id":"\#($1)","sent":{"at":"2026-11-20T08:0\#($0):00Z"},"type":"tap"}"#
    }
    let other = #"{"id":"x","sent":{"at":"2026-11-20T08:00:00Z"},"type":"swipe"}"#
    let box = try Sandbox.empty()
    let seen = [(bodies[0], "one"), (other, "ok"), (bodies[1], "two")].map { body, answer in
      SeenExchange(
        method: "POST", url: "https://api.shop.test/events",
        headers: [.contentType: "application/json"], content: body, answer: answer)
    }
    try box.record(seen, "a/shop", test: "T/t1()")
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

    let placeless = try box.run("review", "--free", "a/shop/post-events")
    #expect(placeless.code == 64 && placeless.err.contains("--free needs a place after the stub"))
    let taken = try box.shell(String(line.dropFirst("To leave places free: ".count)))
    #expect(taken.err == "Took 1 stub into shop.stubdb, dropped 0.\n" && taken.code == 2)
    for exchange in [seen[0], seen[2]] {
      #expect(try box.answer(to: exchange).out.contains("one"))
    }
    // The answers to the requests that became equal are a sequence.
    let stub = try box.run("show", "a/shop", "post-events", "--json").out
    #expect(stub.contains(#""two""#) && stub.contains("json-unit.ignore"), "\(stub)")
    #expect(try box.answer(to: seen[1]).code == 2)
    #expect(try box.run("review").out.contains("+ post-events-2"))
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
