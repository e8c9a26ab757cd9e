import Foundation

extension ConformanceCase {
  private static func form(
    _ name: String, _ pattern: String, _ yes: [String], not: [String], off: String...
  ) -> ConformanceCase {
    ConformanceCase(
      name: name,
      document: """
        {"scenario": "conformance", "stubs": [{"key": "stub", "request": {"body": {"form": \(pattern)}}}]}
        """,
      steps: yes.map { Step(request: .post($0), outcome: .response(stub: "stub")) }
        + not.map { Step(request: .post($0), outcome: .unmatched(off: off)) })
  }

  static let forms: [ConformanceCase] = [
    form(
      "fields of a form are decoded", #"{"na me": "J\u00fcrgen & Co", "n": {"lessThanNumber": 5}}"#,
      ["na+me=J%C3%BCrgen+%26+Co&n=4", "n=4&na%20me=J%C3%BCrgen%20%26%20Co&more=1"],
      not: ["na+me=Jurgen+%26+Co&n=4"], off: "form na me"),
    form(
      "a field that comes several times", #"{"a": ["1", "2"], "b": {"absent": true}}"#, ["a=2&a=1"],
      not: ["a=1", "a=1&a=2&a=3"], off: "form a"),
    form(
      "a field without a value is empty", #"{"a": "", "b": ""}"#, ["a&b=", "a=&b"], not: ["a"],
      off: "form b"),
    form(
      "an empty body is a form without fields", #"{"a": {"absent": true}}"#, ["", "b=1"],
      not: ["a"], off: "form a"),
    row(
      "an exact form has no other fields, and each of its own once",
      #"{"body": {"form": {"a": "1", "b": {"anything": true}, "c": ["1", "2"]}, "isExact": true}}"#,
      matches: [.post("a=1&c=1&c=2"), .post("c=2&b=1&a=1&c=1&b=2")], not: [], off: "form d"),
    row(
      "a field that an exact form does not have",
      #"{"body": {"form": {"a": "1"}, "isExact": true}}"#,
      matches: [.post("a=1")], not: [.post("a=1&d=1"), .post("d=&a=1&d=2")], off: "form d"),
    row(
      "a field that an exact form has once",
      #"{"body": {"form": {"a": "1"}, "isExact": true}}"#,
      not: [.post("a=1&a=2"), .post("a=1&a=1")], off: "form a"),
    row(
      "an exact form tells names by their bytes",
      #"{"body": {"form": {"é": "1"}, "isExact": true}}"#,
      matches: [.post("%C3%A9=1")], not: [.post("%C3%A9=1&e%CC%81=2")], off: "form e\u{301}"),
    row(
      "an exact form without fields", #"{"body": {"form": {}, "isExact": true}}"#,
      matches: [.post("")], not: [.post("a=1")], off: "form a"),
    row(
      "a body that is not text is not a form", #"{"body": {"form": {"a": {"absent": true}}}}"#,
      not: [.post(bytes: [0x61, 0xFF]), .postUnknown], off: "body"),
  ]

  private static func upload(
    _ text: String, type: String = "multipart/form-data; boundary=\"x y\""
  ) -> ConformanceRequest {
    .send(
      "POST", "https://a.test/", ["Content-Type": type],
      text.replacingOccurrences(of: "\n", with: "\r\n"))
  }

  private static let avatar = """
    preamble
    --x y
    Content-Disposition: form-data; name="user"

    {"id": 7}
    --x y
    content-disposition: form-data; name=avatar; filename="me \\"1\\".png"
    Content-Type: image/png

    one
    two
    --x y--
    epilogue
    """

