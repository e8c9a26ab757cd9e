extension ConformanceCase {
  private static func one(_ response: String, path: String = "/**") -> String {
    """
    {"key": "a", "request": {"path": "\(path)"}, "responses": [{\(response), "template": true}]}
    """
  }

  private static func text(
    _ name: String, _ template: String, _ request: ConformanceRequest, _ body: String,
    path: String = "/**"
  ) -> ConformanceCase {
    play(
      name, one("\"text\": \"\(template)\"", path: path),
      (request, .response(stub: "a", body: body)))
  }

  private static let order = ConformanceRequest.send(
    "POST", "https://a.test:8443/shop/7?page=2&tag=a&tag=b",
    ["Content-Type": "application/json", "X-Id": "h", "Cookie": "s=c"],
    #"{"name": "Ä \"b\"", "n": 1.50, "items": [{"id": 1}, {"id": 2}]}"#)

  static let templates: [ConformanceCase] = [
    text(
      "a template takes parts of the URL",
      "{{request.method}} {{request.scheme}} {{request.host}} {{request.port}} {{request.baseUrl}} "
        + "{{request.path}} {{request.path.id}} {{request.path.0}} {{request.pathSegments.1}}",
      order, "POST https a.test 8443 https://a.test:8443 /shop/7 7 shop 7", path: "/shop/{id}"),
    text(
      "a template takes query, header fields and cookies",
      "{{request.query.page}} {{request.query.tag.1}} {{request.headers.x-id}} {{request.cookies.s}}",
      order, "2 b h c"),
    text(
      "a template takes the URL as WireMock does, and the whole",
      "{{request.url}} {{request.absoluteUrl}} {{request.query.tag.first}}{{request.query.tag.last}}"
        + "{{request.query.tag.[-1]}} {{request.pathSegments.last}} {{request.query.page.last}}",
      order,
      "/shop/7?page=2&tag=a&tag=b https://a.test:8443/shop/7?page=2&tag=a&tag=b aba 7 2"),
    text(
      "a template looks into XML and texts",
      "{{xPath request.body '/o/id/text()'}} {{soapXPath '<s:Envelope xmlns:s=\\\"urn:s\\\"><s:Body><a>1</a></s:Body></s:Envelope>' '/a'}} "
        + "{{regexExtract request.body '<(id)>(\\\\d+)' 'p'}}{{p.0}}={{p.1}} {{matches '1٣' '\\\\d+' no='no'}}",
      .post("<o><id>12</id></o>"), "12 1 id=12 no"),
    text(
      "a template changes JSON and dates",
      "{{jsonRemove request.body '$.items[?@.id == 1]'}} {{jsonSort '[2,10,1]' '$' order='desc'}} "
        + "{{truncateDate '2026-11-21T08:30:00Z' 'last day of month'}} {{jsonPath request.body '$.none' default='d'}}",
      order, #"{"items":[{"id":2}],"n":1.50,"name":"Ä \"b\""} [10,2,1] 2026-11-30T00:00:00Z d"#),
    text(
      "a template takes the content",
      "{{request.json.n}} {{jsonPath request.body '$.items[*].id'}} {{size request.body}}", order,
      "1.50 [1,2] 63"),
    text(
      "a text without braces stays",
      "a } b { {{#if request.query.none}}x{{else}}y{{/if}} \\\\{{z}}", order, "a } b { y {{z}}"),
    play(
      "a JSON template stays JSON",
      one(
        #"""
        "json": {"name": "{{request.json.name}}", "n": "{{json request.json.n}}", "all": "{{json request.json.items}}",
                 "text": "n={{request.json.n}}", "{{request.query.page}}": true, "fixed": [1.0, null]}
        """#),
      (
        order,
        .response(
          stub: "a", headers: ["Content-Type": ["application/json"]],
          body: #"{"2":true,"all":[{"id":1},{"id":2}],"fixed":[1.0,null],"n":1.50,"#
            + #""name":"Ä \"b\"","text":"n=1.50"}"#)
      )),
    play(
      "a JSON template repeats and leaves out parts",
      one(
        #"""
        "json": {
          "rows": {"{{#each request.json.items as |item i|}}": {"id": "{{json item.id}}", "at": "{{json i}}"}},
          "more": [0, {"{{#each request.json.items}}": "{{json this.id}}"}, 9],
          "page": {"{{#if (eq request.query.page 2)}}": "second", "{{else}}": "other"},
          "gone": {"{{#unless request.query.page}}": 1}}
        """#),
      (
        order,
        .response(
          stub: "a",
          body: #"{"more":[0,1,2,9],"page":"second","rows":[{"at":0,"id":1},{"at":1,"id":2}]}"#)
      )),
    play(
      "header fields and the status are templates",
      one(
        #"""
        "status": "{{#if request.json.n}}201{{else}}422{{/if}}",
        "headers": {"Location": "{{request.baseUrl}}/orders/{{request.path.0}}"}
        """#),
      (
        order,
        .response(
          stub: "a", status: 201, headers: ["Location": ["https://a.test:8443/orders/shop"]])
      ),
      (.get("https://a.test/x"), .response(stub: "a", status: 422))),
    play(
      "the base of URLs is the host that was asked",
      one(#""text": "{{baseURL}}/next {{#each request.json.list}}{{baseURL}}{{/each}}""#),
      (
        .get("https://a.test:8443/x"), .response(stub: "a", body: "https://a.test:8443/next ")
      )),
    play(
      "counters count the answers that use them",
      #"""
      {"key": "a", "request": {"path": "/a"}, "responses": [{"text": "{{counter 'n'}}{{counter 'n'}} {{answer.number}}", "template": true}]},
      {"key": "b", "responses": [{"text": "{{counter 'n' from=10}} {{counter}}", "template": true}]}
      """#,
      (.get("https://a.test/a"), .response(stub: "a", body: "11 1")),
      (.get("https://a.test/b"), .response(stub: "b", body: "11 1")),
      (.get("https://a.test/a"), .response(stub: "a", body: "33 2"))),
    play(
      "pieces are templates",
      one(#""chunks": [{"text": "{{request.path}}"}, {"json": ["{{request.query.q}}"]}]"#),
      (.get("https://a.test/x?q=1"), .pieces(stub: "a", body: #"/x["1"]"#, [(2, 0), (5, 0)]))),
    play(
      "a range is one of the content that was filled in",
      one(#""text": "0{{request.query.q}}9""#),
      (
        .get("https://a.test/?q=1234", ["Range": "bytes=1-2"]),
        .response(
          stub: "a", status: 206, headers: ["Content-Range": ["bytes 1-2/6"]], body: "12")
      )),
    play(
      "without the mark braces are text",
      #"{"key": "a", "responses": [{"text": "{{request.path}}", "headers": {"X-A": "{{x}}"}}]}"#,
      (
        .get("https://a.test/"),
        .response(stub: "a", headers: ["X-A": ["{{x}}"]], body: "{{request.path}}")
      )),
    play(
      "a template that does not fit is an error",
      one(#""text": "{{math request.query.n '+' 1}}""#),
      (.get("https://a.test/?n=1"), .response(stub: "a", body: "2")),
      (.get("https://a.test/?n=x"), .error(stub: "a", domain: "StubDB", code: -1))),
  ]
}
