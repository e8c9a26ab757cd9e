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
    ("", "the document has no element", 1), ("<a>", "the element a is not closed", 4),
    ("<a></b>", "expected </a>, found </b>", 4), ("<a/><b/>", "a second root element", 6),
    ("<a b='1' b='2'/>", "the attribute b is given twice", 15),
    ("<a b=1/>", "expected a value in quotes", 6),
    ("<a>&nbsp;</a>", "the entity &nbsp; is not declared", 4),
    ("<a>&", "this '&' does not begin a reference; write &amp;", 4),
    ("<p:a/>", "the prefix p is not declared; add xmlns:p=\"…\"", 5),
    ("<a>\u{1}</a>", "a control character", 4),
    ("<!DOCTYPE a [<!ENTITY x 'y'>]><a/>", "a document type with declarations is not allowed", 13),
    ("x<a/>", "text outside of the root element", 1),
    ("<a><!-- -- --></a>", "\"--\" inside a comment", 15),
    (
      "<?xml version='1.0' encoding='utf-16'?><a/>",
      "the encoding utf-16 is not supported; use UTF-8", 38
    ),
    ("<1/>", "expected a name", 2), ("<a x='<'/>", "'<' inside a value", 7),
    ("<a", "expected a space, '/' or '>'", 3),
  ])
  func whatIsNotXMLIsRefusedWithItsPlace(text: String, message: String, column: Int) {
    let error = #expect(throws: XMLSyntaxError.self) { try XMLTree(parsing: text) }
    #expect(error?.message == message)
    #expect(error?.column == column)
  }

  @Test(arguments: [
    "<a>&#x000000041;&#0000000065;</a>", "<a>&#x41;&#65;</a>", "<a b='&#x00000000000041;A'>AA</a>",
  ])
  func referencesHaveAnyLength(text: String) throws {
    #expect(try XMLTree(parsing: text).text(of: 0) == "AA")
  }

  @Test(arguments: [
    ("<a>&animal_content;</a>", "the entity &animal_content; is not declared"),
    ("<a>&#0;</a>", "&#0; is not a character that XML allows"),
    ("<a>&#x110000;</a>", "&#x110000; is not a character that XML allows"),
    ("<a>&#x99999999999999;</a>", "&#x99999999999; is not a character that XML allows"),
    ("<a>&#12a;</a>", "this '&' does not begin a reference; write &amp;"),
    ("<a>&#x;</a>", "this '&' does not begin a reference; write &amp;"),
    ("<a>A & B; C</a>", "this '&' does not begin a reference; write &amp;"),
    ("&#32;<a/>", "text outside of the root element"),
    ("<a>\u{FFFE}</a>", "U+FFFE and U+FFFF are not allowed"),
    ("<a\u{A0}b='1'/>", "U+00A0 is not allowed in a name"),
    ("<\u{300}a/>", "expected a name"), ("<a:-b xmlns:a='urn:a'/>", "a:-b is not a name"),
    ("<a xmlns:='urn:a'/>", "xmlns: is not a name"),
    ("<a xmlns:b=''/>", "the prefix b has an empty namespace"),
    (
      "<a xmlns:xml='urn:a'/>", "the prefixes xml and xmlns and their namespaces are reserved"
    ),
    (
      "<a xmlns='http://www.w3.org/2000/xmlns/'/>",
      "the prefixes xml and xmlns and their namespaces are reserved"
    ),
    ("<?a:b c?><a/>", "a:b is not the name of an instruction: it has a colon"),
    ("<?a+b?><a/>", "expected a space or \"?>\" after a"),
    (
      "<?xml encoding='UTF-8'?><a/>",
      "the XML declaration has no version; write <?xml version=\"1.0\"?>"
    ),
    ("<?xml version='1.0?'?><a/>", "1.0? is not a version of XML"),
    ("<?xml version='1.0' standalone='YES'?><a/>", "standalone is yes or no, not YES"),
    (
      "<?xml version='1.0' standalone='yes' encoding='UTF-8'?><a/>",
      "the XML declaration takes version, encoding and standalone, in this order"
    ),
    (
      "<?xml version='1.0'encoding='UTF-8'?><a/>",
      "the XML declaration takes version, encoding and standalone, in this order"
    ),
    ("<a/><!DOCTYPE a>", "a document type is allowed once, before the root element"),
    ("<!DOCTYPE a><!DOCTYPE a><a/>", "a document type is allowed once, before the root element"),
    ("<!DOCTYPE><a/>", "expected a space after <!DOCTYPE"),
  ])
  func whatIsNotWellFormedIsRefused(text: String, message: String) {
    let error = #expect(throws: XMLSyntaxError.self) { try XMLTree(parsing: text) }
    #expect(error?.message == message)
  }

  @Test(arguments: [
    "<?xml version = \"1.0\" encoding='utf-8' standalone=\"no\" ?>\n<a/>",
    "<?xml version='1.1'?><a/>",
    "<été_1/>", "<日本 語='x'/>", "<a.b-c·/>", "<a xmlns:xml='http://www.w3.org/XML/1998/namespace'/>",
    "<a xml:lang='en'/>", "<!DOCTYPE html><html/>", "<?go?><a/>", "<a xmlns=''/>",
  ])
  func whatIsWellFormedIsRead(text: String) throws {
    #expect(try XMLTree(parsing: text).root > 0)
  }

  @Test func nestingIsBounded() throws {
    let deep = { String(repeating: "<a>", count: $0) + String(repeating: "</a>", count: $0) }
    #expect(try XMLTree(parsing: deep(512)).nodes.count == 513)
    #expect(throws: XMLSyntaxError.self) { try XMLTree(parsing: deep(513)) }
  }
}
