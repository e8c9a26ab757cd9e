import HTTPTypes
import StubDBFormats
import StubDBModel
import Testing

/// Keys and names that nobody gave.
@Suite struct DerivedNameTests {
  @Test(arguments: [
    (RequestPattern(methods: [.post], path: .template("/v1/orders")), "post-v1-orders"),
    (RequestPattern(path: .template("/v1/orders/{id}/lines")), "any-orders-lines"),
    (RequestPattern(methods: [.get], path: .template("/v1/**")), "get-v1"),
    (
      RequestPattern(methods: [.get], path: .template("/a%20b/%C3%9Cn%C3%AF.json")),
      "get-a-b-uni.json"
    ),
    (
      RequestPattern(methods: [.get], path: .template("/files/8f14e45fceea167a5a36dedd4bea2543")),
      "get-files"
    ),
    (
      RequestPattern(methods: [.get], path: .value(.matches("/v1/users/[0-9]+(\\?.*)?"))),
      "get-v1-users"
    ),
    (
      RequestPattern(
        methods: [.post], path: .template("/graphql"),
        body: [.graphQL(GraphQLPattern(operationName: "Cart", query: nil))]),
      "post-graphql-cart"
    ),
    (RequestPattern(), "any"),
  ])
  func keysAreMadeOfMethodAndPath(request: RequestPattern, key: String) {
    #expect(DerivedName.key(of: request) == key)
  }

  @Test(arguments: [
    ("Charge refused: Größe & co.", "charge-refused-grosse-co."), ("../etc", "etc"), ("汉字", nil),
    ("List items_v2", "list-items_v2"),
    (String(repeating: "word ", count: 30), String(repeating: "word-", count: 15) + "word"),
  ])
  func namesBecomeKeys(name: String, key: String?) {
    #expect(DerivedName.key(named: name) == key)
  }

  @Test func equalNamesGetNumbers() {
    var names = UniqueNames(limit: 8, taken: ["a", "a-3"])
    #expect(
      ["a", "a", "a", "b", "long-name", "long-name"].map { names.unique($0) } == [
        "a-2", "a-4", "a-5", "b", "long-name", "long-n-2",
      ])
    let all = (0..<100_000).map { _ in names.unique("c") }
    #expect(Set(all).count == all.count)
    #expect(all.last == "c-100000")
  }
}
