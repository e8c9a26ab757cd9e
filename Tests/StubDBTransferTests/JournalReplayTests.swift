import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBRecording
import StubDBServing
import StubDBTransfer
import Testing

/// What the journal of a failed test has, and its requests in today's catalog.
struct JournalReplayTests {
  private static let secret = "hunter2-hunter2"

  private static func scenario(_ stubs: String...) throws -> LoadedScenario {
    let document = #"{"scenario": "shop", "stubs": [\#(stubs.joined(separator: ", "))]}"#
    return try LoadedScenario(ScenarioDocument.decode(Data(document.utf8)))
  }

  private static func stub(_ key: String, _ path: String, _ rest: String = "") -> String {
    #"{"key": "\#(key)", "request": {"path": "\#(path)"\#(rest)}}"#
  }

  private static let login =
    #"{"key": "login", "request": {"path": "/login", "body": {"equalToJson": {"password": "\#(secret)"}}}}"#

  private static func request(_ path: String, posting body: String? = nil) -> StubRequest {
    StubRequest(
      method: body == nil ? "GET" : "POST", url: "https://api.shop.test\(path)",
      headers: [.authorization: "Bearer \(secret)", .contentType: "application/json"],
      body: .bytes(Data((body ?? "").utf8)))
  }

  /// The journal of a run with these requests, as a failed test has it attached.
  private static func journal(
    _ requests: [StubRequest], in scenario: LoadedScenario
  ) -> (data: Data, text: String) {
    let player = Player(scenario, options: PlaybackOptions(seed: .max, overlays: ["network/slow"]))
    for request in requests { _ = player.decide(about: request) }
    let data = RecorderMaker.journal(
      of: player, test: "ShopTests/aPaidOrder()", problems: ["No stub answers /new"])
    return (data, String(decoding: data, as: UTF8.self))
  }

  @Test func theJournalHasTheRunAndItsRequestsButNoSecrets() throws {
    let requests = [
      Self.request("/me"),
      Self.request("/login", posting: #"{"password": "\#(Self.secret)", "user": "Ada"}"#),
    ]
    let (data, text) = Self.journal(requests, in: try Self.scenario(Self.stub("me", "/me")))
    #expect(!text.contains(Self.secret), "\(text)")
    #expect(text.contains("\n{\"problem\":\"No stub answers /new\"}\n"))
    let replay = try JournalReplay(data)
    #expect(replay.head.test == "ShopTests/aPaidOrder()" && replay.head.scenario == "shop")
    #expect(replay.head.seed == .max && replay.head.overlays == ["network/slow"])
    #expect(replay.head.omitted == 0 && replay.head.withheld == nil)
    #expect(replay.entries.map(\.number) == [1, 2])
    #expect(replay.entries.map(\.request?.method) == ["GET", "POST"])
    #expect(replay.entries.map(\.request?.url) == requests.map(\.url))
    #expect(replay.entries.map { $0.stub?.key } == ["me", nil])
    let content = try #require(replay.entries[1].request?.content)
    let body = try #require(try JSONSerialization.jsonObject(with: content) as? [String: String])
    #expect(body["user"] == "Ada" && body["password"] != nil)
    let answer = try #require(replay.entries[1].answer["nearMisses"])
    #expect("\(answer)".contains("\"me\""))
  }

  @Test func theJournalHasTheDayOfTheRun() throws {
    func head(
      _ today: PlaybackOptions.Today?, recorded: String = "2020-01-31"
    ) throws -> (today: String?, shift: Int) {
      let stub =
        #"{"key": "me", "request": {"path": "/me"}, "recorded": {"at": "\#(recorded)"}}"#
      let player = Player(try Self.scenario(stub), options: PlaybackOptions(today: today))
      _ = player.decide(about: Self.request("/me"))
      let data = RecorderMaker.journal(of: player, test: "ShopTests/a()", problems: [])
      return (try JournalReplay(data).head.today, player.run.shift)
    }
    #expect(try head(nil).today == nil)
    #expect(try head(.recorded).today == "recorded")
    #expect(try head("2027-02-28").today == "2027-02-28")
    #expect(try head("no day").today == nil)
    // Another run on that day has the dates moved as far, also on a later one.
    for recorded in ["2020-01-31", "2020-01-31T08:30:15Z"] {
      let now = try head(.now, recorded: recorded)
      let again = try #require(now.today.flatMap(PlaybackOptions.Today.init))
      #expect(again != .now && now.shift > 0)
      #expect(try head(again, recorded: recorded).shift == now.shift)
    }
  }

  @Test func eachRequestIsComparedWithTheAnswerOfToday() throws {
    // Nothing is taken out of these.
    let requests =
      ["/same", "/lost", "/other", "/new", "/never"].map {
        StubRequest(url: "https://api.shop.test\($0)")
      }
      + [Self.request("/login", posting: #"{"password": "\#(Self.secret)"}"#)]
    let before = try Self.scenario(
      Self.stub("same", "/same"), Self.stub("lost", "/lost"), Self.stub("other", "/other"),
      Self.login)
    let today = try Self.scenario(
      Self.stub("same", "/same"), Self.stub("another", "/other"), Self.stub("new", "/new"),
      Self.login)
    let more = """
      {"answer":{"closure":"closure at A.swift:1"},"method":"GET","request":7,"url":"https://api.shop.test/never"}
      {"request":8,"withheld":"a secret in it cannot be taken out"}

      """
    let replay = try JournalReplay(Self.journal(requests, in: before).data + Data(more.utf8))
    let player = Player(today, options: PlaybackOptions(pace: .instant))
    let steps = try replay.entries.map { try JournalReplay.step($0, in: player) }
    #expect(
      steps.map(\.verdict) == [
        .same, .lost, .other, .now, .still, .undecided, .closure, .withheld,
      ])
    #expect(
      steps.map(\.verdict.isAnswered) == [true, false, true, true, false, false, true, false])
    #expect(
      steps.map { $0.answer?.event.stubKey } == ["same", nil, "another", "new"]
        + Array(repeating: nil, count: 4))
  }

  @Test func theFirstOfVeryManyRequestsAreLeftOut() throws {
    let requests = (0..<1_003).map { Self.request("/\($0)") }
    let replay = try JournalReplay(
      Self.journal(requests, in: try Self.scenario(Self.stub("all", "/**"))).data)
    #expect(replay.head.omitted == 3)
    #expect(replay.entries.map(\.number) == Array(4...1_003))
  }

  @Test func aTestThatSentNothingHasAJournalWithoutRequests() throws {
    let journal = Self.journal([], in: try Self.scenario(Self.stub("me", "/me")))
    #expect(try JournalReplay(journal.data).entries.isEmpty)
  }

  @Test(arguments: [
    ("", "its first line is not an object with \"stubdbJournal\": 1"),
    (#"{"stubdbJournal":2}"#, "its first line is not an object with \"stubdbJournal\": 1"),
    (
      #"{"stubdbJournal":1,"withheld":"its rules of redaction cannot be used"}"#,
      "has no requests: its rules of redaction cannot be used"
    ),
    ("{\"stubdbJournal\":1}\n{\"request\":1}\n{}", "see its line 3"),
    ("{\"stubdbJournal\":1}\n{\"stubdbJournal\":1}", "see its line 2"),
  ])
  func whatIsNoJournalIsRefusedWithTheReason(text: String, reason: String) throws {
    let error = #expect(throws: JournalReplay.Failure.self) { try JournalReplay(Data(text.utf8)) }
    #expect(error?.reason.contains(reason) == true)
  }
}
