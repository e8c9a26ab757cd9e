extension ConformanceCase {
  private static func body(
    _ name: String, _ pattern: String, _ yes: [String], not: [String], off: String = "body"
  ) -> ConformanceCase {
    row(
      name, "{\"body\": {\(pattern)}}", matches: yes.map { .post($0) }, not: not.map { .post($0) },
      off: off)
  }

  static let jsonPaths: [ConformanceCase] = [
    body(
      "a query must select something", #""matchesJsonPath": "$.items[?@.price > 10]""#,
      [#"{"items": [{"price": 1}, {"price": 11}]}"#],
      not: [#"{"items": [{"price": 10}]}"#, "{}", "", "not JSON", "<items/>"]),
    body(
      "names are compared by their bytes", "\"matchesJsonPath\": \"$['\u{E9}']\"",
      ["{\"\u{E9}\": 1}"], not: ["{\"e\u{301}\": 1}"]),
    body(
      "a schema's names are compared by their bytes",
      "\"matchesJsonSchema\": {\"required\": [\"\u{E9}\"], \"properties\": {\"e\u{301}\": false}}",
      ["{\"\u{E9}\": 1}"], not: ["{\"e\u{301}\": 1}"]),
    body(
      "unique items are compared by their bytes",
      #""matchesJsonSchema": {"uniqueItems": true}"#, ["[\"\u{E9}\", \"e\u{301}\"]"],
      not: ["[\"\u{E9}\", \"\u{E9}\"]"]),
    body(
      "tokens of GraphQL are compared by their bytes",
      "\"graphql\": {\"query\": \"{a(b:\\\"\u{E9}\\\")}\"}",
      ["{\"query\": \"{ a(b: \\\"\u{E9}\\\") }\"}"],
      not: ["{\"query\": \"{ a(b: \\\"e\u{301}\\\") }\"}"], off: "graphql query"),
    body(
      "names in XML are compared by their bytes",
      "\"matchesXPath\": \"/\u{E9}\"", ["<\u{E9}></\u{E9}>"], not: ["<e\u{301}/>"]),
    body(
      "null is something", #""matchesJsonPath": "$.a""#, [#"{"a": null}"#, #"{"a": []}"#],
      not: ["{}"]),
    body(
      "any of what is selected may satisfy the operator",
      #""matchesJsonPath": {"expression": "$.tags[*]", "equalTo": "new"}"#,
      [#"{"tags": ["old", "new"]}"#], not: [#"{"tags": ["newer"]}"#, #"{"tags": []}"#]),
    body(
      "numbers and literals are compared as their text",
      #""matchesJsonPath": {"expression": "$.*", "or": ["12", "true", "null"]}"#,
      ["[12]", "[true]", "[null]", #"["12"]"#], not: ["[12.0]", "[false]"]),
    body(
      "an absent value is one that is not selected",
      #""matchesJsonPath": {"expression": "$.a", "absent": true}"#, ["{}", "[]"],
      not: [#"{"a": null}"#, "not JSON", ""]),
    body(
      "numbers inside JSON", #""matchesJsonPath": {"expression": "$.n", "greaterThanNumber": 4}"#,
      [#"{"n": 5}"#, #"{"n": "5"}"#], not: [#"{"n": 4}"#, #"{"n": [5]}"#]),
    body(
      "dates inside JSON", #""matchesJsonPath": {"expression": "$.at", "before": "2026-01-01"}"#,
      [#"{"at": "2025-12-31"}"#], not: [#"{"at": "2026-01-01"}"#]),
    body(
      "several values together",
      #""matchesJsonPath": {"expression": "$.tags[*]", "hasExactly": ["b", "a"]}"#,
      [#"{"tags": ["a", "b"]}"#], not: [#"{"tags": ["a", "b", "c"]}"#, #"{"tags": "ab"}"#]),
    body(
      "JSON inside JSON",
      #""matchesJsonPath": {"expression": "$..card", "equalToJson": {"last4": "4242"}, "ignoreExtraElements": true}"#,
      [#"{"pay": {"card": {"last4": "4242", "brand": "visa"}}}"#],
      not: [#"{"card": {"last4": "1"}}"#]),
    body(
      "all that is selected as one list",
      #""matchesJsonPath": {"expression": "$[*].id", "equalToJson": [1, 2]}"#,
      [#"[{"id": 1}, {"id": 2}]"#, #"[{"id": [1, 2]}]"#], not: [#"[{"id": 2}, {"id": 1}]"#]),
    body(
      "JSON that is the text of a string",
      #""matchesJsonPath": {"expression": "$.Message", "matchesJsonPath": {"expression": "$.id", "equalTo": "7"}}"#,
      [#"{"Message": "{\"id\": 7}"}"#, #"{"Message": {"id": 7}}"#],
      not: [#"{"Message": "{\"id\": 8}"}"#]),
    body(
      "an operator can be negated outside and inside",
      #""and": [{"not": {"matchesJsonPath": "$.error"}}, {"matchesJsonPath": {"expression": "$.state", "not": {"equalTo": "off"}}}]"#,
      [#"{"state": "on"}"#], not: [#"{"state": "off"}"#, #"{"state": "on", "error": 1}"#]),
  ]

  static let jsonSchemas: [ConformanceCase] = [
    body(
      "a schema",
      #""matchesJsonSchema": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}"#,
      [#"{"id": 7}"#, #"{"id": 7.0, "x": 1}"#], not: [#"{"id": "7"}"#, "{}", "[]"]),
    body(
      "references inside a schema",
      ##""matchesJsonSchema": {"$defs": {"tree": {"properties": {"sub": {"items": {"$ref": "#/$defs/tree"}}}, "required": ["n"]}}, "$ref": "#/$defs/tree"}"##,
      [#"{"n": 1, "sub": [{"n": 2}]}"#], not: [#"{"n": 1, "sub": [{}]}"#]),
    body(
      "the draft decides what a keyword means",
      #""matchesJsonSchema": {"items": [{"type": "string"}], "additionalItems": false}, "schemaVersion": "draft-07""#,
      [#"["a"]"#, "[]"], not: ["[1]", #"["a", "b"]"#]),
    body(
      "a value that is not JSON is checked as a string",
      #""matchesJsonSchema": {"type": "string", "minLength": 4}"#,
      ["hello", #""hello""#], not: ["hi", "12345", ""]),
  ]

  static let jsonPlaceholders: [ConformanceCase] = [
    body(
      "placeholders stand for values",
      #""equalToJson": {"id": "${json-unit.any-number}", "name": "${json-unit.any-string}", "on": "${json-unit.any-boolean}", "rest": "${json-unit.ignore}"}"#,
      [
        #"{"id": 1, "name": "", "on": false, "rest": null}"#,
        #"{"id": -1e3, "name": "x", "on": true, "rest": [1]}"#,
      ],
      not: [
        #"{"id": "1", "name": "", "on": false, "rest": 1}"#,
        #"{"id": 1, "name": "", "on": 0, "rest": 1}"#, #"{"id": 1, "name": "", "on": false}"#,
      ]),
    body(
      "a member that is ignored may be missing",
      ##""equalToJson": {"a": 1, "at": "#{json-unit.ignore-element}"}"##,
      [#"{"a": 1}"#, #"{"a": 1, "at": 2}"#], not: [#"{"a": 1, "b": 2}"#, #"{"at": 1}"#]),
    body(
      "a placeholder with an expression",
      #""equalToJson": ["${json-unit.regex}[a-f0-9]{4}"]"#, [#"["beef"]"#],
      not: [#"["beefy"]"#, "[1234]"]),
    body(
      "placeholders where the order does not count",
      #""equalToJson": ["${json-unit.any-string}", {"n": "${json-unit.any-number}"}, 3], "ignoreArrayOrder": true"#,
      [#"[3, {"n": 1}, "x"]"#], not: [#"[3, {"n": "1"}, "x"]"#, #"[3, "y", "x"]"#]),
    body(
      "text around a placeholder is text", #""equalToJson": {"a": "x ${json-unit.ignore}"}"#,
      [#"{"a": "x ${json-unit.ignore}"}"#], not: [#"{"a": "x y"}"#]),
  ]
}