  static let multiparts: [ConformanceCase] = [
    row(
      "exact parts",
      #"{"body": {"multipart": [{"name": "user"}, {"name": "avatar"}], "isExact": true}}"#,
      matches: [upload(avatar)]),
    row(
      "a part that exact parts do not have",
      #"{"body": {"multipart": [{"name": "user"}], "isExact": true}}"#,
      not: [upload(avatar)], off: "part avatar"),
    row(
      "exact parts of which two are one",
      #"{"body": {"multipart": [{"name": "user"}, {"name": "user"}], "isExact": true}}"#,
      not: [upload(avatar)], off: "part avatar"),
    row(
      "exact parts, some with a pattern in common",
      #"{"body": {"multipart": [{"name": "avatar"}, {}], "isExact": true}}"#,
      matches: [upload(avatar)]),
    row(
      "parts by name", #"{"body": {"multipart": [{"name": "avatar"}, {"name": "user"}]}}"#,
      matches: [upload(avatar)], not: [upload("--x y\n\n\n--x y--")],
      off: "part avatar", "part user"),
    row(
      "parts by file name, header fields and content",
      #"{"body": {"multipart": [{"name": "avatar", "filename": {"matches": ".+\\.png"}, "headers": {"content-type": "image/png"}, "body": {"contains": "one\r\ntwo"}}]}}"#,
      matches: [upload(avatar)],
      not: [upload(avatar.replacingOccurrences(of: "image/png", with: "image/gif"))],
      off: "part avatar header content-type"),
    row(
      "quotes in a file name", #"{"body": {"multipart": [{"filename": "me \"1\".png"}]}}"#,
      matches: [upload(avatar)]),
    row(
      "a file name in its extended form",
      #"{"body": {"multipart": [{"filename": "na\u00efve.txt"}]}}"#,
      matches: [
        upload(
          """
          --x y
          Content-Disposition: form-data; name="f"; filename="naive.txt"; filename*=UTF-8''na%C3%AFve.txt

          --x y--
          """)
      ]),
    row(
      "JSON in a part",
      #"{"body": {"multipart": [{"name": "user", "body": {"equalToJson": {"id": 8}}}]}}"#,
      matches: [upload(avatar.replacingOccurrences(of: "7", with: "8"))], not: [upload(avatar)],
      off: "part user body"),
    row(
      "the boundary does not count", #"{"body": {"multipart": [{"name": "user"}]}}"#,
      matches: [
        upload(avatar),
        upload(
          avatar.replacingOccurrences(of: "x y", with: "zz"),
          type: "multipart/form-data; boundary=zz"),
      ],
      not: [
        upload(avatar, type: "multipart/form-data; boundary=zz"),
        upload(avatar, type: "text/plain"),
        .post(avatar), upload("--x y\n\nno end"),
      ], off: "body"),
    row(
      "a line of content that begins with the boundary ends no part",
      #"{"body": {"multipart": [{"name": "a", "body": {"matches": "1.*2"}}]}}"#,
      matches: ["--x y-x", "--x yz", "--x y z", "--x y\t-", "--x y--z"].map {
        upload("--x y\ncontent-disposition: form-data; name=a\n\n1\n\($0)\n2\n--x y--\n")
      } + [
        .send(
          "POST", "https://a.test/", ["Content-Type": "multipart/form-data; boundary=b"],
          "--b \t\r\ncontent-disposition: form-data; name=a\r\n\r\n1\n--b\n\r--b\r2\r\n--b--"),
        .send(
          "POST", "https://a.test/", ["Content-Type": "multipart/form-data; boundary=b"],
          "--b\ncontent-disposition: form-data; name=a\n\n1\n2\n--b-- \n"),
      ],
      not: [
        upload("--x y\ncontent-disposition: form-data; name=a\n\n1\n--x y\n2\n--x y--\n")
      ], off: "part a body"),
  ]

  private static func graphQL(
    _ name: String, _ pattern: String, _ yes: [String], not: [String], off: String
  ) -> ConformanceCase {
    row(
      name, "{\"body\": {\"graphql\": \(pattern)}}", matches: yes.map { .post($0) },
      not: not.map { .post($0) }, off: off)
  }

