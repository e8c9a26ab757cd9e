import Foundation
import StubDBCatalog
import StubDBEngine
import StubDBModel
import StubDBPlayback
import Testing

/// `affected`, with a real repository, and a ledger that is mostly written by hand.
struct AffectedCommandTests {
  /// A committed catalog, and a ledger of two tests, one of them of XCTest.
  private func box() throws -> Sandbox {
    let box = try Sandbox.shop()
    try box.mustGit(["init", "-q"])
    try box.write(
      ".stubdb/ledger/1.jsonl",
      """
      {"ledger":1,"process":"1","began":"2026-11-20T08:00:00Z"}
      {"ledger":1,"process":"1","catalog":"shop.stubdb","scenario":"checkout/paid",\
      "test":"ShopTests/CheckoutTests/pays(amount:)","used":{"checkout/paid":["charge"]}}
      {"ledger":1,"process":"1","catalog":"shop.stubdb","scenario":"session/signed-in",\
      "test":"SessionTests/testMe","used":{"session/signed-in":["me"]}}
      {"ledger":1,"process":"1","ended":true}

      """)
    try box.write(".gitignore", ".stubdb\n")
    try box.commit("Add the catalog")
    return box
  }

  @Test func whatDiffersFromTheLastCommitSelectsTests() throws {
    let box = try box()
    let none = try box.run("affected", "--filter")
    #expect(none.out == "^$\n" && none.code == 2, "\(none)")

    try box.must("set", "checkout/paid", "charge", "--priority", "3")
    let listed = try box.run("affected")
    #expect(listed.out.hasPrefix("ShopTests/CheckoutTests/pays(amount:)"), "\(listed)")
    #expect(listed.err.contains("1 of 2 tests in the ledger is affected"), "\(listed)")
    #expect(listed.code == 0)
    let filter = try box.run("affected", "--filter")
    #expect(filter.out == #"^(ShopTests\.CheckoutTests/pays\(amount:\))(/|$)"# + "\n")
    #expect(try box.run("affected", "--rev", "HEAD..HEAD").code == 2)
    let unknown = try box.run("affected", "--rev", "nothing")
    #expect(unknown.code == 1 && unknown.err.contains("no revision"), "\(unknown)")

    let list = "ShopTests.SessionTests/testMe\nShopTests.NewTests/adds()\n"
    let all = try box.run("affected", "--tests", "-", "--json", input: list)
    #expect(all.out.contains("\"ShopTests/NewTests/adds()\""), "\(all)")
    #expect(!all.out.contains("testMe"), "\(all)")
    // A file whose name is like that of content.
    try box.write("@list.txt", list)
    #expect(try box.run("affected", "--tests", "@list.txt", "--json").out == all.out)
    let missing = try box.run("affected", "--tests", "missing.txt")
    #expect(missing.code == 1 && !missing.err.contains("@"), "\(missing)")
    let failed = try box.run("affected", "--tests", "-", "--filter", input: "error: no tests\n")
    #expect(failed.code == 1 && failed.out.isEmpty, "\(failed)")
    #expect(failed.err.contains("the input names no test as swift test list does"))
  }

