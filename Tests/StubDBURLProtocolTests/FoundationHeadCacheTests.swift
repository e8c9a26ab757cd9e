import Foundation
import HTTPTypes
import StubDBPlayback
import Testing

@testable import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct FoundationHeadCacheTests {
  private func response(
    _ cache: FoundationHeadCache, _ text: String, _ status: Int = 200, _ headers: HTTPFields = [:]
  ) throws -> HTTPURLResponse {
    let url = try #require(URL(string: text))
    let made = cache.head(ResponseHead(status: status, headers: headers), url: url, key: text)
    return try #require(made?.response as? HTTPURLResponse)
  }

  @Test func aHeadIsKeptOnceItsURLIsAskedForAgain() throws {
    let cache = FoundationHeadCache()
    let made = try (0..<4).map { _ in try response(cache, "https://h.test/a") }
    #expect(made[0] !== made[1])
    #expect(made[1] === made[2] && made[2] === made[3])
  }

  @Test func anotherHeadOfAURLIsAnother() throws {
    let cache = FoundationHeadCache()
    for _ in 0..<3 {
      #expect(try response(cache, "https://h.test/a").statusCode == 200)
      #expect(try response(cache, "https://h.test/a", 404).statusCode == 404)
      let tagged = try response(cache, "https://h.test/a", 200, [.eTag: "1"])
      #expect(tagged.value(forHTTPHeaderField: "ETag") == "1")
    }
  }

  @Test func valuesThatComposeACharacterDifferentlyAreNotTheSame() throws {
    let cache = FoundationHeadCache()
    for _ in 0..<3 {
      for value in ["\u{E9}", "e\u{301}"] {
        let made = try response(cache, "https://h.test/a", 200, [.eTag: value])
        #expect(
          Array(try #require(made.value(forHTTPHeaderField: "ETag")).utf8) == Array(value.utf8))
      }
    }
  }

  @Test func aURLWithABaseAndALargeHeadAreNotKept() throws {
    let cache = FoundationHeadCache()
    let base = try #require(URL(string: "https://h.test/"))
    let relative = try #require(URL(string: "a", relativeTo: base))
    for _ in 0..<3 { _ = try response(cache, "https://h.test/a") }
    let made = cache.head(
      ResponseHead(status: 200, headers: [:]), url: relative, key: "https://h.test/a")
    #expect(made?.response !== (try response(cache, "https://h.test/a")))
    let large: HTTPFields = [.eTag: String(repeating: "x", count: 5_000)]
    let heads = try (0..<3).map { _ in try response(cache, "https://h.test/b", 200, large) }
    #expect(heads[1] !== heads[2])
  }

  @Test func manyURLsEachGetTheirOwn() throws {
    let cache = FoundationHeadCache()
    for _ in 0..<3 {
      for number in 0..<2_000 {
        let url = "https://h.test/\(number)"
        #expect(try response(cache, url).url?.absoluteString == url)
      }
    }
  }
}
