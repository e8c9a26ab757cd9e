// swift-format-ignore-file

extension DocumentSchema {
  /// The definitions of WebSockets and callbacks.
  static let webSocketDefinitions = ##"""
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
              <callbackContentPairs>
            ]
          },
          "additionalProperties": false
        }
    """##
}
