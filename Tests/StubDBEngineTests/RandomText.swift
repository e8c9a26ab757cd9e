import Foundation
import HTTPTypes
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBTestSupport

/// Texts that are almost valid, so that parsers read far into them.
enum RandomText {
  static let queries = [
    "$..a[?@.b > 1 && match(@.c, 'x.*')]", "$['a','b'][0:5:2]", "$[-1]..*",
    "$[?length(@.a) == count($..*)]",
    "$.a.b[?!@.c || value(@..d) != null]", "$[?search(@, '(a+)+b')]",
  ]
  static let xPaths = [
    "//a[@b > 1]/c[last()]", "count(//*) + sum(//@b) div 2",
    "(//a | /b/*)[position() mod 2 = 1]/..",
    "substring(normalize-space(/), 2, 3) = translate('abc', 'a', '')",
    "//a/ancestor-or-self::*/following::text()",
  ]
  static let documents = [
    "<a b='1'><c>x</c>y<!-- z --><c/></a>",
    "<?xml version='1.0'?><p:a xmlns:p='urn:p' p:b='&amp;'><![CDATA[<]]></p:a>",
    "<a><b>1</b><b>2</b><?c d?></a>", "<!DOCTYPE a><a>&#65;&lt;</a>",
  ]
  /// `{"amount": 1200}` forty times, as gzip.
  static let gzipped: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 171, 86, 74, 204, 205, 47, 205, 43, 81, 178, 82, 48, 52, 50,
    48, 168, 173, 30, 229, 143, 242, 233, 200, 103, 96, 100, 98, 102, 97, 101, 99, 231, 224, 228,
    226, 230, 225, 229, 227, 23, 16, 20, 18, 22, 17, 21, 19, 151, 144, 148, 146, 150, 145, 149, 147,
    87, 80, 84, 82, 86, 81, 85, 83, 215, 208, 212, 210, 214, 209, 213, 211, 55, 48, 52, 50, 54, 49,
    53, 51, 183, 176, 180, 178, 6, 0, 11, 141, 211, 175, 188, 2, 0, 0,
  ]

  private static let values = [
    #""a""#, #"{"contains": "a"}"#, #"{"matches": "(a|b)+c?"}"#, #"{"absent": true}"#,
    #"{"equalToNumber": 1.5e3}"#,
    #"{"before": "now -3 days", "truncateExpected": "first day of month"}"#,
    #"{"equalToDateTime": "2026-11-21", "actualFormat": "dd/MM/yyyy['T'HH:mm]"}"#,
    #"["a", {"not": "b"}]"#,
    #"{"or": [{"doesNotMatch": "[a-c]{2,}"}, {"includes": ["a"]}]}"#,
    #"{"equalTo": "A", "caseInsensitive": true}"#,
  ]

  private static let bodies = [
    #"{"equalToJson": {"a": [1, "${json-unit.regex}a+"]}, "ignoreArrayOrder": true, "ignoreExtraElements": true}"#,
    #"{"matchesJsonPath": {"expression": "$..a", "equalToJson": [1]}}"#,
    #"{"matchesJsonPath": "$[?@.a]"}"#,
    ##"{"matchesJsonSchema": {"items": {"$ref": "#"}, "properties": {"a": {"type": "array"}}}}"##,
    #"{"form": {"a": "1", "b": {"absent": true}}}"#,
    #"{"graphql": {"query": "{ a(b: \"c\") }", "variables": {"a": 1}}}"#,
    #"{"multipart": [{"name": "a", "filename": {"matches": ".+"}, "body": {"contains": "x"}}]}"#,
    #"{"equalToXml": "<a b='${xmlunit.isNumber}'><c>x</c></a>", "enablePlaceholders": true}"#,
    #"{"matchesXPath": {"expression": "//a/@b", "equalTo": "1"}}"#, #"{"binaryEqualTo": "AAEC"}"#,
    #"{"and": [{"contains": "a"}, {"not": {"matchesXPath": "//c"}}]}"#,
  ]

  /// A document of a few stubs with all kinds of patterns.
  static func document(_ random: inout SeededRandom) -> String {
    let stubs = (0..<Int.random(in: 1...4, using: &random)).map { index in
      let path = pick(["/a", "/{x}/b", "/**", "//", "/%C3%A9"], &random)
      return """
        {"key": "k\(index)", "request": {"method": "\(pick(["GET", "POST"], &random))", "url": "https://a.test\(path)",
        "query": {"q": \(pick(values, &random))}, "headers": {"X-A": \(pick(values, &random))},
        "body": \(pick(bodies, &random))}, "responses": [{"status": 201, "json": {"a": 1}}]}
        """
    }
    return #"{"scenario": "fuzz/a", "stubs": [\#(stubs.joined(separator: ",\n"))]}"#
  }

  /// The text with a few changes: bytes replaced, ranges removed or duplicated.
  ///
  /// Usually one change, sometimes none.
  static func mutated(_ text: String, _ random: inout SeededRandom) -> String {
    var bytes = Array(text.utf8)
    let signs = Array("{}[]()<>&\"'\\/$@#.,:;*+-=!?|0123456789aeEtu \u{0}\n%".utf8) + [0xC3, 0xFF]
    for _ in 0..<pick([0, 1, 1, 1, 2, 5], &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      let end = min(bytes.count, place + Int.random(in: 0...6, using: &random))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = pick(signs, &random)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      default: bytes.insert(pick(signs, &random), at: place)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A request with unusual fields and content of any kind.
  static func request(_ random: inout SeededRandom) -> StubRequest {
    let contents =
      documents + [
        #"{"a": [1, "aa"], "b": {"a": "x"}}"#, "a=1&b=%zz&&=",
        #"{"query": "{a(b:\"c\")}", "variables": {"a": 1}}"#,
        "--a\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"\r\n\r\nx\r\n--a--",
        "1.5e3", "2026-11-21",
      ]
    var body = Data(mutated(pick(contents, &random), &random).utf8)
    var fields = HTTPFields()
    fields[.contentType] = pick(
      ["text/plain", "multipart/form-data; boundary=a", "multipart/;boundary=\"", ";"], &random)
    if Int.random(in: 0..<8, using: &random) == 0 {
      body = Data(gzipped)
      fields[.contentEncoding] = pick(["gzip", "deflate", "gzip, gzip", "x, br", ""], &random)
    }
    if let name = HTTPField.Name("X-A") {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        fields.append(
          HTTPField(
            name: name, value: pick(["a", "a, b", "1500", "\"", "2026-11-21", "ab"], &random)))
      }
    }
    let url =
      "https://a.test" + pick(["/a", "/x/b", "/%", "?q=a", "/a?q=%FF&q", "//?q=1500"], &random)
    return StubRequest(
      method: pick(["GET", "POST"], &random), url: mutated(url, &random), headers: fields,
      body: Int.random(in: 0..<12, using: &random) == 0 ? .unknown(reason: "why") : .bytes(body))
  }

  static func json(_ depth: Int, _ random: inout SeededRandom) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
    case 0: return nil
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .number(JSONNumber(pick([0, 1, -7, 1 << 60], &random)))
    case 3:
      return .number(JSONNumber(unchecked: pick(["1e999", "-0.0", "1E-400", "10.50"], &random)))
    case 4:
      return .string(pick(["", "a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", "é", "\u{0}"], &random))
    case 5, 6:
      return .object(
        Dictionary(["a", "b", "c", "d"].map { ($0, json(depth - 1, &random)) }) { $1 })
    default: return .array((0..<3).map { _ in json(depth - 1, &random) })
    }
  }

  /// A schema of random keywords with random operands, valid more often than not.
  static func schema(_ depth: Int, _ random: inout SeededRandom) -> JSONValue {
    var members: JSONObject = [:]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let inner: JSONValue = depth > 0 ? schema(depth - 1, &random) : true
      switch Int.random(in: 0..<12, using: &random) {
      case 0: members["$ref"] = pick(["#", "#/properties/a", "#nowhere"], &random)
      case 1: members["anyOf"] = [inner, .object(["$ref": "#"])]
      case 2: members["properties"] = .object(["a": inner, "b": inner])
      case 3: members["items"] = inner
      case 4: members["not"] = inner
      case 5: members["type"] = pick(["string", "object", "integer", "nonsense"], &random)
      case 6: members["pattern"] = pick(["^a+$", "(a+)+b", "["], &random)
      case 7: members["multipleOf"] = pick([2, 0.1, 0, -1], &random)
      case 8: members["unevaluatedProperties"] = inner
      case 9: members["uniqueItems"] = true
      case 10: members["if"] = inner
      default:
        members[pick(["minimum", "minLength", "enum", "const", "required"], &random)] = json(
          1, &random)
      }
    }
    return .object(members)
  }

  static func pick<Element>(_ elements: [Element], _ random: inout SeededRandom) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }
}
