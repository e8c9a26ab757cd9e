import StubDBXML
import Testing

@Suite struct XMLTreeTests {
  @Test func textsAreReadAsTheDocumentMeansThem() throws {
    let tree = try XMLTree(
      parsing: "\u{FEFF}<a b='1\n2&#x41;'>x\r\n<![CDATA[<&]]>&lt;&#233;<c/>y</a>\n<!-- end -->")
    #expect(tree.text(of: 0) == "x\n<&<éy")
    #expect(
      tree.nodes.map(\.kind) == [.document, .element, .attribute, .text, .element, .text, .comment])
    #expect(tree.nodes[2].value == "1 2A")
    #expect(tree.path(to: 5) == "/a/text()")
  }

  @Test(arguments: [
    ("", "there is no element", 1), ("<a>", "the element a is not closed", 4),
    ("<a></b>", "expected </a>, found </b>", 4), ("<a/><b/>", "a second root element", 6),
    ("<a b='1' b='2'/>", "the attribute b is given twice", 15),
    ("<a b=1/>", "expected a value in quotes", 6),
    ("<a>&nbsp;</a>", "the entity &nbsp; is not declared", 4),
    ("<a>&", "an '&' that begins no reference; write &amp;", 4),
    ("<p:a/>", "the prefix p is not declared", 5), ("<a>\u{1}</a>", "a control character", 4),
    ("<!DOCTYPE a [<!ENTITY x 'y'>]><a/>", "a document type with declarations is refused", 13),
    ("x<a/>", "text outside of the root element", 1),
    ("<a><!-- -- --></a>", "\"--\" inside a comment", 15),
    (
      "<?xml version='1.0' encoding='utf-16'?><a/>",
      "the encoding utf-16 is not understood; only UTF-8 is", 40
    ),
    ("<1/>", "expected a name", 2), ("<a x='<'/>", "'<' inside a value", 7),
    ("<a", "expected a space, '/' or '>'", 3),
  ])
  func whatIsNotXMLIsRefusedWithItsPlace(text: String, message: String, column: Int) {
    let error = #expect(throws: XMLSyntaxError.self) { try XMLTree(parsing: text) }
    #expect(error?.message == message)
    #expect(error?.column == column)
  }

  @Test func nestingIsBounded() throws {
    let deep = { String(repeating: "<a>", count: $0) + String(repeating: "</a>", count: $0) }
    #expect(try XMLTree(parsing: deep(512)).nodes.count == 513)
    #expect(throws: XMLSyntaxError.self) { try XMLTree(parsing: deep(513)) }
  }
}
