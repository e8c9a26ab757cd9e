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

  /// A sandbox with an archive of sign-ins, each with the number of its secret and with its status.
  private static func signIns(_ calls: [(Int, Int)]) throws -> Sandbox {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    let entries = calls.map { secret, status in
      entry(
        "POST", "/token", form: "grant_type=refresh_token&refresh_token=" + secrets[secret],
        #""{\"is\":\#(status)}""#, status: status)
    }
    try box.write("shop.har", archive(entries))
    return box
  }

  private static func archive(_ entries: [String]) -> String {
    """
    {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [
    \(entries.joined(separator: ",\n"))]}}
    """
  }

  @Test(arguments: [
    [(0, 401), (0, 401), (1, 200)], [(0, 401), (1, 200), (0, 401)],
    [(0, 401), (1, 401), (0, 200), (1, 200)],
  ])
  func requestsThatAreTheSameThenGetTheirAnswersInTheirOrder(
    calls: [(Int, Int)]
  ) throws {
    let box = try Self.signIns(calls)
    let imported = try box.run("import", "shop.har", "--redact", "--strict")
    #expect(imported.code == 0, "\(imported)")
    #expect(imported.err.contains("Imported \(calls.count) requests as 1 stub in"), "\(imported)")
    try box.write(
      "all.http",
      calls.map { _ in
        "POST https://api.shop.test/token\nContent-Type: application/x-www-form-urlencoded\n\n"
          + "grant_type=refresh_token&refresh_token=mine\n"
      }.joined(separator: "\n###\n"))
    let played = try box.run("play", "shop", "all.http")
    let statuses = played.out.matches(of: #/"is": ?(\d+)/#).compactMap { Int($0.1) }
    #expect(statuses == calls.map { $0.1 }, "\(played)")
  }

  /// The stubs of a flow are not joined, so that the last request gets the answer of the flow.
  @Test func aRequestWithoutItsAnswerOnceSecretsAreTakenOutIsReported() throws {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    func read(_ secret: Int, _ answer: String) -> String {
      Self.entry("GET", "/me?api_key=\(Self.secrets[secret])", form: nil, answer)
    }
    try box.write(
      "shop.har",
      Self.archive([
        read(0, #""1""#), Self.entry("POST", "/write", form: "a=1", #""ok""#), read(0, #""2""#),
        read(1, #""3""#),
      ]))
    let plain = try box.run(
      "import", "shop.har", "--flows", "--strict", "--allow-secrets", "--dry-run")
    #expect(plain.code == 0, "\(plain)")
    let strict = try box.run("import", "shop.har", "--flows", "--redact", "--strict")
    #expect(strict.code == 2, "\(strict)")
    #expect(strict.err.contains("The recorded request gets another answer"), "\(strict)")
    #expect(try box.run("show", "shop").code != 0)
    let imported = try box.run("import", "shop.har", "--flows", "--redact")
    #expect(imported.code == 0, "\(imported)")
    #expect(imported.err.contains("The recorded request gets another answer"), "\(imported)")
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

  /// What redaction puts in place of a number is a number that others may be, too.
  @Test func aNumberThatNoRedactionGaveIsWhatItSays() throws {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    let orders = [123, 124].map {
      Self.entry("GET", "/orders/900000\($0)", form: nil, #""order \#($0)""#)
    }
    let signIn = Self.entry(
      "POST", "/token", form: "refresh_token=\(Self.secrets[0])", #""signed in""#)
    try box.write("plain.har", Self.archive(orders))
    try box.write("secret.har", Self.archive(orders + [signIn]))
    for words in [["plain.har"], ["secret.har", "--redact"]] {
      let imported = try box.run(
        executable: Sandbox.binary, arguments: ["import", "--strict", "--replace"] + words)
      #expect(imported.code == 0, "\(imported)")
      let scenario = words[0] == "plain.har" ? "plain" : "secret"
      for number in [123, 124] {
        let url = "https://api.shop.test/orders/900000\(number)"
        let answer = try box.run("match", scenario, "GET", url)
        #expect(answer.out.contains("order \(number)"), "\(answer)")
      }
      #expect(
        try box.run("match", scenario, "GET", "https://api.shop.test/orders/900000125").code == 2)
    }
  }
}
