import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBFormats

/// Texts that divide their parts by scalars, whatever mark follows these.
@Suite struct CombiningMarkTests {
  @Test(arguments: [
    ("$.a[?(@.b =~ /x]/)]", "$.a[?(match(@.b, 'x]'))]"),
    ("$.a[?(@.b == '\u{301}]\u{301}')].c", "$.a[?(@.b == '\u{301}]\u{301}')].c"),
    ("$[?(@.b == ']'\u{301})]", nil),
    ("$[?(@.b in ['a,b', \"c]\"])]", "$[?((@.b == 'a,b' || @.b == \"c]\"))]"),
    ("$[?(@.b nin ['a',\u{301}'b'])]", nil),
    ("$[?(@.b nin ['a', '\u{301},b'])]", "$[?(!(@.b == 'a' || @.b == '\u{301},b'))]"),
  ])
  func queriesAreCutAtScalars(query: String, wanted: String?) {
    let read = JaywayPath(query, filteredObject: .searched)?.query
    #expect(read.map { Array($0.utf8) } == wanted.map { Array($0.utf8) })
  }

  @Test(arguments: [
    ("/a/b[@c='\u{338}x/y']", "any", "<a><b c=\"\u{338}x/y\">any</b></a>"),
    ("/a/@b", "<\u{338}&\u{301}", "<a b=\"&lt;\u{338}&amp;\u{301}\"></a>"),
  ])
  func documentsHaveTheTextsOfAnExpression(expression: String, value: String, wanted: String) {
    let documents = ExampleXML.documents(XPathPattern(expression, value: .equalTo(value)))
    #expect(documents.map { Array($0.utf8) } == [Array(wanted.utf8)])
  }
}
