package import Foundation
package import HTTPTypes
public import StubDBModel

/// An entry of the journal: a request, and what answered it.
public struct ServeEvent: Hashable, Sendable, CustomStringConvertible {
  /// What the entry says.
  private struct Facts: Sendable {
    let request: StubRequest
    let scenario: ScenarioName?
    let stubKey: String?
    let responseIndex: Int?
    let explanation: UnmatchedExplanation?
    var remark: String?
    var frames: FrameLog?
    var status: Int?
  }

  private final class Storage: Sendable {
    let facts: Facts

    init(_ facts: Facts) {
      self.facts = facts
    }
  }

  // One reference, since journals grow long, and entries are handed around.
  private let storage: Storage
  private var facts: Facts {
    _read { yield storage.facts }
  }

  /// The number in the journal, from 1.
  public let number: Int
  /// When the request came.
  package let arrival: Date

  init(
    number: Int, request: StubRequest, arrival: Date, scenario: ScenarioName? = nil,
    stubKey: String? = nil, responseIndex: Int? = nil, explanation: UnmatchedExplanation? = nil,
    status: Int? = nil
  ) {
    let facts = Facts(
      request: request, scenario: scenario, stubKey: stubKey, responseIndex: responseIndex,
      explanation: explanation, status: status)
    (self.number, self.arrival, storage) = (number, arrival, Storage(facts))
  }

  private init(_ facts: Facts, insteadOf event: ServeEvent) {
    (number, arrival, storage) = (event.number, event.arrival, Storage(facts))
  }

  /// The same entry with a remark.
  func with(remark: String) -> ServeEvent {
    var facts = self.facts
    facts.remark = remark
    return ServeEvent(facts, insteadOf: self)
  }

  /// The same entry with one more message of its WebSocket.
  package func with(frame: FrameRecord) -> ServeEvent {
    var facts = self.facts
    var frames = facts.frames ?? FrameLog()
    frames.add(frame)
    facts.frames = frames
    return ServeEvent(facts, insteadOf: self)
  }

  /// The same entry with the status that the client got.
  func with(status: Int?) -> ServeEvent {
    var facts = self.facts
    facts.status = status
    return ServeEvent(facts, insteadOf: self)
  }

  /// The size of the request and of what happened on its WebSocket, in bytes.
  var byteCount: Int {
    var count = request.url.utf8.count + (frames?.byteCount ?? 0) + request.headers.byteCount
    if case .bytes(let content) = request.body.kind { count += content.count }
    return count
  }

  /// Why no stub answered; nil if one did.
  var explanation: UnmatchedExplanation? { facts.explanation }

  /// The request.
  public var request: StubRequest { facts.request }
  /// The scenario whose document contains the stub that answered; nil if none did.
  public var scenario: ScenarioName? { facts.scenario }
  /// The key of the stub that answered; nil if none did.
  public var stubKey: String? { facts.stubKey }
  /// The index of the stub's response; nil if no stub answered.
  public var responseIndex: Int? { facts.responseIndex }
  /// The nearest stubs, at most three, nearest first; empty if a stub or the real network answered.
  ///
  /// Computed on first use, which compares the request with all stubs.
  public var nearMisses: [NearMiss] { facts.explanation?.nearMisses ?? [] }
  /// Releases what only the search for the nearest stubs needs, if no report will be made.
  package func discardExplanation() { facts.explanation?.discard() }
  /// What its client got in place of the answer, because a front end cannot show that; nil for the answer itself.
  package var remark: String? { facts.remark }
  /// The outcomes of the messages of the WebSocket that the request opened; nil for other requests.
  package var frames: FrameLog? { facts.frames }
  /// The status of the stub's response, or what a front end has sent in its place; nil for none.
  package var status: Int? { facts.status }
  /// Whether a stub answered.
  public var isMatched: Bool { facts.stubKey != nil }

  /// One line: the number, the request as a method, a URL and its operation, and what answered it.
  ///
  /// It has no header fields, no content and no secrets of the URL, since it ends up in logs.
  public var description: String {
    "\(number). \(request.title): \(answer)"
  }

  private var answer: String {
    guard let stubKey else {
      let nearest = nearMisses.first.map { ", nearest is \"\($0.key)\"" } ?? ""
      return "no stub answers" + nearest
    }
    // A closure has a place in the source instead of a scenario.
    guard let scenario else { return stubKey }
    let response = responseIndex.map { "response \($0 + 1)" } ?? "passed on to the network"
    let remark = remark.map { " (\($0))" } ?? ""
    return "stub \"\(stubKey)\" of \(scenario), \(response)\(remark)"
  }

  /// Whether both have the same request and the same answer.
  public static func == (one: ServeEvent, other: ServeEvent) -> Bool {
    one.number == other.number && one.request == other.request && one.scenario == other.scenario
      && one.stubKey == other.stubKey && one.responseIndex == other.responseIndex
  }

  /// Hashes the request and what answered it.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(request)
    hasher.combine(stubKey)
  }
}

extension HTTPFields {
  /// The size of the names and values.
  package var byteCount: Int { reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count } }
}
