import Foundation
import HTTPTypes
import StubDBEngine
import StubDBFormats
import StubDBModel
import StubDBPlayback
import Testing

/// What `review` makes of what tests recorded: each request that was recorded gets the answer that it got.
struct ReviewRecordedTests {
  private func box(_ exchanges: [SeenExchange]) throws -> Sandbox {
    let box = try Sandbox.empty()
    try box.record(exchanges, "a/shop", test: "T/records()")
    return box
  }

  @Test func requestsThatDifferInTheirURLKeepTheirAnswers() throws {
    let targets = [
      "/items?page=1", "/items?page=2", "/items", "/items?q=a%26b%3Dc",
      "/items?q=a%2Bb", "/items?q=a+b", "/items?q=%C3%A9", "/items?flag", "/items?flag=1",
      "/items/%7Bid%7D", "/items/{id}", "/items/**", "/items/%2F", "/items/?page=1",
      "/items?=", "/items?a=1&=", "/items?a=1",
    ]
    let exchanges = targets.map {
      SeenExchange(url: "https://api.shop.test:8443\($0)", answer: "answer to \($0).")
    }
    let box = try box(exchanges)
    try box.must("review", "--accept-all")
    // A raw brace is an encoded one, so both requests are one, with two answers.
    for exchange in exchanges where !exchange.url.hasSuffix("{id}") {
      let result = try box.answer(to: exchange)
      #expect(result.out.contains(exchange.answer), "\(exchange.url): \(result)")
    }
    for target in ["/items?delete=all", "/items?page=3", "/items/7", "/items/7/8"] {
      let other = SeenExchange(url: "https://api.shop.test:8443\(target)", answer: "")
      #expect(try box.answer(to: other).code == 2, "\(target)")
    }
  }

  /// The names of recording's rules count wherever they are in a form, whatever the value looks like.
  @Test(arguments: ["password=winter&n=1", "n=1&password=winter", "password=winter"])
  func aPasswordIsTakenOutOfEachPlaceOfAForm(content: String) throws {
    let box = try box([
      SeenExchange(
        method: "POST", url: "https://api.shop.test/login",
        headers: [.contentType: "application/x-www-form-urlencoded"], content: content,
        answer: "ok")
    ])
    try box.must("review", "--accept-all")
    for item in try box.contents() {
      #expect(item.content?.range(of: Data("winter".utf8)) == nil, "\(item.path)")
    }
  }

  @Test func aParameterThatDiffersEachTimeLetsNoOthersIn() throws {
    let recorded = [
      SeenExchange(url: "https://api.shop.test/items?_=1763632800123", answer: "all items"),
      SeenExchange(url: "https://api.shop.test/items?_=1763632800124&page=2", answer: "page 2"),
    ]
    let box = try box(recorded)
    #expect(try box.run("review", "--accept-all").code == 0)
    for (query, text) in [("_=1763632900000", "all items"), ("page=2&_=1763632900001", "page 2")] {
      let request = SeenExchange(url: "https://api.shop.test/items?\(query)", answer: "")
      let result = try box.answer(to: request)
      #expect(result.out.contains(text), "\(query): \(result)")
    }
    for query in ["_=1763632900000&page=3", "delete=all", "_=1&delete=all"] {
      let request = SeenExchange(url: "https://api.shop.test/items?\(query)", answer: "")
      #expect(try box.answer(to: request).code == 2, "\(query)")
    }
  }

  /// A stub that somebody wrote, which answers what is recorded.
  private static let hiding = """
    {"scenario": "a/shop", "stubs": [{"key": "any", "priority": 2, "request": {"url": "https://api.shop.test/**"},
      "responses": [{"text": "any"}]}]}
    """

