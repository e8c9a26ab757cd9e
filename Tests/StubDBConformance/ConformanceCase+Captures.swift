extension ConformanceCase {
  private static func customer(
    _ method: String, _ id: Int, _ text: String = ""
  ) -> ConformanceRequest {
    .send(method, "https://a.test/customers/\(id)", ["Content-Type": "application/json"], text)
  }

  private static let customers = #"""
    {"key": "put", "request": {"method": "PUT", "path": "/customers/{id}"},
     "capture": {"customers/{{request.path.id}}": {"jsonPath": "$"}},
     "responses": [{"status": 201}]},
    {"key": "delete", "request": {"method": "DELETE", "path": "/customers/{id}",
      "captured": {"customers/{{request.path.id}}": true}},
     "capture": {"customers/{{request.path.id}}": null}, "responses": [{"status": 204}]},
    {"key": "get", "request": {"method": "GET", "path": "/customers/{id}",
      "captured": {"customers/{{request.path.id}}": true}},
     "responses": [{"json": "{{json (captured 'customers/' request.path.id)}}", "template": true}]},
    {"key": "list", "request": {"method": "GET", "path": "/customers"},
     "responses": [{"json": "{{json (capturedAll 'customers/')}}", "template": true}]},
    {"key": "missing", "responses": [{"status": 404}]}
    """#

  private static func token(_ value: String) -> ConformanceRequest {
    .get("https://a.test/me", ["Authorization": value])
  }

  static let captures: [ConformanceCase] = [
    play(
      "what is put is what is got", customers,
      (customer("GET", 7), .response(stub: "missing", status: 404)),
      (customer("PUT", 7, #"{"name": "Ada", "n": 1.50}"#), .response(stub: "put", status: 201)),
      (customer("PUT", 8, #"{"name": "Bob"}"#), .response(stub: "put", status: 201)),
      (
        customer("GET", 7),
        .response(
          stub: "get", headers: ["Content-Type": ["application/json"]],
          body: #"{"n":1.50,"name":"Ada"}"#)
      ),
      (customer("GET", 8), .response(stub: "get", body: #"{"name":"Bob"}"#)),
      (customer("GET", 9), .response(stub: "missing", status: 404)),
      (
        .get("https://a.test/customers"),
        .response(stub: "list", body: #"[{"n":1.50,"name":"Ada"},{"name":"Bob"}]"#)
      ),
      (customer("DELETE", 7), .response(stub: "delete", status: 204)),
      (customer("GET", 7), .response(stub: "missing", status: 404)),
      (customer("DELETE", 7), .response(stub: "missing", status: 404))),
    play(
      "a header field is compared with what was captured",
      #"""
      {"key": "login", "request": {"path": "/login"},
       "capture": {"token": {"template": "t-{{request.query.user}}"}},
       "responses": [{"text": "{{captured.token}}", "template": true}]},
      {"key": "me", "request": {"path": "/me", "headers": {"Authorization": {"equalToCaptured": "token"}}}}
      """#,
      (token("t-ada"), .unmatched(off: ["header Authorization"])),
      (.get("https://a.test/login?user=ada"), .response(stub: "login", body: "t-ada")),
      (token("t-bob"), .unmatched(off: ["header Authorization"])),
      (token("t-ada"), .response(stub: "me"))),
    play(
      "values come from every part of a request",
      #"""
      {"key": "keep", "request": {"method": "POST", "path": "/a/{id}"},
       "capture": {"q": {"query": "q"}, "h": {"header": "X-H"}, "c": {"cookie": "c"},
                   "p": {"pathParameter": "id"}, "j": {"jsonPath": "$.list[*]"}}},
      {"key": "show", "responses": [{"template": true,
        "text": "{{captured.q}} {{captured.h}} {{captured.c}} {{captured.p}} {{captured.j}}"}]}
      """#,
      (
        .send(
          "POST", "https://a.test/a/x%20y?q=1&q=2", ["X-H": "h", "Cookie": "c=d"],
          #"{"list": [1, "2"]}"#), .response(stub: "keep")
      ),
      (.get("https://a.test/"), .response(stub: "show", body: #"1 h d x y [1,"2"]"#))),
    play(
      "a part that is missing leaves what was captured",
      #"""
      {"key": "keep", "request": {"path": "/a"}, "capture": {"q": {"query": "q"}}},
      {"key": "show", "responses": [{"text": "{{captured.q}}", "template": true}]}
      """#,
      (.get("https://a.test/a?q=1"), .response(stub: "keep")),
      (.get("https://a.test/a"), .response(stub: "keep")),
      (.get("https://a.test/"), .response(stub: "show", body: "1"))),
    play(
      "a query, a path parameter and JSON are compared with what was captured",
      #"""
      {"key": "keep", "request": {"path": "/keep"}, "capture": {"id": {"query": "id"}}},
      {"key": "path", "request": {"path": "/p/{id}", "pathParameters": {"id": {"equalToCaptured": "id"}}}},
      {"key": "query", "request": {"path": "/q", "query": {"id": {"not": {"equalToCaptured": "id"}}}}},
      {"key": "json", "request": {"method": "POST", "body":
        {"matchesJsonPath": {"expression": "$.id", "equalToCaptured": "id"}}}}
      """#,
      (.get("https://a.test/p/7"), .unmatched()),
      (.get("https://a.test/keep?id=7"), .response(stub: "keep")),
      (.get("https://a.test/p/7"), .response(stub: "path")),
      (.get("https://a.test/q?id=8"), .response(stub: "query")),
      (.get("https://a.test/q?id=7"), .unmatched()),
      (.post(#"{"id": 7}"#), .response(stub: "json")),
      (.post(#"{"id": 8}"#), .unmatched())),
    play(
      "what is captured may satisfy a pattern",
      #"""
      {"key": "keep", "request": {"path": "/keep"}, "capture": {"plan": {"query": "plan"}}},
      {"key": "gold", "request": {"captured": {"plan": {"matches": "gold.*"}}}},
      {"key": "none", "request": {"captured": {"plan": false}}}
      """#,
      (.get("https://a.test/"), .response(stub: "none")),
      (.get("https://a.test/keep?plan=gold-2"), .response(stub: "keep")),
      (.get("https://a.test/"), .response(stub: "gold")),
      (.get("https://a.test/keep?plan=x"), .response(stub: "keep")),
      (.get("https://a.test/"), .unmatched(off: ["captured plan"]))),
  ]
}
