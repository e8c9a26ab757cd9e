import Foundation
import Testing

/// The stub that the report on an unmatched request proposes to add.
struct PrintedAdditionTests {
  /// A request, and requests that differ from it in one thing.
  struct Miss: Sendable, CustomTestStringConvertible {
    let request: [String]
    let others: [[String]]
    /// The secrets of the request as the report names them, and a request that differs in nothing else.
    var free: (name: String, request: [String])?

    var testDescription: String { request.joined(separator: " ") }
  }

  private static let orders = "https://api.shop.test/v1/orders"
  private static let form = "grant_type=refresh_token&refresh_token=abc123def456ghi789"

  private static let token = "ghp_" + "abc123ghi789" + "Zq8Wx7Vt6Rs5Qp4Nm3Lk2Jh1"

  private static func multipart(
    _ boundary: String, _ parts: [(name: String, text: String)]
  ) -> [String] {
    let texts = parts.map { part in
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"\r\n\r\n\(part.text)\r\n"
    }
    return [
      "POST", orders, "-H", "Content-Type: multipart/form-data; boundary=\(boundary)", "--data",
      texts.joined() + "--\(boundary)--\r\n",
    ]
  }

  static let misses = [
    Miss(request: ["GET", orders], others: [["POST", orders], ["GET", orders + "?page=2"]]),
    Miss(
      request: ["GET", orders + "?page=2&q=a%20{b}"],
      others: [["GET", orders], ["GET", orders + "?page=3&q=a%20{b}"]]),
    Miss(
      request: [
        "POST", orders, "--data", #"{"amount": 12, "card": {"pin": "9", "token": "abc123def456"}}"#,
      ],
      others: [
        ["POST", orders],
        [
          "POST", orders, "--data",
          #"{"amount": 13, "card": {"pin": "9", "token": "abc123def456"}}"#,
        ],
        [
          "POST", orders, "--data",
          #"{"amount": 12, "card": {"pin": "9", "token": "x"}, "vat": 1}"#,
        ],
      ],
      free: (
        "secrets in the content",
        ["POST", orders, "--data", #"{"amount": 12, "card": {"pin": "9", "token": "x"}}"#]
      )),
    Miss(
      request: ["POST", orders, "--data", form],
      others: [["POST", orders, "--data", "grant_type=password&refresh_token=abc123def456ghi789"]],
      free: (
        "secrets in the content",
        ["POST", orders, "--data", "grant_type=refresh_token&refresh_token=x"]
      )),
    Miss(
      request: ["PUT", orders, "--data", "@@it's (1.5) * $HOME"],
      others: [["PUT", orders, "--data", "@@it's (1x5) * $HOME"]]),
    Miss(request: ["POST", orders], others: [["POST", orders, "--data", "x"]]),
    Miss(
      request: ["GET", orders + "?access_token=abc123def456&page=1"],
      others: [
        ["GET", orders + "?page=1"], ["GET", orders + "?access_token=abc123def456&page=2"],
      ],
      free: ("access_token", ["GET", orders + "?access_token=x&page=1"])),
    Miss(
      request: ["GET", orders + "/\(token)/items"],
      others: [
        ["GET", orders + "/items"], ["GET", orders + "/\(token)"], ["GET", orders + "/x/items"],
      ],
      free: (
        "secret in the path, of the same length",
        ["GET", orders + "/" + String(repeating: "x", count: token.count) + "/items"]
      )),
    Miss(
      request: ["GET", "https://api.shop.test/\(token)"],
      others: [["GET", "https://api.shop.test/v1"], ["GET", "https://api.shop.test/\(token)/x"]],
      free: (
        "secret in the path, of the same length",
        ["GET", "https://api.shop.test/" + String(repeating: "x", count: token.count)]
      )),
    Miss(
      request: ["GET", orders + "?\(token)=1&page=2"],
      others: [["GET", orders + "?\(token)=1"], ["GET", orders + "?\(token)=1&page=3"]],
      free: (
        "query parameters but these, since the name of one is a secret",
        ["GET", orders + "?page=2"]
      )),
    Miss(
      request: ["GET", orders + "?\(token)"], others: [["GET", orders + "/x?\(token)"]],
      free: ("query, since the name of a parameter is a secret", ["GET", orders])),
    Miss(
      request: ["GET", orders + "?token=\(token)"],
      others: [["GET", orders], ["GET", orders + "?token=\(token)&page=2"]],
      free: ("token", ["GET", orders + "?token=x"])),
    Miss(
      request: ["GET", orders + "/7", "-H", "Accept: text/csv"],
      others: [["GET", orders + "/7", "-H", "Accept: text/plain"], ["GET", orders + "/7"]]),
    Miss(
      request: ["GET", orders + "/7"], others: [["GET", orders + "/7", "-H", "Accept: text/csv"]]),
    Miss(
      request: ["GET", orders + "/7", "-H", "Accept: Bearer abc123def456"],
      others: [["GET", orders + "/7", "-H", "Accept: text/csv"]],
      free: ("Accept", ["GET", orders + "/7", "-H", "Accept: Bearer x"])),
    Miss(
      request: [
        "GET", orders + "/7", "-H", "Accept: Bearer abc123def456", "-H", "Accept: text/csv",
      ],
      others: [
        ["GET", orders + "/7", "-H", "Accept: Bearer abc123def456"],
        ["GET", orders + "/7", "-H", "Accept: Bearer abc123def456", "-H", "Accept: text/html"],
      ],
      free: (
        "Accept", ["GET", orders + "/7", "-H", "Accept: Bearer x", "-H", "Accept: text/csv"]
      )),
    Miss(
      request: multipart("b1", [("title", "one")]),
      others: [
        multipart("b1", [("title", "two")]), multipart("b1", [("title", "one"), ("extra", "two")]),
        multipart("b1", [("title", "one"), ("title", "one")]),
      ]),
    Miss(
      request: multipart("b1", [("title", "one"), ("token", "abc123def456ghi789")]),
      others: [
        multipart("b1", [("title", "one")]), multipart("b1", [("title", "one"), ("pin", "1")]),
        multipart("b1", [("title", "one"), ("token", "x"), ("extra", "two")]),
      ],
      free: ("part token", multipart("b2", [("title", "one"), ("token", "x")]))),
    Miss(
      request: ["PUT", orders, "--data", "{\r\n\"a\":1}"],
      others: [["PUT", orders, "--data", #"{"a": 2}"#], ["PUT", orders]]),
    Miss(
      request: ["PUT", orders, "--data", "one\r\ntwo\u{1}\t'three'"],
      others: [["PUT", orders, "--data", "one\r\ntwo\u{2}\t'three'"], ["PUT", orders]]),
    Miss(
      request: ["PUT", orders, "--data", "{\r\n\"token\": \"abc123def456\", \"n\": 1}"],
      others: [["PUT", orders, "--data", #"{"token": "abc123def456", "n": 2}"#]],
      free: (
        "secrets in the content", ["PUT", orders, "--data", #"{"token": "x", "n": 1}"#]
      )),
    Miss(
      request: ["PUT", orders, "--data", #"{"a": ["${json-unit.ignore}"]}"#],
      others: [["PUT", orders, "--data", #"{"a": [1]}"#]]),
    Miss(
      request: [
        "PUT", orders, "--data", #"{"a": "${json-unit.any-string}", "token": "abc123def456"}"#,
      ],
      others: [["PUT", orders, "--data", #"{"a": "x", "token": "abc123def456"}"#]],
      free: (
        "secrets in the content",
        ["PUT", orders, "--data", #"{"a": "${json-unit.any-string}", "token": "x"}"#]
      )),
  ]

  @Test(arguments: misses)
  func theStubAnswersTheRequestAndOnlyIt(_ miss: Miss) throws {
    let box = try Sandbox.shop()
    let scenario = "orders/seen"
    try box.must(
      "add", scenario, "--method", "GET", "--url", Self.orders + "/7", "--when-header",
      "Accept: application/json")
    func match(_ request: [String]) throws -> CommandResult {
      try box.run(executable: Sandbox.binary, arguments: ["match", scenario] + request)
    }
    let report = try match(miss.request)
    #expect(report.code == 2)
    let reach = miss.free.map { "whatever its \($0.name)" } ?? "and no other request"
    let purpose = "To answer it, \(reach) (the answer is empty; add --json or --text"
    #expect(report.out.contains(purpose), "\(report.out)")
    let lines = report.out.split(separator: "\n").map(String.init)
    let command = try #require(lines.first { $0.hasPrefix("  stubdb add ") })
    for secret in ["abc123", "ghi789"] { #expect(!report.out.contains(secret), "\(report.out)") }
    // Control characters are quoted as bash and zsh read them.
    try box.write("add.sh", command)
    let added = try box.shell("bash add.sh")
    #expect(added.code == 0, "\(command)\n\(added)")
    #expect(try match(miss.request).code == 0, "\(command)")
    if let free = miss.free { #expect(try match(free.request).code == 0, "\(command)") }
    for other in miss.others { #expect(try match(other).code == 2, "\(command)\n\(other)") }
  }

  @Test func aFileWhoseJSONHasAPlaceholderIsAskedForAsText() throws {
    let box = try Sandbox.shop()
    try box.write("a.json", #"{"a": "${json-unit.ignore}"}"#)
    let request = ["match", "orders/seen", "PUT", Self.orders, "--data", "@a.json"]
    try box.must("add", "orders/seen", "--method", "GET", "--url", Self.orders + "/7")
    let report = try box.run(executable: Sandbox.binary, arguments: request).out
    let lines = report.split(separator: "\n").map(String.init)
    _ = try box.shell(try #require(lines.first { $0.hasPrefix("  stubdb add ") }))
    #expect(try box.run(executable: Sandbox.binary, arguments: request).code == 0, "\(report)")
    let other = request.dropLast() + [#"{"a": 1}"#]
    #expect(
      try box.run(executable: Sandbox.binary, arguments: Array(other)).code == 2, "\(report)")
  }

  /// `match` and `play` answer with what lies on top, so that the same command has to have it.
  @Test func theCommandThatComparesAgainHasTheScenariosOnTop() throws {
    let box = try Sandbox.shop()
    try box.must("add", "orders/top", "--method", "GET", "--url", Self.orders + "/8")
    try box.write("a.http", "GET \(Self.orders)/9\n")
    let overlays = ["--overlay", "orders/top", "--overlay", "network/offline"]
    try box.must("add", "network/offline", "--method", "GET", "--url", Self.orders + "/10")
    for arguments in [
      ["match", "checkout/paid", "GET", Self.orders + "/9"], ["play", "checkout/paid", "a.http"],
    ] {
      let result = try box.run(executable: Sandbox.binary, arguments: arguments + overlays)
      #expect(
        (result.out + result.err).contains(
          "  stubdb match checkout/paid GET \(Self.orders)/9 \(overlays.joined(separator: " "))\n"
        ),
        "\(result)")
    }
  }

  @Test func theCommandSaysWhatItLeavesOpen() throws {
    let box = try Sandbox.shop()
    let long = #"{"text": ""# + String(repeating: "a", count: 5_000) + #""}"#
    let report = try box.run("match", "checkout/paid", "POST", Self.orders, "--data", long)
    #expect(
      report.out.contains(
        """
        To answer it, whatever its content (the answer is empty; add --json or --text to fill it):
          stubdb add checkout/paid --method POST --url \(Self.orders) --query-is-exact --status 200

        """), "\(report.out)")
  }

  @Test func noFieldIsRepeatedThatNoStubLooksAt() throws {
    let box = try Sandbox.shop()
    try box.must("add", "orders/seen", "--method", "GET", "--url", Self.orders + "/7")
    let report = try box.run(
      "match", "orders/seen", "GET", Self.orders, "-H", "Authorization: Bearer abc123def", "-H",
      "X-Trace: 1")
    #expect(!report.out.contains("--header"), "\(report.out)")
    #expect(!report.out.contains("REDACTED"), "\(report.out)")
  }

  @Test func aStubForAnyMethodIsAnnouncedAndNotProposed() throws {
    let box = try Sandbox.shop()
    let added = try box.run(
      "add", "orders/list", "--key", "list", "--url", Self.orders, "--json", "[]")
    #expect(
      added.err.contains(
        "Note on stub list: it answers any method; --method GET, or \"method\": \"GET\", restricts it.\n"
      ),
      "\(added)")
    #expect(
      !(try box.run("match", "session/signed-in", "POST", Self.orders)).out.contains("orders/list"))
    try box.must("set", "orders/list", "list", "--method", "POST")
    let report = try box.run("match", "session/signed-in", "POST", Self.orders).out
    let repair = try #require(report.range(of: "stubdb add"))
    let include = try #require(report.range(of: "set session/signed-in --include orders/list"))
    #expect(repair.lowerBound < include.lowerBound)
    for (index, root) in ["https://root.test", "https://root.test/"].enumerated() {
      let added = try box.run("add", "network/\(index)", "--url", root, "--json", "{}")
      #expect(added.err.contains("it answers any method"), "\(added)")
    }
    for all in ["/**", "https://root.test/**"] {
      let added = try box.run("add", "network/gone", "--url", all, "--status", "503")
      #expect(!added.err.contains("any method"), "\(added)")
    }
  }
}
