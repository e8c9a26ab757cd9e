internal import Foundation
internal import StubDBEngine
internal import StubDBJSON
package import StubDBModel

/// Turns recorded exchanges into stubs: filters, normalizes, groups equal requests, puts answers in order.
struct RecordingPipeline {
  private let options: ImportOptions
  private let answers: AnswerReader
  private let requests: RequestReader
  private let filter: ExchangeFilter
  private let log: ReportLog
  /// Whether no stub answers a request with parameters that were not recorded.
  private let isQueryExact: Bool

  init(options: ImportOptions, log: ReportLog, isQueryExact: Bool = false) {
    (self.options, self.log, self.isQueryExact) = (options, log, isQueryExact)
    var answers = AnswerReader()
    answers.headers = HeaderPolicy(keeping: options.keptHeaders)
    answers.keepsTiming = options.flags.contains(.timing)
    self.answers = answers
    requests = RequestReader(options: options)
    filter = ExchangeFilter(options: options)
  }

  /// The exchanges that a user wants, numbered by their times; the report says how many others there are.
  func wanted(_ exchanges: [RecordedExchange]) -> [RecordedExchange] {
    var wanted = filter.apply(to: exchanges, log: log)
    for (number, place) in order(of: wanted).enumerated() { wanted[place].number = number }
    return wanted
  }

  /// The stubs of wanted exchanges that belong to one scenario; `own` are the placeholders of what is known to be the
  /// client's own, and `numbers` those that redaction gave to numbers.
  func stubs(
    of exchanges: [RecordedExchange], own: Set<String> = [], numbers: Set<String> = []
  ) -> [ImportedStub] {
    let wanted = order(of: exchanges).map { exchanges[$0] }
    var secrets = UnansweredSecrets(own: own, numbers: numbers)
    let calls = wanted.enumerated().compactMap { place, exchange in
      if place.isMultiple(of: 64) {
        log.progress("\(place) of \(wanted.count) requests made into stubs")
      }
      return call(exchange).map { $0.freed(of: &secrets) }
    }
    let evidence = VolatileEvidence(calls, isUsed: !options.flags.contains(.exact))
    var groups = CallGroups()
    for (order, call) in calls.enumerated() {
      var call = evidence.applied(to: call)
      call.order = order
      groups.add(call)
    }
    let settled = options.matchesAnyHost ? groups.list.map(AnyHost.settled) : groups.list
    var separated = settled.flatMap { HeaderSeparation.separate($0) }
    EmptyContents.settle(&separated)
    var stubs = separated.map { stub(of: $0) }
    if options.flags.contains(.flows) { FlowMaker.addFlows(to: &stubs, groups: separated) }
    QueryExactness.settle(&stubs, always: isQueryExact)
    return RequestOrder.sorted(stubs) { $0.stub.request }
  }

  /// What of the placeholders in numbered exchanges, of which other scenarios may have some, is the client's own.
  func ownSecrets(of exchanges: [RecordedExchange]) -> Set<String> {
    var owners = SecretOwners()
    for exchange in exchanges.sorted(by: { $0.number < $1.number }) {
      owners.send(exchange.sentPlaceholders().union(exchange.sentCredentials()))
      owners.give(exchange.givenPlaceholders)
    }
    return owners.own
  }

  /// The places of the exchanges, sorted by time where all have one.
  private func order(of exchanges: [RecordedExchange]) -> [Int] {
    guard exchanges.allSatisfy({ $0.time != nil }) else { return Array(exchanges.indices) }
    return exchanges.indices.sorted {
      (exchanges[$0].time ?? 0, $0) < (exchanges[$1].time ?? 0, $1)
    }
  }

  private func call(_ exchange: RecordedExchange) -> RecordedCall? {
    guard let url = requests.url(of: exchange) else { return nil }
    guard let response = answers.response(to: exchange) else { return nil }
    return requests.call(exchange, url: url, response: response)
  }

  /// The latest day, and the server that was recorded.
  private func recording(of group: CallGroup) -> Stub.Recording? {
    guard let day = group.calls.compactMap(\.exchange.recordedDay).max() else { return nil }
    return Stub.Recording(at: day, from: URLParts(group.calls[0].exchange.url)?.origin)
  }

