#if Server
import Foundation
import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBServer

/// The page, as far as no browser is needed; `scripts/test-page` tests it in one.
@Suite struct PageTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/StubDBServer/Page/web")

  @Test func theFilesInTheBinaryAreThoseOfTheFolder() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(PageFiles.all.keys.sorted() == names.sorted(), "run scripts/embed-files")
    for (name, text) in PageFiles.all {
      let file = try String(
        contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
      #expect(text == file, "run scripts/embed-files")
    }
  }

  @Test(arguments: [
    ("/__stubdb/", "index.html", "text/html"), ("/__stubdb", "index.html", "text/html"),
    ("/__stubdb/page/app.js", "app.js", "text/javascript"),
    ("/__stubdb/page/style.css", "style.css", "text/css"),
  ])
  func browsersGetAFileWithItsPolicy(path: String, name: String, type: String) throws {
    var options = ServerOptions()
    // The files themselves are no secret: the page asks for the token.
    options.admin?.token = "secret"
    let server = try TestServer(GuardTests.document, options: options)
    let file = try server.ask("GET", path, fields: ["Sec-Fetch-Site: none"])
    #expect(file.status == 200)
    #expect(file.text == (name == "index.html" ? Page.index : PageFiles.all[name]))
    #expect(file.fields["content-type"] == "\(type); charset=utf-8")
    #expect(file.fields["x-content-type-options"] == "nosniff")
    let policy = try #require(file.fields["content-security-policy"])
    #expect(policy.hasPrefix("default-src 'self'; img-src 'self' data:; frame-ancestors 'none';"))
    #expect(!policy.contains("unsafe"))
    let tag = try #require(file.fields["etag"])
    let again = try server.ask("GET", path, fields: ["If-None-Match: \"other\", \(tag)"])
    #expect(again.status == 304 && again.text.isEmpty && again.fields["etag"] == tag)
    #expect(try server.ask("GET", path, fields: ["If-None-Match: \"other\""]).status == 200)
    #expect(try server.ask("GET", path, fields: ["Sec-Fetch-Site: cross-site"]).status == 403)
    #expect(try server.ask("GET", path, host: "evil.test").status == 403)
    #expect(try server.ask("GET", "/__stubdb/page/none").status == 404)
    #expect(try server.ask("GET", "/__stubdb/page/schema.json").text("/title") != "")
  }

  @Test func aBrowserKeepsTheFilesOfAVersion() throws {
    let server = try TestServer(GuardTests.document)
    let index = try server.ask("GET", "/__stubdb/")
    #expect(index.fields["cache-control"] == "no-cache")
    // All that the page loads has the version in its address, and no module is left to be found late.
    let addresses = index.text.components(separatedBy: "\"/").dropFirst().compactMap {
      $0.split(separator: "\"").first.map { "/\($0)" }
    }
    let modules = PageFiles.all.keys.filter { $0.hasSuffix(".js") }
    #expect(
      Set(addresses)
        == Set((modules + ["style.css"]).map { "/__stubdb/page/\(Page.version)/\($0)" }))
    for address in Set(addresses) {
      let file = try server.ask("GET", address)
      #expect(file.status == 200 && file.fields["cache-control"]?.contains("immutable") == true)
    }
    let other = try server.ask("GET", "/__stubdb/page/0000/app.js")
    #expect(other.status == 200 && other.fields["cache-control"] == "no-cache")
  }

  @Test func coverageCountsTheAnswersOfEachStub() throws {
    let server = try TestServer(
      """
      {"scenario": "shop", "stubs": [
        {"key": "me", "request": {"method": "GET", "url": "/me"},
         "responses": [{"status": 201}, {"status": 202}]},
        {"key": "you", "request": {"url": "/you"}, "responses": [{"status": 200}]},
        {"key": "notes", "resource": {"at": "https://api.shop.test/notes"}}]}
      """)
    let path = "/__stubdb/sessions/default/coverage"
    for _ in 0..<3 { _ = try server.exchange("GET /me HTTP/1.1\r\nHost: a\r\n\r\n") }
    _ = try server.exchange("GET /nobody HTTP/1.1\r\nHost: a\r\n\r\n")
    let result = try server.ask("GET", path)
    #expect(result.text("/scenario") == "shop" && result["/used"] == 1)
    #expect(result.text("/stubs/0/key") == "me" && result["/stubs/0/answers"] == 3)
    #expect(result["/stubs/0/responses"] == 2)
    #expect(result.text("/stubs/0/request") == "GET /me")
    #expect(result.text("/stubs/1/scenario") == "shop" && result["/stubs/1/answers"] == 0)
    #expect(result.text("/stubs/2/request") == "any method https://api.shop.test/notes")
    #expect(try server.ask("POST", "/__stubdb/sessions/default/reset").status == 204)
    #expect(try server.ask("GET", path)["/used"] == 0)
  }

  @Test func aDocumentIsMatchedWithWhatItIncludes() throws {
    let stub = #"{"key": "KEY", "request": {"url": "/KEY"}, "responses": [{"status": 200}]}"#
    func document(_ name: String, _ includes: String, _ key: String) -> String {
      let stub = stub.replacing("KEY", with: key)
      return #"{"scenario": "\#(name)", "includes": [\#(includes)], "stubs": [\#(stub)]}"#
    }
    let catalog = try TestCatalog(
      document("inner", "", "inner"), document("outer", #""inner""#, "outer"))
    let server = try TestServer(catalog: catalog, scenario: nil)
    func match(_ includes: String, _ path: String) throws -> AdminResult {
      let draft = document("draft", includes, "draft")
      return try server.ask(
        "POST", "/__stubdb/match", #"{"document": \#(draft), "request": {"url": "\#(path)"}}"#)
    }
    for key in ["draft", "outer", "inner"] {
      let result = try match(#""outer""#, "https://shop.test/\(key)")
      #expect(result.text("/scenario") == key && result["/matched"] == true, "\(result)")
    }
    let dangling = try match(#""none""#, "https://shop.test/draft")
    #expect(dangling.status == 422 && dangling.text("/pointer") == "/document/includes/0")
  }
}
#endif
