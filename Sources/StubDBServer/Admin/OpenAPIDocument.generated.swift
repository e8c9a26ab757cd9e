#if Server
// Made by scripts/generate-page from openapi.json; change that.

/// The description of the admin API.
enum OpenAPIDocument {
  static let text = ##"""
    {
      "openapi": "3.1.0",
      "info": {
        "title": "stubdb serve",
        "version": "1",
        "summary": "The admin API of stubdb's server.",
        "description": "Requests must come from this machine or carry the token, must not come from pages of other origins, and have JSON as their content. Members and routes may be added; what is there stays.",
        "license": {"name": "MIT", "identifier": "MIT"}
      },
      "tags": [
        {"name": "server", "description": "The server itself."},
        {"name": "sessions", "description": "Runs of scenarios, each with an address."},
        {"name": "journal", "description": "Requests of a session, and what answered them."},
        {"name": "scenarios", "description": "Documents of the catalog."},
        {
          "name": "WireMock",
          "description": "What clients of WireMock use in tests, for the session of requests that name none."
        }
      ],
      "security": [{"bearer": []}, {"cookie": []}],
      "paths": {
        "/__stubdb/health": {
          "get": {
            "operationId": "health",
            "tags": ["server"],
            "summary": "Whether the server is up",
            "security": [],
            "responses": {
              "200": {
                "description": "It is.",
                "content": {
                  "application/json": {
                    "schema": {"type": "object", "properties": {"status": {"const": "up"}}, "required": ["status"]}
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "403": {"$ref": "#/components/responses/forbidden"}
            }
          }
        },
        "/__stubdb/version": {
          "get": {
            "operationId": "version",
            "tags": ["server"],
            "summary": "The version of stubdb",
            "responses": {
              "200": {
                "description": "The version.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"version": {"type": "string"}},
                      "required": ["version"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"}
            }
          }
        },
        "/__stubdb/ca.pem": {
          "get": {
            "operationId": "authority",
            "tags": ["server"],
            "summary": "The certificate that clients have to trust",
            "description": "That of the authority which issues the server's certificates.",
            "security": [],
            "responses": {
              "200": {
                "description": "The certificate in the PEM format.",
                "content": {"application/x-x509-ca-cert": {"schema": {"type": "string"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__stubdb/openapi.json": {
          "get": {
            "operationId": "describe",
            "tags": ["server"],
            "summary": "This description",
            "responses": {
              "200": {
                "description": "This description.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"openapi": {"type": "string"}, "paths": {"type": "object"}},
                      "required": ["openapi", "paths"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"}
            }
          }
        },
        "/__stubdb/metrics": {
          "get": {
            "operationId": "metrics",
            "tags": ["server"],
            "summary": "Counters in Prometheus' text format",
            "responses": {
              "200": {
                "description": "A counter, gauge or histogram a line.",
                "content": {"text/plain; version=0.0.4": {"schema": {"type": "string"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"}
            }
          }
        },
        "/__stubdb/login": {
          "post": {
            "operationId": "logIn",
            "tags": ["server"],
            "summary": "Exchange the token for a cookie",
            "description": "For pages: EventSource cannot send header fields.",
            "security": [],
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "properties": {
                      "token": {"type": "string", "description": "What the server printed, or --token."}
                    },
                    "required": ["token"],
                    "additionalProperties": false
                  }
                }
              }
            },
            "responses": {
              "204": {
                "description": "The cookie is set, if the server takes a token.",
                "headers": {"Set-Cookie": {"schema": {"type": "string"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__stubdb/shutdown": {
          "post": {
            "operationId": "shutDown",
            "tags": ["server"],
            "summary": "End the server",
            "description": "Only a client on the same machine may do this.",
            "requestBody": {
              "required": false,
              "content": {
                "application/json": {"schema": {"type": "object", "properties": {}, "additionalProperties": false}}
              }
            },
            "responses": {
              "202": {
                "description": "It ends once the answers in progress are finished.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"status": {"const": "ending"}},
                      "required": ["status"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__stubdb/sessions": {
          "get": {
            "operationId": "listSessions",
            "tags": ["sessions"],
            "summary": "All sessions",
            "responses": {
              "200": {
                "description": "The session of requests that name none comes first.",
                "content": {
                  "application/json": {
                    "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Session"}}
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"}
            }
          },
          "post": {
            "operationId": "startSession",
            "tags": ["sessions"],
            "summary": "Start a session",
            "requestBody": {
              "required": false,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewSession"}}}
            },
            "responses": {
              "201": {
                "description": "Its addresses are baseURL and hostURL.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Session"}}},
                "headers": {"Location": {"schema": {"type": "string"}}},
                "links": {
                  "session": {"operationId": "getSession", "parameters": {"id": "$response.body#/id"}},
                  "journal": {"operationId": "listRequests", "parameters": {"id": "$response.body#/id"}},
                  "flows": {"operationId": "listFlows", "parameters": {"id": "$response.body#/id"}},
                  "coverage": {"operationId": "getCoverage", "parameters": {"id": "$response.body#/id"}},
                  "reset": {"operationId": "resetSession", "parameters": {"id": "$response.body#/id"}},
                  "verification": {"operationId": "verify", "parameters": {"id": "$response.body#/id"}},
                  "change": {"operationId": "changeSession", "parameters": {"id": "$response.body#/id"}},
                  "end": {"operationId": "endSession", "parameters": {"id": "$response.body#/id"}}
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"},
              "503": {"$ref": "#/components/responses/unavailable"}
            }
          }
        },
        "/__stubdb/sessions/{id}": {
          "get": {
            "operationId": "getSession",
            "tags": ["sessions"],
            "summary": "A session",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "responses": {
              "200": {
                "description": "The session.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Session"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          },
          "patch": {
            "operationId": "changeSession",
            "tags": ["sessions"],
            "summary": "Play other settings at the same address",
            "description": "A new run begins, unless only unmatched and cors change.",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "requestBody": {
              "required": false,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SessionSettings"}}}
            },
            "responses": {
              "200": {
                "description": "The session as it is now.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Session"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          },
          "delete": {
            "operationId": "endSession",
            "tags": ["sessions"],
            "summary": "End a session",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "responses": {
              "200": {
                "description": "What a test would report.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {
                        "id": {"type": "string"},
                        "problems": {"type": "array", "items": {"$ref": "#/components/schemas/Problem"}}
                      },
                      "required": ["id", "problems"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "409": {"$ref": "#/components/responses/conflict"}
            }
          }
        },
        "/__stubdb/sessions/{id}/reset": {
          "post": {
            "operationId": "resetSession",
            "tags": ["sessions"],
            "summary": "Forget what a session has kept",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "requestBody": {
              "required": false,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "properties": {
                      "journal": {"type": "boolean"},
                      "counters": {"type": "boolean"},
                      "flows": {"type": "boolean"},
                      "captured": {"type": "boolean"}
                    },
                    "additionalProperties": false,
                    "description": "What to forget; everything if nothing is named."
                  }
                }
              }
            },
            "responses": {
              "204": {"description": "It is forgotten."},
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__stubdb/sessions/{id}/flows": {
          "get": {
            "operationId": "listFlows",
            "tags": ["sessions"],
            "summary": "The states of all flows",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "responses": {
              "200": {
                "description": "Flows by name.",
                "content": {
                  "application/json": {"schema": {"type": "object", "additionalProperties": {"type": "string"}}}
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__stubdb/sessions/{id}/flows/{name}": {
          "put": {
            "operationId": "setFlow",
            "tags": ["sessions"],
            "summary": "Set the state of a flow",
            "parameters": [{"$ref": "#/components/parameters/session"}, {"$ref": "#/components/parameters/flow"}],
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "properties": {"state": {"type": "string"}},
                    "required": ["state"],
                    "additionalProperties": false
                  }
                }
              }
            },
            "responses": {
              "200": {
                "description": "The state.",
                "content": {
                  "application/json": {
                    "schema": {"type": "object", "properties": {"state": {"type": "string"}}, "required": ["state"]}
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__stubdb/sessions/{id}/coverage": {
          "get": {
            "operationId": "getCoverage",
            "tags": ["sessions"],
            "summary": "All stubs with the number of their answers",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "responses": {
              "200": {
                "description": "In the order in which they answer.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Coverage"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__stubdb/sessions/{id}/journal": {
          "get": {
            "operationId": "listRequests",
            "tags": ["journal"],
            "summary": "Requests, and what answered them",
            "parameters": [
              {"$ref": "#/components/parameters/session"},
              {
                "name": "after",
                "in": "query",
                "description": "Only entries with a larger number.",
                "schema": {"type": "integer", "minimum": 0}
              },
              {
                "name": "limit",
                "in": "query",
                "description": "The largest number of entries.",
                "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}
              },
              {
                "name": "matched",
                "in": "query",
                "description": "Only requests that a stub answered, or only the others.",
                "schema": {"type": "boolean"}
              },
              {
                "name": "method",
                "in": "query",
                "description": "Only requests with this method.",
                "schema": {"type": "string"}
              },
              {
                "name": "path",
                "in": "query",
                "description": "Only requests with this path.",
                "schema": {"type": "string"}
              }
            ],
            "responses": {
              "200": {
                "description": "A page of the journal.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/JournalPage"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__stubdb/sessions/{id}/journal/{number}": {
          "get": {
            "operationId": "getRequest",
            "tags": ["journal"],
            "summary": "A request with its header fields",
            "parameters": [{"$ref": "#/components/parameters/session"}, {"$ref": "#/components/parameters/number"}],
            "responses": {
              "200": {
                "description": "The entry.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/JournalDetail"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__stubdb/sessions/{id}/journal/{number}/request-body": {
          "get": {
            "operationId": "getRequestBody",
            "tags": ["journal"],
            "summary": "The content of a request",
            "parameters": [{"$ref": "#/components/parameters/session"}, {"$ref": "#/components/parameters/number"}],
            "responses": {
              "200": {"description": "The bytes.", "content": {"application/octet-stream": {"schema": {}}}},
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__stubdb/sessions/{id}/journal/{number}/near-misses": {
          "get": {
            "operationId": "listNearMisses",
            "tags": ["journal"],
            "summary": "The stubs that came nearest to a request",
            "parameters": [{"$ref": "#/components/parameters/session"}, {"$ref": "#/components/parameters/number"}],
            "responses": {
              "200": {
                "description": "At most three, nearest first.",
                "content": {
                  "application/json": {
                    "schema": {"type": "array", "items": {"$ref": "#/components/schemas/NearMiss"}}
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__stubdb/events": {
          "get": {
            "operationId": "followEvents",
            "tags": ["journal"],
            "summary": "The journal as server-sent events",
            "description": "`request` has an entry of the journal, `answer` has it again once an answer that took its time is over, `gap` the number of entries that were dropped before they were sent, `run` says that a session begins anew, `catalog` that the catalog was read again, or could not be.",
            "parameters": [
              {
                "name": "session",
                "in": "query",
                "description": "Only this session; all sessions if it is missing.",
                "schema": {"type": "string"}
              },
              {
                "name": "after",
                "in": "query",
                "description": "Begin after this number.",
                "schema": {"type": "integer", "minimum": 0}
              },
              {
                "name": "Last-Event-ID",
                "in": "header",
                "description": "The id of the last event that came, after which to go on.",
                "schema": {"type": "string"}
              }
            ],
            "responses": {
              "200": {
                "description": "Events as they come.",
                "content": {"text/event-stream": {"schema": {"type": "string"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "505": {"$ref": "#/components/responses/versionNotSupported"}
            }
          }
        },
        "/__stubdb/sessions/{id}/verify": {
          "post": {
            "operationId": "verify",
            "tags": ["journal"],
            "summary": "Verify the requests so far",
            "parameters": [{"$ref": "#/components/parameters/session"}],
            "requestBody": {
              "required": false,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Expectation"}}}
            },
            "responses": {
              "200": {
                "description": "The problems.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {
                        "verified": {"type": "boolean"},
                        "problems": {"type": "array", "items": {"$ref": "#/components/schemas/Problem"}}
                      },
                      "required": ["verified", "problems"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__stubdb/scenarios": {
          "get": {
            "operationId": "listScenarios",
            "tags": ["scenarios"],
            "summary": "Scenarios of the catalog",
            "parameters": [
              {
                "name": "prefix",
                "in": "query",
                "description": "Only scenarios whose name begins with this.",
                "schema": {"type": "string"}
              },
              {
                "name": "tag",
                "in": "query",
                "description": "Only scenarios with this tag.",
                "schema": {"type": "string"}
              }
            ],
            "responses": {
              "200": {
                "description": "Ordered by name.",
                "content": {
                  "application/json": {
                    "schema": {"type": "array", "items": {"$ref": "#/components/schemas/ScenarioSummary"}}
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__stubdb/scenarios/{name}": {
          "get": {
            "operationId": "getScenario",
            "tags": ["scenarios"],
            "summary": "The document of a scenario",
            "parameters": [{"$ref": "#/components/parameters/scenario"}],
            "responses": {
              "200": {
                "description": "The document.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Scenario"}}},
                "headers": {"ETag": {"schema": {"type": "string"}}}
              },
              "304": {
                "description": "The client has this version.",
                "headers": {"ETag": {"schema": {"type": "string"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          },
          "put": {
            "operationId": "putScenario",
            "tags": ["scenarios"],
            "summary": "Write a scenario",
            "parameters": [
              {"$ref": "#/components/parameters/scenario"},
              {
                "name": "If-Match",
                "in": "header",
                "description": "The ETag of what was read, or *.",
                "schema": {"type": "string"}
              },
              {
                "name": "If-None-Match",
                "in": "header",
                "description": "* for something new.",
                "schema": {"type": "string"}
              },
              {"$ref": "#/components/parameters/allowSecrets"}
            ],
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Scenario"}}}
            },
            "responses": {
              "200": {
                "description": "It was replaced.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Scenario"}}},
                "headers": {"ETag": {"schema": {"type": "string"}}}
              },
              "201": {
                "description": "It is new.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Scenario"}}},
                "headers": {"ETag": {"schema": {"type": "string"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "412": {"$ref": "#/components/responses/changed"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"},
              "428": {"$ref": "#/components/responses/noCondition"},
              "503": {"$ref": "#/components/responses/unavailable"}
            }
          },
          "delete": {
            "operationId": "deleteScenario",
            "tags": ["scenarios"],
            "summary": "Remove a scenario",
            "parameters": [
              {"$ref": "#/components/parameters/scenario"},
              {
                "name": "If-Match",
                "in": "header",
                "description": "The ETag of what was read, or *.",
                "schema": {"type": "string"}
              }
            ],
            "responses": {
              "204": {"description": "It is removed."},
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "412": {"$ref": "#/components/responses/changed"},
              "422": {"$ref": "#/components/responses/refused"},
              "428": {"$ref": "#/components/responses/noCondition"},
              "503": {"$ref": "#/components/responses/unavailable"}
            }
          }
        },
        "/__stubdb/scenarios/{name}/stubs/{key}": {
          "get": {
            "operationId": "getStub",
            "tags": ["scenarios"],
            "summary": "The document of a stub",
            "parameters": [{"$ref": "#/components/parameters/scenario"}, {"$ref": "#/components/parameters/key"}],
            "responses": {
              "200": {
                "description": "The document.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Stub"}}},
                "headers": {"ETag": {"schema": {"type": "string"}}}
              },
              "304": {
                "description": "The client has this version.",
                "headers": {"ETag": {"schema": {"type": "string"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          },
          "put": {
            "operationId": "putStub",
            "tags": ["scenarios"],
            "summary": "Write a stub",
            "parameters": [
              {"$ref": "#/components/parameters/scenario"},
              {"$ref": "#/components/parameters/key"},
              {
                "name": "If-Match",
                "in": "header",
                "description": "The ETag of what was read, or *.",
                "schema": {"type": "string"}
              },
              {
                "name": "If-None-Match",
                "in": "header",
                "description": "* for something new.",
                "schema": {"type": "string"}
              },
              {"$ref": "#/components/parameters/allowSecrets"}
            ],
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Stub"}}}
            },
            "responses": {
              "200": {
                "description": "It was replaced.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Stub"}}},
                "headers": {"ETag": {"schema": {"type": "string"}}}
              },
              "201": {
                "description": "It is new.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Stub"}}},
                "headers": {"ETag": {"schema": {"type": "string"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "412": {"$ref": "#/components/responses/changed"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"},
              "428": {"$ref": "#/components/responses/noCondition"},
              "503": {"$ref": "#/components/responses/unavailable"}
            }
          },
          "delete": {
            "operationId": "deleteStub",
            "tags": ["scenarios"],
            "summary": "Remove a stub",
            "parameters": [
              {"$ref": "#/components/parameters/scenario"},
              {"$ref": "#/components/parameters/key"},
              {
                "name": "If-Match",
                "in": "header",
                "description": "The ETag of what was read, or *.",
                "schema": {"type": "string"}
              }
            ],
            "responses": {
              "204": {"description": "It is removed."},
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "412": {"$ref": "#/components/responses/changed"},
              "422": {"$ref": "#/components/responses/refused"},
              "428": {"$ref": "#/components/responses/noCondition"},
              "503": {"$ref": "#/components/responses/unavailable"}
            }
          }
        },
        "/__stubdb/match": {
          "post": {
            "operationId": "match",
            "tags": ["scenarios"],
            "summary": "Try a request",
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Question"}}}
            },
            "responses": {
              "200": {
                "description": "What answers, or the nearest stubs.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Match"}}}
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__admin/health": {
          "get": {
            "operationId": "wireMockHealth",
            "tags": ["WireMock"],
            "summary": "Whether the server is up",
            "security": [],
            "responses": {
              "200": {
                "description": "It is.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"status": {"type": "string"}},
                      "required": ["status"]
                    }
                  }
                }
              },
              "403": {"$ref": "#/components/responses/forbidden"}
            }
          }
        },
        "/__admin/mappings": {
          "get": {
            "operationId": "listMappings",
            "tags": ["WireMock"],
            "summary": "Mappings that clients have added",
            "responses": {
              "200": {
                "description": "The newest first.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {
                        "mappings": {
                          "type": "array",
                          "items": {
                            "type": "object",
                            "properties": {"request": {"type": "object"}, "response": {"type": "object"}},
                            "description": "https://wiremock.org/docs/api/"
                          }
                        },
                        "meta": {
                          "type": "object",
                          "properties": {"total": {"type": "integer"}},
                          "required": ["total"]
                        }
                      },
                      "required": ["mappings", "meta"]
                    }
                  }
                }
              },
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          },
          "post": {
            "operationId": "addMapping",
            "tags": ["WireMock"],
            "summary": "Add a mapping",
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "properties": {"request": {"type": "object"}, "response": {"type": "object"}},
                    "description": "https://wiremock.org/docs/api/"
                  }
                }
              }
            },
            "responses": {
              "201": {
                "description": "The mapping with its id.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"request": {"type": "object"}, "response": {"type": "object"}},
                      "description": "https://wiremock.org/docs/api/"
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          },
          "delete": {
            "operationId": "removeMappings",
            "tags": ["WireMock"],
            "summary": "Remove all mappings that were added",
            "responses": {
              "200": {"description": "It is done.", "content": {"application/json": {"schema": {"type": "object"}}}},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__admin/mappings/import": {
          "post": {
            "operationId": "importMappings",
            "tags": ["WireMock"],
            "summary": "Add mappings, all or none",
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {"schema": {
                    "type": "object",
                    "properties": {
                      "mappings": {"type": "array", "items": {"type": "object"}},
                      "importOptions": {
                        "type": "object",
                        "properties": {
                          "duplicatePolicy": {"enum": ["OVERWRITE", "IGNORE"]},
                          "deleteAllNotInImport": {"type": "boolean"}
                        }
                      }
                    },
                    "required": ["mappings"]
                  }}
              }
            },
            "responses": {
              "200": {
                "description": "They are added.",
                "content": {
                  "application/json": {
                    "schema": {"type": "object"}
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__admin/mappings/reset": {
          "post": {
            "operationId": "resetMappings",
            "tags": ["WireMock"],
            "summary": "Remove all mappings that were added",
            "responses": {
              "200": {"description": "It is done.", "content": {"application/json": {"schema": {"type": "object"}}}},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__admin/mappings/{id}": {
          "get": {
            "operationId": "getMapping",
            "tags": ["WireMock"],
            "summary": "A mapping",
            "parameters": [{"$ref": "#/components/parameters/mapping"}],
            "responses": {
              "200": {
                "description": "The mapping.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"request": {"type": "object"}, "response": {"type": "object"}},
                      "description": "https://wiremock.org/docs/api/"
                    }
                  }
                }
              },
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          },
          "put": {
            "operationId": "changeMapping",
            "tags": ["WireMock"],
            "summary": "Replace a mapping",
            "parameters": [{"$ref": "#/components/parameters/mapping"}],
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "properties": {"request": {"type": "object"}, "response": {"type": "object"}},
                    "description": "https://wiremock.org/docs/api/"
                  }
                }
              }
            },
            "responses": {
              "200": {
                "description": "The mapping.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"request": {"type": "object"}, "response": {"type": "object"}},
                      "description": "https://wiremock.org/docs/api/"
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          },
          "delete": {
            "operationId": "removeMapping",
            "tags": ["WireMock"],
            "summary": "Remove a mapping",
            "parameters": [{"$ref": "#/components/parameters/mapping"}],
            "responses": {
              "200": {"description": "It is done.", "content": {"application/json": {"schema": {"type": "object"}}}},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__admin/requests": {
          "get": {
            "operationId": "listServeEvents",
            "tags": ["WireMock"],
            "summary": "Requests, newest first",
            "parameters": [
              {
                "name": "limit",
                "in": "query",
                "description": "The largest number of requests.",
                "schema": {"type": "integer", "minimum": 0}
              }
            ],
            "responses": {
              "200": {
                "description": "The requests.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {
                        "requests": {"type": "array", "items": {"type": "object"}},
                        "meta": {
                          "type": "object",
                          "properties": {"total": {"type": "integer"}},
                          "required": ["total"]
                        }
                      },
                      "required": ["requests", "meta"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          },
          "delete": {
            "operationId": "removeRequests",
            "tags": ["WireMock"],
            "summary": "Empty the journal",
            "responses": {
              "200": {"description": "It is done.", "content": {"application/json": {"schema": {"type": "object"}}}},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__admin/requests/reset": {
          "post": {
            "operationId": "resetRequests",
            "tags": ["WireMock"],
            "summary": "Empty the journal",
            "responses": {
              "200": {"description": "It is done.", "content": {"application/json": {"schema": {"type": "object"}}}},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__admin/requests/unmatched": {
          "get": {
            "operationId": "listUnmatched",
            "tags": ["WireMock"],
            "summary": "Requests that no stub answered",
            "responses": {
              "200": {
                "description": "The requests.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {
                        "requests": {"type": "array", "items": {"type": "object"}},
                        "meta": {
                          "type": "object",
                          "properties": {"total": {"type": "integer"}},
                          "required": ["total"]
                        }
                      },
                      "required": ["requests", "meta"]
                    }
                  }
                }
              },
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__admin/requests/{id}": {
          "get": {
            "operationId": "getServeEvent",
            "tags": ["WireMock"],
            "summary": "A request",
            "parameters": [{"$ref": "#/components/parameters/event"}],
            "responses": {
              "200": {
                "description": "The request.",
                "content": {"application/json": {"schema": {"type": "object"}}}
              },
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          },
          "delete": {
            "operationId": "removeServeEvent",
            "tags": ["WireMock"],
            "summary": "Remove a request from the journal",
            "parameters": [{"$ref": "#/components/parameters/event"}],
            "responses": {
              "200": {
                "description": "It is done.",
                "content": {
                  "application/json": {
                    "schema": {"type": "object"}
                  }
                }
              },
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__admin/requests/remove": {
          "post": {
            "operationId": "removeMatchingRequests",
            "tags": ["WireMock"],
            "summary": "Remove requests from the journal",
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {"schema": {"type": "object", "description": "A request pattern of WireMock."}}
              }
            },
            "responses": {
              "200": {
                "description": "What was removed.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"serveEvents": {"type": "array", "items": {"type": "object"}}},
                      "required": ["serveEvents"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__admin/requests/unmatched/near-misses": {
          "get": {
            "operationId": "listUnmatchedNearMisses",
            "tags": ["WireMock"],
            "summary": "The nearest stubs of requests that none answered",
            "responses": {
              "200": {
                "description": "The near misses.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"nearMisses": {"type": "array", "items": {"type": "object"}}},
                      "required": ["nearMisses"]
                    }
                  }
                }
              },
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__admin/near-misses/request": {
          "post": {
            "operationId": "nearMissesOfRequest",
            "tags": ["WireMock"],
            "summary": "The nearest stubs of a request",
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {"schema": {"type": "object", "description": "A request as the journal has it."}}
              }
            },
            "responses": {
              "200": {
                "description": "The near misses; none if a stub answers.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"nearMisses": {"type": "array", "items": {"type": "object"}}},
                      "required": ["nearMisses"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__admin/near-misses/request-pattern": {
          "post": {
            "operationId": "nearMissesOfPattern",
            "tags": ["WireMock"],
            "summary": "The requests that almost fit a pattern",
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {"schema": {"type": "object", "description": "A request pattern of WireMock."}}
              }
            },
            "responses": {
              "200": {
                "description": "The near misses.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"nearMisses": {"type": "array", "items": {"type": "object"}}},
                      "required": ["nearMisses"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__admin/requests/count": {
          "post": {
            "operationId": "countRequests",
            "tags": ["WireMock"],
            "summary": "Count requests",
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {"schema": {"type": "object", "description": "A request pattern of WireMock."}}
              }
            },
            "responses": {
              "200": {
                "description": "How many fit the pattern.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"count": {"type": "integer"}},
                      "required": ["count"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__admin/requests/find": {
          "post": {
            "operationId": "findRequests",
            "tags": ["WireMock"],
            "summary": "Find requests",
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {"schema": {"type": "object", "description": "A request pattern of WireMock."}}
              }
            },
            "responses": {
              "200": {
                "description": "Those that fit the pattern.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {
                        "requests": {"type": "array", "items": {"type": "object"}},
                        "meta": {
                          "type": "object",
                          "properties": {"total": {"type": "integer"}},
                          "required": ["total"]
                        }
                      },
                      "required": ["requests", "meta"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__admin/scenarios": {
          "get": {
            "operationId": "listStates",
            "tags": ["WireMock"],
            "summary": "The states of flows",
            "responses": {
              "200": {
                "description": "The flows.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {
                        "scenarios": {"type": "array", "items": {"type": "object"}},
                        "meta": {
                          "type": "object",
                          "properties": {"total": {"type": "integer"}},
                          "required": ["total"]
                        }
                      },
                      "required": ["scenarios", "meta"]
                    }
                  }
                }
              },
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__admin/scenarios/{name}/state": {
          "put": {
            "operationId": "setState",
            "tags": ["WireMock"],
            "summary": "Set the state of a flow",
            "parameters": [{"$ref": "#/components/parameters/flow"}],
            "requestBody": {
              "required": false,
              "content": {
                "application/json": {"schema": {
                    "type": "object",
                    "properties": {"state": {"type": "string", "description": "The first state if it is missing."}},
                    "additionalProperties": false
                  }}
              }
            },
            "responses": {
              "200": {
                "description": "It is done.",
                "content": {
                  "application/json": {
                    "schema": {"type": "object"}
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__admin/settings": {
          "get": {
            "operationId": "getSettings",
            "tags": ["WireMock"],
            "summary": "The settings, which cannot be changed",
            "responses": {
              "200": {
                "description": "The settings.",
                "content": {
                  "application/json": {
                    "schema": {"type": "object"}
                  }
                }
              },
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"}
            }
          },
          "post": {
            "operationId": "setSettings",
            "tags": ["WireMock"],
            "summary": "Is refused for what would change answers",
            "requestBody": {
              "required": true,
              "content": {
                "application/json": {"schema": {"type": "object"}}
              }
            },
            "responses": {
              "200": {
                "description": "There was nothing to change.",
                "content": {
                  "application/json": {
                    "schema": {"type": "object"}
                  }
                }
              },
              "400": {"$ref": "#/components/responses/invalidRequest"},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "415": {"$ref": "#/components/responses/notJSON"},
              "422": {"$ref": "#/components/responses/refused"}
            }
          }
        },
        "/__admin/version": {
          "get": {
            "operationId": "getWireMockVersion",
            "tags": ["WireMock"],
            "summary": "The version of stubdb",
            "responses": {
              "200": {
                "description": "The version.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"version": {"type": "string"}},
                      "required": ["version"]
                    }
                  }
                }
              },
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"}
            }
          }
        },
        "/__admin/scenarios/reset": {
          "post": {
            "operationId": "resetStates",
            "tags": ["WireMock"],
            "summary": "Set all flows to their first state",
            "responses": {
              "200": {"description": "It is done.", "content": {"application/json": {"schema": {"type": "object"}}}},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        },
        "/__admin/reset": {
          "post": {
            "operationId": "resetAll",
            "tags": ["WireMock"],
            "summary": "Remove mappings, and begin anew",
            "responses": {
              "200": {"description": "It is done.", "content": {"application/json": {"schema": {"type": "object"}}}},
              "401": {"$ref": "#/components/responses/tokenNeeded"},
              "403": {"$ref": "#/components/responses/forbidden"},
              "404": {"$ref": "#/components/responses/notFound"}
            }
          }
        }
      },
      "components": {
        "securitySchemes": {
          "bearer": {"type": "http", "scheme": "bearer", "description": "Not needed by a server without a token."},
          "cookie": {
            "type": "apiKey",
            "in": "cookie",
            "name": "stubdb-8080",
            "description": "Set by POST login; the name ends with the port."
          }
        },
        "parameters": {
          "allowSecrets": {
            "name": "StubDB-Allow-Secrets",
            "in": "header",
            "description": "true to write passwords and tokens that stubdb scan finds, which are refused otherwise.",
            "schema": {"type": "string", "enum": ["true", "false"]}
          },
          "session": {
            "name": "id",
            "in": "path",
            "required": true,
            "description": "The id of a session.",
            "schema": {"type": "string"},
            "example": "default"
          },
          "number": {
            "name": "number",
            "in": "path",
            "required": true,
            "description": "The number of an entry of the journal.",
            "schema": {"type": "integer", "minimum": 1},
            "example": 1
          },
          "flow": {
            "name": "name",
            "in": "path",
            "required": true,
            "description": "The name of a flow.",
            "schema": {"type": "string"}
          },
          "scenario": {
            "name": "name",
            "in": "path",
            "required": true,
            "description": "The name of a scenario; / is %2F.",
            "schema": {"type": "string"}
          },
          "key": {
            "name": "key",
            "in": "path",
            "required": true,
            "description": "The key of a stub.",
            "schema": {"type": "string"}
          },
          "mapping": {
            "name": "id",
            "in": "path",
            "required": true,
            "description": "The id of a mapping.",
            "schema": {"type": "string"}
          },
          "event": {
            "name": "id",
            "in": "path",
            "required": true,
            "description": "The number of an entry of the journal.",
            "schema": {"type": "string"}
          }
        },
        "responses": {
          "invalidRequest": {
            "description": "The content is not JSON, or a parameter is not what it can be.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          },
          "tokenNeeded": {
            "description": "The server wants a token.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
            "headers": {"WWW-Authenticate": {"schema": {"type": "string"}}}
          },
          "forbidden": {
            "description": "The Host, the origin or the machine of the client may not do this, or the server is read-only.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          },
          "notFound": {
            "description": "There is no such thing.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          },
          "conflict": {
            "description": "The session of the server ends with the server.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          },
          "changed": {
            "description": "It is not what was read; current is what it is.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          },
          "notJSON": {
            "description": "The content must be JSON.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          },
          "refused": {
            "description": "The document is refused; pointer is the place.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          },
          "noCondition": {
            "description": "If-Match or If-None-Match is missing.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          },
          "unavailable": {
            "description": "The catalog is busy, or there are too many sessions.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          },
          "versionNotSupported": {
            "description": "Events need HTTP/1.1.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          }
        },
        "schemas": {
          "Session": {
            "type": "object",
            "properties": {
              "id": {
                "type": "string",
                "description": "What the addresses of the session contain; default for requests that name none."
              },
              "name": {"type": ["string", "null"], "description": "What whoever started it calls it."},
              "scenario": {"type": "string"},
              "overlays": {"type": "array", "items": {"type": "string"}},
              "pace": {"type": ["string", "number"]},
              "seed": {"type": "integer"},
              "unmatched": {"type": "integer"},
              "cors": {"type": "boolean", "description": "Whether pages of other origins may read answers."},
              "baseURL": {"type": "string", "description": "Works with every client."},
              "hostURL": {
                "type": ["string", "null"],
                "description": "Leaves paths as they are, where the system looks up such names."
              },
              "requests": {"type": "integer", "description": "The number of the last request."},
              "dropped": {
                "type": "integer",
                "description": "How many entries the limit of the journal has dropped."
              }
            },
            "required": [
              "id",
              "name",
              "scenario",
              "overlays",
              "pace",
              "seed",
              "unmatched",
              "cors",
              "baseURL",
              "hostURL",
              "requests",
              "dropped"
            ]
          },
          "SessionSettings": {
            "type": "object",
            "properties": {
              "scenario": {"type": "string", "description": "The name of a scenario."},
              "overlays": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Scenarios on top of it; the last one answers first."
              },
              "pace": {
                "description": "real, instant, or a factor for all delays.",
                "oneOf": [{"enum": ["real", "instant"]}, {"type": "number", "minimum": 0}]
              },
              "seed": {
                "type": "integer",
                "minimum": 0,
                "maximum": 9223372036854775807,
                "description": "What random values of templates begin with."
              },
              "unmatched": {
                "type": "integer",
                "minimum": 200,
                "maximum": 599,
                "description": "The status for requests that no stub answers."
              },
              "cors": {"type": "boolean", "description": "Whether pages of other origins may read answers."}
            },
            "additionalProperties": false,
            "description": "What is missing stays as it is; overlays belong to the scenario."
          },
          "NewSession": {
            "type": "object",
            "properties": {
              "scenario": {"type": "string", "description": "The name of a scenario."},
              "overlays": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Scenarios on top of it; the last one answers first."
              },
              "pace": {
                "description": "real, instant, or a factor for all delays.",
                "oneOf": [{"enum": ["real", "instant"]}, {"type": "number", "minimum": 0}]
              },
              "seed": {
                "type": "integer",
                "minimum": 0,
                "maximum": 9223372036854775807,
                "description": "What random values of templates begin with."
              },
              "unmatched": {
                "type": "integer",
                "minimum": 200,
                "maximum": 599,
                "description": "The status for requests that no stub answers."
              },
              "cors": {"type": "boolean", "description": "Whether pages of other origins may read answers."},
              "name": {"type": "string", "description": "What to call it.", "maxLength": 200}
            },
            "additionalProperties": false,
            "description": "What is missing is as in the session of requests that name none."
          },
          "JournalEntry": {
            "type": "object",
            "properties": {
              "number": {"type": "integer", "minimum": 1, "description": "The number in the journal, from 1."},
              "at": {"type": "string", "format": "date-time", "description": "When the request came."},
              "durationMs": {"type": ["number", "null"], "description": "How long the answer took; null while it is given."},
              "method": {"type": "string"},
              "url": {"type": "string", "description": "The URL of the scenario that the request stands for."},
              "matched": {"type": "boolean", "description": "Whether a stub answered."},
              "scenario": {"type": ["string", "null"], "description": "The scenario whose document has the stub."},
              "key": {"type": ["string", "null"], "description": "The key of the stub."},
              "response": {"type": ["integer", "null"], "description": "The number of the stub's response, from 1."},
              "status": {
                "type": ["integer", "null"],
                "description": "The status of the answer; null if there was none, or not yet."
              },
              "remark": {"type": ["string", "null"], "description": "What the client got in place of the answer."}
            },
            "required": ["number", "at", "durationMs", "method", "url", "matched", "scenario", "key", "response", "status", "remark"],
            "description": "Further members may come."
          },
          "JournalPage": {
            "type": "object",
            "properties": {
              "events": {"type": "array", "items": {"$ref": "#/components/schemas/JournalEntry"}},
              "next": {"type": "integer", "description": "The after of the next page."},
              "dropped": {"type": "integer", "description": "How many entries between were dropped."}
            },
            "required": ["events", "next", "dropped"]
          },
          "JournalDetail": {
            "type": "object",
            "properties": {
              "number": {"type": "integer", "minimum": 1, "description": "The number in the journal, from 1."},
              "at": {"type": "string", "format": "date-time", "description": "When the request came."},
              "durationMs": {"type": ["number", "null"], "description": "How long the answer took; null while it is given."},
              "method": {"type": "string"},
              "url": {"type": "string", "description": "The URL of the scenario that the request stands for."},
              "matched": {"type": "boolean", "description": "Whether a stub answered."},
              "scenario": {"type": ["string", "null"], "description": "The scenario whose document has the stub."},
              "key": {"type": ["string", "null"], "description": "The key of the stub."},
              "response": {"type": ["integer", "null"], "description": "The number of the stub's response, from 1."},
              "status": {
                "type": ["integer", "null"],
                "description": "The status of the answer; null if there was none, or not yet."
              },
              "remark": {"type": ["string", "null"], "description": "What the client got in place of the answer."},
              "headers": {
                "type": "array",
                "items": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
                "description": "Names and values in their order."
              },
              "requestBytes": {"type": "integer", "description": "The size of the content."},
              "callbacks": {
                "type": "array",
                "items": {"$ref": "#/components/schemas/CallbackCall"},
                "description": "The calls after the answer that were due."
              },
              "description": {"type": "string", "description": "One line without secrets."},
              "frames": {
                "type": ["array", "null"],
                "items": {"$ref": "#/components/schemas/Frame"},
                "description": "What became of the last messages of a WebSocket."
              },
              "frameCount": {"type": ["integer", "null"], "description": "The number of its messages so far."}
            },
            "required": [
              "number",
              "at",
              "durationMs",
              "method",
              "url",
              "matched",
              "scenario",
              "key",
              "response",
              "status",
              "remark",
              "headers",
              "requestBytes",
              "callbacks",
              "description",
              "frames",
              "frameCount"
            ]
          },
          "CallbackCall": {
            "type": "object",
            "properties": {
              "method": {"type": "string"},
              "url": {"type": "string"},
              "turn": {"type": "integer", "minimum": 1, "description": "Which of the calls of its callback it is."},
              "outcome": {
                "type": "string",
                "enum": ["pending", "answered", "failed", "refused"],
                "description": "What became of it; refused if it was not sent."
              },
              "status": {"type": "integer", "description": "The status of the answer."},
              "durationMs": {"type": "number", "description": "How long the answer took."},
              "reason": {"type": "string", "description": "Why it failed or was refused."}
            },
            "required": ["method", "url", "turn", "outcome"]
          },
          "NearMiss": {
            "type": "object",
            "properties": {
              "scenario": {"type": "string"},
              "key": {"type": "string"},
              "distance": {"type": "number"},
              "mismatches": {
                "type": "array",
                "items": {"$ref": "#/components/schemas/Mismatch"}
              }
            },
            "required": ["scenario", "key", "distance", "mismatches"]
          },
          "Frame": {
            "type": "object",
            "properties": {
              "frame": {
                "type": ["integer", "null"],
                "minimum": 0,
                "description": "The index of the frame in the script that is about the message."
              },
              "outcome": {"type": "string", "description": "What became of the message."},
              "text": {"type": "string", "description": "The message, shortened and without secrets."},
              "mismatches": {
                "type": "array",
                "items": {"$ref": "#/components/schemas/Mismatch"},
                "description": "What differs from what the frame expects."
              }
            },
            "required": ["frame", "outcome", "text", "mismatches"],
            "description": "Further members may come."
          },
          "Mismatch": {
            "type": "object",
            "properties": {
              "part": {"type": "string"},
              "pointer": {"type": ["string", "null"]},
              "expected": {"type": "string"},
              "actual": {"type": ["string", "null"]}
            },
            "required": ["part", "pointer", "expected", "actual"]
          },
          "Coverage": {
            "type": "object",
            "properties": {
              "scenario": {"type": "string"},
              "used": {"type": "integer", "description": "How many stubs have answered."},
              "stubs": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "scenario": {"type": "string"},
                    "key": {"type": "string"},
                    "request": {"type": "string", "description": "The method and the URL."},
                    "responses": {"type": "integer"},
                    "answers": {"type": "integer"},
                    "shadowedBy": {
                      "type": ["string", "null"],
                      "description": "The key of the stub that always comes first, so that this one never answers."
                    }
                  },
                  "required": ["scenario", "key", "request", "responses", "answers", "shadowedBy"]
                }
              }
            },
            "required": ["scenario", "used", "stubs"]
          },
          "Problem": {
            "type": "object",
            "properties": {
              "kind": {"type": "string"},
              "message": {"type": "string"},
              "scenario": {"type": ["string", "null"]},
              "key": {"type": ["string", "null"]}
            },
            "required": ["kind", "message", "scenario", "key"],
            "description": "What a test would report."
          },
          "Pattern": {"type": "object", "description": "A pattern as the member request of a stub."},
          "Expectation": {
            "type": "object",
            "properties": {
              "request": {
                "description": "A pattern, or a method and a URL in one text.",
                "oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Pattern"}]
              },
              "count": {
                "description": "How many requests fit; at least one if it is missing.",
                "oneOf": [
                  {"type": "integer", "minimum": 0},
                  {
                    "type": "object",
                    "properties": {
                      "atLeast": {"type": "integer", "minimum": 0},
                      "atMost": {"type": "integer", "minimum": 0}
                    },
                    "additionalProperties": false
                  }
                ]
              },
              "inOrder": {
                "type": "array",
                "items": {"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Pattern"}]},
                "description": "Requests that came one after another, such as POST /v1/charges."
              }
            },
            "additionalProperties": false,
            "description": "Without members: what the end of a test would report."
          },
          "ScenarioSummary": {
            "type": "object",
            "properties": {
              "scenario": {"type": "string"},
              "summary": {"type": ["string", "null"]},
              "tags": {"type": "array", "items": {"type": "string"}},
              "includes": {"type": "array", "items": {"type": "string"}},
              "stubs": {"type": "integer", "description": "The stubs of its own."},
              "includedStubs": {
                "type": ["integer", "null"],
                "description": "The stubs of all scenarios that it includes; null where there are too many to count."
              }
            },
            "required": ["scenario", "summary", "tags", "includes", "stubs", "includedStubs"]
          },
          "Scenario": {
            "type": "object",
            "required": ["scenario"],
            "properties": {"scenario": {"type": "string", "description": "The name, such as checkout/paid."}},
            "description": "A document of a scenario; stubdb schema prints its JSON Schema."
          },
          "Stub": {
            "type": "object",
            "required": ["key"],
            "properties": {"key": {"type": "string"}},
            "description": "A stub as in the document of a scenario."
          },
          "Question": {
            "type": "object",
            "properties": {
              "scenario": {"type": "string", "description": "The name of a scenario."},
              "document": {
                "$ref": "#/components/schemas/Scenario",
                "description": "A document in place of a scenario of the catalog."
              },
              "request": {
                "type": "object",
                "properties": {
                  "method": {"type": "string", "default": "GET"},
                  "url": {"type": "string"},
                  "headers": {
                    "type": "array",
                    "items": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}
                  },
                  "text": {"type": "string"},
                  "json": {},
                  "base64": {"type": "string"}
                },
                "required": ["url"],
                "additionalProperties": false
              }
            },
            "required": ["request"],
            "additionalProperties": false
          },
          "Match": {
            "type": "object",
            "required": ["matched"],
            "properties": {
              "matched": {"type": "boolean"},
              "scenario": {"type": "string"},
              "key": {"type": "string"},
              "response": {"type": "object"},
              "nearMisses": {"type": "array", "items": {"$ref": "#/components/schemas/NearMiss"}}
            }
          },
          "Refusal": {
            "type": "object",
            "required": ["type", "title", "status", "detail"],
            "properties": {
              "type": {"type": "string", "description": "urn:stubdb:problem:KIND, or about:blank."},
              "title": {"type": "string"},
              "status": {"type": "integer"},
              "detail": {"type": "string", "description": "What failed, why, and what to do."},
              "pointer": {"type": "string", "description": "The place in the content that was sent."},
              "nearest": {"type": "string", "description": "The name that may have been meant."},
              "current": {"description": "The document that is there."}
            },
            "description": "https://www.rfc-editor.org/rfc/rfc9457"
          }
        }
      }
    }

    """##
}
#endif
