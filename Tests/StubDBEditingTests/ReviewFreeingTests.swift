import Foundation
import HTTPTypes
import StubDBCatalogEditing
import StubDBEditing
import StubDBEngine
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPlayback
import Testing

/// Requests that differ only in volatile values, of which a review makes one stub.
struct ReviewFreeingTests {
  private typealias Seen = RecordedDraft.Seen

  private static let ids = [
    "a1d5c7e0-1111-4222-8333-444455556666", "b2d5c7e0-1111-4222-8333-444455556666",
  ]

  /// A draft of one run, beside a catalog with a stub for the content if there is any.
  private func draft(
    _ seen: [Seen], mode: RecordMode = .newEpisodes, existing body: String? = nil,
    recordedAt day: String? = nil
  ) throws -> RecordedDraft {
    let stubs = try body.map { body in
      var pattern = try RequestPattern(method: .post, url: "https://api.shop.test/events")
      pattern.body = [.equalToJSON(try JSONValue(parsing: Data(body.utf8)))]
      var stub = Stub(key: "event", request: pattern, responses: [.text("known")])
      stub.recorded = day.flatMap { Stub.Recording(at: $0) }
      return [stub]
    }
    let draft = try RecordedDraft(stubs ?? [])
    try draft.record(seen, mode: mode)
    return draft
  }

  private struct Group: Equatable {
    var places: [String]
    var others: [String]
  }

  /// The places that a group of proposals has, and the keys of the others in it.
  private func group(
    _ draft: RecordedDraft, of index: Int = 0
  ) throws -> Group? {
    guard let selection = try draft.selection(), let group = selection.group(of: index) else {
      return nil
    }
    let others = group.proposals.filter { $0 != index }
    return Group(
      places: group.places.map(\.description),
      others: (group.existing.map { [$0.rawValue] } ?? [])
        + others.map { selection.review.proposals[$0].stub.key.rawValue })
  }

  private func free(_ place: String) -> ReviewChoices {
    ReviewChoices(free: ["a/shop/post-events:\(place)"])
  }

