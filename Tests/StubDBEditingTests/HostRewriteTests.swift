import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBJSON
import StubDBJobs
import StubDBModel
import Testing

@testable import StubDBEditing

/// `stubdb rewrite --host`.
struct HostRewriteTests {
  private static let change = "api.test=new.test"

  private static func text(_ text: String, _ change: String) throws -> (String, isLeft: Bool) {
    let stub = Stub(key: "k", responses: [.json(["v": .string(text)])])
    let result = try HostRewrite(argument: change).rewritten(stub)
    let body = try #require(result.stub.responses[0].body?.bytes)
    guard case .string(let new)? = try JSONValue(parsing: body).value(at: JSONPointer(["v"])) else {
      return ("", false)
    }
    return (new, !result.left.isEmpty)
  }

  private static func stub(_ request: String) throws -> Stub {
    let document = #"{"scenario": "a", "stubs": [{"key": "k", "request": "# + request + "}]}"
    return try ScenarioDocument.decode(Data(document.utf8)).stubs[0]
  }

  @Test(arguments: [
    ("https://API.Test/a?x=//api.test", "https://new.test/a?x=//new.test"),
    ("https://user:p%40w@api.test:8443/", "https://user:p%40w@new.test:8443/"),
    ("see https://api.test. Or https://api.test.", "see https://new.test. Or https://new.test."),
    (
      "https://other.test/?to=https%3A%2F%2Fapi.test%2fb",
      "https://other.test/?to=https%3A%2F%2Fnew.test%2fb"
    ),
    ("<https://api.test/2>; rel=next", "<https://new.test/2>; rel=next"),
    ("https://api.test.example/", "https://api.test.example/"),
    (
      "https://my-api.test/ //x.api.test a@api.test", "https://my-api.test/ //x.api.test a@api.test"
    ),
    ("wss://api.test", "wss://new.test"), ("https://api.test.:81/", "https://new.test.:81/"),
    ("*https://api.test* https://api.test!", "*https://new.test* https://new.test!"),
  ])
  func urlsGetTheNewHost(text: String, expected: String) throws {
    let (new, isLeft) = try Self.text(text, Self.change)
    #expect(new == expected)
    #expect(!isLeft)
  }

  @Test(arguments: [
    "api.test", "host=API.test;", "https://other.test/%252F%252Fapi.test", "by api.test:80.",
  ])
  func namesOutsideOfURLsAreLeftAndSaid(text: String) throws {
    let (new, isLeft) = try Self.text(text, Self.change)
    #expect(new == text)
    #expect(isLeft)
  }

  @Test(arguments: [
    ("https://api.test/ http://api.test/", "https://new.test:8443/ http://api.test/", false),
    (
      "https://api.test:443/ https://api.test:444/", "https://new.test:8443/ https://api.test:444/",
      false
    ),
    ("https%3a%2f%2fapi.test%2f", "https%3a%2f%2fnew.test%3A8443%2f", false),
    ("https://api.test./a", "https://new.test:8443/a", false),
    ("https%3A%2F%2Fapi.test.%2Fa", "https%3A%2F%2Fnew.test%3A8443%2Fa", false),
    ("https://api.test.:443/", "https://new.test:8443/", false),
    (
      "See https://api.test. **https://api.test:443**",
      "See https://new.test:8443. **https://new.test:8443**", false
    ),
    ("//api.test/", "//api.test/", true), ("api.test:80", "api.test:80", false),
  ])
  func aPortIsComparedWithThatOfTheScheme(
    text: String, expected: String, isLeft: Bool
  ) throws {
    let new = try Self.text(text, "api.test:443=new.test:8443")
    #expect(new.0 == expected)
    #expect(new.isLeft == isLeft)
  }

  // Quadratic work would take minutes.
  @Test func textsThatNearlyNameTheHostTakeLinearTime() throws {
    for piece in ["xa", "xA", "//xa/", "%2F%2Fxa", "a@"] {
      let text = String(repeating: piece, count: 50_000)
      let (new, isLeft) = try Self.text(text, "a=b")
      #expect(new == text && !isLeft, "\(piece)")
    }
  }

