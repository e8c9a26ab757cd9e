internal import StubDBDocuments
internal import StubDBJSON
package import StubDBModel

/// Settles conflicts of a merge with the version of one side: all of the chosen ones, or none.
package struct ConflictSettlement {
  /// The side whose version is chosen.
  package enum Side: Sendable {
    case ours
    case theirs
  }

  private let side: Side
  private let catalog: any ScenarioSource
  /// The includes of each scenario, as far as they are settled.
  private var includes: [ScenarioName: [ScenarioReference]]
  private var written: [ScenarioName: Scenario] = [:]
  private var removed: Set<ScenarioName> = []
  private var newNames: [ScenarioName: ScenarioName] = [:]
  /// The new keys of stubs, by the old names of their scenarios.
  private var newKeys: [ScenarioName: [Stub.Key: Stub.Key]] = [:]

  /// Settles some conflicts of a catalog.
  ///
  /// - Returns: The changes, and the remaining conflicts under the new names of their scenarios.
  /// - Throws: ``SettlementError`` if the chosen version is inconsistent with what stays.
  package static func settle(
    _ chosen: [Conflict], of all: [Conflict], with side: Side, in catalog: any ScenarioSource
  ) throws -> MergedScenarios {
    var settlement = try ConflictSettlement(side, catalog)
    for name in Set(chosen.map(\.scenario)).sorted() {
      try settlement.settle(chosen.filter { $0.scenario == name }, of: name)
    }
    // Without the old names of renamed scenarios: their remaining conflicts move to the new names.
    let gone = settlement.removed
    try settlement.rename()
    try settlement.requireWholeIncludes()
    let settled = Set(chosen)
    var left = all.filter { !settled.contains($0) && !gone.contains($0.scenario) }
    for index in left.indices {
      left[index].follow(keys: settlement.newKeys[left[index].scenario] ?? [:])
      left[index].follow(names: settlement.newNames)
    }
    return MergedScenarios(
      removed: settlement.removed.subtracting(settlement.written.keys).sorted(),
      written: settlement.written.values.sorted { $0.name < $1.name }, conflicts: left.sorted())
  }

  private init(_ side: Side, _ catalog: any ScenarioSource) throws {
    self.side = side
    self.catalog = catalog
    includes = Dictionary(try catalog.entries.map { ($0.name, $0.includes) }) { first, _ in first }
  }

  private func version(_ conflict: Conflict) -> JSONValue? {
    side == .ours ? conflict.ours : conflict.theirs
  }

  private mutating func settle(_ conflicts: [Conflict], of name: ScenarioName) throws {
    var scenario: Scenario
    if let whole = conflicts.first(where: { $0.key == nil && $0.pointer.tokens.isEmpty }) {
      guard let value = version(whole) else {
        if includes.removeValue(forKey: name) != nil { removed.insert(name) }
        return
      }
      scenario = try decoded(name, name.rawValue) { () throws(DocumentError) in
        try Scenario(documentValue: value)
      }
      scenario.name = name
    } else {
      guard includes[name] != nil else {
        throw SettlementError(scenario: name, message: "scenario \(name) no longer exists")
      }
      scenario = try catalog.scenario(named: name)
      // What goes makes room for what gets its key.
      let stubs = Dictionary(grouping: conflicts) { $0.key.map { Stub.Key(unchecked: $0) } }
      let order = stubs.keys.compactMap(\.self).sorted()
      func isRemoved(_ key: Stub.Key) -> Bool {
        stubs[key]?.contains { $0.pointer.tokens.isEmpty && version($0) == nil } ?? false
      }
      for key in order.filter(isRemoved) + order.filter({ !isRemoved($0) }) {
        try settleStub(key, stubs[key] ?? [], in: &scenario)
      }
      for conflict in conflicts where conflict.key == nil && conflict.pointer != .name {
        try settleHeader(conflict, in: &scenario)
      }
    }
    if let conflict = conflicts.first(where: { $0.key == nil && $0.pointer == .name }),
      case .string(let text)? = version(conflict), let newName = ScenarioName(text), newName != name
    {
      newNames[name] = newName
    }
    written[name] = scenario
    includes[name] = scenario.includes
  }

  private mutating func settleStub(
    _ key: Stub.Key, _ conflicts: [Conflict], in scenario: inout Scenario
  ) throws {
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
    let stub = try decoded(scenario.name, "\(scenario.name) \(key)") { () throws(DocumentError) in
      try Stub(documentValue: value)
    }
    if stub.key != key, scenario.stubs.contains(where: { $0.key == stub.key }) {
      throw SettlementError(
        scenario: scenario.name,
        message: "\(scenario.name) \(key) would be called \(stub.key), as another stub of it is")
    }
    if stub.key != key { newKeys[scenario.name, default: [:]][key] = stub.key }
    if let index {
      scenario.stubs[index] = stub
    } else {
      scenario.stubs.append(stub)
    }
  }

  /// Settles a conflict outside the stubs.
  private func settleHeader(_ conflict: Conflict, in scenario: inout Scenario) throws {
    let value = version(conflict)
    if conflict.pointer.tokens.first == "stubs", case .array(let keys)? = value {
      // For an order: names that it lacks stay at the end.
      let places = Dictionary(keys.enumerated().map { ($1, $0) }) { first, _ in first }
      scenario.stubs = scenario.stubs.enumerated().sorted { left, right in
        let first = places[.string(left.element.key.rawValue)] ?? keys.count
        let second = places[.string(right.element.key.rawValue)] ?? keys.count
        return (first, left.offset) < (second, right.offset)
      }.map(\.element)
      return
    }
    let header = scenario.headerValue.setting(conflict.pointer.tokens[...], to: value)
    let stubs = scenario.stubs
    scenario = try decoded(scenario.name, scenario.name.rawValue) { () throws(DocumentError) in
      try Scenario(documentValue: header ?? scenario.headerValue)
    }
    scenario.stubs = stubs
  }

  private func decoded<Value>(
    _ name: ScenarioName, _ place: String, _ body: () throws(DocumentError) -> Value
  ) throws -> Value {
    do throws(DocumentError) {
      return try body()
    } catch {
      throw SettlementError(
        scenario: name, message: "\(place): this version does not go with the rest of it: \(error)")
    }
  }

  /// Renames all scenarios at once, so that two may exchange their names.
  private mutating func rename() throws {
    if newNames.isEmpty { return }
    for (old, new) in newNames.sorted(by: { $0.key < $1.key }) {
      let isTaken =
        newNames.contains { $0.key != old && $0.value == new }
        || (includes[new] != nil && newNames[new] == nil)
      if isTaken {
        throw SettlementError(
          scenario: old, message: "scenario \(old) would be called \(new), as another scenario is")
      }
    }
    for (name, included) in includes
    where newNames[name] != nil || included.ownNames.contains(where: isRenamed) {
      var scenario = try written[name] ?? catalog.scenario(named: name)
      scenario.name = newNames[name] ?? name
      scenario.includes = included.map(renamed)
      written[name] = scenario
    }
    removed.formUnion(newNames.keys)
    let all = written.values
    written = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    includes = Dictionary(
      uniqueKeysWithValues: includes.map { name, included in
        (newNames[name] ?? name, included.map(renamed))
      })
  }

  private func isRenamed(_ name: ScenarioName) -> Bool { newNames[name] != nil }

  private func renamed(_ include: ScenarioReference) -> ScenarioReference {
    include.ownName.flatMap { newNames[$0] }.map(ScenarioReference.init(_:)) ?? include
  }

  private func requireWholeIncludes() throws {
    for (name, included) in includes.sorted(by: { $0.key < $1.key }) {
      if let missing = included.ownNames.first(where: { includes[$0] == nil }) {
        throw SettlementError(
          scenario: name,
          message: "scenario \(name) includes \(missing), which would no longer exist")
      }
    }
    let circle = IncludeCircles.scenarios(in: includes.mapValues(\.ownNames)).sorted()
    guard let first = circle.first else { return }
    throw SettlementError(
      scenario: first,
      message: "scenarios would include each other in a circle: "
        + circle.map(\.rawValue).joined(separator: ", "))
  }
}

/// Reports that a chosen version is inconsistent with what stays.
package struct SettlementError: Error, CustomStringConvertible {
  /// The scenario whose conflict cannot be settled this way.
  package let scenario: ScenarioName
  /// A phrase that says what would be inconsistent.
  package let message: String

  package var description: String { message }
}

extension JSONPointer {
  /// The place of a scenario's name.
  fileprivate static let name = JSONPointer(["scenario"])
}

extension JSONValue {
  /// Returns the value with the value at a place replaced or removed; unchanged if the place does not exist.
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
