// Written by scripts/embed-examples from Examples/scenarios; not to be changed by hand.

/// The documents that `stubdb demo` plays, by path below `Examples/scenarios`.
enum DemoDocuments {
  /// Sorted by path.
  static let all: [(path: String, text: String)] = [
    (
      path: "catalog/keep-what-is-put.json",
      text: #"""
      {
        "scenario": "catalog/keep-what-is-put",
        "summary": "A shelf without a server: what is put or posted is what is got",
        "tags": ["catalog", "state"],
        "stubs": [
          {
            "key": "add",
            "summary": "gives the item an id",
            "request": {
              "method": "POST",
              "url": "https://api.shop.test/v1/items"
            },
            "capture": {
              "id": {
                "template": "{{counter 'items'}}"
              },
              "items/{{captured.id}}": {
                "template": "{{json (merge request.json id=captured.id)}}"
              }
            },
            "responses": [
              {
                "status": 201,
                "headers": {
                  "Location": "{{request.baseUrl}}/v1/items/{{captured.id}}"
                },
                "json": "{{json (captured 'items/' captured.id)}}",
                "template": true
              }
            ]
          },
          {
            "key": "put",
            "request": {
              "method": "PUT",
              "url": "https://api.shop.test/v1/items/{id}"
            },
            "capture": {
              "items/{{request.path.id}}": {
                "jsonPath": "$"
              }
            },
            "responses": [
              {
                "status": 204
              }
            ]
          },
          {
            "key": "remove",
            "request": {
              "method": "DELETE",
              "url": "https://api.shop.test/v1/items/{id}",
              "captured": {
                "items/{{request.path.id}}": true
              }
            },
            "capture": {
              "items/{{request.path.id}}": null
            },
            "responses": [
              {
                "status": 204
              }
            ]
          },
          {
            "key": "get",
            "request": {
              "method": "GET",
              "url": "https://api.shop.test/v1/items/{id}",
              "captured": {
                "items/{{request.path.id}}": true
              }
            },
            "responses": [
              {
                "json": "{{json (captured 'items/' request.path.id)}}",
                "template": true
              }
            ]
          },
          {
            "key": "list",
            "request": {
              "method": "GET",
              "url": "https://api.shop.test/v1/items"
            },
            "responses": [
              {
                "json": {
                  "items": "{{json (capturedAll 'items/')}}"
                },
                "template": true
              }
            ]
          },
          {
            "key": "no such item",
            "request": {
              "url": "https://api.shop.test/v1/items/{id}"
            },
            "responses": [
              {
                "status": 404,
                "json": {
                  "error": "no item {{request.path.id}}"
                },
                "template": true
              }
            ]
          }
        ]
      }

      """#
    ),
    (
      path: "catalog/search.json",
      text: #"""
      {
        "scenario": "catalog/search",
        "summary": "Searching the shop finds two books, then nothing",
        "tags": ["catalog"],
        "stubs": [
          {
            "key": "first-page",
            "summary": "what the search field sends",
            "request": {
              "method": "GET",
              "url": "https://api.shop.test/v1/books",
              "query": {
                "page": {
                  "or": [
                    "1",
                    {
                      "absent": true
                    }
                  ]
                },
                "q": {
                  "equalTo": "dune",
                  "caseInsensitive": true
                }
              }
            },
            "responses": [
              {
                "headers": {
                  "Link": "<https://api.shop.test/v1/books?q=dune&page=2>; rel=\"next\""
                },
                "json": [
                  {
                    "id": "b_1",
                    "title": "Dune"
                  },
                  {
                    "id": "b_2",
                    "title": "Dune Messiah"
                  }
                ]
              }
            ]
          },
          {
            "key": "second-page",
            "summary": "the page after the last one",
            "request": {
              "method": "GET",
              "url": "https://api.shop.test/v1/books",
              "query": {
                "page": "2",
                "q": {
                  "equalTo": "dune",
                  "caseInsensitive": true
                }
              }
            },
            "responses": [
              {
                "json": []
              }
            ]
          },
          {
            "key": "filtered",
            "summary": "both filters, in any order, and no other parameter",
            "request": {
              "method": ["GET", "HEAD"],
              "url": "https://api.shop.test/v1/books",
              "query": {
                "tag": ["novel", "classic"]
              },
              "queryIsExact": true
            },
            "responses": [
              {
                "json": [
                  {
                    "id": "b_1",
                    "title": "Dune"
                  }
                ]
              }
            ]
          },
          {
            "key": "covers",
            "summary": "any picture below the covers",
            "priority": 8,
            "request": {
              "method": "GET",
              "url": "https://images.shop.test/covers/**"
            },
            "responses": [
              {
                "headers": {
                  "Content-Type": "image/gif"
                },
                "base64": "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
              }
            ]
          },
          {
            "key": "suggestions",
            "summary": "typing too fast is refused the third time",
            "request": {
              "method": "GET",
              "path": {
                "matches": "/v[12]/suggestions"
              }
            },
            "responses": [
              {
                "json": [
                  "dune",
                  "dune messiah"
                ],
                "repeat": 2
              },
              {
                "status": 429,
                "headers": {
                  "Retry-After": "1"
                },
                "text": "slow down\n"
              }
            ],
            "then": "cycle"
          }
        ]
      }

      """#
    ),
    (
      path: "checkout/card-declined.json",
      text: #"""
      {
        "scenario": "checkout/card-declined",
        "summary": "The bank refuses the card; a second try with another card succeeds",
        "tags": ["checkout", "errors"],
        "includes": ["session/signed-in"],
        "stubs": [
          {
            "key": "charge",
            "summary": "first charge refused, then accepted",
            "request": {
              "method": "POST",
              "url": "https://api.shop.test/v1/charges",
              "query": {
                "expand": "customer"
              },
              "headers": {
                "Authorization": {
                  "matches": "Bearer .+"
                }
              },
              "body": {
                "equalToJson": {
                  "amount": 1200
                },
                "ignoreExtraElements": true
              }
            },
            "responses": [
              {
                "status": 402,
                "headers": {
                  "Retry-After": "1"
                },
                "json": {
                  "error": "card_declined"
                },
                "delay": "200ms"
              },
              {
                "status": 201,
                "json": {
                  "id": "ch_1"
                }
              }
            ]
          }
        ]
      }

      """#
    ),
    (
      path: "checkout/happy.json",
      text: #"""
      {
        "scenario": "checkout/happy",
        "summary": "Two books are bought and the card is accepted",
        "tags": ["checkout"],
        "includes": ["session/signed-in"],
        "stubs": [
          {
            "key": "cart",
            "request": {
              "method": "GET",
              "url": "https://api.shop.test/v1/cart"
            },
            "responses": [
              {
                "json": {
                  "currency": "EUR",
                  "items": [
                    {
                      "id": "b_1",
                      "price": 600,
                      "quantity": 2,
                      "title": "Dune"
                    }
                  ],
                  "total": 1200
                }
              }
            ]
          },
          {
            "key": "charge",
            "summary": "the card is accepted",
            "required": true,
            "request": {
              "method": "POST",
              "url": "https://api.shop.test/v1/charges",
              "headers": {
                "Authorization": {
                  "matches": "Bearer .+"
                },
                "Idempotency-Key": {
                  "matches": "[0-9a-f-]{8,}"
                }
              },
              "body": {
                "equalToJson": {
                  "amount": 1200,
                  "currency": "EUR"
                },
                "ignoreExtraElements": true
              }
            },
            "responses": [
              {
                "status": 201,
                "json": {
                  "id": "ch_1",
                  "status": "succeeded"
                },
                "delay": "50ms"
              }
            ]
          },
          {
            "key": "order",
            "summary": "the order is being packed twice, then shipped",
            "request": {
              "method": "GET",
              "url": "https://api.shop.test/v1/orders/{id}",
              "pathParameters": {
                "id": {
                  "matches": "o_[0-9]+"
                }
              }
            },
            "responses": [
              {
                "json": {
                  "id": "o_1",
                  "state": "packing"
                },
                "repeat": 2
              },
              {
                "json": {
                  "id": "o_1",
                  "state": "shipped"
                }
              }
            ]
          }
        ]
      }

      """#
    ),
    (
      path: "checkout/pay-once.json",
      text: #"""
      {
        "scenario": "checkout/pay-once",
        "summary": "An order that is paid once: before it is open, after it is paid, and a second payment is refused",
        "tags": ["checkout", "state"],
        "stubs": [
          {
            "key": "order open",
            "request": {
              "method": "GET",
              "url": "https://api.shop.test/v1/order"
            },
            "responses": [
              {
                "json": {
                  "state": "open"
                }
              }
            ],
            "flow": {
              "name": "order",
              "requires": "started"
            }
          },
          {
            "key": "pay",
            "request": {
              "method": "POST",
              "url": "https://api.shop.test/v1/order/payment"
            },
            "responses": [
              {
                "status": 201,
                "delay": {
                  "uniform": ["50ms", "150ms"]
                }
              }
            ],
            "flow": {
              "name": "order",
              "requires": "started",
              "becomes": "paid"
            }
          },
          {
            "key": "order paid",
            "request": {
              "method": "GET",
              "url": "https://api.shop.test/v1/order"
            },
            "responses": [
              {
                "json": {
                  "state": "paid"
                }
              }
            ],
            "flow": {
              "name": "order",
              "requires": "paid"
            }
          },
          {
            "key": "paid already",
            "request": {
              "method": "POST",
              "url": "https://api.shop.test/v1/order/payment"
            },
            "responses": [
              {
                "status": 409,
                "json": {
                  "error": "already_paid"
                }
              }
            ],
            "flow": {
              "name": "order",
              "requires": "paid"
            }
          }
        ]
      }

      """#
    ),
    (
      path: "network/offline.json",
      text: #"""
      {
        "scenario": "network/offline",
        "summary": "The train enters a tunnel: nothing is reachable but what comes back at last",
        "tags": ["errors", "network"],
        "stubs": [
          {
            "key": "back-online",
            "summary": "a health check fails twice, then answers",
            "request": {
              "method": "GET",
              "url": "https://api.shop.test/health"
            },
            "responses": [
              {
                "error": "notConnectedToInternet"
              },
              {
                "delay": "100ms",
                "error": "timedOut"
              },
              {
                "text": "ok\n"
              }
            ]
          },
          {
            "key": "bad-certificate",
            "request": {
              "scheme": "https",
              "host": {
                "matches": ".*\\.old\\.shop\\.test"
              }
            },
            "responses": [
              {
                "error": {
                  "domain": "NSURLErrorDomain",
                  "code": -1202,
                  "userInfo": {
                    "NSLocalizedDescription": "The certificate for this server is invalid."
                  }
                }
              }
            ]
          },
          {
            "key": "tunnel",
            "summary": "every other request",
            "priority": 100,
            "responses": [
              {
                "error": "notConnectedToInternet"
              }
            ]
          }
        ]
      }

      """#
    ),
    (
      path: "session/signed-in.json",
      text: #"""
      {
        "scenario": "session/signed-in",
        "summary": "Ada is signed in: her token is accepted everywhere",
        "tags": ["session"],
        "stubs": [
          {
            "key": "sign-in",
            "summary": "the password is right",
            "request": {
              "method": "POST",
              "url": "https://api.shop.test/v1/session",
              "headers": {
                "Content-Type": {
                  "contains": "json"
                }
              },
              "body": {
                "equalToJson": {
                  "email": "ada@shop.test",
                  "password": "correct horse"
                }
              }
            },
            "responses": [
              {
                "status": 201,
                "headers": {
                  "Set-Cookie": ["session=s_1; Path=/; HttpOnly", "theme=dark; Path=/"]
                },
                "json": {
                  "token": "t_ada",
                  "user": {
                    "id": "u_1",
                    "name": "Ada"
                  }
                }
              }
            ]
          },
          {
            "key": "me",
            "summary": "who is signed in",
            "request": {
              "method": "GET",
              "url": "https://api.shop.test/v1/me",
              "headers": {
                "Authorization": "Bearer t_ada"
              }
            },
            "responses": [
              {
                "headers": {
                  "Cache-Control": "no-store"
                },
                "json": {
                  "email": "ada@shop.test",
                  "id": "u_1",
                  "name": "Ada"
                }
              }
            ]
          },
          {
            "key": "not-signed-in",
            "summary": "without a token there is nobody",
            "priority": 9,
            "request": {
              "method": "GET",
              "url": "https://api.shop.test/v1/me",
              "headers": {
                "Authorization": {
                  "absent": true
                }
              }
            },
            "responses": [
              {
                "status": 401,
                "headers": {
                  "WWW-Authenticate": "Bearer"
                },
                "json": {
                  "error": "not_signed_in"
                }
              }
            ]
          }
        ]
      }

      """#
    ),
    (
      path: "uploads/avatar.json",
      text: #"""
      {
        "scenario": "uploads/avatar",
        "summary": "A picture is uploaded, then downloaded again",
        "tags": ["uploads"],
        "includes": ["session/signed-in"],
        "stubs": [
          {
            "key": "upload",
            "summary": "exactly these bytes",
            "request": {
              "method": "PUT",
              "url": "https://api.shop.test/v1/me/avatar",
              "headers": {
                "Authorization": {
                  "matches": "Bearer .+"
                },
                "Content-Type": "image/gif"
              },
              "body": {
                "binaryEqualTo": "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
              }
            },
            "responses": [
              {
                "status": 204,
                "headers": {
                  "ETag": "\"v2\""
                }
              }
            ]
          },
          {
            "key": "empty",
            "summary": "an upload without content",
            "priority": 6,
            "request": {
              "method": "PUT",
              "url": "https://api.shop.test/v1/me/avatar",
              "body": {
                "absent": true
              }
            },
            "responses": [
              {
                "status": 400,
                "json": {
                  "error": "no_content"
                }
              }
            ],
            "then": "fail"
          },
          {
            "key": "download",
            "request": {
              "method": "GET",
              "url": "https://api.shop.test/v1/me/avatar",
              "cookies": {
                "session": {
                  "anything": true
                }
              }
            },
            "responses": [
              {
                "headers": {
                  "Content-Type": "image/gif",
                  "ETag": "\"v2\""
                },
                "base64": "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
              }
            ]
          }
        ]
      }

      """#
    ),
  ]
}
