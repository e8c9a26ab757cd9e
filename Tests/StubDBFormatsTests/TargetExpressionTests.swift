import Foundation
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import Testing

/// Expressions of other tools for path and query: stubs match what the tool does, with an origin and without.
@Suite struct TargetExpressionTests {
  private static let targets = [
    "/", "/a", "/a/1", "/a/12", "/a?x=1", "/a/1?x=1", "/a/a", "/b", "/b?x", "/b/2", "/q/a", "/q/z",
    "/hello",
    "/z?hello=1", "/a/x/b", "/a/x/b?y=2", "/admin", "/admin/x", "/ax=1", "/a/1/2", "/A/1",
  ]
  /// The first has a name that expressions look for.
  private static let origins = ["", "https://hello.a.test", "http://z:8080", "https://a"]

  @Test(arguments: [
    "^/a/[0-9]+$", "/a/[0-9]+.*", ".*", "^.*$", "/.*", ".*hello.*", "(^/a|^/b)/[0-9]+$",
    "^/a$|^/b.*$", #"\A/a\z"#,
    ".*(^/a|/z$)", #"(?i)^/A\?x=[0-9]+$"#, "(?!/admin).*", "/a/.*/b", #"/a/[^/]+(\?.*)?"#, "(^/a)+",
    "^^/a", "/a[?]x=.*",
    #"(?:(?:^/a)|(?<n>^/b))(\?.*)?"#, #"/a(/)?($|\?.*)"#, "/[ab].*", "/a$.*", #"\Q/a\E.*"#,
    "/[^?]*", "[^?]*", "/a.1",
    #"\/a\/\d+"#, "/(a|b)", "/a|/b", "/a|.*z", #".*\Gx?/a"#, ".*[ah].test.*", "^(?:/a|/b)$",
    "(?:^)?/a", "/a?x=1", "/b.*|/a",
  ])
  func aStubMatchesWhatWireMockDoes(expression: String) throws {
    try Self.expectSame(expression)
  }

  @Test func anyExpressionMatchesTheSame() throws {
    let pieces = [
      "^", "$", "/a", "/b", "/", "[0-9]+", ".*", "(b|/c)", #"\?x=.*"#, "[^/]+", "(?:^/a|/z$)",
      #"(\?.*)?"#, "a", "?",
      "|", "(^/q)", "x", #"\A"#, "hello", "[/a]+", "(?:/a)*", "z",
    ]
    var seed: UInt64 = 41
    func next(_ count: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % UInt64(count))
    }
    for _ in 0..<400 {
      let expression = (0...(1 + next(5))).map { _ in pieces[next(pieces.count)] }.joined()
      guard (try? NSRegularExpression(pattern: expression)) != nil else { continue }
      try Self.expectSame(expression)
    }
  }

  /// Mockoon looks for an expression anywhere in path and query.
  @Test(arguments: ["^/a/[0-9]+", "/z$", "^/a$|z$", "hello", "(^/b|x=1$)"])
  func aRuleOnThePathMatchesWhatMockoonDoes(expression: String) throws {
    let text = JSONValue.string(expression).canonicalText
    let run = try ImportRun(
      "m.json",
      #"""
      {"lastMigration": 33, "name": "M", "routes": [{"type": "http", "method": "get", "endpoint": "*", "responses": [
        {"statusCode": 201, "rules": [{"target": "path", "modifier": "", "operator": "regex", "value": \#(text)}]},
        {"statusCode": 200, "default": true}]}]}
      """#)
    let regex = try NSRegularExpression(pattern: expression)
    for target in Self.targets {
      let isFound =
        regex.firstMatch(in: target, range: NSRange(target.startIndex..., in: target)) != nil
      for origin in Self.origins {
        let status = try Self.status(run.stubs, origin + target)
        #expect(
          status == (isFound ? 201 : 200), "\(expression) \(origin + target) \(run.documents)")
      }
    }
  }

  private static func expectSame(_ expression: String) throws {
    let text = JSONValue.string(expression).canonicalText
    let run = try ImportRun(
      "m.json", #"{"request": {"urlPattern": \#(text)}, "response": {"status": 201}}"#)
    let regex = try NSRegularExpression(
      pattern: #"\A(?:\#(expression))\z"#, options: .dotMatchesLineSeparators)
    for target in targets {
      let isMatch =
        regex.firstMatch(in: target, range: NSRange(target.startIndex..., in: target)) != nil
      for origin in origins {
        let status = try Self.status(run.stubs, origin + target)
        #expect(
          status == (isMatch ? 201 : nil), "\(expression) \(origin + target) \(run.documents)")
      }
    }
  }

  private static func status(_ stubs: [Stub], _ url: String) throws -> Int? {
    let name = ScenarioName(unchecked: "a/b")
    let sources = stubs.map { LoadedScenario.Source(origin: name, stub: $0) }
    let run = try LoadedScenario(name: name, stubs: sources).run(seed: 0)
    guard case .respond(let selection) = run.respond(to: StubRequest(url: url)) else { return nil }
    return selection.response.status
  }
}
