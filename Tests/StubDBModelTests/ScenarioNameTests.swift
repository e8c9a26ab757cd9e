import StubDBModel
import Testing

struct ScenarioNameTests {
  @Test(arguments: ["a", "checkout/card-declined", "A/b.c/D_1", "...", "-", "a/.b"])
  func segmentsOfAllowedCharactersAreAName(text: String) throws {
    #expect(try #require(ScenarioName(text)).rawValue == text)
  }

  @Test(arguments: [
    ("", "it is empty"), ("/a", "it has an empty segment"), ("a/", "it has an empty segment"),
    ("a//b", "it has an empty segment"), (".", "a segment is \".\""),
    ("a/..", "a segment is \"..\""),
    (
      "a b", "it may hold only letters A-Z a-z, digits, '.', '_', '-', and '/' between segments"
    ),
    (
      "é", "it may hold only letters A-Z a-z, digits, '.', '_', '-', and '/' between segments"
    ),
  ])
  func otherTextsAreRefusedWithTheReason(text: String, reason: String) {
    #expect(ScenarioName(text) == nil)
    #expect(ScenarioName.reasonAgainst(text) == reason)
  }

  @Test func twoHundredCharactersAreTheLimit() {
    #expect(ScenarioName(String(repeating: "a", count: 200)) != nil)
    #expect(ScenarioName(String(repeating: "a", count: 201)) == nil)
  }

  @Test func namesAreOrderedByBytes() throws {
    let names = try ["b", "a/b", "a-b", "a", "B"].map { try #require(ScenarioName($0)) }
    #expect(names.sorted().map(\.rawValue) == ["B", "a", "a-b", "a/b", "b"])
  }
}
