import Foundation
import StubDBDocuments
import StubDBTestSupport
import Testing

struct ListAndShowTests {
  @Test func listAlignsNameStubsTagsAndSummary() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("list")
        == CommandResult(
          out: """
            checkout/paid      1+1  checkout,smoke  The bank accepts the card
            session/signed-in    1

            """))
  }

  @Test func showOfANameWithASlashShowsAllBelowIt() throws {
    let box = try Sandbox.shop()
    try box.write("a.json", #"{"scenario": "checkout/none", "stubs": []}"#)
    #expect(try box.run("add", "--file", "a.json").code == 0)
    let (paid, none) = (
      try box.run("show", "checkout/paid").out, try box.run("show", "checkout/none").out
    )
    #expect(try box.run("show", "checkout/") == CommandResult(out: "\(none)\n\(paid)"))
    // The list is what `add --file` reads.
    let list = try box.run("show", "checkout/", "--json").out
    try box.write("list.json", list)
    #expect(try box.run("remove", "checkout/", "--force").code == 0)
    #expect(try box.run("add", "--file", "list.json").code == 0)
    #expect(try box.run("show", "checkout/", "--json").out == list)
    #expect(try box.run("show", "checkouts/").err.contains("there is no scenario below"))
    for command in ["show", "check"] {
      let folder = try box.run(command, "checkout")
      #expect(folder.code == 1 && folder.err.contains("Below it: checkout/none, checkout/paid;"))
      #expect(folder.err.contains("stubdb list checkout/"), "\(folder)")
    }
    let key = try box.run("show", "checkout/", "post-v1-charges")
    #expect(key.code == 64 && key.err.contains("stubdb list checkout/"), "\(key)")
  }

  @Test func listCountsIncludedStubsOnce() throws {
    let box = try Sandbox.shop()
    try box.write(
      "a.json",
      """
      [{"scenario": "a/all", "includes": ["a/more", "session/signed-in"], "stubs": []},
       {"scenario": "a/more", "includes": ["checkout/paid"], "stubs": []},
       {"scenario": "a/none", "stubs": []}]
      """)
    #expect(
      try box.run(executable: Sandbox.binary, arguments: ["add", "--file", "a.json"]).code == 0)
    #expect(try box.run("list", "a/").out == "a/all   0+2\na/more  0+2\na/none    0\n")
    let json = try JSONSerialization.jsonObject(
      with: Data(box.run("list", "a/", "--json").out.utf8))
    let numbers = (json as? [[String: Any]])?.map {
      [$0["stubs"] as? Int, $0["includedStubs"] as? Int]
    }
    #expect(numbers == [[0, 2], [0, 2], [0, 0]])
  }

  @Test func listKeepsToPrefixAndTags() throws {
    let box = try Sandbox.shop()
    #expect(try box.run("list", "session/").out == "session/signed-in  1\n")
    let smoke = "checkout/paid  1+1  checkout,smoke  The bank accepts the card\n"
    #expect(try box.run("list", "--tag", "smoke", "--tag", "checkout").out == smoke)
    #expect(
      try box.run("list", "--tag", "slow")
        == CommandResult(
          err: """
            No scenario in shop.stubdb has the tag "slow".
            Its tags: checkout, smoke

            """, code: 2))
    #expect(
      try box.run("list", "nothing/", "--tag", "smoke")
        == CommandResult(
          err: "No scenario in shop.stubdb begins with \"nothing/\" and has the tag \"smoke\".\n",
          code: 2))
    #expect(
      try box.run("list", "nothing/", "--json") == CommandResult(out: "[]\n", code: 2))
  }

  @Test func listAsJSON() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("list", "--json")
        == CommandResult(
          out: """
            [
              {
                "scenario": "checkout/paid",
                "summary": "The bank accepts the card",
                "tags": [
                  "checkout",
                  "smoke"
                ],
                "includes": [
                  "session/signed-in"
                ],
                "stubs": 1,
                "includedStubs": 1
              },
              {
                "scenario": "session/signed-in",
                "summary": null,
                "tags": [],
                "includes": [],
                "stubs": 1,
                "includedStubs": 0
              }
            ]

            """))
  }

  @Test func listOfAnEmptyCatalogSaysWhatToDo() throws {
    let box = try Sandbox()
    _ = try box.run("init", "shop.stubdb")
    let list = try box.run("list")
    #expect(
      list
        == CommandResult(
          err: """
            shop.stubdb has no scenarios yet. To put one in:
              stubdb add checkout/paid --method POST --url https://api.shop.test/v1/charges \
            --status 201 --json '{"id": "ch_1"}'

            """))
    #expect(try box.run("list", "--json") == CommandResult(out: "[]\n"))
    #expect(try box.shell(String(list.err.split(separator: "\n")[1])).code == 0)
    #expect(try box.run("list").out == "checkout/paid  1\n")
  }

  @Test func showListsWhatAnswersWithTheIncludedScenarios() throws {
    let box = try Sandbox.shop()
    let first = ["set", "session/signed-in", "me", "--priority", "1"]
    #expect(try box.run(executable: Sandbox.binary, arguments: first).code == 0)
    #expect(
      try box.run("show", "checkout/paid", "--with-includes")
        == CommandResult(
          out: """
            me      GET https://api.shop.test/v1/me        status 200                         session/signed-in
            charge  POST https://api.shop.test/v1/charges  status 402 after 200ms and 1 more  checkout/paid

            """))
    let json = try box.run("show", "checkout/paid", "--with-includes", "--json")
    #expect(
      json.out.hasPrefix("[\n  {\n    \"scenario\": \"session/signed-in\",\n    \"key\": \"me\","))
    #expect(try box.run("show", "checkout/paid", "charge", "--with-includes").code == 64)
  }

  @Test func showIsReadable() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("show", "checkout/paid")
        == CommandResult(
          out: """
            checkout/paid
              The bank accepts the card
              tags: checkout, smoke
              includes: session/signed-in

            charge
              POST https://api.shop.test/v1/charges
                body is JSON {"amount":1200}
              -> 1. status 402 after 200ms
                 Retry-After: 1
                 {"error":"card_declined"}
              -> 2. status 201
                 {"id":"ch_1"}
              then repeats the last response

            """))
  }

  @Test func showAsJSONIsTheCanonicalDocument() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("show", "checkout/paid", "--json") == CommandResult(out: ShopDocuments.paid))
    #expect(
      try box.run("show", "session/signed-in", "me", "--json")
        == CommandResult(
          out: """
            {
              "key": "me",
              "request": {
                "method": "GET",
                "url": "https://api.shop.test/v1/me"
              },
              "responses": [
                {
                  "text": "Ada"
                }
              ]
            }

            """))
  }

  @Test func showOfOneStub() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("show", "session/signed-in", "me")
        == CommandResult(
          out: """
            me
              GET https://api.shop.test/v1/me
              -> status 200
                 Ada

            """))
  }

  @Test func whatIsNotThereGetsTheNearestName() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("show", "checkout/payed")
        == CommandResult(
          err: """
            Error: there is no scenario checkout/payed in shop.stubdb
            Did you mean checkout/paid?

            """, code: 1))
    #expect(
      try box.run("show", "paid").err.hasSuffix("Did you mean checkout/paid?\n"))
    #expect(
      try box.run("show", "something/else")
        == CommandResult(
          err: """
            Error: there is no scenario something/else in shop.stubdb
            To see the 2 scenarios it has: stubdb list

            """, code: 1))
    #expect(
      try box.run("show", "checkout/paid", "chrage")
        == CommandResult(
          err: """
            Error: there is no stub "chrage" in scenario checkout/paid
            Did you mean charge?

            """, code: 1))
  }

  @Test func controlCharactersOfACatalogNeverReachTheTerminal() throws {
    let box = try Sandbox.shop()
    _ = try box.run("add", "a/b", "--key", "k", "--url", "/x", "--text", "\u{1B}[31mred")
    #expect(try box.run("show", "a/b").out.contains("\\u{1B}[31mred"))
    #expect(try !box.run("show", "a/b").out.contains("\u{1B}"))
  }
}
