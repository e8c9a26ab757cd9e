// swift-format-ignore-file

extension DocumentSchema {
  /// The definitions of responses, and what they are made of.
  static let responseDefinitions = ##"""
        "response": {
          "description": "A response, an error or a fault",
          "type": "object",
          "properties": <responseParts>,
          "additionalProperties": false,
          "dependentSchemas": {"afterBytes": {"anyOf": [{"required": ["error"]}, {"required": ["fault"]}]}},
          "allOf": [
            {
              "description": "At most one kind of content, and at most one of error and fault",
              "not": {
                "anyOf": [
                  <contentPairs>,
                  {"required": ["error", "fault"]}
                ]
              }
            },
            {
              "description": "Nothing is sent after an error or fault",
              "if": {
                "anyOf": [
                  {"required": ["error"]},
                  {"required": ["fault"], "properties": {"fault": {"not": {"const": "truncated"}}}}
                ],
                "not": {"required": ["afterBytes"]}
              },
              "then": {
                "properties": <unsentParts>
              }
            },
            {
              "description": "The status may be text only in a template",
              "if": {"required": ["status"], "properties": {"status": {"type": "string"}}},
              "then": {"required": ["template"], "properties": {"template": {"const": true}}}
            },
            {
              "description": "The network or the next stub answers in place of this response",
              "if": {
                "anyOf": [
                  {"required": ["next"], "properties": {"next": {"const": true}}},
                  {"required": ["passthrough"], "properties": {"passthrough": {"const": true}}}
                ]
              },
              "then": {
                "properties": <unusedParts>
              }
            },
            {
              "description": "The real network cannot be slowed down, and excludes next",
              "if": {"required": ["passthrough"], "properties": {"passthrough": {"const": true}}},
              "then": {"properties": {"throttle": false, "next": {"const": false}}}
            },
            {
              "description": "What a WebSocket does not have",
              "if": {"required": ["webSocket"]},
              "then": {
                "properties": <noSocketParts>
              }
            },
            {
              "description": "A list of chunks replaces the content",
              "if": {"required": ["chunks"], "properties": {"chunks": {"type": "array"}}},
              "then": {"properties": {"json": false, "text": false, "base64": false, "file": false}}
            },
            {
              "description": "Events are chunks, and replace the content",
              "if": {"required": ["events"]},
              "then": {
                "properties": {
                  "json": false, "text": false, "base64": false, "file": false, "chunks": false
                }
              }
            },
            {
              "description": "A number of chunks needs content",
              "if": {"required": ["chunks"], "properties": {"chunks": {"type": "object"}}},
              "then": {
                "anyOf": [
                  {"required": ["json"]},
                  {"required": ["text"]},
                  {"required": ["base64"]},
                  {"required": ["file"]}
                ]
              }
            }
          ]
        },
        "headerFields": {
          "type": "object",
          "propertyNames": {"pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"},
          "additionalProperties": {
            "oneOf": [
              {"$ref": "#/$defs/headerValue"},
              {
                "type": "array",
                "minItems": 1,
                "maxItems": 1000,
                "items": {"$ref": "#/$defs/headerValue"}
              }
            ]
          }
        },
        "headerValue": {
          "type": "string",
          "not": { "pattern": "^[ \\t]|[ \\t]$|[\\u0000-\\u0008\\u000a-\\u001f\\u007f]" }
        },
        "base64": {
          "type": "string",
          "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
          "contentEncoding": "base64"
        },
        "duration": {
          "description": "A number and us, ms, s or min, such as 250ms; at most 24 hours",
          "type": "string",
          "pattern": "^[0-9]{1,11}(\\.[0-9]{1,12})?(us|ms|s|min)$"
        },
        "delay": {
          "oneOf": [
            {"$ref": "#/$defs/duration"},
            {
              "type": "object",
              "properties": {
                "uniform": {
                  "description": "The shortest and the longest time",
                  "type": "array",
                  "items": {"$ref": "#/$defs/duration"},
                  "minItems": 2,
                  "maxItems": 2
                },
                "lognormal": {
                  "description": "A log-normally distributed time, as in real networks",
                  "$ref": "#/$defs/lognormal"
                }
              },
              "minProperties": 1,
              "maxProperties": 1,
              "additionalProperties": false
            }
          ]
        },
        "lognormal": {
          "type": "object",
          "properties": {
            "median": {"description": "The median", "$ref": "#/$defs/duration"},
            "sigma": {"description": "The spread", "type": "number", "minimum": 0}
          },
          "required": ["median", "sigma"],
          "additionalProperties": false
        },
        "chunks": {
          "oneOf": [
            {
              "type": "object",
              "properties": {
                "count": {"description": "The number of equal pieces", "type": "integer", "minimum": 1},
                "over": {"description": "The time over which they are spread", "$ref": "#/$defs/duration"}
              },
              "required": ["count", "over"],
              "additionalProperties": false
            },
            {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/piece"}}
          ]
        },
        "piece": {
          "description": "One piece of the content",
          "type": "object",
          "properties": {
            "json": {"description": "The piece as JSON"},
            "text": {"description": "The piece as text", "type": "string"},
            "base64": {"description": "The piece as base64", "$ref": "#/$defs/base64"},
            "after": {
              "description": "The time between the preceding piece and this one",
              "$ref": "#/$defs/duration"
            }
          },
          "oneOf": [{"required": ["json"]}, {"required": ["text"]}, {"required": ["base64"]}],
          "additionalProperties": false
        },
        "events": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/event"}},
        "event": {
          "description": "A server-sent event",
          "type": "object",
          "properties": {
            "event": {"description": "The type of the event", "type": "string", "pattern": "^[^\\r\\n\\u0000]*$"},
            "id": {"description": "The id, which a client sends as Last-Event-ID", "type": "string", "pattern": "^[^\\r\\n\\u0000]*$"},
            "retry": {"description": "How long a client waits before it connects again", "$ref": "#/$defs/duration"},
            "data": {"description": "The data as text; each line becomes a line of the stream", "type": "string"},
            "json": {"description": "The data as JSON, on one line"},
            "after": {
              "description": "The time between the preceding event and this one",
              "$ref": "#/$defs/duration"
            }
          },
          "anyOf": [
            {"required": ["data"]}, {"required": ["json"]}, {"required": ["event"]}, {"required": ["id"]},
            {"required": ["retry"]}
          ],
          "not": {"required": ["data", "json"]},
          "additionalProperties": false
        }
    """##
}
