import StubDBJSON

extension ConformanceCase {
  static let textBodies: [ConformanceCase] = [
    row(
      "a body as text", #"{"body": {"equalTo": "hällo"}}"#, matches: [.post("hällo")],
      not: [.post("hallo"), .post("")], off: "body"),
    row(
      "an empty body is absent", #"{"body": {"absent": true}}"#,
      matches: [.get("https://a.test/"), .post("")], not: [.post(" ")], off: "body"),
    row(
      "a list of body patterns must match in full",
      #"{"body": [{"contains": "a"}, {"contains": "b"}]}"#, matches: [.post("b a")],
      not: [.post("a")], off: "body"),
    row(
      "a body that is not text is neither absent nor text",
      #"{"body": {"or": [{"absent": true}, {"doesNotContain": "x"}]}}"#,
      matches: [.post(""), .post("a")], not: [.post(bytes: [0xFF, 0xFE])], off: "body"),
    row(
      "the opposite of what cannot be told is not told either",
      #"{"body": {"not": {"contains": "x"}}}"#,
      matches: [.post("a")], not: [.post(bytes: [0xC3]), .postUnknown], off: "body"),
    row(
      "a body that cannot be seen is not absent", #"{"body": {"absent": true}}"#,
      not: [.postUnknown], off: "body"),
    row(
      "a body that cannot be seen may be anything", #"{"body": {"anything": true}}"#,
      matches: [.postUnknown, .post(bytes: [0xFF]), .post("")]),
    row(
      "bytes are compared as they are", #"{"body": {"binaryEqualTo": "/wD+"}}"#,
      matches: [.post(bytes: [0xFF, 0x00, 0xFE])],
      not: [.post(bytes: [0xFF, 0x00]), .post("/wD+")],
      off: "body"),
    row(
      "body patterns combine",
      #"{"body": {"or": [{"equalToJson": {"a": 1}}, {"binaryEqualTo": "AA=="}, "plain"]}}"#,
      matches: [.post(#"{"a": 1.0}"#), .post(bytes: [0]), .post("plain")], not: [.post("{}")],
      off: "body"),
  ]

  private static func json(_ name: String, _ pattern: String, _ yes: [String], not: [String])
    -> ConformanceCase
  {
    row(
      name, "{\"body\": {\(pattern)}}", matches: yes.map { .post($0) }, not: not.map { .post($0) },
      off: "body")
  }

  static let jsonBodies: [ConformanceCase] = [
    json(
      "JSON is compared as a value", #""equalToJson": {"a": 1, "b": [true, null, "x"]}"#,
      [#" { "b" : [ true , null , "\u0078" ] , "a" : 1 } "#],
      not: [#"{"a": 1}"#, #"{"a": "1", "b": [true, null, "x"]}"#]),
    json(
      "numbers are compared as quantities", #""equalToJson": [1, 1.50, 100, 0]"#,
      ["[1.0, 1.5, 1e2, -0]", "[10e-1, 15E-1, 100.000, 0.0]"],
      not: ["[1, 1.5, 100, 0.0000000000000000001]", "[1, 1.5, 100]"]),
    json(
      "large numbers are compared exactly", #""equalToJson": 9007199254740993"#,
      ["9007199254740993", "9007199254740993.0"], not: ["9007199254740992"]),
    json(
      "the order of an array counts", #""equalToJson": [1, 2]"#, ["[1, 2]"],
      not: ["[2, 1]", "[1, 2, 3]"]),
    json(
      "the order of an array can be ignored",
      #""equalToJson": {"a": [1, 2, 2]}, "ignoreArrayOrder": true"#,
      [#"{"a": [2, 1, 2]}"#, #"{"a": [2.0, 2, 1]}"#],
      not: [#"{"a": [1, 1, 2]}"#, #"{"a": [1, 2]}"#]),
    json(
      "order is ignored inside of elements too",
      #""equalToJson": [[1, 2], [3, [4, 5]]], "ignoreArrayOrder": true"#,
      ["[[[5, 4], 3], [2, 1]]"], not: ["[[[5, 4], 1], [2, 3]]"]),
    json(
      "extra members can be ignored",
      #""equalToJson": {"a": {"b": 1}}, "ignoreExtraElements": true"#,
      [#"{"a": {"b": 1, "c": 2}, "d": 3}"#], not: [#"{"a": {"c": 2}}"#, #"{"d": 1}"#]),
    json(
      "extra elements at the end can be ignored",
      #""equalToJson": [1, 2], "ignoreExtraElements": true"#, ["[1, 2, 3]"],
      not: ["[0, 1, 2]", "[1]"]),
    json(
      "extra elements anywhere can be ignored with the order",
      #""equalToJson": [2, 1], "ignoreExtraElements": true, "ignoreArrayOrder": true"#,
      ["[0, 1, 5, 2]"], not: ["[2, 2, 3]"]),
    json(
      "each expected element has a partner of its own, however they are paired",
      #""equalToJson": [{"a": 1}, {"a": 1, "b": 2}], "ignoreExtraElements": true, "ignoreArrayOrder": true"#,
      [#"[{"a": 1, "b": 2}, {"a": 1}]"#, #"[{"a": 1, "b": 2, "c": 3}, {"a": 1, "z": 0}]"#],
      not: [#"[{"a": 1}, {"a": 1}]"#, #"[{"a": 1, "b": 2}]"#]),
    json(
      "strings in JSON are compared by their bytes", #""equalToJson": {"q": "é"}"#,
      [#"{"q": "\u00e9"}"#], not: [#"{"q": "e\u0301"}"#]),
    json(
      "text that is not JSON equals no JSON", #""equalToJson": {}"#, ["{}"],
      not: ["{", "{} {}", #"{"a": 1, "a": 2}"#, ""]),
    json("null is not nothing", #""equalToJson": {"a": null}"#, [#"{"a": null}"#], not: ["{}"]),
    row(
      "what is not JSON is not equal", #"{"body": {"not": {"equalToJson": {"a": 1}}}}"#,
      matches: [.post("x"), .post(#"{"a": 2}"#), .post("")],
      not: [.post(#"{"a": 1}"#), .postUnknown], off: "body"),
  ]
}
