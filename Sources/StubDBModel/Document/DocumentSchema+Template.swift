// swift-format-ignore-file

extension DocumentSchema {
  /// The JSON Schema of a document, with a word in angle brackets for each part that follows from the tables of operators.
  ///
  /// `scripts/generate-schema` writes the whole into `docs/stubdb.schema.json`.
  static let template =
    beginning
    + [requestDefinitions, responseDefinitions, webSocketDefinitions, otherDefinitions]
    .joined(separator: ",\n") + "\n  }\n}\n"

  /// The scenario itself.
  private static let beginning = ##"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "stubdb scenario document",
      "description": "A named set of HTTP stubs: one situation that a test can ask for",
      "type": "object",
      "properties": {
        "$schema": {"description": "The location of this schema, for editors; ignored", "type": "string"},
        "scenario": {
          "description": "The name of the scenario, unique in a catalog",
          "$ref": "#/$defs/scenarioName"
        },
        "summary": {
          "description": "A description in one line",
          "type": "string",
          "minLength": 1,
          "not": {"pattern": "[\\u0000-\\u001f\\u007f-\\u009f]"}
        },
        "tags": {
          "description": "Words to filter by",
          "type": "array",
          "uniqueItems": true,
          "items": {
            "description": "A tag",
            "type": "string",
            "minLength": 1,
            "not": {"pattern": "[\\u0000-\\u001f\\u007f-\\u009f]"}
          }
        },
        "includes": {
          "description": "Scenarios whose stubs answer after those of this scenario",
          "type": "array",
          "uniqueItems": true,
          "items": {"anyOf": [{"$ref": "#/$defs/scenarioName"}, {"$ref": "#/$defs/otherScenarioName"}]}
        },
        "stubs": {
          "description": "The stubs; of equal priority, the first one that matches answers",
          "type": "array",
          "items": {"$ref": "#/$defs/stub"}
        }
      },
      "required": ["scenario"],
      "additionalProperties": false,
      "$defs": {

    """##
}
