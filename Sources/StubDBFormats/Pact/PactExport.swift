internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// Writes contracts of Pact, version 3: a file for each consumer and provider, an interaction for each stub.
///
/// https://github.com/pact-foundation/pact-specification/tree/version-3
struct PactExport: ExportFormat {
  let name = "pact"
  let summary = "contracts of Pact 3 (a folder with a file for each consumer and provider)"
  let layout = ExportLayout.folder
  let stubFolder: String? = ""

  func scenarios(ofFile content: Data) -> Set<String> {
    guard case .array(let scenarios)? = JSONValue.exportOrigin(ofFile: content)?["scenarios"]
    else { return [] }
    return Set(
      scenarios.compactMap { scenario in
        if case .string(let name) = scenario { name } else { nil }
      })
  }

  func files(of content: ExportContent) -> [ExportedFile] {
    let order = content.stubsInAnswerOrder
    let overlaps = StubOrder.overlaps(of: order.map { Self.asContracted($0.stub) })
    let naming = PactNaming(content)
    var contracts: [PactParties: Contract] = [:]
    for (place, exported) in order.enumerated() {
      let parties = naming.parties(of: exported)
      guard
        let interactions = interactions(of: exported, naming.states(of: exported), content.options)
      else { continue }
      if overlaps[place] {
        exported.document.note(
          .changed, .priority,
          "Another stub may match the same requests, and a contract has no order")
      }
      contracts[parties, default: Contract()].add(interactions, of: exported.scenario)
    }
    content.settleScenarios(["summary": .kept, "tags": .ignored])
    var names = UniqueNames(limit: 200)
    return contracts.sorted { $0.key < $1.key }.map { parties, contract in
      ExportedFile(
        path: names.unique(parties.fileName) + ".json",
        text: OrderedJSON.json(contract.json(of: parties)).text)
    }
  }

  /// The stub as a contract has it, which knows no hosts and takes no further parameters.
  private static func asContracted(_ stub: Stub) -> Stub {
    var stub = stub
    (stub.request.scheme, stub.request.host, stub.request.port) = (nil, nil, nil)
    if stub.request.wholeURL == nil { stub.request.queryIsExact = true }
    return stub
  }

  /// An interaction for each method; nil if the stub is left out.
  private func interactions(
    of exported: ExportedStub, _ states: [String], _ options: ExportOptions
  ) -> [Contract.Interaction]? {
    exported.attempt(in: "a contract of Pact") {
      let stub = exported.stub
      var maker = ExampleMaker(pattern: stub.request.decidedByRequest, options: options)
      guard let example = maker.example() else {
        throw Untranslatable("the URL", "no example could be made of it")
      }
      if let problem = maker.problems.first {
        throw Untranslatable(problem.part.rawValue, "no example could be made of it")
      }
      var writer = PactRequestWriter(
        stub.request, example: example, document: exported.document["request"])
      var request = try writer.write()
      let response = try PactResponseWriter(
        exported.played(example)[0], of: stub.responses[0], document: exported.response(0)
      ).members
      settleRest(of: exported)
      if stub.request.methods.isEmpty {
        let place = exported.document["request"] ?? exported.document
        place.note(.changed, .example, "\(example.method) stands for any method")
      }
      let methods = stub.request.methods.map(\.rawValue)
      return (methods.isEmpty ? [example.method] : methods).map { method in
        request["method"] = .string(method)
        let suffix = methods.count > 1 ? " \(method)" : ""
        return Contract.Interaction(
          description: (stub.summary ?? stub.key.rawValue) + suffix, states: states,
          request: request, response: response)
      }
    }
  }

  private func settleRest(of exported: ExportedStub) {
    let document = exported.document
    document.settle([
      "summary": .kept, "required": .ignored, "recorded": .ignored, "priority": .kept,
      "capture": .dropped(.state, "A contract keeps no values of requests"),
      "flow": .changed(.state, "The state of the flow became a state of the provider"),
    ])
    if document["flow"]?["becomes"] != nil {
      document["flow"]?["becomes"]?.drop(.state, "Nothing changes the state of the provider")
    }
    let responses = document.list("responses")
    if responses.count > 1 {
      for response in responses.dropFirst() {
        response.drop(.sequence, "A contract has the first response only")
      }
    }
    if responses.count > 1 || ![.repeatLast, .cycle].contains(exported.stub.then) {
      document.settle([
        "then": .dropped(.sequence, "A contract gives its answer as often as it is asked")
      ])
      responses.first?["repeat"]?.drop(.sequence, "A contract has the first response only")
    } else {
      document.keep("then")
      responses.first?.keep("repeat")
    }
  }
}

/// The interactions of one consumer with one provider.
private struct Contract {
  struct Interaction {
    var description: String
    var states: [String]
    var request: JSONObject
    var response: JSONObject
  }

  private var interactions: [JSONValue] = []
  /// The scenarios that it is made of, by which a later export knows it.
  private var scenarios: Set<ScenarioName> = []
  /// Descriptions tell interactions of one state apart.
  private var descriptions = UniqueNames(limit: 1000)

  mutating func add(_ added: [Interaction], of scenario: ScenarioName) {
    scenarios.insert(scenario)
    for interaction in added {
      var members: JSONObject = [
        "description": .string(descriptions.unique(interaction.description)),
        "request": .object(interaction.request), "response": .object(interaction.response),
      ]
      if !interaction.states.isEmpty {
        members["providerStates"] = .array(
          interaction.states.map { .object(["name": .string($0)]) })
      }
      interactions.append(.object(members))
    }
  }

  func json(of parties: PactParties) -> JSONValue {
    [
      "consumer": ["name": .string(parties.consumer)],
      "provider": ["name": .string(parties.provider)],
      "interactions": .array(interactions),
      "metadata": [
        "pactSpecification": ["version": "3.0.0"],
        "stubdb": ["scenarios": .array(scenarios.sorted().map { .string($0.rawValue) })],
      ],
    ]
  }
}