  static let graphQLs: [ConformanceCase] = [
    graphQL(
      "a GraphQL operation by its name", #"{"operationName": {"matches": "Get.*"}}"#,
      [#"{"operationName": "GetUser", "query": "query GetUser { user { id } }"}"#],
      not: [#"{"operationName": "SetUser", "query": "{ user }"}"#, #"{"query": "{ GetUser }"}"#],
      off: "graphql operationName"),
    graphQL(
      "a GraphQL query whatever its white space",
      ##"{"query": "query GetUser($id: ID!) {\n  user(id: $id, at: \"a  b\") { id, name }\n}"}"##,
      [
        ##"{"query": "query GetUser($id:ID!){user(id:$id at:\"a  b\"){id name}}"}"##,
        ##"{"query": "# all of it\nquery GetUser ($id: ID!) { user (id: $id, at: \"a  b\") { id name } }"}"##,
      ],
      not: [
        ##"{"query": "query GetUser($id:ID!){user(id:$id at:\"a b\"){id name}}"}"##,
        ##"{"query": "query GetUser($id:ID!){user(id:$id at:\"a  b\"){name id}}"}"##,
        #"{"operationName": "GetUser"}"#, #"{"query": "{ \" }"}"#,
      ], off: "graphql query"),
    graphQL(
      "GraphQL variables are compared as JSON",
      #"{"variables": {"id": 1, "at": "${json-unit.any-string}"}}"#,
      [#"{"query": "{a}", "variables": {"at": "x", "id": 1.0}}"#],
      not: [#"{"query": "{a}", "variables": {"at": "x", "id": 2}}"#, #"{"query": "{a}"}"#],
      off: "body"),
    graphQL(
      "no variables are an empty object", #"{"variables": {}}"#,
      [
        #"{"query": "{a}"}"#, #"{"query": "{a}", "variables": null}"#,
        #"{"query": "{a}", "variables": {}}"#,
      ],
      not: [#"{"query": "{a}", "variables": {"id": 2}}"#, "{}", "[]", "x"], off: "body"),
    row(
      "a GraphQL request in the URL of a GET",
      """
      {"url": "/graphql", "body": {"graphql": {
        "operationName": "GetUser", "variables": {"id": 1}, "query": "query GetUser { user }" }}}
      """,
      matches: [
        .get(graphQLURL + "&operationName=GetUser&variables=%7B%22id%22:1%7D"),
        .get(graphQLURL + "&variables=%7B%22id%22:1.0%7D&operationName=GetUser&operationName=x"),
      ],
      not: [
        .get(graphQLURL + "&operationName=GetUser&variables=%7B%22id%22:2%7D"),
        .get(graphQLURL + "&operationName=GetUser&variables=%7B%22id%22:1"),
        .get("https://a.test/graphql?other=1"),
        .send("DELETE", graphQLURL + "&operationName=GetUser&variables=%7B%22id%22:1%7D"),
      ], off: "body"),
  ]

  private static let graphQLURL = "https://a.test/graphql?query=query+GetUser%20%7B%20user%20%7D"

  private static func coded(_ coding: String, _ bytes: [UInt8]) -> ConformanceRequest {
    var request = ConformanceRequest.send("POST", "https://a.test/", ["Content-Encoding": coding])
    request.body = .bytes(Data(bytes))
    return request
  }

  /// `{"amount": 1200}` with each of the codings.
  private static let gzipped: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 171, 86, 74, 204, 205, 47, 205, 43, 81, 178, 82, 48, 52, 50,
    48, 168, 5, 0, 172, 198, 140, 5, 16, 0, 0, 0,
  ]
  private static let zlibbed: [UInt8] = [
    120, 156, 171, 86, 74, 204, 205, 47, 205, 43, 81, 178, 82, 48, 52, 50, 48, 168, 5, 0, 45, 192,
    4, 238,
  ]
  private static let deflated: [UInt8] = [
    171, 86, 74, 204, 205, 47, 205, 43, 81, 178, 82, 48, 52, 50, 48, 168, 5, 0,
  ]

  static let contentCodings: [ConformanceCase] = [
    row(
      "a compressed body is compared without its coding",
      #"{"body": [{"equalToJson": {"amount": 1200}}, {"matchesJsonPath": "$.amount"}, {"contains": "1200"}]}"#,
      matches: [
        coded("gzip", gzipped), coded("X-GZIP", gzipped), coded("deflate", zlibbed),
        coded("deflate", deflated), coded("identity", Array(#"{"amount": 1200}"#.utf8)),
      ]),
    row(
      "bytes are compared with and without their coding",
      #"{"body": {"binaryEqualTo": "H4sIAAAAAAAC/6tWSszNL80rUbJSMDQyMKgFAKzGjAUQAAAA"}}"#,
      matches: [coded("gzip", gzipped), .post(bytes: gzipped)], not: [coded("deflate", zlibbed)],
      off: "body"),
    row(
      "a coding that cannot be undone leaves the body unknown",
      #"{"body": {"or": [{"contains": "1200"}, {"doesNotContain": "x"}, {"absent": true}]}}"#,
      not: [
        coded("gzip", Array(gzipped.dropLast(9))), coded("br", gzipped), coded("gzip", zlibbed),
        coded("deflate", [6, 7, 8]),
      ], off: "body"),
    row(
      "an empty body has no coding", #"{"body": {"absent": true}}"#, matches: [coded("gzip", [])]),
  ]
}
