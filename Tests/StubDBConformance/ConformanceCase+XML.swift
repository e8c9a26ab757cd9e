extension ConformanceCase {
  private static func body(
    _ name: String, _ pattern: String, _ yes: [String], not: [String], off: String...
  ) -> ConformanceCase {
    let steps =
      yes.map { Step(request: .post($0), outcome: .response(stub: "stub")) }
      + not.map { Step(request: .post($0), outcome: .unmatched(off: off.isEmpty ? ["body"] : off)) }
    return ConformanceCase(
      name: name,
      document: """
        {"scenario": "conformance", "stubs": [{"key": "stub", "request": {"body": {\(pattern)}}}]}
        """,
      steps: steps)
  }

  static let xmlDocuments: [ConformanceCase] = [
    body(
      "XML is compared as a document", #""equalToXml": "<a x='1' y='2'><b>t</b><c/></a>""#,
      [
        "<?xml version=\"1.0\"?>\n<a y=\"2\" x=\"1\">\n  <b> t </b>\n  <!-- c --> <c></c>\n</a>",
        "<a x='1' y='2'><c/><b><![CDATA[t]]></b></a>",
      ],
      not: ["<a x='1' y='2'><b>u</b><c/></a>"], off: "body /a/b/text()"),
    body(
      "attributes count", #""equalToXml": "<a x='1'/>""#, ["<a x=\"1\"></a>"], not: ["<a/>"],
      off: "body /a/@x"),
    body(
      "an element too many", #""equalToXml": "<a><b/></a>""#, ["<a><b/></a>"],
      not: ["<a><b/><b/></a>"],
      off: "body /a/b[2]"),
    body(
      "what is not XML equals no XML", #""equalToXml": "<a/>""#, ["<a/>"],
      not: ["<a>", "", "{}", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>"]),
    body(
      "prefixes do not count, namespaces do", #""equalToXml": "<p:a xmlns:p='urn:a'><p:b/></p:a>""#,
      ["<a xmlns='urn:a'><b/></a>", "<q:a xmlns:q='urn:a'><q:b/></q:a>"],
      not: ["<a xmlns='urn:b'><b/></a>", "<a><b/></a>"], off: "body /p:a"),
    body(
      "elements of one name have an order", #""equalToXml": "<a><b>1</b><b>2</b></a>""#,
      ["<a><b>1</b><b>2</b></a>"], not: ["<a><b>2</b><b>1</b></a>"],
      off: "body /a/b[1]/text()", "body /a/b[2]/text()"),
    body(
      "the order of elements of one name can be ignored",
      #""equalToXml": "<a><b>1</b><b>2</b></a>", "ignoreOrderOfSameNode": true"#,
      ["<a><b>2</b><b>1</b></a>"], not: ["<a><b>2</b><b>2</b></a>"], off: "body /a/b[2]/text()"),
    body(
      "placeholders in XML",
      #""equalToXml": "<a at='${xmlunit.isDateTime}'><id>${xmlunit.isNumber}</id><x>${xmlunit.ignore}</x><y>${xmlunit.matchesRegex([a-c]+)}</y></a>", "enablePlaceholders": true"#,
      ["<a at='2026-11-21T08:00:00Z'><id> 12 </id><x/><y>abc</y></a>"],
      not: ["<a at='2026-11-21T08:00:00Z'><id>12</id><x>1</x><y>abd</y></a>"],
      off: "body /a/y/text()"),
    body(
      "placeholders are text unless they are enabled", #""equalToXml": "<a>${xmlunit.ignore}</a>""#,
      ["<a>${xmlunit.ignore}</a>"], not: ["<a>b</a>"], off: "body /a/text()"),
  ]

  static let xPaths: [ConformanceCase] = [
    body(
      "an XPath must select something", #""matchesXPath": "//item[@price > 10]""#,
      ["<o><item price='11'/></o>"],
      not: ["<o><item price='9'/></o>", "<o/>", "not XML", "", "{}"]),
    body(
      "any of what an XPath selects may satisfy the operator",
      #""matchesXPath": {"expression": "//tag", "equalTo": "new"}"#,
      ["<a><tag>old</tag><tag>n<b>ew</b></tag></a>"], not: ["<a><tag>newer</tag></a>", "<a/>"]),
    body(
      "an XPath that comes to a number",
      #""matchesXPath": {"expression": "count(//i)", "greaterThanNumber": 1}"#,
      ["<a><i/><i/></a>"], not: ["<a><i/></a>"]),
    body(
      "an XPath that comes to a truth", #""matchesXPath": "count(//i) = 2""#, ["<a><i/><i/></a>"],
      not: ["<a><i/></a>"]),
    body(
      "an XPath that selects nothing is absent",
      #""matchesXPath": {"expression": "//error", "absent": true}"#, ["<a/>"],
      not: ["<a><error/></a>", "x"]),
    body(
      "names are compared as they are written",
      #""matchesXPath": "/s:Envelope/s:Body/get""#,
      ["<s:Envelope xmlns:s='urn:s'><s:Body><get xmlns='urn:g'/></s:Body></s:Envelope>"],
      not: ["<t:Envelope xmlns:t='urn:s'><t:Body><get/></t:Body></t:Envelope>"]),
    body(
      "prefixes of a pattern stand for namespaces",
      #""matchesXPath": {"expression": "/x:Envelope/x:Body/g:get/@id", "namespaces": {"x": "urn:s", "g": "urn:g"}, "equalTo": "7"}"#,
      ["<s:Envelope xmlns:s='urn:s'><s:Body><get xmlns='urn:g' id='7'/></s:Body></s:Envelope>"],
      not: ["<x:Envelope xmlns:x='urn:z'><x:Body/></x:Envelope>"]),
  ]
}
