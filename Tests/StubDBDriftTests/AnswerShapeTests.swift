import Foundation
import HTTPTypes
import StubDBDrift
import StubDBJSON
import Testing

struct AnswerShapeTests {
  /// An answer of a text: status, header lines, an empty line, content.
  private static func answer(_ text: String, isHead: Bool = false) throws -> SampledAnswer {
    let lines = text.components(separatedBy: "\n")
    var answer = SampledAnswer(status: try #require(Int(lines[0])), isHead: isHead)
    let end = lines.firstIndex(of: "") ?? lines.count
    for line in lines[1..<end] {
      let parts = line.split(separator: ":", maxSplits: 1)
      answer.headers.append(
        HTTPField(
          name: try #require(HTTPField.Name(String(parts[0]))),
          value: parts[1].trimmingCharacters(in: .whitespaces)))
    }
    answer.content = Data(lines.dropFirst(end + 1).joined(separator: "\n").utf8)
    return answer
  }

  private static func compared(
    _ stored: String, _ live: String, isHead: Bool = false,
    _ change: (inout ShapeRules) -> Void = { _ in }
  ) throws -> [String] {
    var rules = ShapeRules()
    change(&rules)
    var comparison = ShapeComparison(rules: rules)
    comparison.compare(
      AnswerShape(try answer(stored, isHead: isHead)), AnswerShape(try answer(live, isHead: isHead))
    )
    return comparison.differences.map { "\($0.level) \($0.id.rawValue) \($0.pointer)" }
  }

  private static let json = "200\nContent-Type: application/json\n\n"

  @Test(arguments: [
    ("200", "200", []),
    ("200", "404", ["error status-class "]),
    ("200", "302", ["error status-class "]),
    ("200", "201", ["error status "]),
    (json + "{}", "200\nContent-Type: application/problem+json; charset=utf-8\n\n{}", []),
    (json + "{}", "200\nContent-Type: text/html\n\n{}", ["error media-type "]),
    (
      json + "{}", "200\nContent-Type: text/html\n\n<p>",
      ["error media-type ", "error not-json "]
    ),
    (json + "{}", json + "{", ["error not-json "]),
    (json + "{}", "200", ["error not-json "]),
    (json + "1", json + "2", []),
    ("200\n\n{\"a\":1}", json + "{}", ["error missing /a"]),
    ("200", json + "{}", ["note added "]),
    ("200\nContent-Type: text/plain\n\na", "200\nContent-Type: text/plain\n\nb", []),
    (
      "200\nContent-Type: text/plain\n\na", "200\nContent-Type: text/css\n\na",
      ["error media-type "]
    ),
    ("200\nContent-Type: text/plain\n\na", "200\nContent-Type: text/plain", ["error missing "]),
    ("200\nContent-Type: image/png\n\na", "200\n\na", ["error media-type "]),
    // Nothing is compared below another class.
    (json + "{\"a\":1}", "500\nContent-Type: text/html\n\nx", ["error status-class "]),
  ])
  func statusMediaTypeAndContent(stored: String, live: String, found: [String]) throws {
    #expect(try Self.compared(stored, live) == found)
  }

  @Test func anotherStatusOfTheClassCanBeAllowed() throws {
    #expect(try Self.compared("200", "201") { $0.isLenient = true } == ["warning status "])
    #expect(try Self.compared("200", "301") { $0.isLenient = true } == ["error status-class "])
  }

  @Test func aHeadRequestHasNoContentToCompare() throws {
    #expect(try Self.compared(Self.json + "{}", "200", isHead: true) == [])
  }

  @Test(arguments: [
    ("200\nETag: \"a\"", "200\nEtag: \"b\"", []),
    ("200\nETag: \"a\"", "200", ["warning header /headers/etag"]),
    ("200\nServer: a", "200", []),
    ("200\nX-Count: 1", "200", ["warning header /headers/x-count"]),
    (
      "200\nSet-Cookie: a=1; Path=/\nSet-Cookie: b=2",
      "200\nSet-Cookie: c=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, a=2",
      ["warning header /headers/set-cookie/b"]
    ),
    ("302\nLocation: https://a.test/orders/17?x=1", "302\nLocation: /orders/204", []),
    (
      "302\nLocation: /orders/17", "302\nLocation: /v2/orders/17",
      ["warning redirect /headers/location"]
    ),
    ("302\nLocation: /orders/17", "302", ["warning header /headers/location"]),
  ])
  func headerFieldsThatClientsUse(stored: String, live: String, found: [String]) throws {
    #expect(try Self.compared(stored, live) { $0.headers = ["x-count"] } == found)
  }

  private static func xml(_ text: String) -> String {
    "200\nContent-Type: application/xml\n\n\(text)"
  }

  @Test(arguments: [
    (#"<o n="1"><i>a b</i><i>c d</i></o>"#, #"<o n="2"><i>e f</i></o>"#, []),
    (#"<o n="1"/>"#, #"<o m="1"/>"#, ["note added /o/@m", "error missing /o/@n"]),
    ("<o><i>x y</i></o>", "<o><i>x y</i><i>x y</i></o>", ["error type /o/i"]),
    ("<o><i>x y</i></o>", "<o><i><z/></i></o>", ["error type /o/i"]),
    ("<o><i>x y</i></o>", "<o><i/></o>", []),
    ("<o><a/></o>", "<o><b/></o>", ["error missing /o/a", "note added /o/b"]),
    ("<o/>", "<p/>", ["error missing /o", "note added /p"]),
    ("<o/>", "<o", ["error type "]),
  ])
  func elementsAndAttributes(stored: String, live: String, found: [String]) throws {
    #expect(try Self.compared(Self.xml(stored), Self.xml(live)) == found)
  }

  @Test func theCatalogKnowsMoreConstantsThanAStub() throws {
    var known = KnownShapes()
    for state in ["PAID", "OPEN"] {
      known.add(
        AnswerShape(try Self.answer(Self.json + "{\"s\":\"\(state)\"}")),
        of: ShapeDifference.operation("GET", path: "/orders/\(state.count)"))
    }
    let operation = ShapeDifference.operation("GET", path: "/orders/{id}")
    let shape = try #require(known.shape(of: operation, status: 201))
    #expect(shape.members["s"]?.shape.texts.constants?.values == ["PAID", "OPEN"])
    #expect(known.shape(of: operation, status: 404) == nil)
  }
}

struct DriftExceptionsTests {
  private static let place = DriftPlace(
    scenario: "a/b", key: "k", pointer: "/items/*/score", id: "missing")

  @Test(arguments: [
    (#"{"id":"missing","reason":"r"}"#, true), (#"{"id":"null","reason":"r"}"#, false),
    (#"{"scenario":"a/b","key":"k","reason":"r"}"#, true),
    (#"{"scenario":"a/b","key":"l","reason":"r"}"#, false),
    (#"{"pointer":"/items/*/score","reason":"r"}"#, true),
    (#"{"pointer":"/*/*/score","reason":"r"}"#, true),
    (#"{"pointer":"/items","reason":"r"}"#, false),
  ])
  func everyPartOfAnEntryMustBeEqual(entry: String, isAccepted: Bool) throws {
    let text = Data("{\"ignore\":[\(entry)]}".utf8)
    let exceptions = try DriftExceptions(parsing: text, file: "x.json")
    #expect(exceptions.accepts(Self.place) == isAccepted)
  }

  @Test(arguments: [
    #"{"ignore":[{"id":"missing"}]}"#, #"{"ignore":[{"reason":"r"}]}"#, "{}",
    #"{"ignore":[{"id":"a","reason":" "}]}"#, #"{"ignore":[{"ids":"a","reason":"r"}]}"#,
  ])
  func whatIsNoExceptionIsRefused(text: String) {
    #expect(throws: (any Error).self) {
      try DriftExceptions(parsing: Data(text.utf8), file: "x.json")
    }
  }

  @Test func whatIsAcceptedIsWrittenOnceAndReadAgain() throws {
    var exceptions = DriftExceptions()
    #expect(exceptions.accept([Self.place, Self.place], reason: "it's \"new\"") == 1)
    #expect(exceptions.accept([Self.place], reason: "again") == 0)
    let read = try DriftExceptions(parsing: Data(exceptions.text.utf8), file: "x.json")
    #expect(read == exceptions)
    #expect(read.entries[0].reason == "it's \"new\"")
  }
}
