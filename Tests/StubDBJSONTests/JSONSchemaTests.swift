import StubDBJSON
import Testing

struct JSONSchemaTests {
  /// A schema, a value, and the violations as text; empty if the value is valid.
  static let cases: [(schema: String, value: String, violations: [String])] = [
    (#"true"#, #"1"#, []),
    (#"false"#, #"1"#, ["nothing here"]),
    (#"{"type":"integer"}"#, #"1.0"#, []),
    (#"{"type":["string","null"]}"#, #"1"#, ["string or null"]),
    (#"{"enum":[1,{"a":[1.0]}]}"#, #"{"a":[1]}"#, []),
    (#"{"const":"a"}"#, #""b""#, [#""a""#]),
    (#"{"multipleOf":0.0001}"#, #"0.0075"#, []),
    (#"{"multipleOf":0.01}"#, #"0.015"#, ["a multiple of 0.01"]),
    (#"{"minimum":1,"exclusiveMaximum":2}"#, #"2.0"#, ["less than 2"]),
    (#"{"minimum":-1.5}"#, #"-1.50001"#, ["-1.5 or more"]),
    (#"{"minLength":2}"#, #""😀""#, ["2 characters or more"]),
    (#"{"pattern":"^a+$"}"#, #""aab""#, ["text matching ^a+$"]),
    (
      #"{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}"#, #"["a",1,"b"]"#,
      ["/2: number"]
    ),
    (
      #"{"contains":{"const":1},"minContains":2}"#, #"[1,2]"#,
      ["2 or more of the wanted items, not 1"]
    ),
    (#"{"uniqueItems":true}"#, #"[{"a":1,"b":2},{"b":2.0,"a":1e0}]"#, ["items that all differ"]),
    (#"{"required":["a","b"]}"#, #"{"a":1}"#, [#"the member "b""#]),
    (
      #"{"properties":{"a":{"type":"string"}},"additionalProperties":false}"#, #"{"a":1,"c":2}"#,
      ["/a: string", "/c: nothing here"]
    ),
    (#"{"patternProperties":{"^x-":true},"additionalProperties":false}"#, #"{"x-a":1}"#, []),
    (#"{"propertyNames":{"maxLength":1}}"#, #"{"ab":1}"#, [#"no member "ab""#]),
    (#"{"dependentRequired":{"a":["b"]}}"#, #"{"a":1}"#, [#"the member "b" beside "a""#]),
    (
      #"{"oneOf":[{"type":"number"},{"minimum":1}]}"#, #"2"#,
      ["just one of the alternatives, not 2"]
    ),
    (
      #"{"anyOf":[{"type":"number"},{"type":"null"}]}"#, #""a""#, ["one of the alternatives"]
    ),
    (
      #"{"not":{"type":"null"}}"#, #"null"#,
      [#"something that the schema under "not" does not describe"#]
    ),
    (
      #"{"if":{"type":"number"},"then":{"minimum":1},"else":{"minLength":1}}"#, #"0"#,
      ["1 or more"]
    ),
    (
      ##"{"$defs":{"node":{"properties":{"next":{"$ref":"#/$defs/node"},"v":{"type":"number"}}}},"$ref":"#/$defs/node"}"##,
      #"{"next":{"next":{"v":"x"}}}"#, ["/next/next/v: number"]
    ),
    (
      #"{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}"#, #"{"a":1,"b":2}"#,
      ["/b: nothing here"]
    ),
    (##"{"$ref":"#"}"##, #"1"#, ["a schema that does not refer to itself without end"]),
    (
      #"{"$schema":"http://json-schema.org/draft-07/schema","items":[{"type":"string"}],"additionalItems":false}"#,
      #"["a",1]"#, ["/1: nothing here"]
    ),
    (#"{"format":"email"}"#, #""not one""#, []),
  ]

  @Test(arguments: cases)
  func valuesAreChecked(schema: String, value: String, violations: [String]) throws {
    let schema = try JSONSchema(JSONValue(parsing: schema))
    #expect(schema.violations(in: try JSONValue(parsing: value)).map(\.description) == violations)
  }

  @Test(arguments: [
    (#"{"type":"text"}"#, #"/type: "type" knows no type "text""#),
    (
      #"{"properties":{"a":{"minLength":-1}}}"#,
      #"/properties/a/minLength: "minLength" takes a whole number, zero or more"#
    ),
    (
      #"{"pattern":"("}"#,
      #"/pattern: "pattern" holds "(", which is not a regular expression: a '(' that is not closed at character 1"#
    ),
    (
      ##"{"items":{"$ref":"#/$defs/no"}}"##,
      ##"/items/$ref: the reference "#/$defs/no" leads nowhere"##
    ),
    (
      #"{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}"#,
      "/$schema: a schema of draft-04 is not understood; write one of draft-07 or 2020-12"
    ),
    (#"{"allOf":[3]}"#, #"/allOf/0: a schema is an object, true or false, not a number"#),
  ])
  func badSchemasAreRefusedWithTheirPlace(schema: String, message: String) throws {
    let schema = try JSONValue(parsing: schema)
    let error = #expect(throws: JSONSchemaError.self) { try JSONSchema(schema) }
    #expect(error?.description == message)
  }
}
