import StubDBJSON

/// What WireMock reads as a stub mapping; a name that it does not know is an error there.
///
/// The names and types are those of its own schema (`schemas/wiremock-stub-mapping-or-mappings.json` of
/// wiremock/wiremock), but for what its code reads otherwise: the host is a pattern, credentials are `basicAuth`, and
/// several fields of one name are a list.
enum WireMockSchema {
  static func violations(in mapping: JSONValue) throws -> [String] {
    try JSONSchema(JSONValue(parsing: text), dialect: .draft07).violations(in: mapping)
      .map(\.description)
  }

  private static let text = #"""
    {
      "type": "object", "additionalProperties": false,
      "properties": {
        "id": {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
        "name": {"type": "string"}, "priority": {"type": "integer", "minimum": 1},
        "scenarioName": {"type": "string"}, "requiredScenarioState": {"type": "string"},
        "newScenarioState": {"type": "string"}, "metadata": {"type": "object"},
        "request": {"$ref": "#/definitions/request"}, "response": {"$ref": "#/definitions/response"}
      },
      "required": ["response"],
      "definitions": {
        "request": {
          "type": "object", "additionalProperties": false,
          "properties": {
            "method": {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": false,
              "properties": {"oneOf": {"type": "array", "items": {"type": "string"}}}}]},
            "scheme": {"type": "string"}, "port": {"type": "integer"},
            "host": {"$ref": "#/definitions/value"},
            "url": {"type": "string"}, "urlPath": {"type": "string"},
            "urlPattern": {"type": "string"}, "urlPathPattern": {"type": "string"},
            "urlPathTemplate": {"type": "string"},
            "pathParameters": {"$ref": "#/definitions/values"},
            "queryParameters": {"$ref": "#/definitions/lists"},
            "formParameters": {"$ref": "#/definitions/lists"},
            "headers": {"$ref": "#/definitions/lists"}, "cookies": {"$ref": "#/definitions/values"},
            "basicAuth": {"type": "object", "additionalProperties": false,
              "properties": {"username": {"type": "string"}, "password": {"type": "string"}},
              "required": ["username", "password"]},
            "bodyPatterns": {"type": "array", "items": {"$ref": "#/definitions/content"}},
            "multipartPatterns": {"type": "array", "items": {
              "type": "object", "additionalProperties": false,
              "properties": {
                "name": {"type": "string"}, "fileName": {"type": "string"},
                "matchingType": {"enum": ["ALL", "ANY"]},
                "headers": {"$ref": "#/definitions/lists"},
                "bodyPatterns": {"type": "array", "items": {"$ref": "#/definitions/content"}}}}},
            "customMatcher": {"type": "object", "additionalProperties": false,
              "properties": {"name": {"type": "string"}, "parameters": {"type": "object"}},
              "required": ["name"]}
          },
          "not": {"anyOf": [{"required": ["url", "urlPath"]}, {"required": ["url", "urlPattern"]},
            {"required": ["url", "urlPathPattern"]}, {"required": ["url", "urlPathTemplate"]},
            {"required": ["urlPath", "urlPathPattern"]}, {"required": ["urlPattern", "urlPath"]}]}
        },
        "values": {"type": "object", "additionalProperties": {"$ref": "#/definitions/value"}},
        "lists": {"type": "object", "additionalProperties": {"anyOf": [
          {"$ref": "#/definitions/value"},
          {"type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
            "properties": {
              "hasExactly": {"type": "array", "items": {"$ref": "#/definitions/value"}},
              "includes": {"type": "array", "items": {"$ref": "#/definitions/value"}}}}]}},
        "texts": {
          "properties": {
            "equalTo": {"type": "string"}, "caseInsensitive": {"type": "boolean"},
            "contains": {"type": "string"}, "doesNotContain": {"type": "string"},
            "matches": {"type": "string"}, "doesNotMatch": {"type": "string"},
            "absent": {"const": true}, "equalToNumber": {"type": "number"},
            "greaterThanNumber": {"type": "number"}, "greaterThanEqualNumber": {"type": "number"},
            "lessThanNumber": {"type": "number"}, "lessThanEqualNumber": {"type": "number"},
            "before": {"type": "string"}, "after": {"type": "string"},
            "equalToDateTime": {"type": "string"}, "actualFormat": {"type": "string"},
            "truncateExpected": {"$ref": "#/definitions/truncation"},
            "truncateActual": {"$ref": "#/definitions/truncation"}
          }
        },
        "truncation": {"enum": ["first second of minute", "first minute of hour",
          "first hour of day", "first day of month", "first day of next month",
          "last day of month", "first day of year", "first day of next year", "last day of year"]},
        "oneOperator": {"oneOf": [
          {"required": ["equalTo"]}, {"required": ["contains"]}, {"required": ["doesNotContain"]},
          {"required": ["matches"]}, {"required": ["doesNotMatch"]}, {"required": ["absent"]},
          {"required": ["equalToNumber"]}, {"required": ["greaterThanNumber"]},
          {"required": ["greaterThanEqualNumber"]}, {"required": ["lessThanNumber"]},
          {"required": ["lessThanEqualNumber"]}, {"required": ["before"]}, {"required": ["after"]},
          {"required": ["equalToDateTime"]}, {"required": ["and"]}, {"required": ["or"]},
          {"required": ["not"]}, {"required": ["binaryEqualTo"]}, {"required": ["equalToJson"]},
          {"required": ["matchesJsonPath"]}, {"required": ["matchesJsonSchema"]},
          {"required": ["equalToXml"]}, {"required": ["matchesXPath"]}]},
        "value": {
          "type": "object",
          "allOf": [{"$ref": "#/definitions/texts"}, {"$ref": "#/definitions/oneOperator"}],
          "properties": {
            "and": {"type": "array", "items": {"$ref": "#/definitions/value"}},
            "or": {"type": "array", "items": {"$ref": "#/definitions/value"}},
            "not": {"$ref": "#/definitions/value"}
          },
          "propertyNames": {"enum": ["equalTo", "caseInsensitive", "contains", "doesNotContain",
            "matches", "doesNotMatch", "absent", "equalToNumber", "greaterThanNumber",
            "greaterThanEqualNumber", "lessThanNumber", "lessThanEqualNumber", "before", "after",
            "equalToDateTime", "actualFormat", "truncateExpected", "truncateActual", "and", "or",
            "not"]}
        },
        "content": {
          "type": "object",
          "allOf": [{"$ref": "#/definitions/texts"}, {"$ref": "#/definitions/oneOperator"},
            {"$ref": "#/definitions/contents"}],
          "propertyNames": {"enum": ["equalTo", "caseInsensitive", "contains", "doesNotContain",
            "matches", "doesNotMatch", "absent", "equalToNumber", "greaterThanNumber",
            "greaterThanEqualNumber", "lessThanNumber", "lessThanEqualNumber", "before", "after",
            "equalToDateTime", "actualFormat", "truncateExpected", "truncateActual", "and", "or",
            "not", "binaryEqualTo", "equalToJson", "ignoreArrayOrder", "ignoreExtraElements",
            "matchesJsonPath", "matchesJsonSchema", "schemaVersion", "equalToXml",
            "enablePlaceholders", "ignoreOrderOfSameNode", "namespaceAwareness", "matchesXPath",
            "xPathNamespaces"]}
        },
        "contents": {
          "properties": {
            "and": {"type": "array", "items": {"$ref": "#/definitions/content"}},
            "or": {"type": "array", "items": {"$ref": "#/definitions/content"}},
            "not": {"$ref": "#/definitions/content"},
            "binaryEqualTo": {"type": "string"}, "equalToJson": {"type": ["object", "string"]},
            "ignoreArrayOrder": {"type": "boolean"}, "ignoreExtraElements": {"type": "boolean"},
            "matchesJsonPath": {"anyOf": [{"type": "string"}, {"$ref": "#/definitions/selected"}]},
            "matchesJsonSchema": {"type": "string"},
            "schemaVersion": {"enum": ["V4", "V6", "V7", "V201909", "V202012"]},
            "equalToXml": {"type": "string"}, "enablePlaceholders": {"type": "boolean"},
            "ignoreOrderOfSameNode": {"type": "boolean"},
            "namespaceAwareness": {"enum": ["LEGACY", "STRICT", "NONE"]},
            "matchesXPath": {"anyOf": [{"type": "string"}, {"$ref": "#/definitions/selected"}]},
            "xPathNamespaces": {"type": "object", "additionalProperties": {"type": "string"}}
          }
        },
        "selected": {
          "type": "object", "required": ["expression"], "minProperties": 2,
          "allOf": [{"$ref": "#/definitions/texts"}, {"$ref": "#/definitions/contents"},
            {"$ref": "#/definitions/oneOperator"}],
          "properties": {"expression": {"type": "string"}}
        },
        "response": {
          "type": "object", "additionalProperties": false,
          "properties": {
            "status": {"type": "integer"},
            "headers": {"type": "object", "additionalProperties": {"anyOf": [{"type": "string"},
              {"type": "array", "minItems": 2, "items": {"type": "string"}}]}},
            "body": {"type": "string"}, "jsonBody": {"type": ["object", "array"]},
            "base64Body": {"type": "string"}, "bodyFileName": {"type": "string"},
            "fixedDelayMilliseconds": {"type": "integer"},
            "delayDistribution": {"oneOf": [
              {"type": "object", "additionalProperties": false,
                "properties": {"type": {"const": "lognormal"}, "median": {"type": "integer"},
                  "sigma": {"type": "number"}}, "required": ["type", "median", "sigma"]},
              {"type": "object", "additionalProperties": false,
                "properties": {"type": {"const": "uniform"}, "lower": {"type": "integer"},
                  "upper": {"type": "integer"}}, "required": ["type", "lower", "upper"]}]},
            "chunkedDribbleDelay": {"type": "object", "additionalProperties": false,
              "properties": {"numberOfChunks": {"type": "integer", "minimum": 1},
                "totalDuration": {"type": "integer"}},
              "required": ["numberOfChunks", "totalDuration"]},
            "fault": {"enum": ["CONNECTION_RESET_BY_PEER", "EMPTY_RESPONSE",
              "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE"]},
            "proxyBaseUrl": {"type": "string"},
            "transformers": {"type": "array", "items": {"type": "string"}}
          },
          "not": {"anyOf": [{"required": ["body", "jsonBody"]}, {"required": ["body", "base64Body"]},
            {"required": ["body", "bodyFileName"]}, {"required": ["jsonBody", "bodyFileName"]}]}
        }
      }
    }
    """#
}