  private func stub(of group: CallGroup) -> ImportedStub {
    let first = group.calls[0]
    var stub = Stub(key: .unset, request: group.pattern, responses: group.responses)
    stub.recorded = recording(of: group)
    if options.flags.contains(.strictOrder) { stub.then = .fail }
    stub.summary = first.exchange.name.flatMap(StubNaming.summary)
    var imported = ImportedStub(
      stub: stub, name: first.exchange.name,
      items: group.calls.compactMap(\.exchange.source.item) + group.equalItems,
      freedPlaces: group.freedPlaces, hasFreeQuery: group.calls.contains { $0.hasFreeQuery })
    imported.comparesWholeQuery = group.calls.allSatisfy(\.exchange.comparesWholeQuery)
    imported.calls = group.calls
    return imported
  }
}

/// A request with its pattern, and the response to it.
struct RecordedCall {
  var exchange: RecordedExchange
  var pattern: RequestPattern
  var response: StubResponse
  /// Whether parameters that differ in every request were taken out of the pattern.
  var hasFreeQuery = false
  /// The places that are free, because the client had what redaction took out there before an answer gave it.
  var freedPlaces: [JSONPointer] = []
  /// The position among the calls, by their times.
  var order = 0

  /// The call with what the client had before an answer gave it left free, which the report says.
  func freed(of secrets: inout UnansweredSecrets) -> RecordedCall {
    secrets.owners.send(exchange.sentPlaceholders())
    let freed = secrets.freed(pattern)
    secrets.take(response)
    guard !freed.places.isEmpty else { return self }
    for place in freed.places {
      exchange.source.add(
        .changed, .volatile,
        "\(place) had a secret that the client had before an answer gave it; any value matches")
    }
    var call = self
    (call.pattern, call.freedPlaces) = (freed.pattern, freed.places)
    return call
  }
}

/// Keeps a stub without a content from answering requests that have one, where a sibling is about such requests.
enum EmptyContents {
  static func settle(_ groups: inout [CallGroup]) {
    var withContent: Set<RequestPattern> = []
    for group in groups where !group.pattern.body.isEmpty {
      withContent.insert(group.pattern.withoutBody)
    }
    for place in groups.indices where groups[place].pattern.body.isEmpty {
      let isEmpty = groups[place].calls.allSatisfy { $0.exchange.requestBody == .none }
      if isEmpty, withContent.contains(groups[place].pattern) {
        groups[place].pattern.body = [.value(.absent)]
      }
    }
  }
}

extension RequestPattern {
  fileprivate var withoutBody: RequestPattern {
    var pattern = self
    pattern.body = []
    return pattern
  }
}

/// A stub on its way to a scenario, which decides about its key.
package struct ImportedStub {
  /// The stub; its key is a wish, or unset.
  package var stub: Stub
  /// The name that a person gave it; nil for none.
  package var name: String?
  /// The items of the input that it is made of.
  package var items: [ReportLog.Item] = []
  /// The places that are free, because the client had what redaction took out there before an answer gave it.
  var freedPlaces: [JSONPointer] = []
  /// Whether requests have parameters that the stub does not ask for.
  var hasFreeQuery = false
  /// Whether what recorded the requests answers none with other parameters.
  var comparesWholeQuery = false
  /// The recorded requests that it is made of, with their answers; empty where a person wrote it.
  var calls: [RecordedCall] = []
  /// Where it is in the input; nil where only the file is known.
  var source: ReportSource?
  /// The requests of the input that it has to answer: that of a contract, or examples.
  var asked: [StubRequest] = []
  /// Whether the key of the stub is the one that it has to have, because it comes from a catalog.
  var hasExactKey = false
}

/// Equal requests, in the order in which they were sent.
struct CallGroup {
  var pattern: RequestPattern
  var calls: [RecordedCall]
  /// The items of other requests, which were answered as these.
  var equalItems: [ReportLog.Item] = []

  /// The places that any of the calls left free, in order.
  var freedPlaces: [JSONPointer] {
    calls.flatMap(\.freedPlaces).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The responses, equal neighbours as one: one response if all are equal.
  var responses: [StubResponse] { calls.map(\.response).asSequence }

  /// Whether all requests got the same answer.
  var hasOneAnswer: Bool { calls.allSatisfy { $0.response == calls[0].response } }
}

/// Requests grouped by their pattern, in the order of their first appearance.
struct CallGroups {
  private var groups = OrderedGroups<RequestPattern, CallGroup>()

  var list: [CallGroup] { groups.list.map(\.value) }

  mutating func add(_ call: RecordedCall) {
    groups[call.pattern, default: CallGroup(pattern: call.pattern, calls: [])].calls.append(call)
  }
}
