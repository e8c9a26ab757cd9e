import StubDBXML
import Testing

@testable import StubDBFormats

struct XPathKindTests {
  @Test(arguments: [
    ("//a", XPath.Kind.nodes, false), ("/", .nodes, false), ("//a/..", .nodes, false),
    ("//a/@b", .nodes, true), ("//a/attribute::node()", .nodes, true), ("//text()", .nodes, true),
    ("//text() | //@a", .nodes, true), ("//text() | //a", .nodes, false),
    ("(//a/@b)[1]", .nodes, true), ("(//a)[1]", .nodes, false), ("//a[@b]", .nodes, false),
    ("//a = 1", .boolean, false), ("1 < 2 or 3", .boolean, false), ("not(//a)", .boolean, false),
    ("contains(//a, 'b')", .boolean, false), ("count(//a)", .number, false),
    ("-1", .number, false), ("1 + 1", .number, false), ("string-length('a')", .number, false),
    ("'a'", .text, false), ("name(//a)", .text, false), ("substring('a', 1)", .text, false),
  ])
  func theKindNeedsNoDocument(text: String, kind: XPath.Kind, isText: Bool) throws {
    let path = try XPath(text)
    #expect(path.kind == kind)
    #expect(path.selectsOnlyTexts == isText)
  }
}
