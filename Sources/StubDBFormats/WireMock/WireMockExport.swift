internal import Foundation
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Writes WireMock's stub mappings: a folder `mappings` with a file for each answer, and `__files` beside it.
///
/// https://wiremock.org/docs/stubbing/
struct WireMockExport: ExportFormat {
  let name = "wiremock"
  let summary = "WireMock's stub mappings (a folder with mappings and __files)"
  let layout = ExportLayout.folder
  let stubFolder: String? = "mappings"
  let contentFolder: String? = "__files"

  func hasWritten(_ content: Data, as name: String) -> Bool {
    ["json", "txt", "bin"].contains { WireMockResponseWriter.fileName(of: content, $0) == name }
  }

  func scenarios(ofFile content: Data) -> Set<String> {
    guard let origin = JSONValue.exportOrigin(ofFile: content),
      case .string(let scenario)? = origin["scenario"], origin["key"] != nil
    else { return [] }
    return [scenario]
  }

  func files(of content: ExportContent) -> [ExportedFile] {
    let order = content.stubsInAnswerOrder
    let numbers = StubOrder.priorities(of: order.map(\.stub))
    var writer = WireMockMappingWriter(content)
    for (place, exported) in order.enumerated() {
      writer.write(exported, priority: numbers[place]) {
        order[(place + 1)...].contains {
          StubOrder.mayAnswerTheSame(exported.stub, $0.stub)
        }
      }
    }
    content.settleScenarios(["summary": .kept, "tags": .kept])
    return writer.files
  }
}

/// A mapping, before it is a file.
private struct Mapping {
  var members: JSONObject = [:]
  /// What a later import needs to make the same stub again.
  var origin: JSONObject = [:]
  var metadata: JSONObject = [:]
  /// The file of its content; nil if the content is in the mapping.
  var file: ExportedFile?

  var text: String {
    var members = members
    members["metadata"] = .object(metadata.merging(["stubdb": .object(origin)]) { $1 })
    return OrderedJSON.json(.object(members)).text
  }
}

/// Makes the files of stubs.
private struct WireMockMappingWriter {
  private(set) var files: [ExportedFile] = []
  private var fileNames = UniqueNames(limit: 240)
  private var bodies: Set<String> = []
  /// The names of all flows, which sequences must not use.
  private let flows: Set<String>
  /// For each stub its scenario and its place in it.
  private var places: [String: (scenario: ExportedScenario, order: Int)] = [:]

  init(_ content: ExportContent) {
    flows = Set(content.stubs.compactMap(\.stub.flow?.name))
    for scenario in content.scenarios {
      for (order, exported) in scenario.stubs.enumerated() {
        places[exported.id] = (scenario, order)
      }
    }
  }

  /// Adds the files of a stub, or says why it has none.
  mutating func write(_ exported: ExportedStub, priority: Int, isFollowed: () -> Bool) {
    let written = exported.attempt(in: "WireMock") {
      let mappings = try mappings(of: exported, priority: priority, isFollowed: isFollowed)
      settleRest(of: exported, priority: priority)
      return mappings
    }
    guard let written else { return }
    let folder = exported.scenario.rawValue.split(separator: "/").map { Self.safe(String($0)) }
      .joined(separator: "/")
    for (number, mapping) in written.enumerated() {
      let suffix = number == 0 ? "" : "-\(number + 1)"
      let name = free("\(folder)/\(Self.safe(exported.stub.key.rawValue))\(suffix)")
      files.append(ExportedFile(path: "mappings/\(name).json", text: mapping.text))
      if let body = mapping.file, bodies.insert(body.path).inserted { files.append(body) }
    }
  }

  /// A file name that differs from all others by more than case.
  private mutating func free(_ name: String) -> String {
    let folded = name.lowercased()
    let unique = fileNames.unique(folded)
    return unique == folded ? name : name + unique.dropFirst(folded.count)
  }

  private func mappings(
    of exported: ExportedStub, priority: Int, isFollowed: () -> Bool
  ) throws -> [Mapping] {
    let stub = exported.stub
    let states = try WireMockStates(exported, flows: flows)
    var request: JSONObject = [:]
    if let document = exported.document["request"] {
      request = try WireMockRequestWriter(
        stub.request, document: document, isTemplate: stub.responses.contains(where: \.isTemplate)
      ).members()
    }
    let responses = try stub.responses.enumerated().map {
      try WireMockResponseWriter($1, document: exported.response($0), of: stub.request)
    }
    if stub.then == .fail, isFollowed() {
      exported.document["then"]?.change(
        .state, "Once all answers were given, WireMock leaves the request to the next mapping")
    }
    return states.steps.indices.map { number in
      var mapping = self.mapping(number, of: states, responses, exported)
      mapping.members["request"] = request.isEmpty ? nil : .object(request)
      mapping.members["priority"] =
        priority == Stub.defaultPriority ? nil : .number(JSONNumber(priority))
      mapping.origin.merge(origin(of: exported, request: request, priority: priority)) { $1 }
      return mapping
    }
  }

