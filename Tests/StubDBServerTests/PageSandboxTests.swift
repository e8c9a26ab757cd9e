#if Server
import StubDBServer
import Testing

/// Pages of stubs have the origin of the admin API, unless the browser is told otherwise.
@Suite struct PageSandboxTests {
  static let document = """
    {"scenario": "site", "stubs": [
      {"key": "page", "request": {"path": "/page"}, "responses": [
        {"headers": {"Content-Type": "text/html; charset=utf-8"}, "text": "<p>"}]},
      {"key": "own", "request": {"path": "/own"}, "responses": [
        {"headers": {"Content-Type": "TEXT/HTML", "Content-Security-Policy": "default-src 'self'"},
         "text": "<p>"}]},
      {"key": "image", "request": {"path": "/image"}, "responses": [
        {"headers": {"Content-Type": "image/svg+xml"}, "text": "<svg/>"}]},
      {"key": "untyped", "request": {"path": "/untyped"}, "responses": [{"base64": "PHA+"}]},
      {"key": "pieces", "request": {"path": "/pieces"}, "responses": [
        {"headers": {"Content-Type": "text/html"}, "chunks": [{"text": "<p>"}, {"text": "</p>"}]}]},
      {"key": "data", "request": {"path": "/data"}, "responses": [{"json": {}}]},
      {"key": "text", "request": {"path": "/text"}, "responses": [{"text": "<p>"}]}]}
    """

  private static let sandbox = "Content-Security-Policy: sandbox "
  private static let navigation = "Sec-Fetch-Dest: document"

  private func answer(
    _ path: String, _ field: String, _ options: ServerOptions = ServerOptions()
  ) throws -> String {
    let server = try TestServer(Self.document, options: options)
    return try server.exchange(
      "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n\r\n")
  }

  @Test(arguments: ["/page", "/own", "/image", "/untyped", "/pieces"])
  func aBrowserGivesPagesAnOriginOfTheirOwn(_ path: String) throws {
    for field in [
      Self.navigation, "Sec-Fetch-Site: same-origin", "User-Agent: Mozilla/5.0 (X11)",
    ] {
      let text = try answer(path, field)
      #expect(text.hasPrefix("HTTP/1.1 200 OK") && text.contains(Self.sandbox), "\(text)")
      #expect(!text.contains("allow-same-origin"))
    }
    #expect(!(try answer(path, "User-Agent: curl/8.0")).contains(Self.sandbox))
  }

  @Test(arguments: ["/data", "/text"])
  func whatIsNoPageStaysAsItIs(_ path: String) throws {
    #expect(!(try answer(path, Self.navigation)).contains("Content-Security-Policy"))
  }

  @Test func thePolicyOfAStubStays() throws {
    let text = try answer("/own", Self.navigation)
    #expect(text.contains("Content-Security-Policy: default-src 'self'\r\n"))
    #expect(text.contains(Self.sandbox))
  }

  @Test func pagesThatCannotReachTheAPIKeepTheirOrigin() throws {
    var (trusting, apart, none) = (ServerOptions(), ServerOptions(), ServerOptions())
    trusting.admin?.trustsPages = true
    apart.admin?.port = 0
    none.admin = nil
    for options in [trusting, apart, none] {
      #expect(!(try answer("/page", Self.navigation, options)).contains(Self.sandbox))
    }
  }

  @Test func theAPIRefusesAPageWithAnOriginOfItsOwn() throws {
    let server = try TestServer(Self.document)
    for field in ["Origin: null", "Sec-Fetch-Site: cross-site"] {
      let result = try server.ask("POST", "/__stubdb/sessions", "{}", fields: [field])
      #expect(result.status == 403)
    }
  }
}
#endif
