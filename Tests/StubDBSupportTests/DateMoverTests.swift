import Foundation
import StubDBSupport
import Testing

@Suite struct DateMoverTests {
  /// Random numbers that are the same each time.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private static let day = 86_400
  private static let forms = [
    "yyyy-MM-dd'T'HH:mm:ss'Z'", "yyyy-MM-dd'T'HH:mm:ss.SSSXXXXX", "yyyy-MM-dd HH:mm:ssXX",
    "yyyy-MM-dd't'HH:mm'z'", "yyyy-MM-dd'T'HH:mm:ss.123456789XXX", "yyyy-MM-dd",
    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEE, dd-MMM-yyyy HH:mm:ss 'GMT'",
  ]

  private static func text(_ form: String, _ second: Int) -> String {
    DateTime(clockSeconds: second, offset: 0).text(form)
  }

  private static func moved(_ text: String, by seconds: Int) -> String {
    let content = DateMover.content(Data(text.utf8), by: seconds)
    return content.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  // The writer of Foundation makes the expected text: nothing of it is shared with what is tested.
  @Test(arguments: 0..<20)
  func everyDateMovesByTheOffsetAndBackToTheSameBytes(seed: Int) {
    var generator = Generator(state: UInt64(seed))
    for _ in 0..<40 {
      let days = Int.random(in: -6000...6000, using: &generator)
      let second = Int.random(in: 1_600_000_000...2_200_000_000, using: &generator)
      let later = second + days * Self.day
      let form = Self.forms.randomElement(using: &generator) ?? ""
      func document(_ second: Int) -> String {
        """
        {"a": ["\(Self.text(form, second))", {"expires_at": \(second), "n": 7}], "\(Self.text("yyyy-MM-dd", second))": 1,
         "next": "https:\\/\\/a.test\\/v1\\/days\\/\(Self.text("yyyy-MM-dd", second))?to=\(Self.text("yyyy-MM-dd'T'HH'%3A'mm'%3A'ss'Z'", second))&ts=\(second)000&q=x",
         "id": \(seed + 1_700_000_000), "order_id": "2026-11", "phone": "1700000000", "version": "2026-11-21",
         "text": "since 2026-11-21 at noon", "expires_in": 1700000000, "big": 17000000000000000000}
        """
      }
      let before = document(second)
      let after = Self.moved(before, by: days * Self.day)
      #expect(after == (days == 0 ? before : document(later)), "\(form)")
      #expect(Self.moved(after, by: -days * Self.day) == before, "\(form)")
    }
  }

  @Test(arguments: [
    "2023-02-29", "2026-13-01T00:00:00Z", "2026-11-21T25:00:00Z", "2026-11-21T08:00:60Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "0000-00-00",
    "2026-11-21T08:00:00+01:00[Europe/Berlin]",
    "Mon, 21 Nov 2026 08:00:00 GMT", "sat, 21 nov 2026 08:00:00 GMT",
    "Saturday, 21-Nov-26 08:00:00 GMT",
    "2026-11-21 is a day", "20261121T080000Z", "2026/11/21", "2026-W47-6", "12345-11-21",
    "2026-11-2",
    "2026-11-21T08:00:00,5Zzzzzzzzzzzzzzzz", "１２３４-11-21",
  ])
  func whatIsNoCertainDateStays(text: String) {
    for document in ["{\"at\": \"\(text)\"}", "<at>\(text)</at>", text] {
      #expect(Self.moved(document, by: 400 * Self.day) == document)
    }
  }

  @Test func numbersNeedANameAndASize() {
    let document = """
      {"at": 1700000000, "at2": 1700000000000, "createdAt": "1700000000.25", "reset": 17000000000, "at3": -1700000000,
       "id": 1700000000, "chat_id": 1700000000, "user": 1700000000, "seat": 1700000000, "at4": 99999999999999999999,
       "times": [1700000000, 5], "exp": 1.7e9, "ts": 0, "page_at": 1700000000, "format": 1700000000}
      """
    let expected = """
      {"at": 1700086400, "at2": 1700086400000, "createdAt": "1700086400.25", "reset": 17000000000, "at3": -1700000000,
       "id": 1700000000, "chat_id": 1700000000, "user": 1700000000, "seat": 1700000000, "at4": 99999999999999999999,
       "times": [1700086400, 5], "exp": 1.7e9, "ts": 0, "page_at": 1700000000, "format": 1700000000}
      """
    #expect(Self.moved(document, by: Self.day) == expected)
  }

  @Test func aMoveBeyondTheUsualYearsOrToMoreDigitsIsNotMade() {
    for document in [
      "{\"at\": \"2199-12-31\"}", "{\"at\": 7258118399}", "{\"at\": 1000000000}",
      "{\"at\": \"1900-01-01\"}",
    ] {
      for days in [400, -400] {
        let moved = Self.moved(document, by: days * Self.day)
        #expect(moved.utf8.count == document.utf8.count)
        #expect(Self.moved(document, by: days * 100_000_000) == document)
      }
    }
    #expect(Self.moved("{\"at\": \"2199-12-31\"}", by: Self.day) == "{\"at\": \"2199-12-31\"}")
  }

  @Test func headerFieldsFormsAndSignedURLs() {
    func field(_ name: String, _ value: String) -> String {
      DateMover.field(value, named: name, by: 99 * Self.day)
    }
    #expect(field("expires", "Sat, 21 Nov 2026 08:00:00 GMT") == "Sun, 28 Feb 2027 08:00:00 GMT")
    #expect(field("x-ratelimit-reset", "1700000000") == "1708553600")
    #expect(field("x-api-version", "2026-11-21") == "2026-11-21")
    #expect(
      field("set-cookie", "a=2026-11-21; Path=/; expires=Sat, 21-Nov-2026 08:00:00 GMT; Max-Age=60")
        == "a=2026-11-21; Path=/; expires=Sun, 28-Feb-2027 08:00:00 GMT; Max-Age=60")
    #expect(
      field(
        "link",
        "<https://a.test/v1/o?before=2026-11-21&n=1>; rel=\"next\", </v1/o/2026-11-21>; rel=\"day\""
      )
        == "<https://a.test/v1/o?before=2027-02-28&n=1>; rel=\"next\", </v1/o/2027-02-28>; rel=\"day\""
    )
    for signed in [
      "https://a.test/x?at=2026-11-21&X-Amz-Signature=ab",
      "https://a.test/x?Expires=1700000000&Signature=ab&Key-Pair-Id=1",
      "https://a.test/x?se=2026-11-21&sig=ab",
    ] {
      #expect(field("location", signed) == signed)
    }
    let form = DateMover.content(
      Data("from=2026-11-21T08%3A00%3A00%2B01%3A00&id=2026-11&exp=1700000000".utf8), isForm: true,
      by: Self.day)
    #expect(
      form.map { String(decoding: $0, as: UTF8.self) }
        == "from=2026-11-22T08%3A00%3A00%2B01%3A00&id=2026-11&exp=1700086400")
  }

  @Test func aLongTextIsNoURL() {
    for (length, isMoved) in [(100, true), (20_000, false)] {
      let path = "/v1/" + String(repeating: "a", count: length) + "/2026-11-21"
      #expect(Self.moved("[\"\(path)\"]", by: Self.day).hasSuffix("22\"]") == isMoved)
      let form = DateMover.content(
        Data("a=\(path)&at=2026-11-21".utf8), isForm: true, by: Self.day)
      #expect(form.map { String(decoding: $0, as: UTF8.self) } == "a=\(path)&at=2026-11-22")
    }
  }

  // Quadratic work would take minutes.
  @Test func largeAndDamagedContentsTakeLinearTime() {
    for piece in [">", "\"", "\\\"", "1", "1-", "\"\": ", "%", "{\"a\":\"/\"}", "\"http", "\n"] {
      let content = Data(String(repeating: piece, count: 400_000).utf8)
      #expect(DateMover.content(content, by: Self.day) == nil)
    }
    #expect(
      DateMover.content(Data([0x22, 0x5C]), by: 1) == nil && DateMover.content(Data(), by: 1) == nil
    )
  }
}