  @Test func allPartsOfARequestAreChangedOrSaid() throws {
    let stub = try Self.stub(
      #"""
      {"method": "POST", "url": "https://api.test/a", "query": {"to": "https://api.test/b"},
        "headers": {"Origin": "https://api.test", "Host": "api.test:443", "Referer": {"contains": "api.test"},
          "X-From": "api.test"},
        "body": [{"equalToJson": {"next": "https://api.test/c"}}, {"form": {"u": "https://api.test"}},
          {"matches": ".*api\\.test.*"}, {"contains": "api.test.example"}]}
      """#)
    let result = try HostRewrite(argument: Self.change).rewritten(stub)
    let expected = try Self.stub(
      #"""
      {"method": "POST", "url": "https://new.test/a", "query": {"to": "https://new.test/b"},
        "headers": {"Origin": "https://new.test", "Host": "new.test:443", "Referer": {"contains": "api.test"},
          "X-From": "api.test"},
        "body": [{"equalToJson": {"next": "https://new.test/c"}}, {"form": {"u": "https://new.test"}},
          {"matches": ".*api\\.test.*"}, {"contains": "api.test.example"}]}
      """#)
    #expect(result.stub == expected)
    #expect(
      result.left.map { "\($0.pointer) \($0.reason)" } == [
        "/request/headers/Referer pattern", "/request/headers/X-From host",
        "/request/body/2 pattern",
      ])
  }

  @Test(arguments: [
    (
      #"{"url": {"equalTo": "https://api.test/a"}}"#,
      #"{"url": {"equalTo": "https://new.test/a"}}"#, ""
    ),
    (#"{"url": "https://api.test./a"}"#, #"{"url": "https://new.test./a"}"#, ""),
    (
      #"{"host": {"or": ["api.test", "b.test"]}}"#, #"{"host": {"or": ["new.test", "b.test"]}}"#, ""
    ),
    (
      #"{"host": {"matches": "api\\.test"}}"#, #"{"host": {"matches": "api\\.test"}}"#,
      "/request/host"
    ),
    (#"{"path": "/to//api.test/a"}"#, #"{"path": "/to//api.test/a"}"#, "/request/path"),
  ])
  func patternsOfURLsAreChangedOrSaid(request: String, expected: String, left: String) throws {
    let result = try HostRewrite(argument: Self.change).rewritten(Self.stub(request))
    #expect(result.stub == (try Self.stub(expected)))
    #expect(result.left.map(\.pointer.description) == (left.isEmpty ? [] : [left]))
  }

  @Test func cookiesGetTheNewDomain() throws {
    var headers: HTTPFields = [.location: "https://API.test/x"]
    for cookie in [
      "a=1; domain=.Api.test; Path=/", "b=1; Domain=test", "c=1; Domain=other.test",
      "d=1; Domain=api.example",
    ] { headers.append(HTTPField(name: .setCookie, value: cookie)) }
    let stub = Stub(key: "k", responses: [StubResponse(headers: headers)])
    let result = try HostRewrite(argument: Self.change).rewritten(stub)
    let fields = result.stub.responses[0].headers
    #expect(fields[.location] == "https://new.test/x")
    #expect(
      fields[values: .setCookie] == [
        "a=1; domain=.new.test; Path=/", "b=1; Domain=test", "c=1; Domain=other.test",
        "d=1; Domain=api.example",
      ])
    #expect(result.left.isEmpty)
    let moved = try HostRewrite(argument: "api.test=api.example").rewritten(stub)
    #expect(
      moved.left.map { "\($0.pointer) \($0.reason)" }
        == ["/responses/0/headers/Set-Cookie/1 cookieDomain"])
  }

  @Test(arguments: [
    ("https://a.test=b.test", "https://a.test is a URL; give the host alone: a.test"),
    ("a.test=http://b.test:81/x", "http://b.test:81/x is a URL; give the host alone: b.test:81"),
    ("*.test=b.test", "\"*.test\" is not a host; "),
    ("a.test/x=b.test", "\"a.test/x\" is not a host; "),
    ("a.test=b..test", "\"b..test\" is not a host; "),
    ("u@a.test=b.test", "\"u@a.test\" is not a host; "),
    ("a.test:0=b.test", "the port of \"a.test:0\" is not a number from 1 to 65535"),
    ("a.test=b.test:99999", "the port of \"b.test:99999\" is not a number from 1 to 65535"),
    ("A.test=a.test", "both hosts are the same"), ("a.test", "it has the form OLD=NEW, "),
    ("=a.test", "it has the form OLD=NEW, "),
    ("a.test=b.test:81", "a new port needs the old one: "),
  ])
  func whatIsNoHostIsRefused(argument: String, message: String) {
    let error = #expect(throws: ArgumentError.self) { _ = try HostRewrite(argument: argument) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }
}
