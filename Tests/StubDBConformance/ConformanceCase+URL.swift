extension ConformanceCase {
  static let method: [ConformanceCase] = [
    row(
      "a method matches itself only", #"{"method": "POST"}"#,
      matches: [.send("POST", "https://a.test/")], not: [.get("https://a.test/")], off: "method"),
    row(
      "a list of methods matches each of them", #"{"method": ["PUT", "PATCH"]}"#,
      matches: [.send("PUT", "https://a.test/"), .send("PATCH", "https://a.test/")],
      not: [.send("DELETE", "https://a.test/")], off: "method"),
    row(
      "methods are case-sensitive", #"{"method": "PURGE"}"#,
      matches: [.send("PURGE", "https://a.test/")],
      not: [.send("Purge", "https://a.test/").forEngineOnly], off: "method"),
    row(
      "without a method any matches", #"{"url": "/x"}"#,
      matches: [.get("https://a.test/x"), .send("DELETE", "https://b.test/x")]),
    row("an empty pattern matches everything", "{}", matches: [.get("http://z.test:99/?q")]),
  ]

  static let origins: [ConformanceCase] = [
    row(
      "a host matches in any case", #"{"url": "https://API.a.test/"}"#,
      matches: [.get("https://api.A.test/")], not: [.get("https://b.test/")], off: "host"),
    row(
      "an IDNA host matches in both spellings", #"{"host": "bücher.test"}"#,
      matches: [.get("https://xn--bcher-kva.test/"), .get("https://bücher.test/").forEngineOnly]),
    row(
      "an IPv6 host matches in every spelling", #"{"url": "http://[::1]/"}"#,
      matches: [.get("http://[0:0:0:0:0:0:0:1]/"), .get("http://[::1]:80/")],
      not: [.get("http://[::2]/")], off: "host"),
    row(
      "a scheme has its default port", #"{"url": "https://a.test/"}"#,
      matches: [.get("https://a.test:443/"), .get("https://a.test/")],
      not: [.get("https://a.test:8443/")], off: "port"),
    row(
      "another scheme is another place", #"{"url": "https://a.test/"}"#,
      not: [.get("http://a.test/")], off: "scheme"),
    row(
      "a port given matches the default that is left out", #"{"port": 443, "host": "a.test"}"#,
      matches: [.get("https://a.test/")], not: [.get("http://a.test/")], off: "port"),
    row(
      "without scheme and port any port matches", #"{"host": "a.test"}"#,
      matches: [.get("https://a.test:8443/"), .get("http://a.test:81/x")]),
    row(
      "a host pattern ignores case", #"{"host": {"matches": "API-[0-9]+\\.a\\.test"}}"#,
      matches: [.get("https://api-7.a.test/")], not: [.get("https://api.a.test/")], off: "host"),
    row(
      "a host may be one of several",
      #"{"host": {"or": [{"equalTo": "A.test"}, {"contains": "STAGING"}]}}"#,
      matches: [.get("https://a.test/"), .get("https://x.staging.test/")],
      not: [.get("https://c.test/")], off: "host"),
    row(
      "a URL without a host is at no host", #"{"host": {"absent": true}, "path": "/x"}"#,
      matches: [ConformanceRequest.get("/x").forEngineOnly], not: [.get("https://a.test/x")],
      off: "host"),
    row(
      "a URL without an origin may be at any",
      #"{"url": "https://a.test:8443/x", "query": {"n": "1"}}"#,
      matches: [ConformanceRequest.get("/x?n=1").forEngineOnly],
      not: [ConformanceRequest.get("/x?n=2").forEngineOnly], off: "query n"),
    row(
      "a whole URL is compared from its path on with one without an origin",
      #"{"url": {"equalTo": "https://a.test/x?n=1"}}"#,
      matches: [ConformanceRequest.get("/x?n=1").forEngineOnly],
      not: [ConformanceRequest.get("/y?n=1").forEngineOnly], off: "url"),
  ]

  static let wholeURLs: [ConformanceCase] = [
    row(
      "an expression may look at the whole URL",
      #"{"url": {"matches": "https://[^/]+/v[0-9]+/items(\\?page=[0-9]+)?"}}"#,
      matches: [.get("https://a.test/v1/items"), .get("https://b.test/v22/items?page=3")],
      not: [.get("https://a.test/v1/items?page=x"), .get("http://a.test/v1/items")], off: "url"),
    row(
      "the whole URL is in canonical encoding, without default port and fragment",
      #"{"url": {"equalTo": "HTTPS://A.test:443/caf%c3%a9?b=1&a=%7e#x"}}"#,
      matches: [
        .get("https://a.test/caf%C3%A9?b=1&a=~"), .get("https://a.test/caf%C3%A9?b=1&a=%7E"),
      ],
      not: [.get("https://a.test/caf%C3%A9?a=~&b=1")], off: "url"),
    row(
      "an operator on the URL goes together with the parts",
      #"{"url": {"contains": "/v2/"}, "host": "a.test", "query": {"q": "1"}}"#,
      matches: [.get("https://a.test/v2/x?q=1")], not: [.get("https://a.test/v2/x?q=2")],
      off: "query q"),
    row(
      "every operator of a value may look at the URL",
      #"{"url": {"and": [{"doesNotContain": "staging"}, {"not": {"contains": "?"}}]}}"#,
      matches: [.get("https://a.test/x")],
      not: [.get("https://staging.a.test/x"), .get("https://a.test/x?y")], off: "url"),
  ]

  static let paths: [ConformanceCase] = [
    row(
      "a path matches exactly", #"{"path": "/a/b"}"#, matches: [.get("https://a.test/a/b")],
      not: [.get("https://a.test/a/B"), .get("https://a.test/a/b/"), .get("https://a.test/a")],
      off: "path"),
    row(
      "a trailing slash counts", #"{"path": "/a/"}"#, matches: [.get("https://a.test/a/")],
      not: [.get("https://a.test/a")], off: "path"),
    row(
      "an empty path is a slash", #"{"url": "https://a.test"}"#,
      matches: [.get("https://a.test/"), .get("https://a.test")]),
    row(
      "percent-encoding has one meaning", #"{"path": "/caf%c3%a9/%7Euser"}"#,
      matches: [.get("https://a.test/caf%C3%A9/~user"), .get("https://a.test/caf%c3%a9/%7euser")],
      not: [.get("https://a.test/cafe/~user")], off: "path"),
    row(
      "an encoded slash does not separate", #"{"path": "/a%2Fb"}"#,
      matches: [.get("https://a.test/a%2fb")], not: [.get("https://a.test/a/b")], off: "path"),
    row(
      "a placeholder takes one segment", #"{"url": "https://a.test/users/{id}/posts"}"#,
      matches: [.get("https://a.test/users/7/posts"), .get("https://a.test/users/%2F/posts")],
      not: [
        .get("https://a.test/users//posts"), .get("https://a.test/users/7/8/posts"),
        .get("https://a.test/users/7"),
      ], off: "path"),
    row(
      "two asterisks take any number of segments", #"{"path": "/a/**"}"#,
      matches: [
        .get("https://a.test/a"), .get("https://a.test/a/"), .get("https://a.test/a/b/c"),
      ], not: [.get("https://a.test/ab"), .get("https://a.test/b/a")], off: "path"),
    row(
      "two asterisks in percent-encoding stand for themselves", #"{"path": "/a/%2A%2A"}"#,
      matches: [.get("https://a.test/a/**"), .get("https://a.test/a/%2a%2A")],
      not: [.get("https://a.test/a"), .get("https://a.test/a/b")], off: "path"),
    row(
      "and do so beside a placeholder", #"{"path": "/%2A%2A/{x}"}"#,
      matches: [.get("https://a.test/**/1")], not: [.get("https://a.test/a/1")], off: "path"),
    row(
      "two asterisks in the middle go on to what follows", #"{"path": "/a/**/c/{x}/**/e"}"#,
      matches: [
        .get("https://a.test/a/c/1/e"), .get("https://a.test/a/b/c/b/c/1/2/3/e"),
      ], not: [.get("https://a.test/a/c/e"), .get("https://a.test/a/b/c/1/d")], off: "path"),
    row(
      "path parameters are compared decoded",
      #"{"path": "/u/{id}", "pathParameters": {"id": {"matches": "[a-c ]+"}}}"#,
      matches: [.get("https://a.test/u/a%20b")], not: [.get("https://a.test/u/d")],
      off: "path parameter id"),
    row(
      "a pattern for the whole path", #"{"path": {"matches": "/v[12]/.*"}}"#,
      matches: [.get("https://a.test/v1/x"), .get("https://a.test/v2/")],
      not: [.get("https://a.test/v3/x"), .get("https://a.test/x/v1/x")], off: "path"),
    row(
      "a fragment is never sent", #"{"path": "/a"}"#, matches: [.get("https://a.test/a#b")]),
  ]

  static let queries: [ConformanceCase] = [
    row(
      "query parameters match in any order, others are free", #"{"url": "/s?a=1&b=2"}"#,
      matches: [.get("https://a.test/s?b=2&c=3&a=1")], not: [.get("https://a.test/s?a=1")],
      off: "query b"),
    row(
      "an exact query has no other parameters", #"{"query": {"a": "1"}, "queryIsExact": true}"#,
      matches: [.get("https://a.test/?a=1")], not: [.get("https://a.test/?a=1&utm=x")],
      off: "query utm"),
    row(
      "an exact query has each parameter once", #"{"query": {"a": "1"}, "queryIsExact": true}"#,
      matches: [.get("https://a.test/?a=1")],
      not: [.get("https://a.test/?a=1&a=2"), .get("https://a.test/?a=1&a=1")], off: "query a"),
    row(
      "an exact query tells names by their bytes", #"{"query": {"é": "1"}, "queryIsExact": true}"#,
      matches: [.get("https://a.test/?%C3%A9=1")],
      not: [.get("https://a.test/?%C3%A9=1&e%CC%81=2")], off: "query e\u{301}"),
    row(
      "an exact query has a parameter as often as its list says",
      #"{"query": {"a": ["1", "2"], "b": {"includes": ["1"]}}, "queryIsExact": true}"#,
      matches: [.get("https://a.test/?a=2&a=1&b=1&b=3")],
      not: [.get("https://a.test/?a=1&b=1")], off: "query a"),
    row(
      "a plus and %20 are a space", #"{"query": {"q": "a b+c"}}"#,
      matches: [.get("https://a.test/?q=a+b%2Bc"), .get("https://a.test/?q=a%20b%2bc")],
      not: [.get("https://a.test/?q=a%2Bb%2Bc")], off: "query q"),
    row(
      "an empty value is a value", #"{"query": {"a": ""}}"#,
      matches: [.get("https://a.test/?a"), .get("https://a.test/?a=")],
      not: [.get("https://a.test/"), .get("https://a.test/?a=1")], off: "query a"),
    row(
      "any of repeated values may match", #"{"query": {"t": "2"}}"#,
      matches: [.get("https://a.test/?t=1&t=2")], not: [.get("https://a.test/?t=1&t=3")],
      off: "query t"),
    row(
      "a list is exactly these values", #"{"query": {"t": ["1", {"contains": "2"}]}}"#,
      matches: [.get("https://a.test/?t=1&t=12"), .get("https://a.test/?t=2&t=1")],
      not: [.get("https://a.test/?t=1"), .get("https://a.test/?t=1&t=12&t=3")], off: "query t"),
    row(
      "each pattern of a list has a value of its own",
      #"{"query": {"t": {"hasExactly": [{"contains": "a"}, {"contains": "ab"}]}}}"#,
      matches: [.get("https://a.test/?t=ab&t=a"), .get("https://a.test/?t=ab&t=ab")],
      not: [.get("https://a.test/?t=a&t=a"), .get("https://a.test/?t=ab&t=c")], off: "query t"),
    row(
      "values that are included leave others free",
      #"{"query": {"t": {"includes": ["1", "2"]}}}"#,
      matches: [.get("https://a.test/?t=3&t=2&t=1")], not: [.get("https://a.test/?t=1")],
      off: "query t"),
    row(
      "names of parameters are decoded and case-sensitive", #"{"query": {"a b[]": "1"}}"#,
      matches: [.get("https://a.test/?a+b%5B%5D=1")], not: [.get("https://a.test/?A+b%5B%5D=1")],
      off: "query a b[]"),
    row(
      "text is compared by its bytes", #"{"query": {"q": "é"}}"#,
      matches: [.get("https://a.test/?q=%C3%A9")], not: [.get("https://a.test/?q=e%CC%81")],
      off: "query q"),
    row(
      "an absent parameter", #"{"query": {"debug": {"absent": true}}}"#,
      matches: [.get("https://a.test/?x=1")], not: [.get("https://a.test/?debug")],
      off: "query debug"),
  ]
}
