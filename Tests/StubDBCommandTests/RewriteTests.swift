import StubDBJSON
import Testing

/// `stubdb rewrite`.
struct RewriteTests {
  private static func box() throws -> Sandbox {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    for name in ["checkout/paid", "checkout/refused", "cart/full"] {
      try box.must(
        "add", name, "--method", "GET", "--url", "https://api.shop.test/v1/me", "--json",
        #"{"user": {"email": "a@shop.test", "n": 1.50}}"#)
    }
    return box
  }

  @Test func changesArePrintedAndWrittenWithYes() throws {
    let box = try Self.box()
    let before = try box.run("show", "checkout/paid", "--json").out
    let words = [
      "rewrite", "checkout/**", "--where", "response $.user.email", "--rename", "email=mail",
    ]
    let plan = try box.run(executable: Sandbox.binary, arguments: words)
    #expect(plan.code == 0, "\(plan)")
    #expect(
      plan.out == """
        ~ checkout/paid
          ~ get-v1-me
              /responses/0/json/user/email  - "a@shop.test"
              /responses/0/json/user/mail  + "a@shop.test"
        ~ checkout/refused
          ~ get-v1-me
              /responses/0/json/user/email  - "a@shop.test"
              /responses/0/json/user/mail  + "a@shop.test"

        """)
    #expect(
      plan.err.hasPrefix("Would change 2 stubs in 2 scenarios.\nTo write it: stubdb rewrite "))
    #expect(try box.run("show", "checkout/paid", "--json").out == before)
    let written = try box.run(
      executable: Sandbox.binary, arguments: words + ["--yes", "--json"])
    #expect(written.code == 0 && written.err == "Changed 2 stubs in 2 scenarios.\n", "\(written)")
    let json = try JSONValue(parsing: written.out)
    #expect(json.value(at: JSONPointer(["stubs"])) == 2)
    #expect(json.value(at: JSONPointer(["written"])) == true)
    #expect(try box.run("show", "checkout/paid", "--json").out.contains(#""mail": "a@shop.test""#))
    #expect(try box.run("show", "cart/full", "--json").out.contains("email"))
    try box.must("undo", "--force")
    #expect(try box.run("show", "checkout/paid", "--json").out == before)
  }

  @Test func nothingToChangeIsTwo() throws {
    let box = try Self.box()
    let none = try box.run("rewrite", "**", "--where", "response $.absent", "--remove")
    #expect(none.code == 2 && none.err == "Nothing to change.\n", "\(none)")
    let unknown = try box.run("rewrite", "x/*", "--where", "response $", "--set", "1")
    #expect(
      unknown.code == 1
        && unknown.err.contains("the name of no scenario in shop.stubdb has the form \"x/*\""),
      "\(unknown)")
    let missing = try box.run("rewrite", "checkout/pai", "--host", "a.test=b.test")
    #expect(missing.code == 1 && missing.err.contains("Did you mean checkout/paid?"), "\(missing)")
  }

  @Test(arguments: [
    ["--where", "response $.a"], ["--rename", "a=b"], ["--where", "$.a", "--remove"],
    ["--where", "response $.[", "--remove"], ["--where", "response $.a", "--host", "a=b"],
    ["--where", "response $.a", "--set", "b"],
    ["--where", "response $.a", "--remove", "--set", "1"],
  ])
  func wrongUsageIsRefused(words: [String]) throws {
    let result = try Self.box().run(
      executable: Sandbox.binary, arguments: ["rewrite", "**"] + words)
    #expect(result.code == 64 && result.err.hasPrefix("Error: "), "\(result)")
  }
}
