import Foundation
import StubDBDocuments
public import StubDBEngine

/// A scenario, requests, and their expected outcomes.
///
/// The same cases run through the engine and through URLSession.
public struct ConformanceCase: Sendable, CustomStringConvertible {
  /// A request and its expected outcome.
  public struct Step: Sendable {
    /// The request.
    public var request: ConformanceRequest
    /// The expected outcome.
    public var outcome: ConformanceOutcome

    /// Whether a URLSession client can send the request.
    public var isSendable: Bool { request.isSendable }
  }

  /// The behaviour, as a phrase; unique.
  public var name: String
  /// The scenario as a document.
  public var document: String
  /// The included scenarios as documents, in order.
  public var includes: [String] = []
  /// The requests, in order, to one run of the scenario.
  public var steps: [Step]

  /// Whether a URLSession client can send every request.
  public var isSendable: Bool { steps.allSatisfy(\.isSendable) }

  /// The scenario, ready to play.
  ///
  /// - Throws: What is wrong with its document.
  public func load() throws -> LoadedScenario {
    try LoadedScenario(
      ScenarioDocument.decode(Data(document.utf8)),
      including: includes.map { try ScenarioDocument.decode(Data($0.utf8)) })
  }

  /// The name.
  public var description: String { name }

  /// Every case.
  public static let all: [ConformanceCase] =
    method + origins + wholeURLs + paths + queries + headers + cookies + operators + textBodies
    + jsonBodies
    + numbers + dates + jsonPaths + jsonSchemas + jsonPlaceholders + forms + multiparts + graphQLs
    + contentCodings + xmlDocuments + xPaths + orders + responses + sequences + timings + faults
    + ranges + heads
    + handovers
    + flows + captures + resources + templates
}

extension ConformanceCase {
  /// A scenario of one stub with the request pattern; requests that match and requests that do not.
  static func row(
    _ name: String, _ pattern: String, matches: [ConformanceRequest] = [],
    not: [ConformanceRequest] = [], off: String...
  ) -> ConformanceCase {
    ConformanceCase(
      name: name,
      document: """
        {"scenario": "conformance", "stubs": [{"key": "stub", "request": \(pattern)}]}
        """,
      steps: matches.map { Step(request: $0, outcome: .response(stub: "stub")) }
        + not.map { Step(request: $0, outcome: .unmatched(off: off)) })
  }

  /// A scenario of stubs given as the text of a JSON list, and requests with their outcomes.
  static func play(
    _ name: String, _ stubs: String, includes: [String: String] = [:],
    _ steps: (ConformanceRequest, ConformanceOutcome)...
  ) -> ConformanceCase {
    let names = includes.keys.sorted()
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    return ConformanceCase(
      name: name,
      document: """
        {"scenario": "conformance", "includes": [\(list)], "stubs": [\(stubs)]}
        """,
      includes: names.map { "{\"scenario\": \"\($0)\", \"stubs\": [\(includes[$0] ?? "")]}" },
      steps: steps.map { Step(request: $0.0, outcome: $0.1) })
  }
}