  @Test func aRecordedRequestThatAnotherStubAnswersIsNamed() throws {
    let box = try Sandbox.empty()
    let added = try box.run("add", "--file", "-", input: Self.hiding)
    try #require(added.code == 0, "\(added)")
    let exchanges = [
      SeenExchange(url: "https://api.shop.test/items?page=1", answer: "one"),
      SeenExchange(url: "https://api.shop.test/items?page=1", answer: "two"),
      SeenExchange(url: "https://other.test/", answer: "other"),
    ]
    try box.record(exchanges, "a/shop", test: "T/records()", mode: .all)
    let taken = try box.run("review", "--accept-all")
    #expect(taken.code == 2)
    #expect(
      taken.err == """
        Took 2 stubs into shop.stubdb, dropped 0.
        Warning: stub get-items of a/shop: GET https://api.shop.test/items?page=1 gets another answer, of the stub any.
        To let it answer first: stubdb set a/shop get-items --priority 1

        """, "\(taken)")
    // Nothing recorded is lost, and the command of the hint mends it.
    try box.must("set", "a/shop", "get-items", "--priority", "1")
    #expect(try box.answer(to: exchanges[0]).out.contains("one"))
    try box.record(exchanges, "a/shop", test: "T/records()", mode: .all)
    #expect(try box.run("review", "--accept-all").code == 0)
  }

  /// Two requests that differ only in an order that no pattern of them asks for.
  private static let sameRequests: [[SeenExchange]] = [
    [
      SeenExchange(url: "https://api.shop.test/items?a=1&a=2", answer: "one"),
      SeenExchange(url: "https://api.shop.test/items?a=2&a=1", answer: "two"),
    ],
    ["<a><b>1</b><c>it's</c></a>", "<a><c>it's</c><b>1</b></a>"].enumerated().map { place, text in
      SeenExchange(
        method: "POST", url: "https://api.shop.test/items",
        headers: [.contentType: "application/xml"], content: text,
        answer: place == 0 ? "one" : "two")
    },
  ]

  @Test(arguments: sameRequests.indices)
  func aPriorityIsNoAdviceWhereTwoStubsMatchTheSameRequests(index: Int) throws {
    let exchanges = Self.sameRequests[index]
    let box = try box(exchanges)
    let taken = try box.run("review", "--accept-all")
    #expect(taken.code == 2)
    let lines = taken.err.split(separator: "\n").map(String.init)
    let place = try #require(lines.firstIndex { $0.hasPrefix("To tell them apart: ") })
    #expect(lines[place - 1].contains("which matches the same requests"), "\(taken)")
    let command = String(lines[place].dropFirst("To tell them apart: ".count))
    #expect(command.contains(" --priority 4 --when "), "\(taken)")
    let changed = try box.shell(command)
    #expect(changed.code == 0, "\(command): \(changed)")
    for exchange in exchanges {
      let result = try box.answer(to: exchange)
      #expect(result.out.contains(exchange.answer), "\(exchange.url): \(result)")
    }
    #expect(try box.run("check").code == 0)
  }

  @Test(arguments: sameRequests.indices)
  func stubsThatMatchTheSameRequestsAreFoundByCheck(index: Int) throws {
    let exchanges = Self.sameRequests[index]
    let box = try box(exchanges)
    #expect(try box.run("review", "--accept-all").code == 2)
    let checked = try box.run("check")
    #expect(
      checked.out.contains("-items\" comes first and matches the same requests; make one"),
      "\(checked)")
  }

  /// JSON in a block of gzip that is not compressed, with a time at its beginning.
  private static func gzip(_ text: String, time: UInt8) -> Data {
    let content = Data(text.utf8)
    let count = UInt16(content.count)
    let ends = [ContentDecoding.checksum(of: content), UInt32(count)].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    let counts = [count, ~count].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return Data([0x1F, 0x8B, 8, 0, time, 0, 0, 0, 0, 3, 1] + counts) + content + Data(ends)
  }

  @Test func aCompressedContentIsComparedAndSearchedForSecretsAsWhatItIs() throws {
    let password = "kV8-bn2Qz7_Lx4Rt"
    let exchanges = ["ada", "bob"].map { user in
      SeenExchange(
        method: "POST", url: "https://api.shop.test/login",
        headers: [.contentType: "application/json", .contentEncoding: "gzip"],
        bytes: Self.gzip(#"{"user":"\#(user)","password":"\#(password)"}"#, time: 7),
        answer: "hello \(user)")
    }
    let box = try box(exchanges)
    let catalog = box.folder.appendingPathComponent("shop.stubdb")
    let draft = URL(fileURLWithPath: catalog.path + ".draft")
    for name in try FileManager.default.contentsOfDirectory(atPath: draft.path) {
      let text = String(
        decoding: try Data(contentsOf: draft.appendingPathComponent(name)), as: UTF8.self)
      #expect(!text.contains(password) && !text.contains("H4sI"), "\(text)")
    }
    let taken = try box.run("review", "--accept-all")
    #expect(taken.code == 0, "\(taken)")
    #expect(try Data(contentsOf: catalog).range(of: Data(password.utf8)) == nil)
    for user in ["ada", "bob"] {
      let request = SeenExchange(
        method: "POST", url: exchanges[0].url, headers: [.contentType: "application/json"],
        content: #"{"user":"\#(user)","password":"my own"}"#, answer: "")
      let result = try box.answer(to: request)
      #expect(result.out.contains("hello \(user)"), "\(result)")
    }
  }

  @Test func anAnswerThatAPersonChoseIsNoWrongOne() throws {
    let box = try Sandbox.empty()
    for (test, text) in [("T/one()", "one"), ("T/two()", "two")] {
      let exchange = SeenExchange(url: "https://api.shop.test/items", answer: text)
      try box.record([exchange], "a/shop", test: test)
    }
    let taken = try box.run("review", "--accept", "a/shop/get-items")
    #expect(taken.code == 0 && !taken.err.contains("Warning"), "\(taken)")
  }

  @Test func aSecretThatNoAnswerGivesIsFreeAndOneThatAnAnswerGaveIsNot() throws {
    let secrets = ["kV8-bn2Qz7_Lx4Rt", "rT5nW8kQ2vZ7mB4xL9cJ6hYd", "q8Zr5Lk2Wm9Tb4Xc7Vn3Pd6s"]
    let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    let json: HTTPFields = [.contentType: "application/json"]
    let exchanges = [
      SeenExchange(
        method: "POST", url: "https://api.shop.test/token", headers: form,
        content: "client_secret=\(secrets[0])&grant_type=refresh_token&refresh_token=\(secrets[1])",
        // An answer to the request itself comes too late for it.
        answer: #"{"access_token":"\#(secrets[2])","refresh_token":"\#(secrets[1])"}"#,
        answerHeaders: [("Content-Type", "application/json")]),
      SeenExchange(
        method: "POST", url: "https://api.shop.test/session", headers: json,
        content: #"{"user":"ada","login":{"password":"\#(secrets[0])"}}"#, answer: "session"),
      SeenExchange(
        url: "https://api.shop.test/me?access_token=\(secrets[2])", answer: "me"),
      SeenExchange(
        url: "https://api.shop.test/key?api_key=\(secrets[0])", answer: "key"),
    ]
    let box = try box(exchanges)
    let shown = try box.run("review")
    let lines = shown.out.split(separator: "\n").filter { $0.contains(" free: ") }
    #expect(
      lines.map { $0.trimmingCharacters(in: .whitespaces) } == [
        "* post-token  with /body/client_secret, /body/refresh_token free: the client had the secret before an answer gave it",
        "* post-session  with /body/login/password free: the client had the secret before an answer gave it",
        "* get-key  with /query/api_key free: the client had the secret before an answer gave it",
      ], "\(shown)")
    let listed = try box.run("review", "--json").out.filter { !$0.isWhitespace }
    #expect(listed.contains(#""freed":["/query/api_key"]"#), "\(listed)")
    try box.must("review", "--accept-all")
    try box.must("check")
    for exchange in exchanges where !exchange.url.contains("access_token") {
      let result = try box.answer(to: exchange)
      #expect(result.code == 0, "\(exchange.url): \(result)")
    }
    var token = exchanges[2]
    #expect(try box.answer(to: token).code == 2)
    token.url = "https://api.shop.test/me?access_token=REDACTED-3"
    #expect(try box.answer(to: token).out.contains("me"))
    for secret in secrets { #expect(try !box.run("show", "a/shop", "--json").out.contains(secret)) }
  }
}
