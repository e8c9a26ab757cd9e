import Foundation
import StubDBDocuments
import StubDBJSON
import Testing

struct JSONValueTests {
  @Test(arguments: [
    (
      #"{"b":[1,2.50,-0,1E+2],"a":{"x":null,"y":true}}"#,
      #"{"a":{"x":null,"y":true},"b":[1,2.50,-0,1E+2]}"#
    ),
    (#""é\u00e9\ud83d\ude00\n\"\\\/\u0001""#, #""éé😀\n\"\\/\u0001""#),
    (" [ ] ", "[]"), ("\u{FEFF}[\"\u{FEFF}a\"]", "[\"\u{FEFF}a\"]"),
    ("12345678901234567890.10", "12345678901234567890.10"),
  ])
  func textIsReadAndWrittenCanonically(text: String, canonical: String) throws {
    #expect(try JSONValue(parsing: text).canonicalText == canonical)
    #expect(try JSONValue(parsing: canonical).canonicalText == canonical)
  }

  @Test(arguments: [
    ("", 1, 1, ""), ("{\"a\":1,\n \"a\":2}", 2, 2, "/a"), ("[1,]", 1, 4, "/1"), ("01", 1, 1, ""),
    ("{\"a\":[1,{\"b\" 1}]}", 1, 14, "/a/1/b"), ("\"\\ud800\"", 1, 2, ""), ("tru", 1, 1, ""),
    ("\"a\nb\"", 1, 3, ""), ("1 2", 1, 3, ""), ("[1.]", 1, 4, "/0"), ("\"\\x\"", 1, 2, ""),
    ("\"abc", 1, 1, ""), ("\"\\n", 1, 1, ""), ("\"\u{e9}\\q\"", 1, 4, ""),
  ])
  func badTextIsRefusedWithItsPlace(
    text: String, line: Int, column: Int, pointer: String
  ) throws {
    let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    #expect(error.line == line)
    #expect(error.column == column)
    #expect(error.pointer.description == pointer)
  }

  @Test(arguments: ["[1, ]", #"{"a": 1,}"#, #"[{"a": [1,]}]"#])
  func aCommaAfterTheLastIsNamed(text: String) throws {
    let error = try #require(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    #expect(
      error.message.hasSuffix("after a comma; JSON has no comma after the last one, so remove it"))
  }

  @Test func invalidUTF8IsRefused() {
    #expect(throws: JSONSyntaxError.self) {
      try JSONValue(parsing: Data([0x22, 0xC3, 0x28, 0x22]))
    }
  }

  /// What a failed comparison in a test shows.
  @Test func valuesAreDescribedAsJSON() {
    let value: JSONValue = ["item": "b_1", "amount": 1200]
    #expect("\(value)" == #"{"amount":1200,"item":"b_1"}"#)
    #expect("\([value])" == #"[{"amount":1200,"item":"b_1"}]"#)
  }

  @Test func nestingIsBounded() {
    let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(throws: Never.self) { try JSONValue(parsing: deepest) }
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "[" + deepest + "]") }
  }

  @Test(arguments: [
    ("1", "1.0", true), ("100", "1e2", true), ("0", "-0.0", true), ("0.1", "0.10", true),
    ("1", "-1", false), ("9007199254740993", "9007199254740992", false),
    ("1e99999999999999999999", "1e99999999999999999998", true), ("12", "1.2E1", true),
    ("0.001", "1e-3", true), ("10", "1", false),
  ])
  func numbersAreComparedExactly(left: String, right: String, areEqual: Bool) throws {
    guard case .number(let left) = try JSONValue(parsing: left),
      case .number(let right) = try JSONValue(parsing: right)
    else { return #expect(Bool(false)) }
    #expect(left.isNumericallyEqual(to: right) == areEqual)
  }

  /// A mark that combines with a slash or a tilde makes another character of it, and the same token.
  @Test func thePlacesOfMarksAreWrittenAndRead() {
    let tokens = ["a/\u{301}", "\u{301}b", "~\u{301}1", "~\u{301}"]
    let text = "/a~1\u{301}/\u{301}b/~0\u{301}1/~0\u{301}"
    #expect(JSONPointer(tokens).description.utf8.elementsEqual(text.utf8))
    #expect(JSONPointer(parsing: text) == JSONPointer(tokens))
    #expect(JSONPointer(parsing: "/~\u{301}1") == nil)
  }

  @Test func aPointerFindsItsValueAndNothingElse() {
    let value: JSONValue = ["a": [["b": 1], 2], "": 3]
    #expect(value.value(at: JSONPointer()) == value)
    #expect(value.value(at: JSONPointer(["a", "0", "b"])) == 1)
    #expect(value.value(at: JSONPointer([""])) == 3)
    for tokens in [["a", "2"], ["a", "-1"], ["a", "+1"], ["a", "01"], ["a", "1", "x"], ["c"]] {
      #expect(value.value(at: JSONPointer(tokens)) == nil)
    }
  }
}
