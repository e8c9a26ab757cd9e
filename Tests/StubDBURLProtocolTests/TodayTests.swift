import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct TodayTests {
  private static let document = """
    { "scenario": "test/orders", "stubs": [
      { "key": "orders", "recorded": { "at": "2026-11-20" },
        "request": { "method": "GET", "url": "https://api.shop.test/v1/orders?from=2026-11-21" },
        "responses": [ {
          "headers": { "Expires": "Sat, 21 Nov 2026 08:00:00 GMT", "Set-Cookie": "s=1; Expires=Mon, 21 Dec 2026 08:00:00 GMT; Max-Age=60",
                       "Link": "</v1/orders?from=2026-11-21&after=2026-11-28>; rel=\\"next\\"", "Cache-Control": "max-age=60" },
          "json": { "orders": [ { "id": "2026", "due": "2026-11-28T09:00:00+01:00" } ], "expires_at": 1795248000, "expires_in": 3600,
                    "next": "https://api.shop.test/v1/orders?from=2026-11-21&after=2026-11-28" } } ] },
      { "key": "page", "recorded": { "at": "2026-11-21" }, "priority": 4,
        "request": { "method": "GET", "url": "https://api.shop.test/v1/orders?from=2026-11-21&after=2026-11-28" },
        "responses": [ { "json": { "orders": [] } } ] },
      { "key": "day", "request": { "method": "GET", "url": "https://api.shop.test/v1/days/2026-11-28" }, "responses": [ { "text": "a day" } ] },
      { "key": "book", "request": { "method": "POST", "url": "https://api.shop.test/v1/bookings",
        "body": { "equalToJson": { "due": "2026-11-28T09:00:00+01:00", "birthday": "1990-05-17" } } },
        "responses": [ { "status": 201 } ] },
      { "key": "birthday", "request": { "method": "GET", "url": "https://api.shop.test/v1/age?born=1990-05-17" }, "responses": [ { "text": "36" } ] },
      { "key": "echo", "request": { "method": "GET", "url": "https://api.shop.test/v1/echo", "query": { "at": { "after": "now -1 days" } } },
        "responses": [ { "template": true, "text": "{{now format='yyyy-MM-dd'}} {{request.query.at}} 2026-11-21" } ] } ] }
    """

  private func orders(_ today: PlaybackOptions.Today?) throws -> StubInterceptor {
    StubInterceptor(try load(Self.document), options: PlaybackOptions(today: today))
  }

  private func text(_ path: String, through interceptor: StubInterceptor) async throws -> String {
    let session = interceptor.urlSession()
    let url = path.hasPrefix("http") ? path : "https://api.shop.test" + path
    let (data, _) = try await session.data(for: try request("GET", url))
    return String(decoding: data, as: UTF8.self)
  }

  @Test func answersPagesAndEchoesAreOfTheSameDay() async throws {
    // 99 days after the latest recording.
    let interceptor = try orders("2027-02-28T23:59:30Z")
    let answer = try await Exchange.async.send(
      try request("GET", "https://api.shop.test/v1/orders?from=2027-02-28"), through: interceptor)
    let next = "https://api.shop.test/v1/orders?from=2027-02-28&after=2027-03-07"
    #expect(
      answer.text == """
        {"expires_at":1803801600,"expires_in":3600,"next":"\(next)",\
        "orders":[{"due":"2027-03-07T09:00:00+01:00","id":"2026"}]}
        """)
    #expect(answer.header("Expires") == "Sun, 28 Feb 2027 08:00:00 GMT")
    #expect(
      answer.header("Set-Cookie") == "s=1; Expires=Tue, 30 Mar 2027 08:00:00 GMT; Max-Age=60")
    #expect(
      answer.header("Link") == "</v1/orders?from=2027-02-28&after=2027-03-07>; rel=\"next\"")
    #expect(try await text(next, through: interceptor) == "{\"orders\":[]}")
    #expect(try await text("/v1/days/2027-03-07", through: interceptor) == "a day")
    #expect(interceptor.dateShift == 99 * 86_400)
    // The journal has the requests as they came.
    #expect(interceptor.requests.last?.url == "https://api.shop.test/v1/days/2027-03-07")
    try interceptor.verify()
  }

  @Test func aRequestMatchesAsItIsTooAndTemplatesStay() async throws {
    let interceptor = try orders("2027-02-28T12:00:00Z")
    #expect(try await text("/v1/age?born=1990-05-17", through: interceptor) == "36")
    #expect(
      try await text("/v1/echo?at=2027-02-28", through: interceptor)
        == "2027-02-28 2027-02-28 2026-11-21")
    #expect(abs(interceptor.now.timeIntervalSince1970 - 1_803_816_000) < 3_600)
    var booking = try request("POST", "https://api.shop.test/v1/bookings")
    booking.httpBody = Data(#"{"birthday":"1990-08-24","due":"2027-03-07T09:00:00+01:00"}"#.utf8)
    let (_, response) = try await interceptor.urlSession().data(for: booking)
    #expect((response as? HTTPURLResponse)?.statusCode == 201)
  }

  @Test func onTheDayOfTheRecordingAnswersAreAsRecorded() async throws {
    let interceptor = try orders(.recorded)
    let plain = try orders(nil)
    let path = "/v1/orders?from=2026-11-21"
    #expect(try await text(path, through: interceptor) == text(path, through: plain))
    #expect(interceptor.dateShift == 0)
    let begin = try #require(ISO8601DateFormatter().date(from: "2026-11-21T00:00:00Z"))
    #expect(interceptor.now >= begin && interceptor.now < begin + 3_600)
    #expect(abs(plain.now.timeIntervalSinceNow) < 3_600)
  }

  @Test func nowIsTheDayOfTheTest() async throws {
    let interceptor = try orders(.now)
    let recorded = try #require(ISO8601DateFormatter().date(from: "2026-11-21T00:00:00Z"))
    let days = (Date().timeIntervalSince(recorded) / 86_400).rounded(.down)
    #expect(abs(interceptor.dateShift / 86_400 - days) <= 1)
    let moment = ISO8601DateFormatter().string(from: recorded + interceptor.dateShift)
    let answer = try await text("/v1/orders?from=\(moment.prefix(10))", through: interceptor)
    #expect(answer.contains("from=\(moment.prefix(10))"))
  }

  @Test func twoMomentsMoveBySeconds() async throws {
    let document = Self.document.replacing(
      "\"at\": \"2026-11-21\"", with: "\"at\": \"2026-11-21T08:00:00Z\"")
    let moment = try #require(ISO8601DateFormatter().date(from: "2026-11-22T09:30:15Z"))
    let interceptor = StubInterceptor(
      try load(document), options: PlaybackOptions(today: .at(moment)))
    let answer = try await text("/v1/orders?from=2026-11-22", through: interceptor)
    #expect(
      answer.contains("\"due\":\"2026-11-29T10:30:15+01:00\"")
        && answer.contains("after=2026-11-29"))
  }

  @Test(arguments: ["2023-02-29", "tomorrow", "", "2027-02-28T24:00:00Z"])
  func aDayThatDoesNotExistRefusesRequests(day: String) async throws {
    let interceptor = try orders(PlaybackOptions.Today(stringLiteral: day))
    let error = await #expect(throws: URLError.self) {
      try await text("/v1/orders?from=2026-11-21", through: interceptor)
    }
    #expect(error?.localizedDescription.contains("today is \"\(day)\", which is no date") == true)
    #expect(PlaybackOptions.Today(day) == nil)
  }

  @Test func anotherDayTakesThePlaceOfOneThatDoesNotExist() async throws {
    var options = PlaybackOptions(today: "2027-02-30")
    options.today = "2027-02-28"
    let interceptor = StubInterceptor(try load(Self.document), options: options)
    #expect(try await text("/v1/days/2027-03-07", through: interceptor) == "a day")
    options.today = "2027-02-30"
    let refusing = StubInterceptor(try load(Self.document), options: options)
    await #expect(throws: URLError.self) {
      try await text("/v1/days/2027-03-07", through: refusing)
    }
  }

  @Test(arguments: ["0001-01-01", "9999-12-31T23:59:59Z"])
  func daysThatAreFarAwayLeaveWhatHasNoRoom(day: String) async throws {
    let interceptor = try orders(PlaybackOptions.Today(day))
    let answer = try await text("/v1/orders?from=2026-11-21", through: interceptor)
    #expect(answer.contains("2026-11-28T09:00:00+01:00"))
    for seconds in [-Double.infinity, .infinity, .nan, 1e300] {
      _ = try orders(.at(Date(timeIntervalSince1970: seconds)))
    }
  }

  @Test func aScenarioWithoutARecordingKeepsItsDates() async throws {
    let document = Self.document.replacing(try Regex(#""recorded": \{[^}]*\},"#), with: "")
    let interceptor = StubInterceptor(
      try load(document), options: PlaybackOptions(today: "2027-02-28"))
    #expect(interceptor.dateShift == 0)
    #expect(
      try await text("/v1/echo?at=2027-02-28", through: interceptor).hasPrefix("2027-02-28 "))
  }

  @Test func anUnmatchedRequestIsComparedAsOnTheDayOfTheRecording() async throws {
    let interceptor = try orders("2027-02-28")
    _ = try? await text("/v1/orders?from=2027-02-27", through: interceptor)
    let event = try #require(interceptor.journal.last)
    #expect(event.request.url.hasSuffix("from=2027-02-27"))
    let mismatch = event.nearMisses.first { $0.key == "orders" }?.mismatches.first
    #expect(mismatch?.actual.contains("2026-11-20") == true, "\(event.nearMisses)")
  }
}
