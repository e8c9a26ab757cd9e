import Foundation
import StubDBTestSupport
import Testing

struct ImportTests {
  private static func har(_ text: String = "ok") -> String {
    """
    {"log": {"version": "1.2", "creator": {"name": "Test", "version": "1"}, "entries": [
      {"startedDateTime": "2026-01-01T10:00:00Z", "time": 1, "timings": {}, "cache": {},
       "request": {"method": "GET", "url": "https://api.shop.test/v1/items"},
       "response": {"status": 200, "headers": [],
         "content": {"size": 2, "mimeType": "text/plain", "text": "\(text)"}}},
      {"request": {"method": "GET", "url": "https://api.shop.test/v1/gone"},
       "response": {"status": 0, "_error": "net::ERR_ABORTED", "headers": [], "content": {}}}]}}
    """
  }

  private func box(_ files: [String: String]) throws -> Sandbox {
    let box = try Sandbox()
    _ = try box.run("init", "shop.stubdb")
    for (name, text) in files { try box.write(name, text) }
    return box
  }

  private static func data(_ name: String, _ box: Sandbox) throws -> Data {
    try Data(contentsOf: box.folder.appendingPathComponent(name))
  }

  @Test func whatIsImportedAnswersAndTheSameFileChangesNothing() throws {
    let box = try box(["shop.har": Self.har()])
    let first = try box.run("import", "shop.har")
    #expect(first.code == 0, "\(first)")
    #expect(first.err.contains("shop.har /log/entries/1: dropped: No response was recorded"))
    #expect(first.err.contains("Imported 1 stub in 1 scenario; 0 changed, 1 dropped"))
    #expect(try box.run("match", "shop", "GET", "https://api.shop.test/v1/items").code == 0)
    let bytes = try Self.data("shop.stubdb", box)
    let again = try box.run("import", "shop.har")
    #expect(again.code == 0)
    #expect(again.err.contains("Nothing to do"))
    #expect(try Self.data("shop.stubdb", box) == bytes)
  }

  @Test func otherStubsOfTheSameNameAreReplacedOnlyWhereItIsAskedFor() throws {
    let box = try box(["shop.har": Self.har(), "new/shop.har": Self.har("new")])
    _ = try box.run("import", "shop.har")
    let bytes = try Self.data("shop.stubdb", box)
    let refused = try box.run("import", "new/shop.har")
    #expect(refused.code == 1)
    #expect(refused.err.contains("stubdb import new/shop.har --replace"), "\(refused.err)")
    #expect(refused.err.contains("stubdb import new/shop.har --prefix new"), "\(refused.err)")
    #expect(try Self.data("shop.stubdb", box) == bytes)
    #expect(try box.run("import", "new/shop.har", "--replace").code == 0)
    #expect(try box.run("show", "shop").out.contains("new"))
  }

  @Test func anotherCompositionOfALetterIsAnotherAnswer() throws {
    let har = Self.har().replacing("v1/items", with: "v1/items?q=%C3%A9")
    let other = har.replacing("%C3%A9", with: "e%CC%81")
    let box = try box(["shop.har": har, "new/shop.har": other])
    try box.must("import", "shop.har")
    #expect(try box.run("import", "new/shop.har").err.contains("already exists"))
    #expect(try box.run("import", "new/shop.har", "--replace").err.contains("Imported 1 stub"))
    let request = "https://api.shop.test/v1/items?q="
    #expect(try box.run("match", "shop", "GET", request + "e%CC%81").code == 0)
    #expect(try box.run("match", "shop", "GET", request + "%C3%A9").code == 2)
  }

  @Test func optionsThatSpeakAgainstEachOtherAreRefused() throws {
    let box = try box(["shop.har": Self.har()])
    for options in [["--by", "page", "--split", "host"], ["--env", "."], ["--env", "shop.har"]] {
      let result = try box.run(
        executable: Sandbox.binary, arguments: ["import", "shop.har"] + options)
      #expect(result.code == 64, "\(result)")
    }
    #expect(try box.run("import", "shop.har", "--by", "page", "--split", "page").code == 0)
  }

  /// The report is written neither over what is read nor over the catalog.
  @Test(arguments: ["shop.har", "files/shop.har", "shop.stubdb", "./files/../shop.stubdb"])
  func theReportIsNoneOfTheFilesAtWork(report: String) throws {
    let box = try box(["shop.har": Self.har(), "files/shop.har": Self.har()])
    let before = try Self.data("shop.stubdb", box)
    let result = try box.run(
      "import", "shop.har", "files", "--catalog", "shop.stubdb", "--scenario", "a", "--report",
      report)
    #expect(result.code == 1)
    #expect(result.err.contains("which this command works with; nothing was written"), "\(result)")
    #expect(try Self.data("shop.stubdb", box) == before)
    #expect(try Self.data("files/shop.har", box) == Data(Self.har().utf8))
    #expect(try Self.data("shop.har", box) == Data(Self.har().utf8))
  }

