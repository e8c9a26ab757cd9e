import Foundation
import HTTPTypes
import StubDBDrift
import StubDBEngine
import StubDBJSON
import StubDBModel

/// What is known of the answers of a resource, whose content is not that of its stub.
struct ResourceEvolution: Sendable {
  private let resource: Resource
  /// The shape of the list that a run begins with; nil if it cannot be read.
  private let list: Shape?
  private let samples: AnswerSamples

  init?(_ stub: Stub, in scenario: LoadedScenario, _ samples: AnswerSamples) {
    guard let resource = stub.resource else { return nil }
    (self.resource, self.samples) = (resource, samples)
    let seed = stub.responses.last?.body.flatMap { try? scenario.body(of: $0) }
    list = seed.flatMap { try? JSONValue(parsing: $0) }.map { Shape($0) }
  }

  /// The changes of an answer.
  ///
  /// How many items there are, and which ids they have, is the resource's: requests that follow from another list would
  /// find nothing.
  func changes(
    of response: StubResponse, to request: StubRequest, in scenario: LoadedScenario,
    limits: EvolutionLimits
  ) -> AnswerEvolutions {
    let isList = URLParts(request.url)?.path == resource.path && request.method != "POST"
    var shape: Shape?
    if (200..<300).contains(response.status) { shape = isList ? list : list?.element }
    let all = AnswerEvolutions(
      of: response, to: request, in: scenario, samples, limits: limits, shape: shape)
    return all.filtered { evolution in
      let tokens = evolution.pointer.tokens
      if isList, tokens.isEmpty { return ![.longer, .empty].contains(evolution.change) }
      return tokens != (isList ? [tokens[0], resource.member] : [resource.member])
    }
  }

  /// The same change of another answer; nil if that has not the place.
  func evolution(
    like other: Evolution, of response: StubResponse, to request: StubRequest,
    in scenario: LoadedScenario
  ) -> Evolution? {
    changes(of: response, to: request, in: scenario, limits: .listed).evolutions.first {
      $0.change == other.change && $0.pointer == other.pointer
    }
  }

  /// Whether the answers of a response are those of the stub's resource.
  static func answers(_ index: Int, of stub: Stub) -> Bool {
    stub.resource != nil && index == stub.responses.count - 1
  }

  /// What resources answered in a run, by the numbers of the requests: the requests are asked once more.
  static func responses(
    to journal: [ServeEvent], in scenario: LoadedScenario
  ) -> [Int: StubResponse] {
    guard scenario.sources.contains(where: { $0.stub.resource != nil }) else { return [:] }
    let run = scenario.run()
    // What a closure answered has not reached the scenario.
    return journal.filter { $0.scenario != nil }.reduce(into: [:]) { responses, event in
      guard case .respond(let selection)? = run.respond(to: event.request),
        selection.event.stubKey == event.stubKey,
        selection.event.responseIndex == event.responseIndex
      else { return }
      responses[event.number] = selection.response
    }
  }

  /// Requests for the list and for its first item, with what a run answers to them first.
  static func examples(
    of stub: Stub, in scenario: LoadedScenario
  ) -> [(request: StubRequest, response: StubResponse)] {
    guard let resource = stub.resource, let last = stub.responses.last,
      let seed = last.body.flatMap({ try? scenario.body(of: $0) }),
      case .array(let items)? = try? JSONValue(parsing: seed)
    else { return [] }
    let host = stub.request.host?.literal ?? "any.test"
    let url = "\(stub.request.scheme ?? "https")://\(host)\(resource.path)"
    var examples = [(StubRequest(url: url), last)]
    if case .object(let item)? = items.first, let id = resource.id(item[resource.member]) {
      var response = last
      response.body = .json(.object(item))
      examples.append((StubRequest(url: "\(url)/\(URLParts.encodedQuery(id))"), response))
    }
    return examples
  }
}
