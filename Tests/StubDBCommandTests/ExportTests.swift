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

  private static func text(_ name: String, _ box: Sandbox) throws -> String {
    try String(contentsOf: box.folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func aFolderThatIsAFileIsNamed() throws {
    let box = try Sandbox.shop()
    try box.write("notes.txt", "mine")
    let result = try box.run("export", "--all", "--format", "wiremock", "--output", "notes.txt")
    #expect(
      result.code == 1
        && result.err.hasSuffix(": a part of the path that should be a folder is a file\n"),
      "\(result)")
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
            Exported 2 stubs in 2 scenarios; 1 changed, 0 dropped.

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

  @Test func aFileWithOtherContentIsKept() throws {
    let box = try box()
    try box.write("mine.har", "mine")
    try box.write("empty.har", "")
    func export(_ name: String, _ more: String...) throws -> CommandResult {
      try box.run(
        executable: Sandbox.binary,
        arguments: ["export", "session/signed-in", "--format", "har", "-o", name] + more)
    }
    let refused = try export("mine.har", "--report", "r.json")
    #expect(refused.code == 1)
    #expect(refused.err.contains("\"mine.har\" is there with other content"), "\(refused.err)")
    #expect(refused.err.contains("--replace"), "\(refused.err)")
    #expect(try Self.text("mine.har", box) == "mine")
    #expect(!Self.exists("r.json", box))
    #expect(try export("mine.har", "--replace").code == 0)
    #expect(try Self.text("mine.har", box).contains("\"log\""))
    #expect(try export("empty.har").code == 0)
  }

  private static func files(below name: String, _ box: Sandbox) -> [String] {
    let folder = box.folder.appendingPathComponent(name).path
    return (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".json") }.sorted()
  }

  @Test func aFolderIsWrittenAndReadsBack() throws {
    let box = try box()
    let result = try box.run("export", "checkout/paid", "--format", "wiremock", "-o", "mock/")
    #expect(
      result
        == CommandResult(
          err: """
            Exported 2 stubs in 2 scenarios; 0 changed, 0 dropped, as 2 files in "mock/".

            """))
    #expect(
      Self.files(below: "mock", box)
        == ["mappings/checkout/paid/charge.json", "mappings/session/signed-in/me.json"])
    #expect(
      try box.run("export", "checkout/paid", "--format", "wiremock", "-o", "mock").code == 0)
    _ = try box.run("init", "other.stubdb")
    let imported = try box.run("import", "mock", "--catalog", "other.stubdb")
    #expect(imported.code == 0, "\(imported)")
    for name in ["checkout/paid", "session/signed-in"] {
      let shown = try ["shop", "other"].map {
        try box.run("show", name, "--json", "--catalog", "\($0).stubdb").out
          .components(separatedBy: "\"stubs\"").last
      }
      #expect(shown[0] == shown[1])
      #expect(shown[0]?.contains("\"key\"") == true)
    }
  }

  @Test func aFolderKeepsTheFilesOfOthers() throws {
    let box = try box()
    let mine = "mock/mappings/checkout/paid/charge.json"
    func export(_ more: String...) throws -> CommandResult {
      try box.run(
        executable: Sandbox.binary,
        arguments: ["export", "checkout/paid", "--format", "wiremock", "-o", "mock"] + more)
    }
    #expect(try export("--strict").code == 0)
    try box.write(mine, "mine")
    try box.write("mock/mappings/other.json", "{}")
    try FileManager.default.removeItem(
      at: box.folder.appendingPathComponent("mock/mappings/session"))
    let refused = try export("--report", "r.json")
    #expect(refused.code == 1)
    #expect(
      refused.err.contains(
        #""mock" has "mappings/checkout/paid/charge.json" with other content; nothing was written"#),
      "\(refused.err)")
    #expect(refused.err.contains("To write over it"), "\(refused.err)")
    #expect(try Self.text(mine, box) == "mine")
    #expect(!Self.exists("mock/mappings/session", box) && !Self.exists("r.json", box))

    #expect(try export("--replace").code == 0)
    #expect(try Self.text(mine, box).contains("\"request\""))
    #expect(try Self.text("mock/mappings/other.json", box) == "{}")
    #expect(Self.exists("mock/mappings/session/signed-in/me.json", box))
  }

  @Test func mappingsThatAScenarioNoLongerHasDoNotStay() throws {
    let box = try box()
    func export(_ more: String...) throws -> CommandResult {
      try box.run(
        executable: Sandbox.binary,
        arguments: ["export", "--format", "wiremock", "-o", "mock"] + more)
    }
    #expect(try export("checkout/paid").code == 0)
    let (hand, gone) = ("mock/mappings/by-hand.json", "mock/mappings/checkout/paid/charge.json")
    try box.write(hand, #"{"request": {"url": "/a"}, "response": {}, "metadata": {"stubdb": 1}}"#)
    #expect(try box.run("rename", "checkout/paid", "--key", "charge", "pay").code == 0)
    // Another scenario is none of theirs.
    #expect(try export("session/signed-in").code == 0)
    let refused = try export("checkout/paid")
    #expect(
      refused
        == CommandResult(
          err: """
            Error: "mock" has 1 file of an earlier export that this one does not write, and an import would read it: "mappings/checkout/paid/charge.json"; nothing was written
            To remove it: stubdb export --format wiremock -o mock checkout/paid --replace

            """, code: 1))
    #expect(!Self.files(below: "mock", box).contains("mappings/checkout/paid/pay.json"))
    #expect(try export("checkout/paid", "--replace").err.contains("Removed 1 file of an earlier"))
    #expect(!Self.exists(gone, box) && Self.exists(hand, box))
    #expect(try box.run("remove", "checkout/paid").code == 0)
    #expect(try export("--all").code == 1)
    #expect(try export("--all", "--replace").code == 0)
    #expect(
      Self.files(below: "mock", box)
        == ["mappings/by-hand.json", "mappings/session/signed-in/me.json"])
  }

  @Test func contractsThatAScenarioNoLongerHasDoNotStay() throws {
    let box = try box()
    func export(_ more: String...) throws -> CommandResult {
      try box.run(
        executable: Sandbox.binary, arguments: ["export", "--format", "pact", "-o", "pacts"] + more)
    }
    #expect(try export("session/signed-in").code == 0)
    let gone = "pacts/stubdb-api.shop.test.json"
    try box.write("pacts/app-shop.json", #"{"consumer": {}, "provider": {}, "interactions": []}"#)
    #expect(
      try box.run("set", "session/signed-in", "me", "--url", "https://id.shop.test/v1/me").code == 0
    )
    let refused = try export("session/signed-in")
    #expect(refused.code == 1)
    #expect(
      refused.err.contains(
        #"has 1 file of an earlier export that this one does not write, and an import would read it: "stubdb-api.shop.test.json"; nothing was written"#
      ), "\(refused.err)")
    #expect(
      try export("session/signed-in", "--replace").err.contains("Removed 1 file of an earlier"))
    #expect(
      Self.files(below: "pacts", box) == ["app-shop.json", "stubdb-id.shop.test.json"])
    // A contract that other scenarios are in, too, is theirs.
    #expect(try export("checkout/paid", "--replace").code == 0)
    #expect(Self.exists(gone, box))
    #expect(try box.run("set", "session/signed-in", "me", "--url", "https://b.test/me").code == 0)
    #expect(try export("session/signed-in", "--replace").code == 0)
    #expect(Self.exists(gone, box))
  }

  @Test func contentsThatNoMappingNamesAnyMoreDoNotStay() throws {
    let box = try Sandbox()
    _ = try box.run("init", "shop.stubdb")
    func add(_ scenario: String, _ letter: String) throws {
      let text = String(repeating: letter, count: 70_000)
      try box.write(
        "a.json",
        #"""
        {"scenario": "\#(scenario)", "stubs": [{"key": "k", "request": {"url": "/\#(scenario)"},
          "responses": [{"text": "\#(text)"}]}]}
        """#)
      #expect(try box.run("add", "--file", "a.json", "--replace").code == 0)
    }
    func export(_ more: String...) throws -> CommandResult {
      try box.run(
        executable: Sandbox.binary,
        arguments: ["export", "--format", "wiremock", "-o", "mock"] + more)
    }
    func contents() throws -> [String] {
      try FileManager.default.contentsOfDirectory(
        atPath: box.folder.appendingPathComponent("mock/__files").path
      ).sorted()
    }
    try add("a/one", "x")
    try add("b/two", "x")
    #expect(try export("--all").code == 0)
    let first = try contents()
    try #require(first.count == 1)
    try box.write("mock/__files/by-hand.txt", "mine")
    try add("a/one", "y")
    #expect(try export("a/one").code == 1)
    // The mapping of the other scenario still names it.
    #expect(try export("a/one", "--replace").code == 0)
    #expect(try contents().count == 3)
    try add("b/two", "y")
    let refused = try export("b/two")
    #expect(refused.code == 1 && refused.err.contains("other content"), "\(refused)")
    let replaced = try export("b/two", "--replace")
    #expect(
      replaced.err.contains("Removed 1 file of an earlier export: \"__files/\(first[0])\"."),
      "\(replaced)")
    let left = try contents()
    #expect(left.count == 2 && left.contains("by-hand.txt"))
    #expect(!left.contains(first[0]))
  }

  @Test func aFolderNeedsAPlace() throws {
    let box = try box()
    let nowhere = try box.run("export", "checkout/paid", "--format", "wiremock")
    #expect(nowhere.code == 64)
    #expect(
      nowhere.err.contains("wiremock is a folder of files: name it with --output FOLDER."),
      "\(nowhere.err)")
    try box.write("file", "mine")
    let file = try box.run("export", "checkout/paid", "--format", "wiremock", "-o", "file")
    #expect(file.code == 1, "\(file)")
    #expect(try Self.text("file", box) == "mine")
    let named = try box.run("export", "checkout/paid", "--format", "wiremock", "-o", "wm.json")
    #expect(named.code == 64)
    #expect(
      named.err.contains(
        #"wiremock is a folder of files, and "wm.json" looks like one file: name the folder, as in --output "wm"."#
      ),
      "\(named.err)")
    #expect(!Self.exists("wm.json", box))
    #expect(try box.run("export", "checkout/paid", "--format", "wiremock", "-o", "v1.2").code == 0)
    #expect(Self.exists("v1.2/mappings/checkout/paid/charge.json", box))
  }

  @Test func scenariosBelowANameAndAllAreExported() throws {
    let box = try box()
    func export(_ words: String...) throws -> CommandResult {
      try box.run(
        executable: Sandbox.binary,
        arguments: ["export", "--catalog", "shop.stubdb", "--format", "curl"] + words)
    }
    #expect(try export("session/").out == export("session/signed-in").out)
    #expect(try export("--all").out == export("checkout/paid", "session/signed-in").out)
    #expect(try export("--all", "session/").code == 64)
    let none = try export("sess/")
    #expect(none.code == 1)
    #expect(none.err.contains(#"there is no scenario below "sess/""#), "\(none.err)")
  }

  /// Neither the export nor its report is written over the catalog, however it is named, nor one over the other.
  @Test(arguments: [
    ["-o", "shop.stubdb", "--replace"], ["-o", "./x/../shop.stubdb", "--replace"],
    ["-o", "link.stubdb", "--replace"], ["-o", "x.har", "--report", "shop.stubdb"],
    ["-o", "x.har", "--report", "hard.stubdb"], ["-o", "x.har", "--report", "./x.har"],
  ])
  func theCatalogIsNoOutput(options: [String]) throws {
    let box = try box()
    let catalog = box.folder.appendingPathComponent("shop.stubdb")
    try FileManager.default.createSymbolicLink(
      at: box.folder.appendingPathComponent("link.stubdb"), withDestinationURL: catalog)
    try FileManager.default.linkItem(
      at: catalog, to: box.folder.appendingPathComponent("hard.stubdb"))
    let before = try Data(contentsOf: catalog)
    let result = try box.run(
      executable: Sandbox.binary,
      arguments: ["export", "session/signed-in", "--catalog", "shop.stubdb", "--format", "har"]
        + options)
    #expect(result.code == 1)
    #expect(
      result.err.contains("which this command works with; nothing was written"), "\(result.err)")
    #expect(try Data(contentsOf: catalog) == before)
    #expect(!Self.exists("x.har", box))
  }

  @Test func linksAndPipesStayWhatTheyAre() throws {
    let box = try box()
    let link = box.folder.appendingPathComponent("link.har")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: box.folder.appendingPathComponent("real.har"))
    try box.write("real.har", "")
    #expect(
      try box.run("export", "session/signed-in", "--format", "har", "-o", "link.har").code == 0)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link.path).hasSuffix("real.har"))
    #expect(try Self.text("real.har", box).contains("\"log\""))

    let pipe = box.folder.appendingPathComponent("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    // Both ends are open here, so that nobody waits.
    let descriptor = open(pipe.path, O_RDWR)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let result = try box.run(
      "export", "session/signed-in", "--format", "curl", "-o", "pipe", "--report", "pipe-report")
    #expect(result.code == 0, "\(result)")
    let type = try FileManager.default.attributesOfItem(atPath: pipe.path)[.type]
    #expect(type as? FileAttributeType != .typeRegular)
    let text = String(decoding: handle.availableData, as: UTF8.self)
    #expect(text.hasPrefix("# session/signed-in me\n"), "\(text)")
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
