internal import Foundation
internal import HTTPTypes
package import StubDBModel

/// Turns recorded exchanges into stubs: filters, normalizes, groups equal requests, puts answers in order.
struct RecordingPipeline {
  private let options: ImportOptions
  private let answers: AnswerReader
  private let requests: RequestReader
  private let filter: ExchangeFilter
  private let log: ReportLog

  init(options: ImportOptions, log: ReportLog) {
    self.options = options
    self.log = log
    var answers = AnswerReader()
    answers.headers = HeaderPolicy(keeping: options.keptHeaders)
    answers.keepsTiming = options.keepsTiming
    self.answers = answers
    requests = RequestReader(options: options)
    filter = ExchangeFilter(options: options)
  }

  /// The exchanges that a user wants; the report says how many others there are.
  func wanted(_ exchanges: [RecordedExchange]) -> [RecordedExchange] {
    filter.apply(to: exchanges, log: log)
  }

  /// The stubs of wanted exchanges that belong to one scenario.
  func stubs(of exchanges: [RecordedExchange]) -> [ImportedStub] {
    let wanted = inOrder(exchanges)
    let calls = wanted.enumerated().compactMap { place, exchange in
      if place.isMultiple(of: 64) {
        log.progress("\(place) of \(wanted.count) requests made into stubs")
      }
      return call(exchange)
    }
    let evidence = VolatileEvidence(calls, isUsed: !options.isExact)
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
    if options.usesFlows { FlowMaker.addFlows(to: &stubs, groups: separated) }
    QueryExactness.settle(&stubs)
    return stubs
  }

  /// Sorted by time where all exchanges have one.
  private func inOrder(_ exchanges: [RecordedExchange]) -> [RecordedExchange] {
    guard exchanges.allSatisfy({ $0.time != nil }) else { return exchanges }
    return exchanges.enumerated().sorted {
      ($0.element.time ?? 0, $0.offset) < ($1.element.time ?? 0, $1.offset)
    }.map(\.element)
  }

  private func call(_ exchange: RecordedExchange) -> RecordedCall? {
    guard let url = requests.url(of: exchange) else { return nil }
    guard let response = answers.response(to: exchange) else { return nil }
    return requests.call(exchange, url: url, response: response)
  }

  /// The latest day, and the server that was recorded.
  private func recording(of group: CallGroup) -> Recording? {
    guard let day = group.calls.compactMap(\.exchange.recordedDay).max() else { return nil }
    let url = URLParts(group.calls[0].exchange.url)
    let port = url?.port.map { ":\($0)" } ?? ""
    let from = url?.scheme.flatMap { scheme in url?.host.map { "\(scheme)://\($0)\(port)" } }
    return Recording(at: day, from: from)
  }

  private func stub(of group: CallGroup) -> ImportedStub {
    let first = group.calls[0]
    var stub = Stub(key: .unset, request: group.pattern, responses: group.responses)
    stub.recorded = recording(of: group)
    if options.isOrderStrict { stub.then = .fail }
    stub.summary = first.exchange.name.flatMap(StubNaming.summary)
    let hasFreeQuery = group.calls.contains { $0.hasFreeQuery }
    stub.request.queryIsExact =
      !hasFreeQuery && group.calls.allSatisfy(\.exchange.comparesWholeQuery)
    return ImportedStub(
      stub: stub, name: first.exchange.name,
      items: group.calls.compactMap(\.exchange.source.item) + group.equalItems,
      hasFreeQuery: hasFreeQuery)
  }
}

/// A request with its pattern, and the response to it.
struct RecordedCall {
  var exchange: RecordedExchange
  var pattern: RequestPattern
  var response: StubResponse
  /// Whether parameters that differ in every request were taken out of the pattern.
  var hasFreeQuery = false
  /// The position among the calls, by their times.
  var order = 0
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
  /// The pattern for any content.
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
  package var items: [ReportLog.Item]
  /// Whether requests have parameters that the stub does not ask for.
  var hasFreeQuery = false
  /// Whether the key of the stub is the one that it has to have, because it comes from a catalog.
  var hasExactKey = false

  package init(
    stub: Stub, name: String? = nil, items: [ReportLog.Item] = [], hasFreeQuery: Bool = false
  ) {
    self.hasFreeQuery = hasFreeQuery
    self.stub = stub
    self.name = name
    self.items = items
  }
}

/// Equal requests, in the order in which they were sent.
struct CallGroup {
  var pattern: RequestPattern
  var calls: [RecordedCall]
  /// The items of other requests, which were answered as these.
  var equalItems: [ReportLog.Item] = []

  /// The responses, equal neighbours as one: one response if all are equal.
  var responses: [StubResponse] {
    var list: [StubResponse] = []
    for call in calls {
      if var last = list.last {
        let count = last.repeatCount
        last.repeatCount = call.response.repeatCount
        if last == call.response {
          list[list.count - 1].repeatCount = count + 1
          continue
        }
      }
      list.append(call.response)
    }
    if list.count == 1 { list[0].repeatCount = 1 }
    return list
  }

  /// Whether all requests got the same answer.
  var hasOneAnswer: Bool { calls.allSatisfy { $0.response == calls[0].response } }
}

/// Requests grouped by their pattern, in the order of their first appearance.
struct CallGroups {
  private(set) var list: [CallGroup] = []
  private var places: [RequestPattern: Int] = [:]

  mutating func add(_ call: RecordedCall) {
    if let place = places[call.pattern] {
      list[place].calls.append(call)
    } else {
      places[call.pattern] = list.count
      list.append(CallGroup(pattern: call.pattern, calls: [call]))
    }
  }
}
