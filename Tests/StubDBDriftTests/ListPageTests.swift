import Foundation
import HTTPTypes
import StubDBDrift
import StubDBJSON
import StubDBModel
import Testing

struct ListPageTests {
  private static func sign(
    _ content: String, _ fields: HTTPFields = [:], query: String = "", of resource: Resource
  ) -> String? {
    let answer = SampledAnswer(status: 200, headers: fields, content: Data(content.utf8))
    return ListPage(answer, to: "https://api.shop.test/v1/notes\(query)", of: resource)?.sign
  }

  private static func field(_ name: String, _ value: String) throws -> HTTPFields {
    HTTPFields([HTTPField(name: try #require(HTTPField.Name(name)), value: value)])
  }

  private static let plain = Resource(row: ["at": "/v1/notes"])
  private static let paged = Resource(
    row: ["at": "/v1/notes", "limit": "n", "offset": "from", "size": 2])

  @Test(arguments: [
    ("Link", #"<https://a.test/?a=1,2;rel=x>; title="b"; REL="last next", </>; rel=first"#),
    ("Link", "</v1/notes?page=1>;rel=prev"), ("X-Next-Page", "2"),
  ])
  func aFieldLeadsToAnotherPage(name: String, value: String) throws {
    let fields = try Self.field(name, value)
    #expect(Self.sign("[1]", fields, of: Self.plain) == "its field \(name) leads to another page")
  }

  @Test(arguments: [
    ("Link", #"</?rel=next>; rel="self", </next>; rel="nextish""#), ("X-Next-Page", ""),
    ("Content-Range", "bytes 0-2/900"), ("X-Total-Count", "1"), ("X-Total-Count", "many"),
  ])
  func otherFieldsDoNot(name: String, value: String) throws {
    #expect(Self.sign("[1]", try Self.field(name, value), of: Self.plain) == nil)
  }

  @Test(arguments: [("X-Total-Count", "57"), ("Content-Range", "items 0-0/57")])
  func aTotalIsLargerThanTheList(name: String, value: String) throws {
    #expect(
      Self.sign("[1]", try Self.field(name, value), of: Self.plain)
        == "it has 1 of 57 items by its field \(name)")
  }

  @Test(arguments: [
    (#"{"notes": [1], "next": "/v1/notes?page=2"}"#, #"its member "next" leads to another page"#),
    (
      #"{"notes": [1], "paging": {"nextCursor": 7}}"#,
      #"its member "nextCursor" leads to another page"#
    ),
    (#"{"notes": [1], "has_more": true}"#, #"its member "has_more" leads to another page"#),
    (#"{"notes": [1], "meta": {"total": 3}}"#, #"it has 1 of 3 items by its member "total""#),
    (#"{"notes": [1], "next": null, "has_more": false, "next_cursor": ""}"#, nil),
    (#"{"next": "/v1/notes?page=2"}"#, nil), ("text", nil),
  ])
  func membersSayIt(content: String, sign: String?) {
    #expect(Self.sign(content, of: Self.plain) == sign)
  }

  @Test func aQueryThatAsksForAPageGetsOneUnlessATotalShowsTheWhole() throws {
    for query in ["?per_page=9", "?page%5Bnumber%5D=1", "?done=true&limit=100"] {
      #expect(Self.sign("[1]", query: query, of: Self.plain)?.hasPrefix("the request asks") == true)
      let all = try Self.field("X-Total-Count", "1")
      #expect(Self.sign("[1]", all, query: query, of: Self.plain) == nil)
    }
    #expect(Self.sign("[1]", query: "?done=true&n=1", of: Self.plain) == nil)
    #expect(
      Self.sign("[1]", query: "?n=1", of: Self.paged) == #"the request asks for a page with "n""#)
  }

  @Test func aListAsLongAsAPageOfTheResourceMayBeOne() {
    #expect(Self.sign("[1]", of: Self.paged) == nil)
    #expect(Self.sign("[1, 2]", of: Self.paged) == "a page of the resource has 2 items")
  }
}
