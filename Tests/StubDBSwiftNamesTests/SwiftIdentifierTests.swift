import StubDBSwiftNames
import Testing

struct SwiftIdentifierTests {
  @Test(arguments: [
    ("paid", "paid"),
    ("card-declined", "cardDeclined"), ("card_declined", "cardDeclined"),
    ("card.declined", "cardDeclined"), ("cardDeclined", "cardDeclined"),
    ("--card--declined--", "cardDeclined"), (".hidden", "hidden"),
    ("HTTP", "http"), ("HTTPServer", "httpServer"), ("Card-Declined", "cardDeclined"), ("A", "a"),
    ("AB-CD", "abCD"), ("a-URL", "aURL"), ("HTTP2", "http2"), ("X-ray", "xRay"),
    ("404", "_404"), ("404-not-found", "_404NotFound"), ("v1", "v1"),
    ("v1.2", "v1_2"), ("v12", "v12"), ("2026-11-21", "_2026_11_21"), ("page-2", "page2"),
    ("-", "unnamed"), ("___", "unnamed"), ("...", "unnamed"),
    ("init", "init_"), ("self", "self_"), ("Self", "self_"), ("subscript", "subscript_"),
    ("call-as-function", "callAsFunction_"), ("type", "type"), ("Type", "type"), ("any", "any"),
  ])
  func aSegmentIsAnIdentifier(segment: String, expected: String) {
    let identifier = SwiftIdentifier(segment: segment[...])
    #expect(identifier.text == expected)
    #expect(identifier.declared == expected)
  }

  @Test(arguments: ["default", "class", "in", "is", "where", "true", "nil", "import", "switch"])
  func aKeywordIsDeclaredInBackticks(word: String) {
    let identifier = SwiftIdentifier(segment: word[...])
    #expect(identifier.text == word)
    #expect(identifier.declared == "`\(word)`")
  }

  @Test(arguments: [
    ("checkout", "CheckoutNames"), ("404", "_404Names"), ("default", "DefaultNames"),
  ])
  func anAreaHasAType(segment: String, expected: String) {
    #expect(SwiftIdentifier(segment: segment[...]).namespace == expected)
  }
}
