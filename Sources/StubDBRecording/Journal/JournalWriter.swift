import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBSecrets
import StubDBServing
import StubDBSupport

/// Writes the journal of a run without the secrets that a recording would take out.
///
/// A line that still has one, or might have, is replaced by the reason.
struct JournalWriter {
  /// A report is read by people, and attachments are uploaded.
  static let mostRequests = 1_000
  private static let limits = {
    var limits = RecordingLimits()
    limits.inMemory = 1 << 20
    return limits
  }()

  private var redaction: RunningRedaction

  /// The journal of a run, or only why it has none.
  static func text(
    of player: Player, test: String?, problems: [String], environment: [String: String]
  ) -> String {
    let catalog = player.run.scenario.catalogDescription
    let rules: [RedactionRule]
    do {
      // Without a catalog, no file is beside it.
      rules = try RecordingSecrets.rules(besideCatalog: catalog ?? "/")
    } catch {
      var head = JournalHead()
      head.withheld = "its rules of redaction cannot be used"
      return JournalLine.head(head).text
    }
    var writer = JournalWriter(
      redaction: RunningRedaction(
        rules: rules, known: RecordingSecrets.values(in: environment)))
    return writer.text(of: player, test: test, problems: problems)
  }

  private mutating func text(
    of player: Player, test: String?, problems: [String]
  ) -> String {
    let events = player.run.journal
    let kept = events.suffix(Self.mostRequests)
    var lines = [JournalLine.head(head(player, test, omitted: events.count - kept.count))]
    lines += kept.map { .entry(Self.entry($0)) } + problems.map(JournalLine.problem)
    // What a later request shows to be a secret is none in an earlier one either.
    for line in lines { _ = try? redaction.redacted(line) }
    return lines.map { clean($0) }.joined()
  }

  /// A line that is known to have no secrets.
  private mutating func clean(_ line: JournalLine) -> String {
    do throws(RunningRedaction.Failure) {
      let text = try redaction.redacted(line)?.text
      if let text, !redaction.isFound(in: Data(text.utf8)) { return text }
    } catch {
      return line.withheld(error.reason).text
    }
    return line.withheld("a secret in it cannot be taken out").text
  }

  private func head(_ player: Player, _ test: String?, omitted: Int) -> JournalHead {
    let scenario = player.run.scenario
    var head = JournalHead()
    head.test = test
    head.scenario = player.hasScenario ? scenario.name.rawValue : nil
    (head.overlays, head.seed) = (player.options.overlays, player.options.seed)
    (head.catalog, head.digest) = (scenario.catalogDescription, scenario.catalogDigest)
    (head.omitted, head.today) = (omitted, Self.today(of: player.run))
    return head
  }

  /// The day of the run as another one can have it, on which `now` is another day.
  private static func today(of run: ScenarioRun) -> String? {
    guard let today = run.scenario.today.flatMap(PlaybackOptions.Today.init) else { return nil }
    guard today == .now else { return run.scenario.today }
    let recorded = run.scenario.latestRecording?.moment
    if let recorded, recorded.hasTime {
      let instant = recorded.date.instant + run.shift
      return DateTime(clockSeconds: instant, offset: 0).description
    }
    return DateTime(run.journal.first?.arrival ?? run.now).description
  }

  private static func entry(_ event: ServeEvent) -> JournalEntry {
    var entry = JournalEntry(number: event.number)
    entry.time = event.arrival.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    entry.answer = answer(event)
    var request = event.request
    do throws(ExchangeDocument.Failure) {
      let sent = try ExchangeDocument.sent(request, limits)
      (request.headers, request.body) = (sent.headers, .bytes(sent.content))
    } catch {
      request.body = .unknown(reason: error.reason)
      entry.withheld = error.reason
    }
    entry.request = request
    return entry
  }

  private static func answer(_ event: ServeEvent) -> JSONObject {
    guard let key = event.stubKey else {
      return ["nearMisses": .array(event.nearMisses.map(\.json.jsonValue))]
    }
    guard let scenario = event.scenario else { return ["closure": .string(key)] }
    var answer: JSONObject = ["scenario": .string(scenario.rawValue), "key": .string(key)]
    answer["response"] = event.responseIndex.map { .number(JSONNumber($0 + 1)) }
    answer["status"] = event.status.map { .number(JSONNumber($0)) }
    answer["remark"] = event.remark.map(JSONValue.string)
    return answer
  }
}

