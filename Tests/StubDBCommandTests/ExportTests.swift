import Foundation
import StubDBTestSupport
import Testing

struct ExportTests {
  private static let document = #"""
    { "scenario": "checkout/paid", "includes": ["session/signed-in"], "stubs": [
      { "key": "charge",
        "request": {"method": "POST", "url": "https://api.shop.test/v1/charges",
          "headers": {"Authorization": {"matches": "Bearer .+"}},
          "body": {"equalToJson": {"amount": 1200}}},
        "responses": [{"status": 201, "json": {"id": "ch_1"}}], "then": "fail" } ] }
    """#
  private static let included = #"""
    { "scenario": "session/signed-in", "stubs": [
      { "key": "me", "request": {"method": "GET", "url": "https://api.shop.test/v1/me"},
        "responses": [{"json": {"name": "Ada"}}] } ] }
    """#

  private func box() throws -> Sandbox {
    let box = try Sandbox()
    _ = try box.run("init", "shop.stubdb")
    try box.write("shop.json", "[\(Self.document), \(Self.included)]")
    #expect(try box.run("add", "--file", "shop.json").code == 0)
    return box
  }

  private static func exists(_ name: String, _ box: Sandbox) -> Bool {
    FileManager.default.fileExists(atPath: box.folder.appendingPathComponent(name).path)
  }

  @Test func oneFileGoesToStandardOutputWithItsReportBesideIt() throws {
    let box = try box()
    let result = try box.run("export", "checkout/paid", "--format", "curl")
    #expect(
      result
        == CommandResult(
          out: """
            # checkout/paid charge
            # 201 application/json, 13 bytes
            curl -X POST 'https://api.shop.test/v1/charges' \\
              -H 'Authorization: Bearer a' \\
              -H 'Content-Type: application/json' \\
              --data-raw '{"amount":1200}'

            # session/signed-in me
            # 200 application/json, 14 bytes
            curl 'https://api.shop.test/v1/me'

            """,
          err: """
            checkout/paid charge /request/headers/Authorization: changed: An example stands for "matches"
            Exported 2 stubs in 2 scenarios; 1 changed, 0 dropped, 10 ignored.

            """))
  }

  @Test func aFileIsWrittenAndReadsBack() throws {
    let box = try box()
    let result = try box.run(
      "export", "checkout/paid", "--format", "har", "-o", "out/paid.har", "--report", "r.json")
    #expect(result.code == 0 && result.out == "", "\(result)")
    #expect(result.err.contains("Exported 2 stubs in 2 scenarios; 1 changed, 1 dropped"))
    #expect(result.err.contains("to \"out/paid.har\"."), "\(result.err)")
    let report = try String(
      contentsOf: box.folder.appendingPathComponent("r.json"), encoding: .utf8)
    for part in [
      #""file": null"#, #""key": "charge""#, #""pointer": "/then""#, #""id": "sequence""#,
    ] {
      #expect(report.contains(part), "\(report)")
    }
    #expect(try box.run("import", "out/paid.har", "--scenario", "back").code == 0)
    #expect(try box.run("match", "back", "GET", "https://api.shop.test/v1/me").code == 0)
    let bytes = try Data(contentsOf: box.folder.appendingPathComponent("out/paid.har"))
    #expect(
      try box.run("export", "checkout/paid", "--format", "har", "-o", "out/paid.har").code == 0)
    #expect(try Data(contentsOf: box.folder.appendingPathComponent("out/paid.har")) == bytes)
  }

  @Test func strictAllowsNoLoss() throws {
    let box = try box()
    let strict = try box.run(
      "export", "checkout/paid", "--format", "har", "--output", "x.har", "--strict")
    #expect(strict.code == 2 && strict.out == "", "\(strict)")
    #expect(strict.err.contains("Nothing was written: "))
    #expect(!Self.exists("x.har", box))
    let whole = try box.run(
      "export", "session/signed-in", "--format", "har", "--output", "x.har", "--strict")
    #expect(whole.code == 0, "\(whole)")
    #expect(Self.exists("x.har", box))
  }

  @Test func wrongUsesAreRefused() throws {
    let box = try box()
    let unknown = try box.run("export", "checkout/paid", "--format", "nope")
    #expect(unknown.code == 64)
    #expect(unknown.err.contains("formats are har, "), "\(unknown.err)")
    #expect(try box.run("export", "checkout/paid").code == 64)
    #expect(try box.run("export", "--format", "har").code == 64)
    let server = try box.run(
      "export", "checkout/paid", "--format", "har", "--server", "api.shop.test")
    #expect(server.code == 64)
    let missing = try box.run("export", "checkout/pad", "--format", "har")
    #expect(missing.code == 1)
    #expect(missing.err.contains("checkout/paid"), "\(missing.err)")
    try FileManager.default.createDirectory(
      at: box.folder.appendingPathComponent("folder"), withIntermediateDirectories: true)
    let folder = try box.run("export", "checkout/paid", "--format", "har", "-o", "folder")
    #expect(folder.code == 1)
    #expect(folder.err.contains("\"folder\" is a folder"), "\(folder.err)")
  }

  @Test func secretsAreExportedAndSaid() throws {
    let token = "ghp_" + String(repeating: "aB3dE5gH7j", count: 4).prefix(36)
    let box = try box()
    try box.write(
      "secret.json",
      #"{"scenario": "secret", "stubs": [{"key": "a", "request": {"method": "GET", "url": "https://a.test/"}, "responses": [{"text": "\#(token)"}]}]}"#
    )
    #expect(try box.run("add", "--file", "secret.json").code == 0)
    let result = try box.run("export", "secret", "--format", "har")
    #expect(result.out.contains(token))
    #expect(
      result.err.contains(
        "Careful: 1 secret of the catalog is in the export; stubdb scan lists them."),
      "\(result.err)")
    #expect(!result.err.contains(token))
  }

  @Test func stubsForAnyHostAskTheGivenServer() throws {
    let box = try box()
    try box.write(
      "any.json",
      #"{"scenario": "any", "stubs": [{"key": "a", "request": {"method": "GET", "url": "/v1/me"}}]}"#
    )
    _ = try box.run("add", "--file", "any.json")
    let result = try box.run(
      "export", "any", "--format", "curl", "--server", "http://localhost:8080")
    #expect(result.out.contains("\ncurl 'http://localhost:8080/v1/me'\n"), "\(result)")
  }
}
