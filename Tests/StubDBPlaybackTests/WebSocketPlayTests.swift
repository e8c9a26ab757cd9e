import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBPlayback
@testable import StubDBServing

/// The script of a WebSocket, played without a socket.
@Suite struct WebSocketPlayTests {
  /// What happens, and what the server is to do; each line of `course` is an event and its consequences.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var script: String
    var course: [String]
    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(
      name: "frames are sent and expected in order",
      script: """
        {"frames": [{"send": {"json": {"type": "hello"}}},
          {"expect": {"equalToJson": {"subscribe": "o_1"}}, "within": "2s"},
          {"send": {"text": "paid"}, "after": "300ms"}, {"send": {"base64": "AAE="}}, {"close": 1000}]}
        """,
      course: [
        "begin: 0 sent, send {\"type\":\"hello\"}, wait 2s",
        "> { \"subscribe\": \"o_1\" }: 1 met, wait 300ms",
        "time: 2 sent, send paid, 3 sent, send 2 bytes, 4 closed with 1000, close 1000",
        "closes 1000: end",
      ]),
    Row(
      name: "a message waits for its frame",
      script: """
        {"frames": [{"send": {"text": "hello"}, "after": "1s"}, {"expect": {"equalTo": "a"}},
          {"expect": {"equalTo": "b"}}, {"close": 4000, "reason": "done"}]}
        """,
      course: [
        "begin: wait 1s", "> a: ", "> b: ",
        "time: 0 sent, send hello, 1 met, 2 met, 3 closed with 4000: done, close 4000 done",
      ]),
    Row(
      name: "another message than the expected one closes the connection",
      script: #"{"frames": [{"expect": {"equalTo": "a"}}, {"send": {"text": "never"}}]}"#,
      course: [
        "begin: ",
        "> b: 0 closed with 1008: frame 0 expects another message (\"a\", \"b\"), "
          + "close 1008 frame 0 expects another message, "
          + "problem frame 0 expects another message: expected \"a\", got \"b\"",
        "> a: ", "closes 1008: end",
      ]),
    Row(
      name: "a message that does not come in time closes the connection",
      script: #"{"frames": [{"expect": {"contains": "a"}, "within": "2s"}]}"#,
      course: [
        "begin: wait 2s",
        "time: 0 closed with 1008: frame 0 got no message within 2s (contains \"a\", no such message within 2s), "
          + "close 1008 frame 0 got no message within 2s, "
          + "problem frame 0 got no message within 2s: expected contains \"a\"",
      ]),
    Row(
      name: "messages that are not expected are ignored if the script says so",
      script: """
        {"frames": [{"expect": {"equalTo": "a"}, "within": "1s"}, {"send": {"text": "ok"}}],
          "otherwise": "ignore"}
        """,
      course: [
        "begin: wait 1s", "> x: 0 ignored (\"a\", \"x\")", "> a: 0 met, 1 sent, send ok",
        "> a: ignored", "time: ",
      ]),
    Row(
      name: "an echo needs no frames",
      script: #"{"otherwise": "echo"}"#,
      course: [
        "begin: ", "> a: echoed, send a", "> b: echoed, send b",
        "closes: closed by the client, close, end",
      ]),
    Row(
      name: "no message is expected once all frames are played",
      script: #"{"frames": [{"send": {"text": "a"}}]}"#,
      course: [
        "begin: 0 sent, send a",
        "> b: closed with 1008: no frame expects a message, close 1008 no frame expects a message, "
          + "problem no frame expects a message, got \"b\"",
      ]),
    Row(
      name: "frames repeat from an index",
      script: """
        {"frames": [{"send": {"text": "a"}}, {"send": {"text": "b"}, "after": "1s"}], "repeatFrom": 1,
          "otherwise": "ignore"}
        """,
      course: [
        "begin: 0 sent, send a, wait 1s", "time: 1 sent, send b, wait 1s", "> x: ignored",
        "time: 1 sent, send b, wait 1s",
      ]),
    Row(
      name: "a repeated frame takes a message that came before",
      script: """
        {"frames": [{"expect": {"matches": "[0-9]"}}, {"send": {"text": "ok"}, "after": "1s"}],
          "repeatFrom": 0}
        """,
      course: [
        "begin: ", "> 1: 0 met, wait 1s", "> 2: ",
        "time: 1 sent, send ok, 0 met, wait 1s", "time: 1 sent, send ok",
      ]),
    Row(
      name: "the connection is reset",
      script: #"{"frames": [{"fault": "connectionReset", "after": "1s"}]}"#,
      course: ["begin: wait 1s", "time: 0 connectionReset, reset", "> a: ", "closes 1000: "]),
    Row(
      name: "silence answers nothing",
      script: #"{"frames": [{"fault": "never"}], "otherwise": "echo"}"#,
      course: ["begin: 0 never, silence", "> a: ", "closes 1000: ", "fails 1002: "]),
    Row(
      name: "the client may close at any frame",
      script: #"{"frames": [{"expect": {"equalTo": "a"}, "within": "1s"}]}"#,
      course: [
        "begin: wait 1s", "closes 3001: closed by the client (3001), close 3001, end", "time: ",
        "> a: ",
      ]),
    Row(
      name: "bytes that are no message close the connection",
      script: #"{"frames": [{"expect": {"equalTo": "a"}}]}"#,
      course: [
        "begin: ", "fails 1002: closed with 1002: bad, close 1002 bad", "fails 1002: ", "> a: ",
        "closes 1002: end",
      ]),
  ]

  @Test(arguments: rows)
  func theScriptIsPlayed(row: Row) throws {
    var rehearsal = try Rehearsal(row.script)
    for line in row.course {
      let parts = line.split(separator: ":", maxSplits: 1)
      // A message may have a colon.
      let end = line.range(of: line.hasPrefix("> {") ? "}: " : ": ")
      let event = end.map { String(line[..<$0.lowerBound]) + (line.hasPrefix("> {") ? "}" : "") }
      try rehearsal.tell(event ?? String(parts[0]))
      let expected = end.map { String(line[$0.upperBound...]) } ?? ""
      #expect(rehearsal.log.joined(separator: ", ") == expected, "\(event ?? line)")
      rehearsal.log = []
    }
  }

  @Test func timeThatPassesDuringAComparisonCountsOnlyIfTheMessageIsWrong() throws {
    for (message, isMet) in [("a", true), ("b", false)] {
      let answer = try Rehearsal.answer(
        #"{"frames": [{"expect": {"equalTo": "a"}, "within": "1s"}], "otherwise": "ignore"}"#)
      var play = answer.play
      #expect(play.begin() == [.wait(.seconds(1), 1)])
      let content = WebSocketMessage(content: Data(message.utf8), isText: true)
      #expect(play.received(content) == [.compare(content, frame: 0)])
      #expect(play.timeHasPassed(1).isEmpty)
      let verdict = try #require(answer.frames).compare(content.content, withFrame: 0)
      _ = play.compared(verdict)
      #expect(play.isClosing == !isMet)
    }
  }

  @Test func aTimerThatWasReplacedDoesNothing() throws {
    let answer = try Rehearsal.answer(
      #"{"frames": [{"send": {"text": "a"}, "after": "1s"}, {"send": {"text": "b"}, "after": "2s"}]}"#
    )
    var play = answer.play
    #expect(play.begin() == [.wait(.seconds(1), 1)])
    #expect(play.timeHasPassed(1).count == 2)
    #expect(play.sent() == [.wait(.seconds(2), 2)])
    #expect(play.timeHasPassed(1).isEmpty)
    #expect(play.timeHasPassed(2).count == 2)
  }

  @Test func theNextFrameWaitsUntilTheClientHasTakenTheLast() throws {
    let answer = try Rehearsal.answer(
      #"{"frames": [{"send": {"text": "a"}}, {"send": {"text": "b"}}]}"#)
    var play = answer.play
    #expect(play.begin().count == 2)
    let next = play.sent()
    #expect(
      next.contains(.send(WebSocketMessage(content: Data("b".utf8), isText: true), isAwaited: true))
    )
    #expect(play.sent().isEmpty)
    #expect(play.sent().isEmpty)
  }

  @Test func aClientThatSendsTooMuchTooEarlyIsToStop() throws {
    let answer = try Rehearsal.answer(
      #"{"frames": [{"send": {"text": "a"}, "after": "1s"}, {"expect": {"contains": "x"}}]}"#)
    var play = answer.play
    _ = play.begin()
    let message = WebSocketMessage(content: Data(repeating: 0x78, count: 1 << 19), isText: true)
    _ = play.received(message)
    #expect(!play.isFull)
    _ = play.received(message)
    #expect(play.isFull)
    _ = play.timeHasPassed(1)
    _ = play.sent()
    #expect(!play.isFull)
  }

  @Test func messagesAreTemplatesOfTheRequest() throws {
    let answer = try Rehearsal.answer(
      #"{"frames": [{"send": {"json": {"id": "{{request.query.id}}"}}}, {"send": {"text": "{{request.path}}"}}]}"#,
      template: true)
    let texts = answer.script.frames.map { frame -> String? in
      guard case .send(let body, _) = frame.kind else { return nil }
      return body.bytes.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(texts == [#"{"id":"o_1"}"#, "/socket"])
  }

  @Test(arguments: [(#"{"matches": "(.*a){30}"}"#, 0), (#"{"contains": "a"}"#, Int.max)])
  func aPatternSaysHowLargeMessagesItComparesAtOnce(pattern: String, size: Int) throws {
    let answer = try Rehearsal.answer(#"{"frames": [{"expect": \#(pattern)}]}"#)
    guard case .expect(let patterns, _) = try #require(answer.script.frames.first).kind else {
      Issue.record("the frame expects nothing")
      return
    }
    #expect(PatternCost.size(of: patterns) == size)
  }

  @Test func aMessageIsComparedWithAValueThatTheRunKeeps() throws {
    let answer = try Rehearsal.answer(
      #"{"frames": [{"expect": {"equalToCaptured": "order"}}]}"#, capture: true)
    let frames = try #require(answer.frames)
    #expect(frames.compare(Data("o_1".utf8), withFrame: 0) == .met)
    #expect(frames.compare(Data("o_2".utf8), withFrame: 0) != .met)
  }

  @Test(arguments: [
    (#"{"frames": [{"expect": {"matches": "("}}]}"#, "/webSocket/frames/0/expect/matches"),
    (#"{"frames": [{"send": {"text": "{{nothing"}}]}"#, "/webSocket/frames/0/send/text"),
  ])
  func whatCannotBePlayedIsRefusedWithItsPlace(script: String, place: String) {
    let error = #expect(throws: (any Error).self) { try Rehearsal.answer(script, template: true) }
    let pointer = (error as? EngineError)?.pointer ?? (error as? DocumentError)?.pointer
    #expect(pointer?.description == "/stubs/0/responses/0" + place)
  }

  @Test func aWebSocketThatNoRequestAsksForIsRefused() throws {
    let document = """
      {"scenario": "orders", "stubs": [{"key": "socket", "request": {"url": "https://api.shop.test/socket"},
        "responses": [{"webSocket": {}}]}]}
      """
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    let error = #expect(throws: EngineError.self) { try LoadedScenario(scenario) }
    #expect(error?.reason.hasSuffix("write wss in place of https") == true)
  }

  @Test func aFrontEndWithoutWebSocketsSaysWhatToDo() throws {
    let player = Player(
      try Rehearsal.scenario("{}", capture: false, template: false),
      options: PlaybackOptions(pace: .instant))
    let error = #expect(throws: PlayedAnswer.Failure.self) {
      try PlayedAnswer(to: StubRequest(url: "wss://api.shop.test/socket"), from: player)
    }
    #expect(error?.message.contains("start \"stubdb serve orders\"") == true)
    #expect(player.problems().map(\.kind) == [.refusedWebSocket])
  }

  @Test func theJournalKeepsTheLastMessagesOfAStreamWithoutAnEnd() throws {
    let run = try Rehearsal.scenario("{}", capture: false, template: false).run()
    let outcome = run.respond(to: StubRequest(url: "wss://api.shop.test/socket"))
    guard case .respond(let selection) = outcome else {
      Issue.record("no stub answers")
      return
    }
    for number in 1...100 {
      run.record(FrameRecord(frame: 0, outcome: "sent", text: "\(number)"), on: selection.event)
    }
    let log = try #require(run.journalEntry(1)?.frames)
    #expect(log.count == 100)
    #expect(log.records.map(\.text) == (61...100).map(String.init))
  }
}

/// Plays a script, and writes down what is to be done.
private struct Rehearsal {
  let answer: WebSocketAnswer
  var play: WebSocketPlay
  var log: [String] = []
  private var timer = 0

  init(_ script: String) throws {
    answer = try Self.answer(script)
    play = answer.play
  }

  static func scenario(
    _ script: String, capture: Bool, template: Bool
  ) throws -> LoadedScenario {
    let kept = capture ? #""capture": {"order": {"query": "id"}},"# : ""
    let document = """
      {"scenario": "orders", "stubs": [{"key": "socket", "request": {"url": "wss://api.shop.test/socket"},
        \(kept) "responses": [{"webSocket": \(script), "template": \(template)}]}]}
      """
    return try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8)))
  }

  static func answer(
    _ script: String, capture: Bool = false, template: Bool = false
  ) throws -> WebSocketAnswer {
    let run = try scenario(script, capture: capture, template: template).run()
    let outcome = run.respond(to: StubRequest(url: "wss://api.shop.test/socket?id=o_1"))
    guard case .respond(let selection) = outcome,
      case .webSocket(let answer) = Answer(selection).kind
    else { throw CocoaError(.featureUnsupported) }
    return answer
  }

  mutating func tell(_ event: String) throws {
    let words = event.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    switch words[0] {
    case "begin": carryOut(play.begin())
    case "time": carryOut(play.timeHasPassed(timer))
    case ">":
      carryOut(play.received(WebSocketMessage(content: Data(rest.utf8), isText: true)))
    case "closes": carryOut(play.clientCloses(Int(rest)))
    case "fails": carryOut(play.fail(try #require(Int(rest)), "bad"))
    default: Issue.record("unknown event \(event)")
    }
  }

  private mutating func carryOut(_ actions: [WebSocketPlay.Action]) {
    for action in actions {
      switch action {
      case .send(let message, let isAwaited):
        log.append(
          "send \(message.isText ? String(decoding: message.content, as: UTF8.self) : message.text)"
        )
        if isAwaited { carryOut(play.sent()) }
      case .wait(let time, let number):
        timer = number
        log.append("wait \(DurationText.text(time))")
      case .compare(let message, let frame):
        if let verdict = answer.frames?.compare(message.content, withFrame: frame) {
          carryOut(play.compared(verdict))
        }
      case .close(let code, let reason):
        log.append(
          (["close"] + [code.map(String.init), reason].compactMap(\.self)).filter { !$0.isEmpty }
            .joined(separator: " "))
      case .end: log.append("end")
      case .reset: log.append("reset")
      case .fallSilent: log.append("silence")
      case .record(let record): log.append(Self.text(of: record))
      case .problem(let text): log.append("problem \(text)")
      }
    }
  }

  private static func text(of record: FrameRecord) -> String {
    let frame = record.frame.map { "\($0) " } ?? ""
    let detail =
      record.mismatches.first.map { " (\($0.expected), \($0.actual))" }
      ?? (record.outcome == "closed by the client" && !record.text.isEmpty
        ? " (\(record.text))" : "")
    return frame + record.outcome + detail
  }
}
