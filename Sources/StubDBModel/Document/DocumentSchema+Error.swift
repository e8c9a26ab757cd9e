// swift-format-ignore-file

extension DocumentSchema {
  /// The definitions of errors, captures, recordings and flows.
  static let otherDefinitions = ##"""
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
    """##
}
