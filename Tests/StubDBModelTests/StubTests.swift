import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBJSON
import StubDBModel
import Testing

/// What the types of stubs and responses rule out.
struct StubTests {
  @Test func aStubKeepsItsCapturesSortedAndAlwaysAnswers() {
    var stub = Stub(key: "k", captures: [Capture("b", .nothing), Capture("a", .nothing)])
    #expect(stub.captures.map(\.name) == ["a", "b"])
    stub.captures.insert(Capture("c", .nothing), at: 0)
    #expect(stub.captures.map(\.name) == ["a", "b", "c"])
    stub.responses.removeAll()
    #expect(stub == Stub(key: "k", captures: stub.captures))
  }

  @Test func theKeyOfAStubIsALineOfLimitedLength() {
    for text in ["", "a\nb", "a\u{0}", String(repeating: "a", count: 201)] {
      #expect(Stub.Key(text) == nil)
    }
    #expect(Stub.Key(String(repeating: "é", count: 200)) != nil)
    #expect(Stub(key: "").key == "stub" && Stub(key: "a\nb").key == "ab")
  }

  @Test func aResourceInSwiftIsThatOfADocument() throws {
    let stubs = [
      try Stub(
        key: "notes", resourceAt: "https://api.shop.test/v1/notes", id: .integer,
        seed: [["id": 1, "title": "Milk"]], pages: .offset(size: 20)),
      try Stub(
        key: "prices", resourceAt: "/v1/prices", id: .uuid(member: "sku"),
        pages: .number("p", limit: "n")),
      try Stub(key: "rest", resourceAt: "/v1/rest"),
    ]
    let decoded = try ScenarioDocument.decode(
      Data(
        """
        {"scenario": "a/b", "stubs": [
          {"key": "notes", "resource": {"at": "https://api.shop.test/v1/notes", "id": "integer",
            "seed": [{"id": 1, "title": "Milk"}], "page": {"limit": "limit", "offset": "offset", "size": 20}}},
          {"key": "prices", "resource": {"at": "/v1/prices", "id": {"member": "sku", "kind": "uuid"},
            "page": {"limit": "n", "number": "p"}}},
          {"key": "rest", "resource": {"at": "/v1/rest"}}]}
        """.utf8))
    #expect(decoded.stubs == stubs)
    #expect(
      try ScenarioDocument.decode(
        Data(ScenarioDocument.encode(Scenario(name: decoded.name, stubs: stubs)).utf8)) == decoded)
  }

  @Test func aResourceThatNoDocumentHasIsRefused() {
    func pointer(_ make: () throws -> Stub) -> String? {
      do {
        _ = try make()
        return nil
      } catch {
        return (error as? DocumentError)?.pointer.description
      }
    }
    #expect(pointer { try Stub(key: "k", resourceAt: "/v1/items/") } == "/at")
    #expect(pointer { try Stub(key: "k", resourceAt: "/v1/{user}/items") } == "/at")
    #expect(pointer { try Stub(key: "k", resourceAt: "/v1", seed: [["id": 1]]) } == "/seed/0")
    #expect(
      pointer { try Stub(key: "k", resourceAt: "/v1", seed: [["id": "a"], ["id": "a"]]) }
        == "/seed/1")
    #expect(
      pointer { try Stub(key: "k", resourceAt: "/v1", pages: .offset("n", limit: "n")) }
        == "/offset")
    #expect(pointer { try Stub(key: "k", resourceAt: "/v1", pages: .number(size: 0)) } == "/number")
    #expect(pointer { try Stub(key: "k", resourceAt: "/v1", id: .uuid(member: "")) } == "/member")
  }

  @Test func theListsOfARequestPatternStaySorted() {
    var pattern = RequestPattern(methods: [.put, .get], query: [.init("b", "1"), .init("a", "1")])
    pattern.methods.append(.delete)
    pattern.query.append(.init("A", "1"))
    pattern.headers = [.init(.date, "1"), .init(.accept, "1")]
    #expect(pattern.methods == [.delete, .get, .put])
    #expect(pattern.query.map(\.name) == ["A", "a", "b"])
    #expect(pattern.headers.map(\.name) == [.accept, .date])
  }

  @Test func anErrorSendsNothingButWhatComesBeforeIt() {
    let error = ResponseError(domain: "d", code: 1)
    var response = StubResponse(
      status: 404, headers: [.server: "s"], body: .text("t"), error: error, isTemplate: true)
    response.status = 500
    response.headers[.age] = "1"
    #expect(response == StubResponse(error: error))
    var partial = StubResponse(status: 404, body: .text("t"), error: error, afterBytes: 1)
    partial.headers[.age] = "1"
    #expect(partial.status == 404 && partial.headers == [.age: "1"] && partial.afterBytes == 1)
    #expect(
      StubResponse(fault: .connectionReset) == StubResponse(status: 500, fault: .connectionReset))
    #expect(StubResponse(body: .text("t"), fault: .truncated).body == .text("t"))
  }

  @Test func headerFieldsAreComparedByTheirBytes() {
    let fields: [HTTPFields] = [
      [.age: "\u{E9}", .accept: "a"], [.accept: "a", .age: "\u{E9}"],
      [.age: "e\u{301}", .accept: "a"],
    ]
    #expect(Set(fields.map { StubResponse(headers: $0) }).count == 2)
    #expect(Set(fields.map { ResponseCallback("https://a.test/", headers: $0) }).count == 2)
  }

  @Test func theStatusIsAlwaysValid() {
    var response = StubResponse.status(1000)
    #expect(response.status == 999)
    response.status = -1
    #expect(response.status == 100)
  }

  @Test func theStrongestOfContradictingArgumentsCounts() {
    let error = ResponseError(domain: "d", code: 1)
    let response = StubResponse(
      status: 404, delay: .fixed(.seconds(1)), error: error, fault: .never, repeatCount: 0,
      delegation: .next)
    #expect(response == StubResponse(delay: .fixed(.seconds(1)), delegation: .next))
    #expect(StubResponse(error: error, fault: .never) == StubResponse(error: error))
    #expect(StubResponse(statusTemplate: "{{x}}") == StubResponse())
    var pieces = StubResponse(body: .text("t"), chunks: .pieces([.init(.text("p"))]))
    #expect(pieces.body == nil)
    pieces.body = .text("t")
    #expect(pieces == StubResponse(body: .text("t")))
  }
}
