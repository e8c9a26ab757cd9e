import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBJSON
import StubDBModel
import Testing

struct AnsweringStubsTests {
  /// A stub for a path, or for every path, that always answers.
  private func stub(
    _ key: String, path: String? = "/x", priority: Int = 5, methods: [HTTPRequest.Method] = [],
    host: String? = nil, query: [NamedPattern] = []
  ) -> Stub {
    Stub(
      key: Stub.Key(unchecked: key), priority: priority,
      request: RequestPattern(
        methods: methods, host: host.map { .equalTo($0) }, path: path.map(PathPattern.template),
        query: query))
  }

  @Test func ofSeveralTheFirstOneOfTheSmallestPriorityIsFound() {
    var answering = AnsweringStubs()
    let stubs = [
      stub("late", priority: 4, query: [NamedPattern("a", "1")]),
      stub("one", priority: 3, methods: [.get]),
      stub("two", path: nil, priority: 3, host: "h.test"),
      stub("other", priority: 1, query: [NamedPattern("c", "1")]),
    ]
    for stub in stubs { answering.insert(stub) }
    let shadowed = stub(
      "shadowed", methods: [.get], host: "h.test",
      query: [NamedPattern("a", "1"), NamedPattern("b", "2")])
    #expect(answering.first(shadowing: shadowed)?.key == "one")
    answering.remove(stubs[1])
    #expect(answering.first(shadowing: shadowed)?.key == "two")
    answering.remove(stubs[2])
    #expect(answering.first(shadowing: shadowed)?.key == "late")
    answering.remove(stubs[0])
    #expect(answering.first(shadowing: shadowed) == nil)
  }

  @Test func theOrderOfInsertionDoesNotMatterWherePositionsAreGiven() {
    var answering = AnsweringStubs()
    answering.insert(stub("slow"), at: 0)
    answering.insert(stub("third", priority: 4), at: 3)
    answering.insert(stub("second", priority: 4), at: 2)
    #expect(answering.first(shadowing: stub("new"))?.key == "second")
    #expect(answering.first(shadowing: stub("third", priority: 4), at: 3)?.key == "second")
    #expect(answering.first(shadowing: stub("second", priority: 4), at: 2) == nil)
    #expect(answering.first(shadowing: stub("between", priority: 4), at: 1) == nil)
  }

  /// Patterns with a text, for every kind of text that is compared by its bytes.
  private static let patterns: [@Sendable (String) -> RequestPattern] = [
    { RequestPattern(host: .contains($0)) },
    { RequestPattern(wholeURL: .not(.or([.contains($0)]))) },
    { RequestPattern(path: .value(.matches($0))) },
    { RequestPattern(query: [NamedPattern($0, "1")]) },
    { RequestPattern(headers: [HeaderPattern(.accept, .equalTo($0))]) },
    { RequestPattern(cookies: [NamedPattern("a", .equalTo($0))]) },
    { RequestPattern(basicAuth: BasicCredentials(username: $0, password: "")) },
    { RequestPattern(basicAuth: BasicCredentials(username: "", password: $0)) },
    { RequestPattern(body: [.value(.equalTo($0))]) },
    { RequestPattern(body: [.equalToJSON(["a": [.string($0)]])]) },
    { RequestPattern(body: [.multipart([PartPattern(name: $0)])]) },
  ]

  @Test(arguments: patterns.indices)
  func textsOfDifferentBytesAreDifferentRequests(index: Int) {
    let (composed, other) = (Self.patterns[index]("\u{E9}"), Self.patterns[index]("e\u{301}"))
    #expect(composed != other && composed == Self.patterns[index]("\u{E9}"))
    var answering = AnsweringStubs()
    answering.insert(Stub(key: "a", request: composed))
    #expect(answering.first(shadowing: Stub(key: "b", request: other)) == nil)
    #expect(answering.first(shadowing: Stub(key: "b", request: composed))?.key == "a")
  }

  /// Stubs that differ in more than the last pattern, in no pattern at all, or only in what decides which of them comes
  /// first.
  @Test(.timeLimit(.minutes(10)), arguments: 0..<4)
  func manyStubsForOnePathAreLookedUpQuickly(kind: Int) {
    var answering = AnsweringStubs()
    let count = 30_000
    for index in 0..<count {
      let text = String(index)
      let stub =
        switch kind {
        case 0: stub(text, query: [NamedPattern("page", .equalTo(text)), NamedPattern("v", "1")])
        case 1: stub(text, path: nil, host: "h\(index).test")
        case 2: stub(text, methods: [HTTPRequest.Method("M\(index)") ?? .get])
        default: stub(text, priority: count - index)
        }
      #expect(answering.first(shadowing: stub) == nil)
      answering.insert(stub)
    }
  }
}