  @Test func secretsAreRefusedTakenOutOrKept() throws {
    let token = "ghp_" + String(repeating: "aB3dE5gH7j", count: 4).prefix(36)
    let box = try box(["shop.har": Self.har("\(token)")])
    let bytes = try Self.data("shop.stubdb", box)
    let refused = try box.run("import", "shop.har")
    #expect(refused.code == 1)
    #expect(!refused.err.contains(token))
    #expect(refused.err.contains("stubdb import shop.har --redact"), "\(refused.err)")
    #expect(try Self.data("shop.stubdb", box) == bytes)
    let redacted = try box.run("import", "shop.har", "--redact", "--report", "r.json")
    #expect(redacted.code == 0, "\(redacted)")
    #expect(redacted.err.contains("Took out 1 secret in 1 place:\n  shop get-"), "\(redacted.err)")
    #expect(try Self.data("shop.stubdb", box).range(of: Data(token.utf8)) == nil)
    #expect(try Self.data("r.json", box).range(of: Data(token.utf8)) == nil)
    #expect(try box.run("import", "shop.har", "--allow-secrets", "--replace").code == 0)
  }

  @Test func whatCouldNotBeTriedIsInTheReportAndNoLoss() throws {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    let mappings = ["/a", "/b"].map { path in
      #"{"request": {"urlPath": "\#(path)", "queryParameters": {"a": {"and": [{"equalTo": "1"}, {"equalTo": "2"}]}}}, "response": {"status": 200}}"#
    }
    try box.write("m.json", #"{"mappings": [\#(mappings.joined(separator: ","))]}"#)
    let imported = try box.run("import", "m.json", "--strict", "--report", "r.json")
    #expect(imported.code == 0, "\(imported)")
    #expect(
      imported.err.contains(
        "No request was found to try the stub with (and 1 more like this; --report FILE has all)"),
      "\(imported)")
    let report = String(decoding: try Self.data("r.json", box), as: UTF8.self)
    #expect(report.components(separatedBy: #""id": "untried""#).count == 3, "\(report)")
  }

  @Test func aStrictImportWritesNothingWhereAnythingIsLost() throws {
    let box = try box(["shop.har": Self.har()])
    let bytes = try Self.data("shop.stubdb", box)
    let strict = try box.run("import", "shop.har", "--strict", "--json")
    #expect(strict.code == 2)
    #expect(strict.out.contains(#""id": "no-answer""#))
    #expect(try Self.data("shop.stubdb", box) == bytes)
  }

  @Test func aDryRunPrintsDocumentsThatCanBeAdded() throws {
    let box = try box(["a/one.har": Self.har(), "a/two.har": Self.har("two")])
    let bytes = try Self.data("shop.stubdb", box)
    let dry = try box.run("import", "a", "--prefix", "recorded", "--dry-run")
    #expect(dry.code == 0, "\(dry)")
    #expect(try Self.data("shop.stubdb", box) == bytes)
    try box.write("documents.json", dry.out)
    #expect(try box.run("add", "--file", "documents.json").code == 0)
    #expect(try box.run("list").out.contains("recorded/two"))
    #expect(try box.run("import", "a", "--prefix", "recorded").err.contains("Nothing to do"))
  }

  @Test(arguments: [
    (["import", "missing.har"], 1, "missing.har: there is no such file or folder"),
    (["import", "broken.har"], 1, "broken.har:2:4: "),
    (["import", "shop.har", "--format", "hat"], 64, "formats are har"),
    (["import", "a", "--scenario", "x"], 64, "--prefix"),
    (["import", "shop.har", "--redact", "--allow-secrets"], 64, "not both"),
    (
      ["import", "shop.har", "--require", "body"], 64,
      "--require means nothing for har; it is for openapi"
    ),
    (["import", "shop.har", "--require", "all"], 64, "'required', 'body' or 'security'"),
    (["import"], 64, "Usage"),
    (["import", "net.json"], 1, "WireMock.Net"), (["import", "net"], 1, "WireMock.Net"),
    (["import", "src"], 1, "src: none of its 2 files is in a format that stubdb can import"),
    (["import", "call.sh"], 1, "nothing to import, because everything was left out"),
    (["import", "shop.har", "--answers", "all"], 64, "--answers means nothing for har"),
  ])
  func mistakesAreExplainedAndNothingIsWritten(
    words: [String], code: Int32, text: String
  ) throws {
    let box = try box([
      "broken.har": "{\n\"a\"x", "shop.har": Self.har(), "a/orders.json": Self.mapping("/a"),
      "a/users/b.json": Self.mapping("/b"), "a/orders/c.json": Self.mapping("/c"),
      "net.json": Self.mappingOfNet, "net/a.json": Self.mappingOfNet,
      "src/a.cs": "// a program", "src/b.txt": "text", "call.sh": "curl https://a.test/ -d @x.json",
    ])
    let bytes = try Self.data("shop.stubdb", box)
    let result = try box.run(executable: Sandbox.binary, arguments: words)
    #expect(result.code == code, "\(result)")
    #expect((result.err + result.out).contains(text), "\(result)")
    #expect(try Self.data("shop.stubdb", box) == bytes)
  }

