import Foundation
import StubDBEngine
import StubDBFormats
import StubDBModel
import StubDBPlayback
import StubDBTransfer
import Testing

struct HTTPFilePlayerTests {
  /// Plays a file, which may read no other files, and returns the URLs of its requests.
  private static func urls(of text: String, seed: UInt64 = 0) throws -> [String] {
    let file = try HTTPFile(parsing: text)
    let player = Player(
      try LoadedScenario(Scenario(name: ScenarioName(unchecked: "order/flow"))),
      options: PlaybackOptions(pace: .instant))
    var files = HTTPFilePlayer(
      player, values: HTTPFileValues(file, given: [], seed: seed),
      readFile: { _ in throw CocoaError(.fileNoSuchFile) })
    return try file.requests.map { try files.play($0).request.url }
  }

  private static let known =
    "there are $uuid, $timestamp, $isoTimestamp, $datetime iso8601, $randomInt MIN MAX and $processEnv NAME"

  @Test(arguments: [
    ("{{host}}/x", "{{host}} has no value; write @host = … above, or give --variable host=…"),
    (
      "https://h.test/{{a.response.body.$.x}}",
      "{{a.response.body.$.x}} needs a request named \"a\" above it that was answered"
    ),
    ("https://h.test/{{$aadToken}}", "{{$aadToken}} is not supported; \(known)"),
    ("https://h.test/{{$timestamp -1 d}}", "{{$timestamp -1 d}} is not supported; \(known)"),
    (
      "https://h.test/{{$datetime iso8601 1 d}}",
      "{{$datetime iso8601 1 d}} is not supported; \(known)"
    ),
    (
      "https://h.test/{{$randomInt 5 1}}",
      "{{$randomInt 5 1}}: write $randomInt MIN MAX with two whole numbers, the second one greater"
    ),
    (
      "https://h.test/{{$randomInt 1 99999999999999999999}}",
      "{{$randomInt 1 99999999999999999999}}: write $randomInt MIN MAX with two whole numbers, "
        + "the second one greater"
    ),
    (
      "https:nope",
      "\"http://https:nope\" is not an absolute URL, such as https://api.shop.test/v1/me"
    ),
  ])
  func aRequestThatCannotBeSentIsNamedByItsLine(url: String, message: String) {
    #expect(throws: HTTPFileError(line: 1, message)) { try Self.urls(of: "GET \(url)") }
  }

  @Test func variablesThatReferToEachOtherAreRefused() {
    let text = "@a={{b}}\n@b={{a}}\nGET https://h.test/{{a}}"
    #expect(
      throws: HTTPFileError(line: 3, "the variables refer to each other without end")
    ) { try Self.urls(of: text) }
  }

  @Test func aSecondRequestLineIsNoHeaderField() {
    #expect(
      throws: HTTPFileError(
        line: 2, "a request begins here; separate requests by a line ###")
    ) { try Self.urls(of: "GET https://h.test/\nGET https://h.test/b") }
  }

  /// Ten variables, each of which names the one before it ten times, would be ten billion bytes.
  @Test func variablesThatGrowAreRefused() {
    let variables = (1...10).map { level in
      "@v\(level)=" + String(repeating: "{{v\(level - 1)}}", count: 10) + "\n"
    }.joined()
    #expect(
      throws: HTTPFileError(
        line: 12,
        "the placeholders of this request expand to more than 64 MiB; {{v7}} is one of them")
    ) { try Self.urls(of: "@v0=a\n\(variables)POST https://h.test/x\n\n{{v10}}\n") }
  }

  /// A variable is worked out once for a request, and anew for the next one.
  @Test func aVariableHasOneValueInARequest() throws {
    let urls = try Self.urls(
      of: """
        @n = {{$randomInt 1 1000000000}}
        GET https://h.test/{{n}}/{{n}}

        ###
        GET https://h.test/{{n}}
        """)
    let first = urls[0].split(separator: "/").suffix(2)
    #expect(first.first == first.last)
    #expect(first.last != urls[1].split(separator: "/").last)
  }

  @Test func theSeedDecidesRandomValues() throws {
    let text = "GET https://h.test/{{$randomInt 1 1000000000}}/{{$uuid}}\n"
    let seven = try Self.urls(of: text, seed: 7)
    let uuid = /\/\d+\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    let isVersion4 = seven[0].contains(uuid)
    #expect(isVersion4)
    #expect(try Self.urls(of: text, seed: 7) == seven)
    #expect(try Self.urls(of: text, seed: 8) != seven)
  }
}
