internal import Foundation
internal import StubDBContainment
internal import StubDBDocuments
internal import StubDBEngine
package import StubDBJSON
package import StubDBModel

/// The problems of a scenario by itself, the same for `check` and for what is about to be written.
package enum ScenarioProblems {
  /// Problems of the document first, then problems of loading; at least one for each stub that has any.
  ///
  /// Compiles every pattern and template, as loading does.
  package static func refused(in scenario: Scenario) -> [CheckProblem] {
    let document = documentProblems(scenario)
    // A stub that the document refuses is not reported a second time.
    let refused = Set(document.compactMap(\.key))
    return document + playingProblems(scenario).filter { !refused.contains($0.key ?? "") }
  }

  /// What prevents playing a scenario whose stubs a document can express; one problem a stub.
  ///
  /// Takes a thirtieth of the time of ``refused(in:)``, which writes and reads the document.
  package static func unplayable(in scenario: Scenario) -> [CheckProblem] {
    playingProblems(scenario)
  }

  /// The stubs that can never answer, because another stub of the scenario always comes first.
  package static func shadowed(in scenario: Scenario) -> [CheckProblem] {
    let order = scenario.stubs.indices.sorted {
      (scenario.stubs[$0].priority, $0) < (scenario.stubs[$1].priority, $1)
    }
    var earlier = AnsweringStubs()
    var problems: [Int: CheckProblem] = [:]
    for index in order {
      let stub = scenario.stubs[index]
      guard let first = earlier.first(shadowing: stub) else {
        earlier.insert(stub)
        continue
      }
      // With a lower number, this one would hide the other one.
      let isMutual =
        stub.request != first.request
        && stub.request.withCanonicalXML.accepts(allOf: first.request.withCanonicalXML)
      let reason =
        isMutual
        ? "matches the same requests; make one of them ask for more, or remove one"
        : "matches whatever it matches; give this stub a lower priority number, or remove it"
      problems[index] = CheckProblem(
        .shadowed,
        "it never answers: \"\(first.key)\" comes first and \(reason)",
        scenario: scenario.name, key: stub.key.rawValue,
        pointer: JSONPointer(["stubs", String(index)]))
    }
    return problems.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The stubs with a JSONPath whose filter is applied to an object.
  static func misplacedFilters(in scenario: Scenario) -> [CheckProblem] {
    scenario.stubs.enumerated().compactMap { index, stub in
      FilterAdvice.problem(in: stub.request.body).map { query, message in
        CheckProblem(
          .filter,
          "the JSONPath \(query) has a misplaced filter: \(message)", scenario: scenario.name,
          key: stub.key.rawValue, pointer: JSONPointer(["stubs", String(index), "request", "body"]))
      }
    }
  }

  /// The stubs that were recorded before a day; stubs without a recording have no age.
  static func outdated(in scenario: Scenario, before day: String) -> [CheckProblem] {
    scenario.stubs.enumerated().compactMap { index, stub in
      guard let recorded = stub.recorded, recorded.day < day else { return nil }
      return CheckProblem(
        .outdated,
        "it was recorded on \(recorded.day), before \(day); compare it with the server, then set "
          + "its day",
        command: CheckProblem.Command(
          name: "set", arguments: [scenario.name.rawValue, stub.key.rawValue],
          options: ["--recorded", Date.now.formatted(.iso8601.year().month().day())]),
        scenario: scenario.name, key: stub.key.rawValue,
        pointer: JSONPointer(["stubs", String(index), "recorded", "at"]))
    }
  }

  /// What cannot be loaded for playing: templates, JSONPath queries, formats.
  private static func playingProblems(_ scenario: Scenario) -> [CheckProblem] {
    LoadedScenario.problems(in: scenario).map { error in
      CheckProblem(
        .invalid, error.reason, scenario: scenario.name, key: error.stubKey, pointer: error.pointer)
    }
  }

  /// What no document could hold: of the scenario itself, then of each stub.
  ///
  /// Each stub is written and read by itself, so that every one that is refused is named.
  private static func documentProblems(_ scenario: Scenario) -> [CheckProblem] {
    var empty = scenario
    empty.stubs = []
    var problems = [documentProblem(empty)].compactMap(\.self)
    if Set(scenario.stubs.map(\.key)).count < scenario.stubs.count {
      empty.stubs = scenario.stubs.map { Stub(key: $0.key) }
      problems += [documentProblem(empty)].compactMap(\.self)
    }
    for (index, stub) in scenario.stubs.enumerated() {
      do {
        try stub.withShortBodies.requireDocument()
      } catch {
        problems.append(
          CheckProblem(
            .invalid, error.message, scenario: scenario.name, key: stub.key.rawValue,
            pointer: JSONPointer(["stubs", String(index)] + error.pointer.tokens)))
      }
    }
    return problems
  }

  /// The first problem of a document.
  private static func documentProblem(_ document: Scenario) -> CheckProblem? {
    do {
      _ = try ScenarioDocument.decode(Data(ScenarioDocument.encode(document).utf8))
      return nil
    } catch {
      let index = error.pointer.tokens.dropFirst().first.flatMap { Int($0) }
      let key = index.flatMap {
        document.stubs.indices.contains($0) ? document.stubs[$0].key.rawValue : nil
      }
      return CheckProblem(
        .invalid, error.message, scenario: document.name, key: key, pointer: error.pointer)
    }
  }
}

extension Stub {
  /// - Throws: The first reason why no document could hold the stub, with its place in the stub.
  func requireDocument() throws(DocumentError) {
    let value = documentValue
    guard value.isShallow(JSONValue.shallowDepth), case .object(let members) = value else {
      // Only the text shows how deep a document may be.
      let document = Scenario(name: ScenarioName(unchecked: "stub"), stubs: [self])
      do {
        _ = try ScenarioDocument.decode(Data(ScenarioDocument.encode(document).utf8))
      } catch {
        throw DocumentError(
          error.code, pointer: JSONPointer(Array(error.pointer.tokens.dropFirst(2))),
          message: error.message)
      }
      return
    }
    _ = try Stub(jsonObject: members)
  }

  /// The stub with a short text in place of each large body: of a body, a document refuses its depth only.
  fileprivate var withShortBodies: Stub {
    var stub = self
    for index in responses.indices {
      // The items of a resource are looked at.
      let isSeed = resource != nil && index == responses.count - 1
      guard let body = responses[index].body, body.byteCount > 256, !body.nestsDeep, !isSeed else {
        continue
      }
      stub.responses[index].body = .text("-")
    }
    return stub
  }
}

extension JSONValue {
  /// Whether arrays and objects nest at most this deep.
  package func isShallow(_ depth: Int) -> Bool {
    switch self {
    case .array(let elements): depth > 0 && elements.allSatisfy { $0.isShallow(depth - 1) }
    case .object(let members): depth > 0 && members.values.allSatisfy { $0.isShallow(depth - 1) }
    case .null, .bool, .number, .string: true
    }
  }
}

extension ResponseBody {
  /// Whether JSON nests so deep that a document could refuse it.
  fileprivate var nestsDeep: Bool {
    guard kind == .json, case .bytes(let data) = content else { return false }
    return JSONScanner.nests(data, deeperThan: JSONValue.maximumDepth / 2)
  }
}