  @Test func aStubThatMayAnswerInsteadSelectsTheTestsThatRan() throws {
    let box = try box()
    // What runs write, in place of the ledger written by hand.
    let folder = box.folder.appendingPathComponent(".stubdb/ledger")
    try FileManager.default.removeItem(at: folder)
    let ledger = UsageLedger(
      environment: ["STUBDB_LEDGER": folder.path], currentFolder: box.folder.path)
    let catalog = try Catalog(contentsOf: box.folder.appendingPathComponent("shop.stubdb"))
    for (test, name, method, url) in [
      (
        "ShopTests/CheckoutTests/pays()", "checkout/paid", "POST",
        "https://api.shop.test/v1/charges"
      ),
      (
        "ShopTests/SessionTests/greets()", "session/signed-in", "GET",
        "https://api.shop.test/v1/me"
      ),
    ] {
      let player = Player(
        try catalog.load(ScenarioName(unchecked: name)), options: PlaybackOptions())
      player.keepInLedger(ledger)
      player.ledgerRun?.name(test: test)
      let content = method == "POST" ? #"{"amount":1200}"# : ""
      _ = player.run.respond(
        to: StubRequest(method: method, url: url, body: .bytes(Data(content.utf8))))
      #expect(player.run.journal.map(\.scenario?.rawValue) == [name])
      player.end()
    }
    ledger.close()

    try box.must(
      "add", "checkout/paid", "--key", "promo", "--method", "POST",
      "--url", "https://api.shop.test/v1/charges?coupon=A", "--priority", "1")
    let found = try box.run("affected")
    #expect(found.out.hasPrefix("ShopTests/CheckoutTests/pays()"), "\(found)")
    #expect(
      found.out.contains("checkout/paid promo may answer instead of checkout/paid charge"),
      "\(found)")
    #expect(!found.out.contains("greets"), "\(found)")
    #expect(found.err.contains("1 of 2 tests in the ledger is affected"), "\(found)")
  }

  @Test func linesThatCannotBeReadAreSaidWhereNoRunIsLeft() throws {
    let box = try box()
    try box.write(
      ".stubdb/ledger/1.jsonl", #"{"ledger":1,"process":"1","catalog":"shop.stubdb","scen"# + "\n")
    let result = try box.run("affected")
    #expect(result.code == 1 && result.err.contains("1 line of it cannot be read"), "\(result)")
  }

  @Test func aMemberOfAnswersSelectsTests() throws {
    let box = try box()
    try box.must("set", "session/signed-in", "me", "--json", #"{"user":{"email":"a@shop.test"}}"#)
    let found = try box.run("affected", "--member", "$.user.email", "--filter")
    #expect(found.out == #"(^|\.)(SessionTests/testMe)$"# + "\n", "\(found)")
    #expect(try box.run("affected", "--member", "$.user.phone").code == 2)
    // The answers of a resource are its items, too.
    let seed = #"[{"id": "a", "user": {"email": "a@shop.test"}}]"#
    try box.write(
      "me.json",
      #"{"scenario": "session/signed-in", "stubs": [{"key": "me", "resource": {"at": "/v1/me", "seed": \#(seed)}}]}"#
    )
    try box.must("add", "--file", "me.json", "--replace")
    for path in ["$.user.email", "$[*].user.email"] {
      #expect(try box.run("affected", "--member", path).out.contains("SessionTests"))
    }
    #expect(try box.run("affected", "--member", "$[").code == 64)
    #expect(try box.run("affected", "--member", "$.a", "--rev", "HEAD").code == 64)
  }

  @Test func anOperationThatChangedSelectsTests() throws {
    let box = try box()
    for (name, type) in [("old.yaml", "string"), ("new.yaml", "integer")] {
      try box.write(
        name,
        """
        openapi: 3.1.0
        info: { title: Shop, version: "1" }
        paths:
          /v1/me:
            get: { responses: { "200": { description: "\(name)", content: { application/json: {
              schema: { $ref: "#/components/schemas/Me" } } } } } }
          /v1/charges:
            post: { responses: { "201": { description: made, content: { application/json: {
              schema: { $ref: "#/components/schemas/Charge" } } } } } }
        components: { schemas: { Me: { type: object }, Charge: { type: object, properties: { id: { type: \(type) } } } } }
        """)
    }
    let found = try box.run("affected", "--openapi", "old.yaml", "new.yaml")
    #expect(found.out.hasPrefix("ShopTests/CheckoutTests/pays(amount:)"), "\(found)")
    #expect(found.out.contains("answers POST /v1/charges, which changed"), "\(found)")
    #expect(!found.out.contains("testMe"), "\(found)")
    #expect(try box.run("affected", "--openapi", "old.yaml").code == 64)
    // The same content in another file, with another name.
    try FileManager.default.copyItem(
      at: box.folder.appendingPathComponent("old.yaml"),
      to: box.folder.appendingPathComponent("same.yaml"))
    #expect(try box.run("affected", "--openapi", "old.yaml", "same.yaml").code == 2)
  }

  @Test func aResourceAnswersTheOperationsOfItsListAndItsItems() throws {
    let box = try box()
    try box.write(
      "items.json",
      """
      {"scenario": "checkout/items", "stubs": [
        {"key": "items", "resource": {"at": "https://api.shop.test/v1/items", "id": "integer"}},
        {"key": "read", "request": {"method": ["GET", "HEAD"]}, "resource": {"at": "/v1/notes"}}]}
      """)
    try box.must("add", "--file", "items.json")
    try box.write(
      ".stubdb/ledger/1.jsonl",
      """
      {"ledger":1,"process":"1","catalog":"shop.stubdb","scenario":"checkout/items",\
      "test":"ShopTests/ItemTests/lists()","used":{"checkout/items":["items","read"]}}

      """)
    func operations(_ first: String, _ second: String) throws -> [String] {
      for (name, changed) in [("old.yaml", "200"), ("new.yaml", "202")] {
        let operations = [
          "/v1/items": ["get", "post", "delete"], "/v1/items/{item}": ["delete", "patch", "post"],
          "/v1/items/{item}/tags": ["get"], "/v1/charges": ["post"], "/v1/notes": ["get", "post"],
        ]
        let paths = operations.sorted { $0.key < $1.key }.map { path, methods in
          let described = methods.map { method in
            let status = [first, second].contains("\(method) \(path)") ? changed : "200"
            return "    \(method): { responses: { \"\(status)\": { description: done } } }"
          }
          return "  \(path):\n" + described.joined(separator: "\n")
        }
        try box.write(
          name,
          "openapi: 3.1.0\ninfo: { title: Shop, version: \"1\" }\npaths:\n"
            + paths.joined(separator: "\n"))
      }
      let found = try box.run("affected", "--openapi", "old.yaml", "new.yaml", "--json")
      return found.out.matches(of: /answers ([A-Z]+ [^,]+), which changed/).map { String($0.1) }
    }
    #expect(
      try operations("get /v1/items", "delete /v1/items/{item}")
        == ["GET /v1/items", "DELETE /v1/items/{item}"])
    #expect(try operations("post /v1/charges", "get /v1/items/{item}/tags") == [])
    // What a resource answers with 405.
    #expect(try operations("delete /v1/items", "post /v1/items/{item}") == [])
    // The method of the request counts, too.
    #expect(try operations("get /v1/notes", "post /v1/notes") == ["GET /v1/notes"])
  }
}
