import Foundation
import StubDBTestSupport
import Testing

struct NamesTests {
  @Test func namesAreListed() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("names")
        == CommandResult(
          out: """
            checkout/paid      .checkout.paid
            session/signed-in  .session.signedIn

            """))
    #expect(
      try box.run("names", "--json").out.hasPrefix(
        """
        [
          {
            "scenario": "checkout/paid",
            "swift": ".checkout.paid"
          },
        """))
  }

  @Test func theSourceIsWrittenAndCheckedAgainstTheCatalog() throws {
    let box = try Sandbox.shop()
    let source = try box.run("names", "--swift", "--access", "public", "--import", "StubDB")
    #expect(source.out.contains("\npublic import StubDB\n"))
    #expect(source.out.contains("    /// `checkout/paid`: The bank accepts the card\n"))
    let write = [
      "names", "--swift", "--output", "Names.swift", "--access", "public", "--import", "StubDB",
    ]
    let check = write + ["--check"]
    #expect(
      try box.run(executable: Sandbox.binary, arguments: check)
        == CommandResult(
          err: """
            There is no "Names.swift".
            To make it:
              stubdb names --swift --output Names.swift --access public --import StubDB

            """, code: 2))
    #expect(try box.run(executable: Sandbox.binary, arguments: write) == CommandResult())
    #expect(try box.read("Names.swift") == source.out)
    #expect(try box.run(executable: Sandbox.binary, arguments: check) == CommandResult())

    #expect(try box.run("rename", "checkout/paid", "checkout/bought").code == 0)
    let stale = try box.run(executable: Sandbox.binary, arguments: check)
    #expect(stale.code == 2 && stale.err.hasPrefix("\"Names.swift\" is out of date.\n"))
    #expect(try box.read("Names.swift") == source.out)
    #expect(try box.run(executable: Sandbox.binary, arguments: write) == CommandResult())
    #expect(try box.read("Names.swift").contains("checkout/bought"))
  }

  @Test func anotherFileIsNotReplaced() throws {
    let box = try Sandbox.shop()
    try box.write("Names.swift", "let mine = 1\n")
    let result = try box.run("names", "--swift", "--output", "Names.swift")
    #expect(result.code == 1)
    #expect(result.err.contains("\"Names.swift\" is not a file that stubdb names made"))
    #expect(try box.read("Names.swift") == "let mine = 1\n")
    #expect(try box.run("names", "--swift", "--output", "shop.stubdb").code == 1)
  }

  @Test func namesThatAreTheSameInSwiftAreReported() throws {
    let box = try Sandbox.shop()
    #expect(try box.run("copy", "checkout/paid", "checkout/Paid").code == 0)
    let result = try box.run("names", "--swift")
    #expect(result.code == 0)
    #expect(
      result.err == """
        warning: checkout/Paid and checkout/paid would have the same name in Swift, .checkout.paid; \
        rename one of them, or write the name as a text

        """)
    #expect(result.out.contains("    @available(*, unavailable, message: \"checkout/Paid and"))
  }

  @Test(arguments: [
    ["--output", "a.swift"], ["--check"], ["--swift", "--check"], ["--swift", "--json"],
    ["--swift", "--access", "open"], ["--swift", "--import", "a; import b"],
  ])
  func optionsThatDoNotGoTogetherAreRefused(options: [String]) throws {
    let box = try Sandbox.shop()
    let result = try box.run(executable: Sandbox.binary, arguments: ["names"] + options)
    #expect(result.code == 64)
  }
}
