import StubDBDocuments
import Testing

@testable import StubDBModel

struct URLPartsTests {
  @Test func aColonWithoutAPortIsSeenAfterTheHostOnly() {
    for text in ["http://h:", "http://h:/a", "http://h:?q=1", "http://h:#top", "http://[::1]:/"] {
      #expect(URLParts.hasEmptyPort(text), "\(text)")
    }
    for text in [
      "http://h", "http://h:80", "http://user:@h/", "http://[::1]/", "http://h/a:", "/h:/",
      "http://h?a:", "shop:", "//h:",
    ] { #expect(!URLParts.hasEmptyPort(text), "\(text)") }
  }

  @Test(arguments: [
    ("HTTPS://API.Shop.Test:443/v1?b=2&a=1", "https://api.shop.test/v1?b=2&a=1"),
    ("http://h:8080", "http://h:8080/"),
    ("http://user:pw@h/a#top", "http://h/a"),
    ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
    ("https://B%C3%9CCHER.example/", "https://xn--bcher-kva.example/"),
    ("https://[0:0:0:0:0:0:0:1]:8443/x", "https://[::1]:8443/x"),
    ("https://[2001:DB8::A]/x", "https://[2001:db8::a]/x"),
    ("/a%2fb/%7euser/c%20d/%zz/%", "/a%2Fb/~user/c%20d/%25zz/%25"),
    ("/a/../b/", "/a/../b/"),
    ("/{x}/**", "/%7Bx%7D/**"),
    ("/s?q=a+b%20c%2Bd&flag&empty=&&=v&p%3D=%26", "/s?q=a%20b%20c%2Bd&flag&empty&=v&p%3D=%26"),
    ("shop:thing", "shop:thing"),
    ("file:///etc/hosts", "file:///etc/hosts"),
    ("/?broken=%ff", "/?broken=%25ff"),
  ])
  func urlsHaveOneSpelling(text: String, canonical: String) throws {
    let parts = try #require(URLParts(text))
    #expect(parts.description == canonical)
    #expect(URLParts(canonical)?.description == canonical)
  }

  @Test(arguments: [
    "", "shop.test/a", "1http://h/", "http://h:port/", "http://h:99999/", "http://a b/",
  ])
  func otherTextsAreRefused(text: String) {
    #expect(URLParts(text) == nil)
  }

  @Test func placeholdersOfATemplateStay() throws {
    let parts = try #require(URLParts(template: "https://h/v1/{id}/%2a%2A/**/a b"))
    #expect(parts.path == "/v1/{id}/%2A%2A/**/a%20b")
  }

  @Test(arguments: ["", ":81", "/**", "/a/**/b*", "/*/***", "/a//b/", "/a?x=1&y&=&x=2"])
  func aPlainTemplateIsReadAsAnyOther(rest: String) throws {
    let plain = try #require(URLParts(template: "https://h\(rest)"))
    // A fragment is never plain.
    var general = try #require(URLParts(template: "https://h\(rest)#f"))
    general.fragment = nil
    #expect(plain == general)
  }

  @Test func thePortOfTheSchemeIsKnown() throws {
    #expect(try #require(URLParts("https://h/")).effectivePort == 443)
    #expect(try #require(URLParts("http://h:81/")).effectivePort == 81)
    #expect(try #require(URLParts("/a")).effectivePort == nil)
  }

  /// Plain URLs have a parser of their own.
  @Test func plainURLsAreTakenApartAsAllOthers() {
    let pieces = [
      "a", "z", "0", "-", ".", "_", "~", "/", "//", "?", "&", "=", "%20", "%", "+", "#", ":", "@",
      "A", "é", " ", ";",
      "://", "https://h", ":80", "[::1]", "{", "**", "",
    ]
    var state: UInt64 = 7
    var plainCount = 0
    for number in 0..<20_000 {
      var text = ["https://shop.test/", "http://h", "ws://a.b/c?", ""][number % 4]
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var bits = state >> 20
      for _ in 0..<Int(bits % 8) {
        bits /= 7
        text += pieces[Int(bits % UInt64(pieces.count))]
        bits = bits &* 31 &+ state >> 40
      }
      guard let plain = URLParts(plain: text) else { continue }
      plainCount += 1
      #expect(plain == URLParts(general: text), "\(text)")
    }
    #expect(plainCount > 1000)
  }
}
