import HTTPTypes
import Testing

@testable import StubDBURLProtocol

@Suite struct RequestFieldsTests {
  @Test func requestsGetTheirOwnFieldsInAnyOrder() {
    let fields = RequestFields()
    let given = [
      ["Accept": "text/plain"], ["Accept": "text/plain"], [:], ["Accept": "text/html"],
      ["Accept": "text/plain"], ["Accept": "text/plain", "Range": "bytes=0-1"], [:], [:],
    ]
    for given in given {
      #expect(fields.fields(given)?[.accept] == given["Accept"])
      #expect(fields.fields(given)?[.range] == given["Range"])
      #expect(fields.fields(given)?.count == given.count)
    }
  }

  @Test func valuesThatComposeACharacterDifferentlyAreNotTheSame() {
    let fields = RequestFields()
    for value in ["\u{E9}", "e\u{301}"] {
      let made = fields.fields(["Accept": value])?[.accept]
      #expect(made.map { Array($0.utf8) } == Array(value.utf8))
    }
  }

  @Test func tooManyFieldsAreRefusedAgainAndAgain() {
    let fields = RequestFields()
    let many = Dictionary(uniqueKeysWithValues: (0...1000).map { ("Field-\($0)", "1") })
    for _ in 0..<2 {
      #expect(fields.fields(many) == nil)
      #expect(fields.fields(["Accept": "text/plain"])?.count == 1)
    }
  }
}
