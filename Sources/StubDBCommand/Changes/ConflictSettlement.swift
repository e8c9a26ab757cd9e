import StubDBCatalog
import StubDBChanges
import StubDBModel

/// Puts one side's version to the places of conflicts.
struct ConflictSettlement {
  /// Whose version.
  enum Side {
    case ours
    case theirs
  }

  let side: Side

  /// Settles the conflicts, all or none.
  ///
  /// - Throws: ``CommandFailure`` where a version does not go with what the scenario says otherwise.
  func settle(_ conflicts: [Conflict], in editor: inout CatalogEditor) throws {
    for name in Set(conflicts.map(\.scenario)).sorted() {
      let own = conflicts.filter { $0.scenario == name }
      if let whole = own.first(where: { $0.key == nil && $0.pointer.tokens.isEmpty }) {
        try settleScenario(whole, in: &editor)
      } else {
        try settleParts(own, of: name, in: &editor)
      }
    }
    try editor.removeConflicts { conflicts.contains($0) }
  }

  private func version(_ conflict: Conflict) -> JSONValue? {
    side == .ours ? conflict.ours : conflict.theirs
  }

  private func settleScenario(_ conflict: Conflict, in editor: inout CatalogEditor) throws {
    guard let value = version(conflict) else {
      if try editor.scenario(named: conflict.scenario) != nil {
        try editor.removeScenario(conflict.scenario)
      }
      return
    }
    var scenario = try decoded(conflict.scenario.rawValue) { () throws(DocumentError) in
      try Scenario(documentValue: value)
    }
    scenario.name = conflict.scenario
    try editor.replace(scenario)
  }

  private func settleParts(
    _ conflicts: [Conflict], of name: ScenarioName, in editor: inout CatalogEditor
  ) throws {
    guard var scenario = try editor.scenario(named: name) else {
      throw CommandFailure(
        "scenario \(name) is not there any more",
        hints: ["To bring it back as it was committed: stubdb restore \(name) --rev HEAD"])
    }
    for key in Set(conflicts.compactMap(\.key)).sorted() {
      try settleStub(key, conflicts.filter { $0.key == key }, in: &scenario)
    }
    var newName: ScenarioName?
    for conflict in conflicts where conflict.key == nil {
      newName = try settleHeader(conflict, in: &scenario) ?? newName
    }
    try editor.replace(scenario)
    if let newName, newName != name { try editor.rename(name, to: newName) }
  }

  private func settleStub(
    _ key: String, _ conflicts: [Conflict], in scenario: inout Scenario
  ) throws {
    let place = "\(scenario.name) \(Printable.line(key))"
    let index = scenario.stubs.firstIndex { $0.key == key }
    var value = index.map { scenario.stubs[$0].partsValue }
    for conflict in conflicts {
      value =
        conflict.pointer.tokens.isEmpty
        ? version(conflict) : value?.setting(conflict.pointer.tokens[...], to: version(conflict))
    }
    guard let value else {
      if let index { scenario.stubs.remove(at: index) }
      return
    }
    let stub = try decoded(place) { () throws(DocumentError) in try Stub(documentValue: value) }
    if stub.key != key, scenario.stubs.contains(where: { $0.key == stub.key }) {
      throw CommandFailure(
        "\(place): scenario \(scenario.name) has a stub \(Printable.quoted(stub.key)) already",
        hints: ["To settle it by hand: stubdb resolve \(scenario.name) --edit"])
    }
    if let index {
      scenario.stubs[index] = stub
    } else {
      scenario.stubs.append(stub)
    }
  }

  /// Settles a conflict outside the stubs, and gives the name where it is about that.
  private func settleHeader(
    _ conflict: Conflict, in scenario: inout Scenario
  ) throws -> ScenarioName? {
    let value = version(conflict)
    switch (conflict.pointer.tokens.first, value) {
    case ("scenario", .string(let text)?):
      return ScenarioName(text)
    case ("stubs", .array(let keys)?):
      // An order: what is not in it stays behind the others.
      let places = Dictionary(keys.enumerated().map { ($1, $0) }) { first, _ in first }
      scenario.stubs = scenario.stubs.enumerated().sorted { left, right in
        let first = places[.string(left.element.key)] ?? keys.count
        let second = places[.string(right.element.key)] ?? keys.count
        return (first, left.offset) < (second, right.offset)
      }.map(\.element)
    default:
      let header = scenario.headerValue.setting(conflict.pointer.tokens[...], to: value)
      let stubs = scenario.stubs
      scenario = try decoded(scenario.name.rawValue) { () throws(DocumentError) in
        try Scenario(documentValue: header ?? scenario.headerValue)
      }
      scenario.stubs = stubs
    }
    return nil
  }

  private func decoded<Value>(
    _ place: String, _ body: () throws(DocumentError) -> Value
  ) throws -> Value {
    do throws(DocumentError) {
      return try body()
    } catch {
      let name = place.split(separator: " ").first ?? ""
      throw CommandFailure(
        "\(place): this version does not go with the rest of it: \(error)",
        hints: [
          "To settle all conflicts of the scenario alike: name no stub and no place.",
          "To settle it by hand: stubdb resolve \(name) --edit",
        ])
    }
  }
}

extension JSONValue {
  /// The value with another one at a place, or without what is there; the value itself where the
  /// place does not exist.
  fileprivate func setting(_ path: ArraySlice<String>, to value: JSONValue?) -> JSONValue? {
    guard let name = path.first else { return value }
    switch self {
    case .object(var members):
      if path.count == 1 {
        members[name] = value
      } else if let member = members[name] {
        members[name] = member.setting(path.dropFirst(), to: value)
      }
      return .object(members)
    case .array(var elements):
      guard let index = Int(name), elements.indices.contains(index) else { return self }
      if let changed = elements[index].setting(path.dropFirst(), to: value) {
        elements[index] = changed
      } else {
        elements.remove(at: index)
      }
      return .array(elements)
    default: return self
    }
  }
}
