import Foundation
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

  /// XPath 1.0 section 4.2: no exponent, no ".0", no sign of zero.
  @Test(arguments: [
    ("number('1234567890123456')", "1234567890123456"), ("1000000000000000", "1000000000000000"),
    ("10000000000000000", "10000000000000000"),
    ("12345678901234567890", "12345678901234567000"),
    ("-100000000000000000000000", "-100000000000000000000000"),
    ("0.00001", "0.00001"), ("-0.0000125", "-0.0000125"), ("123456789.125", "123456789.125"),
    ("0.1 + 0.2", "0.30000000000000004"), ("1.50", "1.5"), ("1 div 3", "0.3333333333333333"),
    ("-0", "0"), ("round(-0.1)", "0"), ("1 div round(-0.1)", "-Infinity"),
    ("1 div ceiling(-0.5)", "-Infinity"), ("1 div round(-0.5)", "-Infinity"),
    ("round(0.49999999999999994)", "0"), ("round(2.5)", "3"), ("round(0 div 0)", "NaN"),
    ("round(-1 div 0)", "-Infinity"), ("1 div round(0.1)", "Infinity"),
    ("concat('n', 1234567890123456)", "n1234567890123456"),
    ("string(number('1234567890123456')) = '1234567890123456'", "true"),
    ("substring('12345', -42, 1 div 0)", "12345"), ("substring('12345', 0 div 0)", ""),
  ])
  func numbersBecomeTextByTheRecommendation(path: String, text: String) throws {
    let tree = try XMLTree(parsing: "<a/>")
    #expect(try evaluate(XPath(path), in: tree, visiting: 99)?.texts == [text])
  }

  @Test func everyNumberReadsBack() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite else { continue }
      let text = try evaluate(
        XPath("number('\(XPathTests.decimal(number))')"), in: XMLTree(parsing: "<a/>"),
        visiting: 99)?.texts.first
      #expect(text.flatMap { Double($0) } == number)
      #expect(text?.contains("e") == false)
    }
  }

  /// A number as decimal digits, by Foundation.
  private static func decimal(_ number: Double) -> String { String(format: "%.1100f", number) }

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
    ("frob()", "unknown function frob() at character 1"),
    ("count(1)", "count() takes a path at character 1"),
    ("$x", "variables are not supported at character 1"),
    ("a/following::", "expected a step of a path at character 14"),
    ("concat('a')", "concat() does not take 1 arguments at character 1"),
    ("'a", "a text that is not closed at character 1"),
    ("", "expected an expression, found the end at character 1"),
    ("x::a", "unknown axis x at character 1"),
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
