import Foundation
import Testing

struct ScanTests {
  // Concatenated here so that secret scanners do not report this file.
  private static let secret = "q7Zt3Vw9" + "KxB2mN5p" + "Rs8Yd4Fg"

  private func boxWithSecret() throws -> Sandbox {
    let box = try Sandbox.shop()
    _ = try box.run(
      "add", "session/signed-in", "--key", "login", "--url", "/login", "--json",
      #"{"access_token": "\#(Self.secret)"}"#)
    return box
  }

  @Test func aCleanCatalog() throws {
    let box = try Sandbox.shop()
    #expect(try box.run("scan") == CommandResult(err: "No secrets in shop.stubdb.\n"))
    #expect(try box.run("scan", "--json") == CommandResult(out: "[]\n"))
  }

  @Test func findingsSayWhereAndNeverWhat() throws {
    let box = try boxWithSecret()
    #expect(
      try box.run("scan")
        == CommandResult(
          out: "session/signed-in login /stubs/1/responses/0/json/access_token: "
            + "random value that is named a secret, 24 bytes\n",
          err: """
            1 secret in shop.stubdb.
            To take them out: stubdb redact --findings
            To accept them, with a reason: stubdb scan --accept 'why they are harmless'

            """, code: 2))
    let json = try box.run("scan", "--json")
    #expect(json.code == 2)
    #expect(
      json.out == """
        [
          {
            "scenario": "session/signed-in",
            "key": "login",
            "pointer": "/stubs/1/responses/0/json/access_token",
            "kind": "namedSecret",
            "length": 24
          }
        ]

        """)
  }

  @Test func exceptionsLetFindingsStandUntilTheyAreStale() throws {
    let box = try boxWithSecret()
    #expect(try box.run("scan", "--accept", "a key of the sandbox").code == 0)
    let file = try box.read(".stubdb-scan.json")
    #expect(file.contains("a key of the sandbox"))
    #expect(!file.contains(Self.secret.prefix(6)))
    #expect(
      try box.run("scan")
        == CommandResult(
          err: "No secrets in shop.stubdb (1 finding excepted in .stubdb-scan.json).\n"))
    _ = try box.run("remove", "session/signed-in", "login")
    let stale = try box.run("scan")
    #expect(stale.code == 0)
    #expect(stale.err.contains("the exception 1 in .stubdb-scan.json no longer matches a finding"))
  }

  @Test func aFileOfExceptionsThatIsWrongIsRefused() throws {
    let box = try boxWithSecret()
    try box.write(
      ".stubdb-scan.json", "{\n  \"exceptions\": [{\"scenario\": \"session/signed-in\"}]\n}")
    let result = try box.run("scan")
    #expect(result.code == 1)
    #expect(
      result.err.contains(".stubdb-scan.json:2: /exceptions/0: an exception needs a \"reason\""))
    #expect(try box.run("scan", "--accept", " ").code == 64)
  }
}
