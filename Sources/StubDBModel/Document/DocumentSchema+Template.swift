// swift-format-ignore-file

extension DocumentSchema {
  /// The JSON Schema of a document, with a word in angle brackets for each part that follows from the tables of operators.
  ///
  /// `scripts/generate-schema` writes the whole into `docs/stubdb.schema.json`.
  static let template = ##"""
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
          "items": {"$ref": "#/$defs/scenarioName"}
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
        "scenarioName": {
          "description": "Segments of A-Z a-z 0-9 . _ - joined by /, such as checkout/card-declined",
          "type": "string",
          "maxLength": 200,
          "pattern": "^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$",
          "not": {"pattern": "(^|/)\\.\\.?(/|$)"}
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
        },
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
                  {"required": ["json", "text"]},
                  {"required": ["json", "base64"]},
                  {"required": ["json", "file"]},
                  {"required": ["text", "base64"]},
                  {"required": ["text", "file"]},
                  {"required": ["base64", "file"]},
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
        },
        "webSocket": {
          "description": "What happens on a WebSocket",
          "type": "object",
          "properties": {
            "protocol": {
              "description": "The subprotocol that the client must offer",
              "type": "string",
              "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"
            },
            "frames": {
              "description": "What is sent and expected, in order",
              "type": "array",
              "items": {"$ref": "#/$defs/frame"}
            },
            "repeatFrom": {
              "description": "The index of the frame that follows the last one; the first is 0",
              "type": "integer",
              "minimum": 0
            },
            "otherwise": {
              "description": "What a message gets that no frame expects",
              "enum": [<otherwise>],
              "default": "close1008"
            }
          },
          "additionalProperties": false
        },
        "frame": {
          "description": "A message that is sent or expected, or an end",
          "type": "object",
          "properties": {
            "send": {"description": "The message to send", "$ref": "#/$defs/message"},
            "expect": {
              "description": "The conditions on a message of the client; all patterns of a list must match",
              "$ref": "#/$defs/body",
              "minItems": 1
            },
            "close": {
              "description": "The status code with which the connection is closed",
              "type": "integer",
              "anyOf": [
                {"minimum": 1000, "maximum": 1003},
                {"minimum": 1007, "maximum": 1014},
                {"minimum": 3000, "maximum": 4999}
              ]
            },
            "reason": {
              "description": "The reason for closing; at most 123 bytes",
              "type": "string",
              "maxLength": 123
            },
            "fault": {"description": "The failure of the connection", "enum": [<frameFaults>]},
            "within": {
              "description": "How long the message is waited for; without a limit if left out",
              "$ref": "#/$defs/duration"
            },
            "after": {
              "description": "The time between the preceding frame and this one",
              "$ref": "#/$defs/duration"
            }
          },
          "oneOf": [
            {"required": ["send"]}, {"required": ["expect"]}, {"required": ["close"]}, {"required": ["fault"]}
          ],
          "dependentRequired": {"reason": ["close"], "within": ["expect"]},
          "not": {"required": ["expect", "after"]},
          "additionalProperties": false
        },
        "message": {
          "description": "A message: text, or bytes in base64",
          "type": "object",
          "properties": {
            "json": {"description": "The message as JSON"},
            "text": {"description": "The message as text", "type": "string"},
            "base64": {"description": "A binary message as base64", "$ref": "#/$defs/base64"}
          },
          "minProperties": 1,
          "maxProperties": 1,
          "additionalProperties": false
        },
        "callbacks": {
          "type": "array",
          "minItems": 1,
          "maxItems": 20,
          "items": {"$ref": "#/$defs/callback"}
        },
        "callback": {
          "description": "A call that is made after the answer",
          "type": "object",
          "properties": {
            "request": {"description": "What is called", "$ref": "#/$defs/callbackRequest"},
            "after": {
              "description": "The time after the answer, and then between one call and the next",
              "$ref": "#/$defs/duration"
            },
            "times": {
              "description": "How often the call is made",
              "type": "integer",
              "minimum": 1,
              "maximum": 100,
              "default": 1
            },
            "template": {
              "description": "Whether placeholders are replaced; if left out, as the response says",
              "type": "boolean"
            }
          },
          "required": ["request"],
          "additionalProperties": false
        },
        "callbackRequest": {
          "description": "The request of a callback",
          "type": "object",
          "properties": {
            "method": {"description": "The method; POST if left out", "$ref": "#/$defs/method"},
            "url": {
              "description": "The absolute URL",
              "type": "string",
              "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^/]|\\{\\{"
            },
            "headers": {
              "description": "The header fields",
              "$ref": "#/$defs/headerFields"
            },
            "json": {"description": "The content as JSON"},
            "text": {"description": "The content as text", "type": "string"},
            "base64": {"description": "The content as base64", "$ref": "#/$defs/base64"},
            "file": {
              "description": "A file that holds the content, relative to this document",
              "type": "string",
              "minLength": 1
            }
          },
          "required": ["url"],
          "not": {
            "anyOf": [
              {"required": ["json", "text"]},
              {"required": ["json", "base64"]},
              {"required": ["json", "file"]},
              {"required": ["text", "base64"]},
              {"required": ["text", "file"]},
              {"required": ["base64", "file"]}
            ]
          },
          "additionalProperties": false
        },
        "error": {
          "oneOf": [
            {
              "description": "A URLError name",
              "enum": [
                "unknown", "cancelled", "badURL", "timedOut", "unsupportedURL", "cannotFindHost",
                "cannotConnectToHost", "networkConnectionLost", "dnsLookupFailed", "httpTooManyRedirects",
                "resourceUnavailable", "notConnectedToInternet", "redirectToNonExistentLocation",
                "badServerResponse", "userCancelledAuthentication", "userAuthenticationRequired",
                "zeroByteResource", "cannotDecodeRawData", "cannotDecodeContentData", "cannotParseResponse",
                "internationalRoamingOff", "callIsActive", "dataNotAllowed", "requestBodyStreamExhausted",
                "appTransportSecurityRequiresSecureConnection", "fileDoesNotExist", "fileIsDirectory",
                "noPermissionsToReadFile", "dataLengthExceedsMaximum", "secureConnectionFailed",
                "serverCertificateHasBadDate", "serverCertificateUntrusted", "serverCertificateHasUnknownRoot",
                "serverCertificateNotYetValid", "clientCertificateRejected", "clientCertificateRequired",
                "cannotLoadFromNetwork", "cannotCreateFile", "cannotOpenFile", "cannotCloseFile",
                "cannotWriteToFile", "cannotRemoveFile", "cannotMoveFile", "downloadDecodingFailedMidStream",
                "downloadDecodingFailedToComplete", "backgroundSessionRequiresSharedContainer",
                "backgroundSessionInUseByAnotherProcess", "backgroundSessionWasDisconnected"
              ]
            },
            {
              "type": "object",
              "properties": {
                "domain": {
                  "description": "The error domain, such as NSURLErrorDomain",
                  "type": "string",
                  "minLength": 1
                },
                "code": {"description": "The code in that domain", "type": "integer"},
                "userInfo": {"description": "Further details of the error", "type": "object"}
              },
              "required": ["domain", "code"],
              "additionalProperties": false
            }
          ]
        },
        "capture": {
          "oneOf": [
            {"description": "Removes the captured value", "type": "null"},
            {
              "type": "object",
              "properties": {
                "jsonPath": {"description": "A JSONPath query of the body", "type": "string", "minLength": 1},
                "pathParameter": {"description": "A placeholder of the path", "type": "string", "minLength": 1},
                "query": {"description": "A query parameter", "type": "string", "minLength": 1},
                "header": {"description": "A header field", "type": "string", "minLength": 1},
                "cookie": {"description": "A cookie", "type": "string", "minLength": 1},
                "template": {"description": "A template", "type": "string", "minLength": 1}
              },
              "minProperties": 1,
              "maxProperties": 1,
              "additionalProperties": false
            }
          ]
        },
        "recorded": {
          "description": "When and from where a stub was recorded; it plays no part in matching",
          "type": "object",
          "properties": {
            "at": {
              "description": "An RFC 3339 date or date-time",
              "type": "string",
              "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2}))?$"
            },
            "from": {
              "description": "The recorded server, such as https://api.shop.test",
              "type": "string",
              "minLength": 1,
              "not": {"pattern": "[\\u0000-\\u001f\\u007f-\\u009f]"}
            }
          },
          "required": ["at"],
          "additionalProperties": false
        },
        "flow": {
          "description": "A step in a state machine of the scenario; every flow begins in the state started",
          "type": "object",
          "properties": {
            "name": {
              "description": "The name of the flow",
              "type": "string",
              "minLength": 1,
              "not": {"pattern": "[\\u0000-\\u001f\\u007f-\\u009f]"}
            },
            "requires": {
              "description": "The state in which the flow must be",
              "type": "string",
              "minLength": 1,
              "not": {"pattern": "[\\u0000-\\u001f\\u007f-\\u009f]"}
            },
            "becomes": {
              "description": "The state that the flow enters when the stub answers",
              "type": "string",
              "minLength": 1,
              "not": {"pattern": "[\\u0000-\\u001f\\u007f-\\u009f]"}
            }
          },
          "required": ["name"],
          "additionalProperties": false
        }
      }
    }

    """##
}