extension RunningRedaction {
  /// The line without its secrets, and without those of the lines before; nil if it is no longer valid.
  ///
  /// The search for secrets knows documents, so the parts of the line become those of one.
  fileprivate mutating func redacted(_ line: JournalLine) throws(Failure) -> JournalLine? {
    JournalLine(try redacted(line.document), insteadOf: line)
  }
}

extension JournalLine {
  fileprivate func withheld(_ reason: String) -> JournalLine {
    switch self {
    case .head:
      var head = JournalHead()
      head.withheld = reason
      return .head(head)
    case .entry(let entry):
      var short = JournalEntry(number: entry.number)
      short.withheld = reason
      return .entry(short)
    case .problem: return .problem("(\(reason))")
    }
  }

  /// The line as a scenario of one stub, whose first response has the request and whose last one all the rest.
  fileprivate var document: Scenario {
    var (responses, rest) = ([StubResponse](), JSONValue.null)
    switch self {
    case .head(let head):
      rest = .array(
        [head.test, head.scenario, head.catalog].map { .string($0 ?? "") }
          + head.overlays.map(JSONValue.string))
    case .problem(let text): rest = .string(text)
    case .entry(let entry):
      rest = .object(entry.answer)
      guard let request = entry.request else { break }
      let content = request.content ?? Data()
      let body = ExchangeDocument.text(content).map(ResponseBody.text) ?? .data(content)
      var headers: HTTPFields = [.location: request.url]
      for field in request.headers { headers.append(field) }
      responses = [
        StubResponse(headers: headers, body: content.isEmpty ? nil : body),
        // Some secrets are found by their place in JSON content.
        StubResponse(
          body: ExchangeDocument.json(content, request.headers[.contentType])
            .map(ResponseBody.json)),
        StubResponse(body: .text(request.method)),
      ]
    }
    responses.append(StubResponse(body: .json(rest)))
    return Scenario(
      name: ScenarioName(unchecked: "journal"), stubs: [Stub(key: "line", responses: responses)])
  }

  /// The line that a document of another one has become; nil if it is no longer valid.
  fileprivate init?(_ document: Scenario, insteadOf line: JournalLine) {
    guard let responses = document.stubs.first?.responses,
      let rest = responses.last?.body?.bytes.flatMap({ try? JSONValue(parsing: $0) })
    else { return nil }
    switch (line, rest) {
    case (.head(var head), .array(let texts)):
      let texts = texts.map { $0.text ?? "" }
      head.test = head.test.map { _ in texts[0] }
      head.scenario = head.scenario.map { _ in texts[1] }
      head.catalog = head.catalog.map { _ in texts[2] }
      head.overlays = Array(texts.dropFirst(3))
      self = .head(head)
    case (.problem, .string(let text)): self = .problem(text)
    case (.entry(var entry), .object(let answer)):
      entry.answer = answer
      if let request = entry.request {
        guard responses.count == 4 else { return nil }
        entry.request = Self.request(responses, insteadOf: request)
        if entry.request == nil { return nil }
      }
      self = .entry(entry)
    default: return nil
    }
  }

  private static func request(
    _ responses: [StubResponse], insteadOf request: StubRequest
  ) -> StubRequest? {
    var values: [HTTPField.Name: [String]] = [:]
    for field in responses[0].headers { values[field.name, default: []].append(field.value) }
    guard let url = values[.location]?.first,
      let method = responses[2].body?.bytes
    else { return nil }
    values[.location]?.removeFirst()
    var clean = StubRequest(method: String(decoding: method, as: UTF8.self), url: url)
    // A document does not keep the order of header fields with different names.
    for field in request.headers {
      guard values[field.name]?.isEmpty == false, let value = values[field.name]?.removeFirst()
      else { return nil }
      clean.headers.append(HTTPField(name: field.name, value: value))
    }
    clean.body = request.body
    if let content = request.content, !content.isEmpty {
      guard let bytes = responses[0].body?.bytes else { return nil }
      clean.body = .bytes(bytes)
    }
    return clean
  }
}
