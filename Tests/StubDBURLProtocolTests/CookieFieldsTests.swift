import Testing

@testable import StubDBRecording

/// Cookies that Foundation has joined to one field.
struct CookieFieldsTests {
  @Test(arguments: [
    ("a=1", ["a=1"]), ("a=1, b=2", ["a=1", "b=2"]),
    (
      "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=2; expires=Thu, 22 Oct 2026 07:28:00 GMT",
      [
        "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/",
        "b=2; expires=Thu, 22 Oct 2026 07:28:00 GMT",
      ]
    ),
    (
      "a=1; Expires=Wednesday, 21-Oct-26 07:28:00 GMT, b=2",
      [
        "a=1; Expires=Wednesday, 21-Oct-26 07:28:00 GMT", "b=2",
      ]
    ),
    // A comma in a value without a name behind it.
    ("a=x, y; Path=/, b=2", ["a=x, y; Path=/", "b=2"]), ("a=\"1, 2\", b=", ["a=\"1, 2\"", "b="]),
    ("a=1,b=2", ["a=1,b=2"]), ("", [""]),
  ])
  func theyAreSeparated(joined: String, cookies: [String]) {
    #expect(CookieFields.separate(joined) == cookies)
  }
}
