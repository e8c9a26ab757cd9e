import Foundation
import HTTPTypes
import StubDBDrift
package import StubDBEngine
import StubDBJSON
package import StubDBModel

/// The compatible changes of one response of a stub.
package struct AnswerEvolutions: Sendable {
  package let evolutions: [Evolution]
  /// Why nothing is changed, as the end of a sentence; nil if something is.
  package let leftAlone: String?

  /// Finds the changes of a response that answers a request.
  package init(
    of response: StubResponse, to request: StubRequest, in scenario: LoadedScenario,
    _ samples: AnswerSamples
  ) {
    if let reason = Self.reason(toLeave: response, request) {
      (evolutions, leftAlone) = ([], reason)
      return
    }
    guard let body = response.body, let content = try? scenario.body(of: body) else {
      (evolutions, leftAlone) = ([], "its content cannot be read")
      return
    }
    let type = response.headers[.contentType]
    guard type.map({ MediaType($0)?.isJSON ?? false }) ?? (body.kind != .base64),
      let json = LocatedJSON(content)
    else {
      (evolutions, leftAlone) = ([], "its content is not JSON")
      return
    }
    let finder = EvolutionFinder(
      json, shape: samples.shape(of: request, status: response.status, in: scenario),
      described: samples.description(of: request, status: response.status))
    evolutions = finder.evolutions + [Self.parameter(of: type ?? "application/json")]
    leftAlone = nil
  }

  /// Why an answer is not changed, whatever its content; nil if it is.
  private static func reason(toLeave response: StubResponse, _ request: StubRequest) -> String? {
    if response.error != nil || response.fault != nil { return "it answers with an error" }
    if response.delegation != nil { return "another stub or the network answers" }
    if response.webSocket != nil { return "it opens a WebSocket" }
    if response.isTemplate { return "its content is a template" }
    if response.chunks != nil { return "it answers in chunks" }
    if response.headers[.contentEncoding] != nil { return "its content is compressed" }
    if response.body == nil || request.method == "HEAD" { return "it answers without content" }
    return nil
  }

  private static func parameter(of type: String) -> Evolution {
    Evolution(
      .parameter, at: .init(["headers", "Content-Type"]),
      .contentType(type + (type.contains(";") ? "; version=2" : "; charset=utf-8")),
      because: "parameters do not change the media type (RFC 9110 section 8.3.1)")
  }
}

/// Finds the compatible changes of the answers of an unchanged run.
package struct EvolutionSource: Sendable {
  private let samples: AnswerSamples

  package init(_ samples: AnswerSamples) { self.samples = samples }

  /// The variations of the stubs that answered, in the order of their first answers; each place of a stub once.
  ///
  /// `names` gives the first parts of the names.
  package func variations(
    of journal: [ServeEvent], in scenario: LoadedScenario, names: [StubName: String]
  ) -> [Variation] {
    let stubs = Dictionary(
      scenario.sources.map { (StubName(scenario: $0.origin, key: $0.stub.key.rawValue), $0.stub) }
    ) { first, _ in first }
    var (found, seen): ([Variation], Set<String>) = ([], [])
    var answered: Set<Answered> = []
    for event in journal {
      guard let name = StubName(event), let index = event.responseIndex, let stub = stubs[name],
        stub.responses.indices.contains(index),
        answered.insert(Answered(stub: name, index: index)).inserted
      else { continue }
      let response = stub.responses[index]
      let first = names[name] ?? name.key
      let answer = AnswerEvolutions(of: response, to: event.request, in: scenario, samples)
      for evolution in answer.evolutions
      where seen.insert("\(response.status / 100) \(first)/\(evolution.name)").inserted {
        found.append(Self.variation(evolution, "\(first)/\(evolution.name)", name, index))
      }
    }
    return Self.unique(found)
  }

  private struct Answered: Hashable {
    var stub: StubName
    var index: Int
  }

  private static func variation(
    _ evolution: Evolution, _ name: String, _ stub: StubName, _ index: Int
  ) -> Variation {
    let place = "\(evolution.pointer)"
    let shown = place.isEmpty ? "the content" : place
    return Variation(
      .evolution, name: name,
      summary: "answers with \(evolution.change.phrase) in \(shown), "
        + "which is compatible: \(evolution.reason)",
      stub: stub, pointer: place, change: EvolvedResponse(evolution: evolution, index: index))
  }

  /// Numbers what has the same name, such as the places `/a-b` and `/a/b`.
  private static func unique(_ variations: [Variation]) -> [Variation] {
    var counts: [String: Int] = [:]
    return variations.map { variation in
      counts[variation.name, default: 0] += 1
      guard let count = counts[variation.name], count > 1 else { return variation }
      return Variation(
        variation.kind, name: "\(variation.name)-\(count)", summary: variation.summary,
        stub: variation.stub, pointer: variation.pointer, change: variation.change)
    }
  }
}