  /// One of the mappings of a stub, without what all of them share.
  private func mapping(
    _ number: Int, of states: WireMockStates, _ responses: [WireMockResponseWriter],
    _ exported: ExportedStub
  ) -> Mapping {
    let stub = exported.stub
    let step = states.steps[number]
    var mapping = Mapping()
    mapping.members["scenarioName"] = states.name.map(JSONValue.string)
    mapping.members["requiredScenarioState"] = step.requires.map(JSONValue.string)
    mapping.members["newScenarioState"] = step.becomes.map(JSONValue.string)
    mapping.members["name"] = .string(stub.summary ?? stub.key.rawValue)
    mapping.members["id"] = .string(
      StableUUID.text(of: exported.id + (number > 0 ? "\n\(number + 1)" : "")))
    if states.isSequence {
      mapping.origin["answer"] = .number(JSONNumber(number + 1))
      mapping.origin["answers"] = .number(JSONNumber(states.steps.count))
    }
    mapping.origin["then"] = stub.then == .repeatLast ? nil : .string(stub.then.rawValue)
    switch step.answer {
    case .response(let index):
      let response = responses[index]
      if states.isSequence { mapping.origin["response"] = .number(JSONNumber(index)) }
      mapping.members["response"] = .object(response.members)
      mapping.origin.merge(response.origin) { first, _ in first }
      mapping.metadata["x-stubdb-error"] = response.error
      mapping.file = response.file
    case .proxy(let target): mapping.members["response"] = ["proxyBaseUrl": .string(target)]
    }
    let tags = places[exported.id]?.scenario.scenario.tags ?? []
    if !tags.isEmpty { mapping.metadata["tags"] = .array(tags.map(JSONValue.string)) }
    return mapping
  }

  /// What a later import needs to make the same stub again.
  private func origin(
    of exported: ExportedStub, request: JSONObject, priority: Int
  ) -> JSONObject {
    let stub = exported.stub
    var origin: JSONObject = [
      "scenario": .string(exported.scenario.rawValue), "key": .string(stub.key.rawValue),
    ]
    if request["urlPattern"] != nil || request["urlPathPattern"] != nil {
      origin["path"] = Self.path(of: exported)
      origin["url"] = stub.request.wholeURL.map { .string($0.text) }
    }
    // A URL allows one value only.
    if request["url"] != nil, stub.request.query.first?.pattern.literal != nil {
      origin["furtherValues"] = true
    }
    if case .object(let headers)? = request["headers"], headers["Host"] != nil,
      !stub.request.headers.contains(where: \.name.isHost)
    {
      origin["hostField"] = true
    }
    if let place = places[exported.id] {
      origin["order"] = .number(JSONNumber(place.order))
      if place.order == 0, let summary = place.scenario.scenario.summary {
        origin["scenarioSummary"] = .string(summary)
      }
    }
    origin["summary"] = stub.summary.map(JSONValue.string)
    if priority != stub.priority {
      origin["priority"] = [
        "was": .number(JSONNumber(stub.priority)), "is": .number(JSONNumber(priority)),
      ]
    }
    if stub.isRequired { origin["required"] = true }
    origin["recorded"] = exported.document["recorded"]?.peekedJSON
    return origin
  }

  /// The path of a stub that WireMock has as an expression; nil if it is one here, too.
  private static func path(of exported: ExportedStub) -> JSONValue? {
    switch exported.stub.request.path {
    case .template(let path): .string(path)
    case .value(let pattern) where pattern.operator != .matches:
      exported.document["request"]?["path"]?.peekedJSON
    default: nil
    }
  }

  private func settleRest(of exported: ExportedStub, priority: Int) {
    exported.document.settle([
      "summary": .kept, "required": .kept, "recorded": .kept,
      "capture": .dropped(.state, "WireMock keeps no values of requests"),
    ])
    exported.document.keep("then", "flow", "priority")
    if priority != exported.stub.priority {
      let place = exported.document["priority"] ?? exported.document
      place.note(
        .changed, .priority,
        "The priority became \(priority), so that stubs that match the same requests keep their order"
      )
    }
  }

  /// A name that every file system takes, mostly the name itself.
  private static func safe(_ name: String) -> String {
    let isPlain =
      name.utf8.count <= 100 && !name.hasPrefix(".") && !name.hasSuffix(".")
      && name.utf8.allSatisfy {
        $0 < 0x80
          && (Character(Unicode.Scalar($0)).isLetter
            || Character(Unicode.Scalar($0)).isNumber || "._-".utf8.contains($0))
      }
    let safe = isPlain ? name : DerivedName.segment(name) ?? "stub"
    let isDevice =
      safe.range(
        of: #"^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$"#,
        options: [.regularExpression, .caseInsensitive]) != nil
    return isDevice ? "_\(safe)" : safe
  }
}

extension ExportedStub {
  /// Names the stub among all others.
  fileprivate var id: String { "\(scenario.rawValue)\n\(stub.key.rawValue)" }
}

/// Ids of what is exported that are always the same.
enum StableUUID {
  /// A UUID of version 8, whose bits are those of a text's digest. https://www.rfc-editor.org/rfc/rfc9562#section-5.8
  static func text(of text: String) -> String {
    var bytes = Array(SHA256Digest.digest(of: Data(text.utf8)).prefix(16))
    bytes[6] = 0x80 | bytes[6] & 0x0F
    bytes[8] = 0x80 | bytes[8] & 0x3F
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { bytes[$0].hexadecimal }
      .joined(separator: "-")
  }
}
