import StubDBSupport
import Testing

@Suite struct BoundedRegexTests {
  /// 600,000 characters, which begin like what the tests look for, and end with it.
  static let long = String(repeating: "zebr zeb 12 ", count: 50_000) + "zebra-7 zebra-8"

  @Test(
    "The length of a text costs few steps",
    arguments: ["zebra", "[a-z]+bra", #"\bzebra\b"#, "(?i)ZEBRA", "r(a)-"])
  func lengthIsCheap(pattern: String) throws {
    let regex = try #require(BoundedRegex(pattern))
    let (verdict, steps) = regex.isFound(in: Self.long, steps: 500)
    #expect(verdict == true)
    #expect(steps < 500)
  }

  @Test func matchesAreFoundInTheirOrder() throws {
    let regex = try #require(BoundedRegex("zebra-([0-9])"))
    #expect(regex.values(in: Self.long, steps: 500).values == ["7", "8"])
    var limit = BoundedRegex.maximumCost
    #expect(regex.groups(in: Self.long, visiting: &limit) == .found(["zebra-7", "7"]))
    #expect(BoundedRegex("zebra-9")?.values(in: Self.long, steps: 500).values == [])
  }

  @Test(arguments: [
    // Numbers of groups, a comment to the end, a quotation to the end, empty matches.
    (#"([a-z])\1"#, "abccd", ["c"]), ("(?x) b # the second", "abc", ["b"]),
    (#"\Qb.c"#, "ab.c", ["b.c"]),
    ("^a|b$", "aab", ["a", "b"]), ("(?<=a)b", "bab", ["b"]), ("x*", "", [""]),
  ])
  func patternsKeepTheirMeaning(pattern: String, text: String, values: [Substring]) throws {
    #expect(try #require(BoundedRegex(pattern)).values(in: text, steps: 100).values == values)
  }

  @Test(arguments: ["(a+)+b", "(?:a|a)+$b", "a.*a.*a.*a.*b"])
  func endlessSearchesAreGivenUp(pattern: String) throws {
    let text = String(repeating: "a", count: 2_000)
    #expect(try #require(BoundedRegex(pattern)).isFound(in: text, steps: 200).verdict == nil)
  }

  @Test func whatNeedsABracketOfOursIsRefused() {
    #expect(BoundedRegex("a)|(b") == nil)
  }
}
