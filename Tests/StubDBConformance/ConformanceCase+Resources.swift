extension ConformanceCase {
  private static let items = #"""
    {"key": "items",
     "resource": {"at": "/v1/items", "id": "integer", "seed": [
       {"id": 1, "name": "Ada", "tags": ["a", "b"]}, {"id": 7, "name": "Bob"}, {"id": 3, "name": "Ada"}]}},
    {"key": "rest", "responses": [{"status": 418}]}
    """#

  private static func item(
    _ method: String, _ path: String, _ text: String = ""
  ) -> ConformanceRequest {
    .send(method, "https://a.test/v1/items\(path)", ["Content-Type": "application/json"], text)
  }

  private static func typed(_ type: String, _ text: String) -> ConformanceRequest {
    .send("POST", "https://a.test/v1/items", ["Content-Type": type], text)
  }

  private static func found(_ body: String) -> ConformanceOutcome {
    .response(stub: "items", headers: ["Content-Type": ["application/json"]], body: body)
  }

  private static func problem(_ status: Int, _ detail: String) -> ConformanceOutcome {
    .response(
      stub: "items", status: status, headers: ["Content-Type": ["application/problem+json"]],
      body: #"{"detail":"\#(detail)","status":\#(status)}"#)
  }

  static let resources: [ConformanceCase] = [
    play(
      "items of a resource are created, read, replaced, changed and removed", items,
      (
        item("POST", "", #"{"name": "Cy"}"#),
        .response(stub: "items", status: 201, body: #"{"id":8,"name":"Cy"}"#)
      ),
      (item("GET", "/8"), found(#"{"id":8,"name":"Cy"}"#)),
      (item("PUT", "/8", #"{"n": 1.50}"#), found(#"{"id":8,"n":1.50}"#)),
      (item("PUT", "/9", #"{"id": 9}"#), .response(stub: "items", status: 201, body: #"{"id":9}"#)),
      (
        item("PATCH", "/1", #"{"tags": null, "home": {"town": "Rom", "zip": null}}"#),
        found(#"{"home":{"town":"Rom"},"id":1,"name":"Ada"}"#)
      ),
      (item("DELETE", "/7"), .response(stub: "items", status: 204)),
      (
        item("GET", ""),
        found(
          #"[{"home":{"town":"Rom"},"id":1,"name":"Ada"},{"id":3,"name":"Ada"},{"id":8,"n":1.50},{"id":9}]"#
        )
      ),
      (item("HEAD", "/8"), .response(stub: "items")),
      (item("POST", "", "{}"), .response(stub: "items", status: 201, body: #"{"id":10}"#)),
      (typed("text/plain", "{}"), .response(stub: "items", status: 201, body: #"{"id":11}"#))),
    play(
      "an id that is null is left out", items,
      (
        item("POST", "", #"{"id": null, "name": "Cy"}"#),
        .response(stub: "items", status: 201, body: #"{"id":8,"name":"Cy"}"#)
      ),
      (item("PUT", "/8", #"{"id": null, "n": 1}"#), found(#"{"id":8,"n":1}"#)),
      (item("PATCH", "/8", #"{"id": null, "m": 2}"#), found(#"{"id":8,"m":2,"n":1}"#)),
      (
        item("PUT", "/9", #"{"id": null}"#),
        .response(stub: "items", status: 201, body: #"{"id":9}"#)
      ),
      (item("POST", "", #"{"id": true}"#), problem(400, #"\"id\" of an item is a whole number"#))),
    play(
      "what a resource cannot do is refused with its reason", items,
      (item("GET", "/2"), problem(404, #"there is no item \"2\""#)),
      (item("PATCH", "/2", "{}"), problem(404, #"there is no item \"2\""#)),
      (item("DELETE", "/2"), problem(404, #"there is no item \"2\""#)),
      (item("PUT", "/x", "{}"), problem(404, #"there is no item \"x\""#)),
      (item("PUT", "/03", "{}"), problem(404, #"there is no item \"03\""#)),
      (item("POST", "", #"{"id": 3}"#), problem(409, #"there is an item \"3\" already"#)),
      (item("POST", "", #"{"id": "3"}"#), problem(400, #"\"id\" of an item is a whole number"#)),
      (item("PUT", "/3", #"{"id": 4}"#), problem(409, #"\"id\" of an item is that of its URL"#)),
      (item("PATCH", "/3", #"{"id": 4}"#), problem(409, #"\"id\" of an item is that of its URL"#)),
      (item("POST", "", "[]"), problem(400, "an item is a JSON object of at most 64 levels")),
      (item("PATCH", "/3", "1"), problem(400, "an item is a JSON object of at most 64 levels")),
      (
        typed("text/plain", "name: Ada"), problem(415, "an item is JSON; this is text/plain")
      ),
      (
        item("POST", "/3", "{}"),
        .response(
          stub: "items", status: 405, headers: ["Allow": ["GET, HEAD, PUT, PATCH, DELETE"]],
          body: #"{"detail":"the URL has other methods","status":405}"#)
      ),
      (
        item("DELETE", ""),
        .response(
          stub: "items", status: 405, headers: ["Allow": ["GET, HEAD, POST"]],
          body: #"{"detail":"the URL has other methods","status":405}"#)
      )),
    play(
      "a resource has the URL of its list and those of its items", items,
      (item("GET", "/1/tags"), .response(stub: "rest", status: 418)),
      (item("GET", "/"), .response(stub: "rest", status: 418)),
      (item("GET", "s"), .response(stub: "rest", status: 418)),
      (.get("https://a.test/v2/v1/items"), .response(stub: "rest", status: 418)),
      (.get("http://b.test:81/v1/items/7"), found(#"{"id":7,"name":"Bob"}"#))),
    play(
      "a query selects items by their members", items,
      (item("GET", "?name=Ada&id=3"), found(#"[{"id":3,"name":"Ada"}]"#)),
      (item("GET", "?id=3&id=7"), found(#"[{"id":7,"name":"Bob"},{"id":3,"name":"Ada"}]"#)),
      (item("GET", "?tags=b"), found(#"[{"id":1,"name":"Ada","tags":["a","b"]}]"#)),
      (item("GET", "?name=Cy"), found("[]")),
      (item("GET", "?id=7&apikey=x"), found(#"[{"id":7,"name":"Bob"}]"#))),
    play(
      "a list has pages",
      #"""
      {"key": "items", "request": {"query": {"key": "k"}},
       "resource": {"at": "/v1/items", "page": {"limit": "limit", "offset": "from"}, "seed": [
         {"id": "a", "key": 1}, {"id": "b"}, {"id": "c"}, {"id": "d"}, {"id": "e"}]}}
      """#,
      (
        page("key=k"),
        listed(#"[{"id":"a","key":1},{"id":"b"},{"id":"c"},{"id":"d"},{"id":"e"}]"#, total: 5)
      ),
      (page("key=k&limit=2&from=2"), listed(#"[{"id":"c"},{"id":"d"}]"#, total: 5)),
      (page("key=k&from=4"), listed(#"[{"id":"e"}]"#, total: 5)),
      (page("key=k&limit=2&from=9"), listed("[]", total: 5)),
      (page("key=k&id=b&id=c&limit=1"), listed(#"[{"id":"b"}]"#, total: 2)),
      (page("key=k&limit=0"), problem(400, #"\"limit\" is a whole number from 1"#)),
      (page("key=k&from=-1"), problem(400, #"\"from\" is a whole number from 0"#))),
    play(
      "pages are counted",
      #"""
      {"key": "items", "resource": {"at": "/v1/items", "page": {"limit": "n", "number": "page", "size": 2},
        "seed": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}}
      """#,
      (page(""), listed(#"[{"id":"a"},{"id":"b"}]"#, total: 3)),
      (page("page=2"), listed(#"[{"id":"c"}]"#, total: 3)),
      (page("page=2&n=1"), listed(#"[{"id":"b"}]"#, total: 3)),
      (page("page=9223372036854775807"), listed("[]", total: 3)),
      (page("page=0"), problem(400, #"\"page\" is a whole number from 1"#))),
    play(
      "responses come before the resource, and the last one gives it header fields",
      #"""
      {"key": "items", "resource": {"at": "/v1/items"},
       "responses": [{"status": 503, "repeat": 2}, {"headers": {"X-Kind": "items"}}]}
      """#,
      (item("POST", "", "{}"), .response(stub: "items", status: 503)),
      (item("GET", ""), .response(stub: "items", status: 503)),
      (item("GET", ""), .response(stub: "items", headers: ["X-Kind": ["items"]], body: "[]"))),
    play(
      "a resource that is only read leaves other methods to others",
      #"""
      {"key": "items", "request": {"method": "GET"}, "resource": {"at": "/v1/items"}},
      {"key": "rest", "responses": [{"status": 418}]}
      """#,
      (item("GET", ""), found("[]")), (item("HEAD", ""), .response(stub: "items")),
      (item("POST", "", "{}"), .response(stub: "rest", status: 418))),
    play(
      "an id is any text, decoded",
      #"{"key": "items", "resource": {"at": "/v1/items", "id": {"member": "sku", "kind": "uuid"}}}"#,
      (
        item("POST", "", #"{"sku": "a b/é"}"#),
        .response(stub: "items", status: 201, body: #"{"sku":"a b/é"}"#)
      ),
      (item("GET", "/a%20b%2F%C3%A9"), found(#"{"sku":"a b/é"}"#)),
      (
        item("POST", "", #"{"sku": ""}"#),
        problem(400, #"\"sku\" of an item is a text that is not empty"#)
      ),
      (item("PUT", "/x", "{}"), .response(stub: "items", status: 201, body: #"{"sku":"x"}"#))),
  ]

  private static func page(_ query: String) -> ConformanceRequest {
    .get("https://a.test/v1/items?\(query)")
  }

  private static func listed(_ body: String, total: Int) -> ConformanceOutcome {
    .response(stub: "items", headers: ["X-Total-Count": ["\(total)"]], body: body)
  }
}