  private static let mappingOfNet =
    #"{"Guid": "1", "Request": {"Path": "/a"}, "Response": {"StatusCode": 200}}"#

  /// `stubdb serve` asks with the path alone where no stub names a host.
  @Test(arguments: ["^/items/[0-9]+$", "/items/[0-9]+.*", "/items/.+", "(^/a|^/items/.)"])
  func aPatternOfTheURLAnswersWithAnOriginAndWithout(pattern: String) throws {
    let box = try box([
      "m.json": #"{"request": {"urlPattern": "\#(pattern)"}, "response": {"body": "ok"}}"#
    ])
    try box.must("import", "m.json", "--scenario", "s", "--strict")
    for url in ["/items/1", "https://x.test/items/1"] {
      let match = try box.run("match", "s", "GET", url)
      #expect(match.code == 0 && match.out.contains("ok"), "\(match)")
    }
    #expect(try box.run("match", "s", "GET", "https://items.test/b").code == 2)
  }

  @Test func commandsBesideStubsAreReadWhereTheirFileIsNamed() throws {
    let box = try box([
      "mocks/orders.json": Self.mapping("/a"), "mocks/run.sh": "curl https://a.test/b",
    ])
    let folder = try box.run("import", "mocks", "--prefix", "x")
    #expect(folder.code == 0 && folder.err.contains("Imported 1 stub in 1 scenario"), "\(folder)")
    #expect(folder.err.contains("mocks/run.sh: ignored: "), "\(folder)")
    #expect(try box.run("import", "mocks/run.sh").err.contains("Imported 1 stub"))
  }

  private static func mapping(_ path: String) -> String {
    #"{"request": {"urlPath": "\#(path)"}, "response": {"status": 200}}"#
  }

  @Test func oneScenarioTakesEverythingThatBelongsTogether() throws {
    let box = try box(["shop.har": Self.har()])
    let result = try box.shell("stubdb import - --scenario checkout/paid < shop.har")
    #expect(result.code == 0, "\(result)")
    #expect(try box.run("list").out.contains("checkout/paid"))
  }

  @Test func helpHasEveryOption() throws {
    let help = try box([:]).run("import", "--help").out
    for option in [
      "format", "scenario", "prefix", "split", "by", "only", "host", "all", "allow-files",
      "keep-headers", "match-headers", "ignore-query", "exact", "any-host", "flows", "strict-order",
      "timing", "templates", "var", "env", "url", "method", "server", "require", "answers",
      "empty", "lenient", "replace",
      "redact", "allow-secrets", "strict", "dry-run", "report", "json", "verbose",
    ] {
      #expect(help.contains("--\(option)"), "--\(option)")
    }
  }

  @Test func environmentsAndOptionsOfScenariosReachTheImport() throws {
    let collection = """
      {"info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "item": [{"name": "A", "item": [{"name": "one", "request": {"method": "GET", "url": "{{base}}/1"},
         "response": [{"code": 200, "body": "x"}]}]}]}
      """
    let box = try box([
      "shop.json": collection, "shop.har": Self.har(),
      "live.json": #"{"name": "live", "values": [{"key": "base", "value": "https://live.test"}]}"#,
    ])
    let dry = try box.run(
      "import", "shop.json", "--env", "live.json", "--split", "none", "--dry-run")
    #expect(dry.code == 0, "\(dry)")
    #expect(dry.out.contains(#""scenario": "shop""#))
    #expect(dry.out.contains("https://live.test/1"))
    #expect(try box.run("import", "shop.json", "--env", "shop.json").code == 64)
    #expect(try box.run("import", "shop.json", "--split", "page").code == 64)
    #expect(try box.run("import", "shop.json", "--server", "shop.test").code == 64)
    let verbose = try box.run("import", "shop.har", "--dry-run", "--verbose")
    #expect(verbose.err.contains("shop.har /log/version: ignored: "), "\(verbose.err)")
    let usual = try box.run("import", "shop.har", "--dry-run")
    #expect(!usual.err.contains("/log/version"))
  }

  @Test func anEmptyObjectIsCalledOne() throws {
    let box = try Sandbox.shop()
    let result = try box.run("import", "-", input: "{}")
    #expect(result.code == 1 && result.err.contains("it is an empty object\n"), "\(result)")
  }
}
