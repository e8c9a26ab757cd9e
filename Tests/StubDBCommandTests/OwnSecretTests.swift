import Foundation
import HTTPTypes
import StubDBJSON
import Testing

/// A secret that the client sent before an answer gave it is the client's own: no stub asks for its placeholder.
struct OwnSecretTests {
  private static let key = "kV8-bn2Qz7_Lx4Rt"
  private static let password = "rT5nW8kQ2vZ7mB4xL9cJ6hYd"
  private static let token = "q8Zr5Lk2Wm9Tb4Xc7Vn3Pd6s"
  private static let json: HTTPFields = [.contentType: "application/json"]
  private static let host = "https://api.shop.test"
  private static let jsonAnswer = [(name: "Content-Type", value: "application/json")]

  /// The answers repeat the key and the password, before they are sent again in other forms; the token is the server's.
  private static let exchanges = [
    SeenExchange(
      url: "\(host)/neo?api_key=\(key)&page=1",
      answer: #"{"links":{"next":"/neo?api_key=\#(key)&page=2"}}"#, answerHeaders: jsonAnswer),
    post(
      "/login", json, #"{"login":{"password":"\#(password)"}}"#,
      #"{"user":{"password":"\#(password)"},"access_token":"\#(token)"}"#),
    SeenExchange(url: "\(host)/neo?api_key=\(key)&page=2", answer: "second"),
    SeenExchange(url: "\(host)/apod?api_key=\(key)", answer: "apod"),
    SeenExchange(url: "\(host)/keys/\(key)/uses", answer: "path"),
    post(
      "/form", [.contentType: "application/x-www-form-urlencoded"], "a=1&password=\(password)",
      "form"),
    post("/list", json, #"[{"id":7,"password":"\#(password)"}]"#, "list"),
    post(
      "/xml", [.contentType: "application/xml"],
      #"<a note="is \#(password)"><password>\#(password)</password><b>1</b></a>"#, "xml"),
    post(
      "/multipart", [.contentType: "multipart/form-data; boundary=B"],
      "--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(password)\r\n--B--\r\n",
      "multipart"),
    post(
      "/graphql", json,
      #"{"query":"mutation($p: String!) { login(p: $p) }","variables":{"p":"\#(password)"}}"#,
      "graphql"),
    SeenExchange(url: "\(host)/me?access_token=\(token)", answer: "me"),
  ]

  private static func post(
    _ path: String, _ headers: HTTPFields, _ content: String, _ answer: String
  ) -> SeenExchange {
    SeenExchange(
      method: "POST", url: host + path, headers: headers, content: content, answer: answer,
      answerHeaders: answer.hasPrefix("{") ? jsonAnswer : [])
  }

  /// The same requests are answered, but for that with the token, which has to be the one that the stub gives.
  private func expectAnswers(_ box: Sandbox) throws {
    try box.must("check")
    for exchange in Self.exchanges.dropLast() {
      let result = try box.answer(to: exchange)
      #expect(result.code == 0, "\(exchange.method) \(exchange.url): \(result)")
      guard exchange.answerHeaders.isEmpty else { continue }
      #expect(result.out.contains(exchange.answer), "\(exchange.url): \(result)")
    }
    var me = Self.exchanges[Self.exchanges.count - 1]
    #expect(try box.answer(to: me).code == 2)
    let signedIn = try box.answer(to: Self.exchanges[1]).out
    let given = signedIn.matches(of: #/REDACTED-\d+/#).map { String($0.0) }
    var count = 0
    for placeholder in Set(given) {
      me.url = "\(Self.host)/me?access_token=\(placeholder)"
      if try box.answer(to: me).code == 0 { count += 1 }
    }
    #expect(count == 1, "\(signedIn)")
    let shown = try box.run("show", "a/shop", "--json").out
    for secret in [Self.key, Self.password, Self.token] { #expect(!shown.contains(secret)) }
  }

  @Test func whatARecordingSentFirstIsFreeEverywhere() throws {
    let box = try Sandbox.empty()
    try box.record(Self.exchanges, "a/shop", test: "T/records()")
    let shown = try box.run("review").out
    #expect(
      shown.contains(
        "* get-apod  with /query/api_key free: the client had the secret before an answer gave it"),
      "\(shown)")
    #expect(!shown.contains("/query/access_token free"), "\(shown)")
    let taken = try box.run("review", "--accept-all")
    #expect(taken.code == 0, "\(taken)")
    try expectAnswers(box)
  }

  /// Requests with a secret in every place that can be free.
  private static func requests(_ secret: String, _ answer: String) -> [SeenExchange] {
    [
      SeenExchange(url: "\(host)/query?api_key=\(secret)", answer: "query \(answer)"),
      SeenExchange(url: "\(host)/keys/\(secret)/uses", answer: "path \(answer)"),
      post(
        "/form", [.contentType: "application/x-www-form-urlencoded"], "a=1&password=\(secret)",
        "form \(answer)"),
      post("/json", json, #"{"login":{"id":7,"password":"\#(secret)"}}"#, "json \(answer)"),
      post("/list", json, #"[{"id":7,"password":"\#(secret)"}]"#, "list \(answer)"),
      post(
        "/xml", [.contentType: "application/xml"],
        #"<a note="is \#(secret)"><password>\#(secret)</password><b>1</b></a>"#, "xml \(answer)"),
      post(
        "/multipart", [.contentType: "multipart/form-data; boundary=B"],
        "--B\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n--B--\r\n",
        "multipart \(answer)"),
      post(
        "/graphql", json,
        #"{"query":"mutation($p: String!) { login(p: $p) }","variables":{"p":"\#(secret)"}}"#,
        "graphql \(answer)"),
      post("/text", [.contentType: "text/plain"], "see \(secret)!", "text \(answer)"),
    ]
  }

  /// The client's own secret and the token of an answer are sent to the same places, in this order.
  private static let pairs =
    [
      SeenExchange(
        url: "\(host)/neo?api_key=\(key)", answer: #"{"access_token":"\#(token)"}"#,
        answerHeaders: jsonAnswer)
    ] + requests(key, "of any") + requests(token, "of the token")

  /// A request with the token gets its own answer, and one with anything else that of the secret.
  private func expectPairs(
    _ box: Sandbox, of isAsked: (SeenExchange) -> Bool = { _ in true }
  ) throws {
    let checked = try box.run("check")
    #expect(checked.code == 0, "\(checked)")
    let given = try box.answer(to: Self.pairs[0]).out
    let found = given.firstMatch(of: #/REDACTED-\d+/#).map { String($0.0) }
    let placeholder = try #require(found)
    for (secret, text) in [(placeholder, "of the token"), ("mine", "of any")] {
      for request in Self.requests(secret, text) where isAsked(request) {
        let result = try box.answer(to: request)
        #expect(result.out.contains(request.answer), "\(request.url): \(result)")
      }
    }
  }

  @Test func aRecordedTokenComesBeforeWhatIsFreeInItsPlace() throws {
    let box = try Sandbox.empty()
    try box.record(Self.pairs, "a/shop", test: "T/records()")
    let taken = try box.run("review", "--accept-all")
    #expect(taken.code == 0 && !taken.err.contains("Warning"), "\(taken)")
    try expectPairs(box)
  }

  @Test func aTokenOfALaterRecordingComesBeforeWhatIsFreeInItsPlace() throws {
    // A later request with other fields or members is about the stub that leaves them free.
    func isOther(_ exchange: SeenExchange) -> Bool {
      ["path", "xml", "multipart", "text"].contains { exchange.answer.hasPrefix($0) }
    }
    let box = try Sandbox.empty()
    let (first, others) = (Self.pairs[0], Self.pairs.filter(isOther))
    for text in ["of any", "of the token"] {
      try box.record(
        [first] + others.filter { $0.answer.hasSuffix(text) }, "a/shop", test: "T/records()")
      let taken = try box.run("review", "--accept-all")
      #expect(taken.code == 0 && !taken.err.contains("Warning"), "\(taken)")
    }
    try expectPairs(box, of: isOther)
  }

  @Test func aTokenOfAnArchiveComesBeforeWhatIsFreeInItsPlace() throws {
    let box = try Sandbox.empty()
    let entries = Self.pairs.enumerated().map { Self.entry($0.element, second: $0.offset) }
    let archive: JSONValue = .object([
      "log": .object([
        "version": "1.2", "creator": .object(["name": "t", "version": "1"]),
        "entries": .array(entries),
      ])
    ])
    try box.write("shop.har", archive.canonicalText)
    let imported = try box.run("import", "shop.har", "--redact", "--scenario", "a/shop")
    #expect(imported.code == 0, "\(imported)")
    try expectPairs(box)
  }

  @Test(arguments: [false, true])
  func whatAnArchiveSentFirstIsFreeWhateverTheOrderOfItsEntries(isReversed: Bool) throws {
    let box = try Sandbox.empty()
    let entries = Self.exchanges.enumerated().map { Self.entry($0.element, second: $0.offset) }
    let archive: JSONValue = .object([
      "log": .object([
        "version": "1.2", "creator": .object(["name": "t", "version": "1"]),
        "entries": .array(isReversed ? entries.reversed() : entries),
      ])
    ])
    try box.write("shop.har", archive.canonicalText)
    let imported = try box.run(
      "import", "shop.har", "--redact", "--scenario", "a/shop")
    #expect(imported.code == 0, "\(imported)")
    try expectAnswers(box)
  }

  private static func entry(_ exchange: SeenExchange, second: Int) -> JSONValue {
    let fields = exchange.headers.map { field -> JSONValue in
      .object(["name": .string(field.name.rawName), "value": .string(field.value)])
    }
    let type = exchange.answerHeaders.isEmpty ? "text/plain" : "application/json"
    var request: JSONObject = [
      "method": .string(exchange.method), "url": .string(exchange.url), "headers": .array(fields),
    ]
    if !exchange.content.isEmpty {
      request["postData"] = .object([
        "mimeType": .string(exchange.headers[.contentType] ?? ""),
        "text": .string(exchange.content),
      ])
    }
    return .object([
      "startedDateTime": .string("2026-11-23T10:00:\(second + 10).000Z"),
      "request": .object(request),
      "response": .object([
        "status": .number(JSONNumber(200)),
        "headers": .array([.object(["name": "Content-Type", "value": .string(type)])]),
        "content": .object(["mimeType": .string(type), "text": .string(exchange.answer)]),
      ]),
    ])
  }

  /// The key is first in a header field, which no pattern has, in one test, and an answer repeats it in another test.
  @Test func whatAnotherTestSentFirstIsTheClientsOwn() throws {
    let box = try Sandbox.empty()
    let start = SeenExchange(
      url: "\(Self.host)/start", headers: [.authorization: "Bearer \(Self.key)"], answer: "start")
    let settings = SeenExchange(
      url: "\(Self.host)/settings",
      answer: #"{"api_key":"\#(Self.key)","access_token":"\#(Self.token)"}"#,
      answerHeaders: Self.jsonAnswer)
    let apod = SeenExchange(url: "\(Self.host)/apod?api_key=\(Self.key)", answer: "apod")
    let me = SeenExchange(url: "\(Self.host)/me?access_token=\(Self.token)", answer: "me")
    try box.record([("a/first", [start]), ("a/shop", [settings, apod, me])])
    try box.must("review", "--accept-all")
    #expect(try box.answer(to: apod).out.contains("apod"))
    #expect(try box.answer(to: me).code == 2)
  }

  @Test func aNumberThatWasTakenOutIsFreeAndOthersAreWhatTheySay() throws {
    let box = try Sandbox.empty()
    try box.write(".stubdb-redact.json", #"{"jsonPointers": ["/user/phone"]}"#)
    var register = Self.post(
      "/register", Self.json, #"{"user":{"phone":491512345678}}"#, "registered")
    let orders = [123, 124].map {
      SeenExchange(url: "\(Self.host)/orders/900000\($0)", answer: "order \($0)")
    }
    try box.record([register] + orders, "a/shop", test: "T/orders()")
    try box.must("review", "--accept-all")
    register.content = #"{"user":{"phone":491500000000}}"#
    #expect(try box.answer(to: register).out.contains("registered"))
    for order in orders { #expect(try box.answer(to: order).out.contains(order.answer)) }
  }

  @Test func theReportOnARequestSaysHowToLeaveAPlaceholderFree() throws {
    let box = try Sandbox.empty()
    try box.must(
      "add", "a/shop", "--key", "apod", "--url", "\(Self.host)/apod?api_key=REDACTED-1&page=1",
      "--when-header", "X-Key: REDACTED-2", "--text", "apod")
    try box.must(
      "add", "a/shop", "--key", "login", "--method", "POST", "--url", "\(Self.host)/login",
      "--when-body-json", #"{"password": "REDACTED-3"}"#)
    var apod = SeenExchange(url: "\(Self.host)/apod?api_key=\(Self.key)&page=1", answer: "")
    apod.headers[try #require(HTTPField.Name("X-Key"))] = Self.key
    let report = try box.answer(to: apod)
    let lines = (report.out + report.err).split(separator: "\n").map(String.init)
    let place = try #require(lines.firstIndex { $0.hasSuffix("To let any value match there:") })
    #expect(
      lines[place + 1] == "  stubdb set a/shop apod --when "
        + #"'{"headers":{"X-Key":{"matches":".+"}},"query":{"api_key":{"matches":".+"}}}'"#)
    let changed = try box.shell(lines[place + 1])
    #expect(changed.code == 0, "\(changed)")
    #expect(try box.answer(to: apod).out.contains("apod"))
    apod.url = "\(Self.host)/apod?api_key=\(Self.key)&page=2"
    #expect(try box.answer(to: apod).code == 2)

    let login = Self.post("/login", Self.json, #"{"password":"\#(Self.password)"}"#, "")
    let result = try box.answer(to: login)
    let text = result.out + result.err
    #expect(
      text.contains(#"put "${json-unit.ignore}" in its place:"#)
        && text.contains("  stubdb edit a/shop\n"), "\(text)")
  }
}
