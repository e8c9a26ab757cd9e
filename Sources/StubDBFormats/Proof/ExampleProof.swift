internal import Foundation
internal import StubDBEngine
internal import StubDBModel
internal import StubDBServing

/// Asks the stubs that a person wrote, one by one: for the requests that their input has, such as that of a contract, or for
/// an example of their patterns.
///
/// Of stubs that accept the same request, the first answers in the other tool, too. So an example only has to be
/// answered at all, and by the same stub whether it is asked for with an origin or, as a server is, by the path alone.
struct ExampleProof: Sendable {
  /// What is wrong with a stub.
  enum Failure: Hashable, Sendable {
    /// A request of the input gets no answer.
    case askedUnanswered
    /// A request of the input gets the answer of another stub.
    case askedOtherAnswer(Stub.Key)
    /// The stub names no origin, and does not answer its example without one.
    case pathUnanswered
    /// The same, and another stub answers it.
    case pathOtherAnswer(Stub.Key)
    /// No path satisfies the pattern of the path.
    case impossible
    /// No example was found.
    case untried
  }

  private let loaded: LoadedScenario
  private let stubs: [Stub]
  /// The requests of the input, by the keys of their stubs.
  private let requests: [Stub.Key: [StubRequest]]
  /// Whether a pattern is about the URL as a whole, so that it matters whether there is an origin.
  private let hasWholeURLs: Bool

  /// Nil for a scenario that cannot be played.
  init?(_ scenario: Scenario, requests: [Stub.Key: [StubRequest]]) {
    guard let loaded = try? LoadedScenario(name: scenario.name, stubs: scenario.sources) else {
      return nil
    }
    (self.loaded, stubs, self.requests) = (loaded, scenario.stubs, requests)
    hasWholeURLs = stubs.contains { $0.request.wholeURL != nil } && loaded.origins.isEmpty
  }

  /// What is wrong with a stub; nil if it gives its answer.
  func failure(at place: Int) -> Failure? {
    let stub = stubs[place]
    let requests = requests[stub.key] ?? []
    for request in requests {
      if let failure = failure(of: stub, asked: request) { return failure }
    }
    guard let example = example(of: stub) else {
      if stub.request.path?.isImpossible == true { return .impossible }
      return requests.isEmpty ? .untried : nil
    }
    return hasWholeURLs ? failure(of: stub, askedByPath: example) : nil
  }

  private func failure(of stub: Stub, asked request: StubRequest) -> Failure? {
    guard let first = loaded.firstMatch(for: request)?.stub else { return .askedUnanswered }
    // One for another state has the same request.
    let isSame =
      first.key == stub.key || first.request == stub.request || first.responses == stub.responses
      || first.flow != nil || stub.flow != nil
    return isSame ? nil : .askedOtherAnswer(first.key)
  }

  private func example(of stub: Stub) -> StubRequest? {
    var maker = ExampleMaker(pattern: stub.request.decidedByRequest, options: ExportOptions())
    guard let example = maker.example(), maker.problems.isEmpty,
      ExportedRun.matches(example.request, stub.request.decidedByRequest)
    else { return nil }
    return example.request
  }

  private func failure(of stub: Stub, askedByPath request: StubRequest) -> Failure? {
    let pattern = stub.request.decidedByRequest
    guard let parts = URLParts(request.url) else { return nil }
    var other = request
    other.url = Self.url(parts, scheme: "http", host: "other.test", port: 8081)
    // A stub that names an origin needs one.
    guard ExportedRun.matches(other, pattern) else { return nil }
    var byPath = request
    byPath.url = Self.url(parts)
    guard let answering = loaded.firstMatch(for: byPath)?.stub else { return .pathUnanswered }
    if answering.key == loaded.firstMatch(for: request)?.stub.key { return nil }
    return answering.responses == stub.responses ? nil : .pathOtherAnswer(answering.key)
  }

  private static func url(
    _ parts: URLParts, scheme: String? = nil, host: String? = nil, port: Int? = nil
  ) -> String {
    var parts = parts
    (parts.scheme, parts.host, parts.port) = (scheme, host, port)
    return parts.description
  }
}

extension Scenario {
  /// The stubs for playing them without those of included scenarios.
  fileprivate var sources: [LoadedScenario.Source] {
    stubs.map { LoadedScenario.Source(origin: name, stub: $0) }
  }
}

extension ExampleProof.Failure {
  /// Without an example, nothing is known to be wrong.
  var level: ReportLevel { self == .untried ? .ignored : .changed }

  var id: ReportID {
    switch self {
    case .askedUnanswered, .pathUnanswered, .impossible: .unanswered
    case .askedOtherAnswer, .pathOtherAnswer: .otherAnswer
    case .untried: .untried
    }
  }

  var sentence: String {
    switch self {
    case .askedUnanswered: "The request of the file gets no answer"
    case .askedOtherAnswer(let key):
      "The request of the file gets another answer, of the stub \(key)"
    case .pathUnanswered:
      "A request that names no host gets no answer, and stubdb serve asks for such; serve with --origin"
    case .pathOtherAnswer(let key):
      "A request that names no host gets another answer, of the stub \(key); serve with --origin"
    case .impossible: "No request is answered, because each path begins with a slash"
    case .untried: "No request was found to try the stub with"
    }
  }
}

extension PathPattern {
  /// Whether a text other than a slash comes first in all that it matches.
  fileprivate var isImpossible: Bool {
    guard case .value(let value) = self else { return false }
    let text = value.text.drop { $0 == "^" }
    switch value.operator {
    case .equalTo: return !value.text.hasPrefix("/")
    case .matches:
      guard let first = text.first, first.isLetter || first.isNumber, !text.contains("|") else {
        return false
      }
      return !["?", "*", "{"].contains(text.dropFirst().first)
    default: return false
    }
  }
}
