import Foundation
import StubDBTestSupport
import Testing

/// `import --redact`: requests whose secrets were taken out are still answered.
struct ImportRedactionTests {
  private static let secrets = ["rT5nW8kQ2vZ7mB4xL9cJ6hYd", "q8Zr5Lk2Wm9Tb4Xc7Vn3Pd6s"]

  private static func entry(
    _ method: String, _ url: String, form: String?, _ answer: String, status: Int = 200
  ) -> String {
    let content = form.map {
      #", "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "\#($0)"}"#
    }
    return #"""
      {"request": {"method": "\#(method)", "url": "https://api.shop.test\#(url)", "headers": []\#(content ?? "")},
       "response": {"status": \#(status), "headers": [{"name": "Content-Type", "value": "application/json"}],
         "content": {"mimeType": "application/json", "text": \#(answer)}}}
      """#
  }

  @Test func whatNoAnswerGivesIsFreeAndTheRestFitsTogether() throws {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    let form = "grant_type=refresh_token&refresh_token="
    let other = "zK7wP3xN9vR5tY2uB8mQ4sDf"
    try box.write(
      "shop.har",
      """
      {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [
      \(Self.entry("POST", "/token", form: form + Self.secrets[0], #""{\"access_token\":\"\#(Self.secrets[1])\"}""#)),
      \(Self.entry("GET", "/me?access_token=\(Self.secrets[1])", form: nil, #""{\"name\":\"Ada\"}""#)),
      \(Self.entry("POST", "/token", form: form + other, #""{\"error\":\"expired\"}""#))]}}
      """)
    let imported = try box.run("import", "shop.har", "--redact")
    #expect(imported.code == 0, "\(imported)")
    #expect(
      imported.err.contains(
        "Requests may have any value where the client had the secret before an answer gave it:\n"
          + "  shop post-token /body/refresh_token\n"), "\(imported)")
    #expect(imported.err.contains("Stubs that ask for the same then are one: 3 became 2.\n"))
    try box.must("check")
    let signIn = try box.run(
      "match", "shop", "POST", "https://api.shop.test/token", "--header",
      "Content-Type: application/x-www-form-urlencoded", "--data", form + Self.secrets[0])
    #expect(signIn.out.contains("REDACTED-"), "\(signIn)")
    // Both sign-ins ask for the same now, and have their answers one after another.
    let shown = try box.run("show", "shop", "--json").out
    #expect(shown.contains("expired") && !shown.contains("post-token-2"), "\(shown)")
    let token = try firstMatch(of: /REDACTED-\d+/, in: signIn.out)
    let me = "https://api.shop.test/me?access_token="
    #expect(try box.run("match", "shop", "GET", me + token).out.contains("Ada"))
    #expect(try box.run("match", "shop", "GET", me + "another").code == 2)
  }

  private static func archive(_ entries: [String]) -> String {
    """
    {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [
    \(entries.joined(separator: ",\n"))]}}
    """
  }

  @Test func aSecretInAPartOfAFormIsRefusedOrTakenOut() throws {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    let secret = Self.secrets[0]
    let other = [("client_secret", "another"), ("title", "Ada")].map { name, value in
      "--C\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    try box.write(
      "shop.har",
      Self.archive([
        #"""
        {"request": {"method": "POST", "url": "https://api.shop.test/sign-in", "headers": [],
          "postData": {"mimeType": "multipart/form-data; boundary=B", "params": [
            {"name": "client_secret", "value": "\#(secret)"}, {"name": "title", "value": "Ada"}]}},
         "response": {"status": 200, "headers": [],
          "content": {"mimeType": "text/plain", "text": "welcome"}}}
        """#
      ]))
    let refused = try box.run("import", "shop.har")
    #expect(refused.code != 0 && !refused.err.contains(secret), "\(refused)")
    #expect(try box.run("show", "shop").code != 0)
    let imported = try box.run("import", "shop.har", "--redact")
    #expect(imported.code == 0, "\(imported)")
    let catalog = try Data(contentsOf: box.folder.appendingPathComponent("shop.stubdb"))
    #expect(catalog.range(of: Data(secret.utf8)) == nil)
    #expect(try box.run("scan").code == 0)
    let answer = try box.run(
      "match", "shop", "POST", "https://api.shop.test/sign-in", "--header",
      "Content-Type: multipart/form-data; boundary=C", "--data", other.joined() + "--C--\r\n")
    #expect(answer.code == 0 && answer.out.contains("welcome"), "\(answer)")
  }
}