  @Test func whatTheStubWouldMatchTooIsNamedAndTaken() throws {
    let seen = [Self.ids[0], "x", Self.ids[1]].enumerated().map {
      Seen(content: #"{"id":"\#($1)","type":"tap"}"#, answer: "answer \($0)")
    }
    let draft = try draft(seen)
    let group = try group(draft)
    #expect(group == Group(places: ["/body/id"], others: ["post-events-2", "post-events-3"]))
    #expect(try draft.write(free("/body/id")).isProven)
    // The answers to the requests that became equal are a sequence.
    #expect(
      try draft.stubs().map { $0.responses.map(\.text) } == [["answer 0", "answer 1", "answer 2"]])
    for exchange in seen { #expect(try draft.answer(to: exchange.request) != nil) }
  }

  @Test func theStubOfTheCatalogThatItIsLikeIsChangedAndKeepsItsAnswer() throws {
    let draft = try draft(
      [Seen(content: #"{"at":1763600009,"type":"tap"}"#, answer: "new")],
      existing: #"{"at":1763600001,"type":"tap"}"#)
    #expect(try group(draft) == Group(places: ["/body/at"], others: ["event"]))
    let result = try draft.write(free("/body/at"))
    #expect(result.taken == 1 && result.dropped == 0 && result.isProven)
    for time in [1_763_600_001, 1_763_600_009, 5] {
      let request = Seen(content: #"{"at":\#(time),"type":"tap"}"#).request
      #expect(try draft.answer(to: request) == RecordedDraft.Answer(key: "event", text: "known"))
    }
    #expect(try draft.stubs().count == 1)
    #expect(!draft.hasDraft)
  }

  @Test func whatIsFreeAlreadyIsTheSameStubWhenEverythingIsRecordedAgain() throws {
    let free = #"{"at":"${json-unit.ignore}","type":"tap"}"#
    func seen(_ time: Int, _ answer: String) -> Seen {
      Seen(content: #"{"at":\#(time),"type":"tap"}"#, answer: answer)
    }
    let same = try draft([seen(1_763_600_009, "known")], mode: .all, existing: free)
    #expect(try same.review()?.proposals.isEmpty == true)
    let other = try draft(
      [seen(1_763_600_009, "other"), seen(1_763_600_010, "third")], mode: .all, existing: free)
    let review = try #require(try other.review())
    #expect(review.proposals.map(\.stub.key.rawValue) == ["event"])
    #expect(review.proposals.map(\.kind) == [.changed])
    #expect(try other.write(ReviewChoices(acceptAll: true)).isProven)
    let stub = try #require(try other.stubs().first)
    #expect(stub.responses.map(\.text) == ["other", "third"])
    #expect(stub.request == review.existing?.stubs.first?.request)
  }

  @Test func numbersThatGrowAreVolatileIfTheAnswersAreTheSame() throws {
    func draft(_ answers: [String], _ numbers: [Int] = [1, 2, 3]) throws -> RecordedDraft {
      try self.draft(
        zip(numbers, answers).map { Seen(content: #"{"n":\#($0)}"#, answer: $1) })
    }
    let same = try group(draft(["ok", "ok", "ok"]))
    #expect(same == Group(places: ["/body/n"], others: ["post-events-2", "post-events-3"]))
    // A page, and what counts down or not at all.
    #expect(try group(draft(["one", "two", "three"])) == nil)
    #expect(try group(draft(["ok", "ok", "ok"], [3, 1, 2])) == nil)
  }

  @Test func queryParametersAndHeaderFieldsAreFreedToo() throws {
    func seen(_ query: String) -> Seen {
      Seen(url: "https://api.shop.test/events\(query)", content: #"{"type":"tap"}"#)
    }
    let draft = try draft(Self.ids.map { seen("?stamp=\($0)&q=1") })
    #expect(try group(draft)?.places == ["/query/stamp"])
    try draft.write(free("/query/stamp"))
    for stamp in Self.ids + ["x"] {
      #expect(try draft.answer(to: seen("?stamp=\(stamp)&q=1").request) != nil)
    }
    #expect(try draft.answer(to: seen("?q=1").request) == nil)
    #expect(try draft.answer(to: seen("?stamp=x&q=2").request) == nil)
  }

  @Test func aPlaceThatIsNotThereIsRefused() throws {
    let draft = try draft([Seen(content: #"{"a/b":1,"c":2}"#)])
    for (text, message) in [
      (
        "a/shop/post-events:/body/x",
        """
        the request of a/shop/post-events has no place "/body/x"; nothing was changed
        It has: /body/a~1b, /body/c
        """
      ),
      (
        "a/shop/other:/body/x",
        """
        the draft has nothing for "a/shop/other:/body/x"; nothing was changed
        To see what it has: stubdb review
        """
      ),
    ] {
      let refusal = #expect(throws: ReviewRefusal.self) {
        try draft.write(ReviewChoices(free: [text]))
      }
      #expect(refusal?.error.description == message)
    }
    #expect(try draft.stubs().isEmpty)
    try draft.write(free("/body/a~1b"))
    #expect(try draft.answer(to: Seen(content: #"{"a/b":true,"c":2}"#).request) != nil)
  }

  @Test func whatWasDecidedStillCountsAsAskedForWhileOthersWait() throws {
    let known = #"{"type":"tap"}"#
    let draft = try draft(
      [
        Seen(content: known, answer: "changed"), Seen(content: #"{"type":"swipe"}"#),
        Seen(content: #"{"type":"pinch"}"#),
      ], mode: .all, existing: known, recordedAt: "2026-11-01")
    try draft.write(ReviewChoices(reject: ["a/shop/event"]))
    #expect(try draft.review()?.proposals.map(\.kind) == [.new, .new])
    try draft.write(ReviewChoices(accept: ["a/shop/post-events-2"]))
    let rest = try #require(try draft.review()).proposals
    #expect(rest.map(\.stub.key.rawValue) == ["post-events-3"] && rest.map(\.kind) == [.new])
    try draft.write(ReviewChoices(acceptAll: true))
    #expect(try draft.answer(to: Seen(content: known).request)?.text == "known")
    #expect(!draft.hasDraft)
  }

  @Test func decisionsAboutTheRestLeaveDifferentAnswersToBeAskedAbout() throws {
    let draft = try RecordedDraft()
    try draft.record(runs: [
      [Seen(content: #"{"n":"a"}"#), Seen(content: #"{"n":"b"}"#)],
      [Seen(content: #"{"n":"b"}"#, answer: "other")],
    ])
    let selection = try #require(try draft.selection())
    try #require(selection.shown == [0, 1] && selection.isConflict(1))
    var session = ReviewSession()
    session.beginScenario()
    // Each asks and decides, and so cannot stand in an expectation.
    var found = [session.isDecided(0, of: selection)]
    found.append(session.decideRest(.take(answer: nil), from: 0, of: selection))
    found += [session.isDecided(0, of: selection), session.isDecided(1, of: selection)]
    found.append(session.decideRest(.drop, from: 1, of: selection))
    found.append(session.isDecided(1, of: selection))
    #expect(found == [false, true, true, false, true, true])
    session.beginScenario()
    let result = try draft.writer().write(session.outcome, shown: [selection.review])
    #expect(result.taken == 1 && result.dropped == 1)
  }

  @Test func whatBecomesOneStubWithAFreedOneIsDecidedWithIt() throws {
    let draft = try draft(Self.ids.map { Seen(content: #"{"id":"\#($0)"}"#) })
    let selection = try #require(try draft.selection())
    var session = ReviewSession()
    session.free([JSONPointer(["body", "id"])], 1, of: selection)
    let isDecided = session.isDecided(0, of: selection)
    #expect(isDecided)
  }
}
