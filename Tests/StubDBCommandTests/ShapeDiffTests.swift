import Testing

struct ShapeDiffTests {
  @Test func twoScenariosAreComparedByShape() throws {
    let box = try Sandbox.shop()
    try box.must("copy", "checkout/paid", "checkout/new")
    #expect(
      try box.run("diff", "--shape", "checkout/paid", "checkout/new")
        == CommandResult(err: "No differences.\n"))
    // Another value is none; another type is one.
    try box.must(
      "set", "checkout/new", "charge", "--response", "2", "--json", #"{"id": "ch_2"}"#)
    #expect(try box.run("diff", "--shape", "checkout/paid", "checkout/new").out == "")
    try box.must(
      "set", "checkout/new", "charge", "--response", "2", "--json", #"{"id": 2, "paid": true}"#)
    let result = try box.run("diff", "--shape", "checkout/paid", "checkout/new", "--exit-code")
    #expect(
      result
        == CommandResult(
          out: """
            checkout/new charge (answer 2)
              error  type   /id    string → integer
              note   added  /paid  missing → boolean

            """, code: 2))
    let json = try box.run("diff", "--shape", "checkout/paid", "checkout/new", "--json")
    #expect(json.code == 0 && json.out.contains(#""answer": 2,"#), "\(json)")
    let other = try box.run("diff", "--shape", "checkout/paid", "session/signed-in")
    #expect(
      other.err == """
        Skipped: session/signed-in me: checkout/paid has no stub with its key or its request.
        Skipped: checkout/paid charge: session/signed-in has no stub with its key or its request.
        No differences.

        """)
    #expect(try box.run("diff", "--shape", "--markdown", "checkout/paid", "a").code == 64)
  }

  @Test func aRevisionIsComparedByShape() throws {
    let box = try Sandbox.repository()
    #expect(try box.run("diff", "--shape") == CommandResult(err: "No differences.\n"))
    try box.must("set", "session/signed-in", "me", "--status", "201")
    let result = try box.run("diff", "--shape", "--rev", "HEAD", "-q")
    #expect(result == CommandResult(code: 2))
    #expect(
      try box.run("diff", "--shape", "session/signed-in").out == """
        session/signed-in me
          error  status  (answer)  200 → 201

        """)
  }
}
