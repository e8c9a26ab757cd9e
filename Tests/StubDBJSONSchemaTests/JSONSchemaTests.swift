import StubDBJSONSchema
import StubDBModel
import Testing

struct JSONSchemaTests {
  /// A schema, a value, and the violations as text; empty where the value is valid.
  static let cases: [(schema: String, value: String, violations: [String])] = [
    (#"true"#, #"1"#, []),
    (#"false"#, #"1"#, ["nothing is allowed here"]),
    (#"{"type":"integer"}"#, #"1.0"#, []),
    (#"{"type":["string","null"]}"#, #"1"#, ["expected string or null, found a number"]),
    (#"{"enum":[1,{"a":[1.0]}]}"#, #"{"a":[1]}"#, []),
    (#"{"const":"a"}"#, #""b""#, [#"expected "a""#]),
    (#"{"multipleOf":0.0001}"#, #"0.0075"#, []),
    (#"{"multipleOf":0.01}"#, #"0.015"#, ["expected a multiple of 0.01"]),
    (#"{"minimum":1,"exclusiveMaximum":2}"#, #"2.0"#, ["expected less than 2"]),
    (#"{"minimum":-1.5}"#, #"-1.50001"#, ["expected -1.5 or more"]),
    (#"{"minLength":2}"#, #""😀""#, ["expected 2 characters or more"]),
    (#"{"pattern":"^a+$"}"#, #""aab""#, ["expected text matching ^a+$"]),
    (
      #"{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}"#, #"["a",1,"b"]"#,
      ["/2: expected number, found a string"]
    ),
    (
      #"{"contains":{"const":1},"minContains":2}"#, #"[1,2]"#,
      ["1 items are as wanted, expected 2"]
    ),
    (#"{"uniqueItems":true}"#, #"[{"a":1,"b":2},{"b":2.0,"a":1e0}]"#, ["two items are equal"]),
    (#"{"required":["a","b"]}"#, #"{"a":1}"#, [#"the member "b" is missing"#]),
    (
      #"{"properties":{"a":{"type":"string"}},"additionalProperties":false}"#, #"{"a":1,"c":2}"#,
      ["/a: expected string, found a number", "/c: nothing is allowed here"]
    ),
    (#"{"patternProperties":{"^x-":true},"additionalProperties":false}"#, #"{"x-a":1}"#, []),
    (#"{"propertyNames":{"maxLength":1}}"#, #"{"ab":1}"#, [#"the name "ab" is not allowed"#]),
    (#"{"dependentRequired":{"a":["b"]}}"#, #"{"a":1}"#, [#""a" needs the member "b""#]),
    (
      #"{"oneOf":[{"type":"number"},{"minimum":1}]}"#, #"2"#,
      ["2 of the alternatives hold, not one"]
    ),
    (
      #"{"anyOf":[{"type":"number"},{"type":"null"}]}"#, #""a""#, ["none of the alternatives holds"]
    ),
    (#"{"not":{"type":"null"}}"#, #"null"#, ["what must not hold does"]),
    (
      #"{"if":{"type":"number"},"then":{"minimum":1},"else":{"minLength":1}}"#, #"0"#,
      ["expected 1 or more"]
    ),
    (
      ##"{"$defs":{"node":{"properties":{"next":{"$ref":"#/$defs/node"},"v":{"type":"number"}}}},"$ref":"#/$defs/node"}"##,
      #"{"next":{"next":{"v":"x"}}}"#, ["/next/next/v: expected number, found a string"]
    ),
    (
      #"{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}"#, #"{"a":1,"b":2}"#,
      ["/b: nothing is allowed here"]
    ),
    (##"{"$ref":"#"}"##, #"1"#, ["the schema refers to itself without end"]),
    (
      #"{"$schema":"http://json-schema.org/draft-07/schema","items":[{"type":"string"}],"additionalItems":false}"#,
      #"["a",1]"#, ["/1: nothing is allowed here"]
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
    (#"{"pattern":"("}"#, #"/pattern: "pattern" holds "(", which is no regular expression"#),
    (
      ##"{"items":{"$ref":"#/$defs/no"}}"##,
      ##"/items/$ref: the reference "#/$defs/no" leads nowhere"##
    ),
    (#"{"allOf":[3]}"#, #"/allOf/0: a schema is an object, true or false, not a number"#),
  ])
  func badSchemasAreRefusedWithTheirPlace(schema: String, message: String) throws {
    let schema = try JSONValue(parsing: schema)
    let error = #expect(throws: JSONSchemaError.self) { try JSONSchema(schema) }
    #expect(error?.description == message)
  }
}
