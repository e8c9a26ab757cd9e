import StubDBXML
import Testing

@Suite struct XPathTests {
  private static let shop = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE shop SYSTEM "shop.dtd">
    <shop xmlns:v="urn:v"><!-- two items --><item sku="a" price="2.50"><name>Tea &amp; cups</name></item>
    <item sku="b" price="10"><name>Pot</name><v:note>new</v:note></item><?go now?><total>12.50</total></shop>
    """

  static let rows: [(path: String, texts: [String])] = [
    ("/shop/item/name", ["Tea & cups", "Pot"]),
    ("//item[@price > 5]/@sku", ["b"]),
    ("//item[2]/name/text()", ["Pot"]),
    ("/shop/item[last()]/@sku", ["b"]),
    ("//name[. = 'Pot']/../@sku", ["b"]),
    ("count(//item)", ["2"]),
    ("sum(//@price)", ["12.5"]),
    ("//item[name][not(v:note)]/@sku", ["a"]),
    ("//v:*", ["new"]),
    ("//*[local-name() = 'note']", ["new"]),
    ("namespace-uri(//v:note)", ["urn:v"]),
    ("//item[1]/following-sibling::*[1]/@sku", ["b"]),
    ("//total/preceding-sibling::item[1]/@sku", ["b"]),
    ("//name/ancestor::*[1]/@sku", ["a", "b"]),
    ("(//item)[1]/@sku | //total", ["a", "12.50"]),
    (
      "concat(name(/*), '-', string-length('añb'), '-', 7 mod 4, '-', 1 div 0)",
      ["shop-3-3-Infinity"]
    ),
    ("substring('12345', 2, 3)", ["234"]), ("substring('12345', 1.5, 2.6)", ["234"]),
    ("substring-before('a=b', '=')", ["a"]), ("substring-after('a=b', '=')", ["b"]),
    ("normalize-space('  a \n b ')", ["a b"]), ("translate('bar', 'abc', 'AB')", ["BAr"]),
    ("-(1 - 3) * 2", ["4"]), ("round(-2.5)", ["-2"]), ("number('x') = number('x')", ["false"]),
    ("//item/@price < 3 and //item/@price > 9", ["true"]), ("boolean(//nothing)", ["false"]),
    ("starts-with(//total, '12') or false()", ["true"]),
    ("//comment()", [" two items "]), ("//processing-instruction('go')", ["now"]),
    ("/descendant::item/attribute::sku", ["a", "b"]),
    ("//item[position() = 2]/self::node()/@sku", ["b"]),
    ("//*[@*[. = '10']]/name", ["Pot"]), ("/", ["Tea & cups\nPotnew12.50"]),
  ]

  @Test(arguments: rows)
  func expressionsSelect(path: String, texts: [String]) throws {
    let tree = try XMLTree(parsing: Self.shop)
    #expect(try evaluate(XPath(path), in: tree, visiting: 10_000)?.texts == texts)
  }

  @Test func prefixesStandForTheirNamespaces() throws {
    let tree = try XMLTree(parsing: #"<a xmlns="urn:a"><b xmlns:c="urn:c" c:d="1"/></a>"#)
    let names = ["x": "urn:a", "y": "urn:c"]
    #expect(
      try evaluate(XPath("/x:a/x:b/@y:d", namespaces: names), in: tree, visiting: 99)?.texts == [
        "1"
      ]
    )
    #expect(try evaluate(XPath("/a/b", namespaces: names), in: tree, visiting: 99)?.texts == [])
    #expect(try evaluate(XPath("/a/b/@c:d"), in: tree, visiting: 99)?.texts == ["1"])
  }

  @Test(arguments: [
    ("//a[", "expected an expression, found the end at character 5"),
    ("a b", "unexpected text after the expression at character 3"),
    ("frob()", "there is no function frob() at character 1"),
    ("count(1)", "count() takes a path at character 1"),
    ("$x", "variables are not supported at character 1"),
    ("a/following::", "expected a step of a path at character 14"),
    ("concat('a')", "concat() does not take 1 arguments at character 1"),
    ("'a", "a text that is not closed at character 1"),
    ("", "expected an expression, found the end at character 1"),
    ("x::a", "there is no axis x at character 1"),
  ])
  func errorsNameTheirPlace(path: String, message: String) {
    let error = #expect(throws: XPathSyntaxError.self) { try XPath(path) }
    #expect(error?.description == message)
  }

  @Test func whatVisitsTooManyNodesIsGivenUp() throws {
    let tree = try XMLTree(parsing: "<a>" + String(repeating: "<b/>", count: 2_000) + "</a>")
    #expect(
      try evaluate(XPath("//b[count(//b[count(//b) > 1]) > 1]"), in: tree, visiting: 100_000) == nil
    )
    #expect(try evaluate(XPath("//b"), in: tree, visiting: 100_000)?.texts.count == 2_000)
    let deep = String(repeating: "(", count: 70) + "1" + String(repeating: ")", count: 70)
    #expect(throws: XPathSyntaxError.self) { try XPath(deep) }
  }

  private func evaluate(_ path: XPath, in tree: XMLTree, visiting limit: Int) -> XPathResult? {
    var limit = limit
    return path.evaluate(in: tree, visiting: &limit)
  }
}
