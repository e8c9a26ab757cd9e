// swift-format-ignore-file

extension DocumentSchema {
  /// The definitions of stubs and requests.
  static let requestDefinitions = ##"""
        "scenarioName": {
          "description": "Segments of A-Z a-z 0-9 . _ - joined by /, such as checkout/card-declined",
          "type": "string",
          "maxLength": 200,
          "pattern": "^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$",
          "not": {"pattern": "(^|/)\\.\\.?(/|$)"}
        },
        "otherScenarioName": {
          "description": "A scenario of a catalog that stubdb.lock names, such as payments:card/declined",
          "type": "string",
          "maxLength": 301,
          "pattern": "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}:[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$",
          "not": {"pattern": "[:/]\\.\\.?(/|$)|:.{201}"}
        },
        "stub": {
          "description": "One request pattern and the responses it answers with",
          "type": "object",
          "properties": {
            "key": {
              "description": "The name of the stub, unique in its scenario",
              "type": "string",
              "maxLength": 200,
              "minLength": 1,
              "not": {"pattern": "[\\u0000-\\u001f\\u007f-\\u009f]"}
            },
            "summary": {
              "description": "A description in one line",
              "type": "string",
              "minLength": 1,
              "not": {"pattern": "[\\u0000-\\u001f\\u007f-\\u009f]"}
            },
            "priority": {
              "description": "The stub with the lowest number answers first",
              "type": "integer",
              "minimum": 1,
              "default": 5
            },
            "required": {
              "description": "Whether a run fails if this stub has answered no request",
              "type": "boolean",
              "default": false
            },
            "request": {
              "description": "The conditions on a request; any request if left out",
              "$ref": "#/$defs/request"
            },
            "capture": {
              "description": "The values to capture from a request that this stub answers, by name; a name may be a template",
              "type": "object",
              "propertyNames": {"minLength": 1, "not": {"pattern": "[\\u0000-\\u001f\\u007f-\\u009f]"}},
              "additionalProperties": {"$ref": "#/$defs/capture"}
            },
            "responses": {
              "description": "The responses, in order; an empty 200 if left out",
              "type": "array",
              "minItems": 1,
              "items": {"$ref": "#/$defs/response"}
            },
            "then": {
              "description": "What happens after the last response",
              "enum": ["repeatLast", "cycle", "fail", "next", "passthrough"],
              "default": "repeatLast"
            },
            "flow": {"description": "The step of this stub in a state machine", "$ref": "#/$defs/flow"},
            "recorded": {"description": "When and from where the stub was recorded", "$ref": "#/$defs/recorded"}
          },
          "required": ["key"],
          "additionalProperties": false
        },
        "request": {
          "description": "The conditions on a request; parts that are left out may have any value",
          "type": "object",
          "properties": <requestParts>,
          "additionalProperties": false,
          "dependentSchemas": {"pathParameters": {"anyOf": [{"required": ["url"]}, {"required": ["path"]}]}}
        },
        "method": {
          "type": "string",
          "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
          "not": {
            "anyOf": [
              {"pattern": "^[Aa][Nn][Yy]$"},
              {
                "pattern": "^(?!(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT)$)([Gg][Ee][Tt]|[Hh][Ee][Aa][Dd]|[Pp][Oo][Ss][Tt]|[Pp][Uu][Tt]|[Pp][Aa][Tt][Cc][Hh]|[Dd][Ee][Ll][Ee][Tt][Ee]|[Oo][Pp][Tt][Ii][Oo][Nn][Ss]|[Tt][Rr][Aa][Cc][Ee]|[Cc][Oo][Nn][Nn][Ee][Cc][Tt])$"
              }
            ]
          }
        },
        "namedPatterns": {"type": "object", "additionalProperties": {"$ref": "#/$defs/valuePattern"}},
        "headerPatterns": {
          "type": "object",
          "propertyNames": {"pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"},
          "additionalProperties": {"$ref": "#/$defs/valuePattern"}
        },
        "basicAuth": {
          "type": "object",
          "properties": {
            "username": {"description": "The user name; must not contain a colon", "type": "string", "pattern": "^[^:]*$"},
            "password": {"description": "The password", "type": "string"}
          },
          "required": ["username", "password"],
          "additionalProperties": false
        },
        "valuePattern": {
          "oneOf": [
            {"description": "Exactly this text", "type": "string"},
            {"description": "Exactly these values", "type": "array", "items": {"$ref": "#/$defs/valuePattern"}},
            {"$ref": "#/$defs/valueOperator"}
          ]
        },
        "valueOperator": {
          "description": "One operator and its options",
          "type": "object",
          "allOf": [{"$ref": "#/$defs/valueOperators"}, {"$ref": "#/$defs/oneValueOperator"}],
          "unevaluatedProperties": false
        },
        "oneValueOperator": <oneValueOperator>,
        "valueOperators": <valueOperators>,
        "textOperators": <textOperators>,
        "truncation": {
          "enum": [
            "first second of minute", "first minute of hour", "first hour of day", "first day of month",
            "first day of next month", "last day of month", "first day of year", "first day of next year",
            "last day of year"
          ]
        },
        "body": {
          "oneOf": [
            {"$ref": "#/$defs/bodyOperator"},
            {"description": "All of these patterns must match", "type": "array", "items": {"$ref": "#/$defs/bodyOperator"}}
          ]
        },
        "bodyOperator": {
          "description": "One operator and its options",
          "type": "object",
          "allOf": [{"$ref": "#/$defs/bodyOperators"}, {"$ref": "#/$defs/oneBodyOperator"}],
          "unevaluatedProperties": false
        },
        "bodyOperand": {
          "oneOf": [{"description": "Exactly this text", "type": "string"}, {"$ref": "#/$defs/bodyOperator"}]
        },
        "oneBodyOperator": <oneBodyOperator>,
        "bodyOperators": <bodyOperators>,
        "jsonPath": {
          "oneOf": [
            {"type": "string", "minLength": 1},
            {
              "type": "object",
              "properties": {
                "expression": {"description": "The RFC 9535 query", "type": "string", "minLength": 1}
              },
              "required": ["expression"],
              "allOf": [{"$ref": "#/$defs/bodyOperators"}],
              "if": {"propertyNames": {"const": "expression"}},
              "else": {"$ref": "#/$defs/oneBodyOperator"},
              "unevaluatedProperties": false
            }
          ]
        },
        "xPath": {
          "oneOf": [
            {"type": "string", "minLength": 1},
            {
              "type": "object",
              "properties": {
                "expression": {"description": "The XPath 1.0 expression", "type": "string", "minLength": 1},
                "namespaces": {
                  "description": "Namespace URIs by prefix",
                  "type": "object",
                  "additionalProperties": {"type": "string", "minLength": 1}
                }
              },
              "required": ["expression"],
              "allOf": [{"$ref": "#/$defs/valueOperators"}],
              "if": {"propertyNames": {"enum": ["expression", "namespaces"]}},
              "else": {"$ref": "#/$defs/oneValueOperator"},
              "unevaluatedProperties": false
            }
          ]
        },
        "part": {
          "description": "The conditions on a part of a multipart content",
          "type": "object",
          "properties": {
            "name": {"description": "The name of the part", "type": "string"},
            "filename": {"description": "The condition on the file name", "$ref": "#/$defs/valuePattern"},
            "headers": {
              "description": "The conditions on the header fields of the part",
              "$ref": "#/$defs/headerPatterns"
            },
            "body": {"description": "The conditions on the content of the part", "$ref": "#/$defs/body"}
          },
          "additionalProperties": false
        },
        "graphql": {
          "type": "object",
          "properties": {
            "operationName": {
              "description": "The condition on the name of the operation",
              "$ref": "#/$defs/valuePattern"
            },
            "variables": {"description": "The variables, compared as JSON"},
            "query": {
              "description": "The query; insignificant white space is ignored",
              "type": "string",
              "minLength": 1
            }
          },
          "additionalProperties": false
        }
    """##
}
