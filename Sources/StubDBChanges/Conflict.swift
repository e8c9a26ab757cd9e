package import StubDBJSON
package import StubDBModel
package import StubDBSupport

/// A place of a scenario that two branches changed differently, so that a merge could not decide.
///
/// The scenario has one of the versions at the place; the conflict has all of them.
package struct Conflict: Hashable, Sendable {
  /// The scenario, by its name in the merged catalog.
  package var scenario: ScenarioName
  /// The stub; nil if the conflict is about the scenario itself.
  @ByBytes package var key: String?
  /// The place in the stub, with the URL in parts, or in the scenario's document without its stubs; empty for the
  /// whole.
  package var pointer: JSONPointer
  /// The common ancestor's version; nil if it had none.
  package var base: JSONValue?
  /// Our version; nil if our side removed it.
  package var ours: JSONValue?
  /// Their version; nil if their side removed it.
  package var theirs: JSONValue?

  package init(
    scenario: ScenarioName, key: String? = nil, pointer: JSONPointer = JSONPointer(),
    base: JSONValue? = nil, ours: JSONValue? = nil, theirs: JSONValue? = nil
  ) {
    self.scenario = scenario
    self.key = key
    self.pointer = pointer
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }
}

extension Conflict: Comparable {
  /// By scenario, then stub, then place.
  package static func < (left: Conflict, right: Conflict) -> Bool {
    left.sortKey.lexicographicallyPrecedes(right.sortKey)
  }

  private var sortKey: [String] { [scenario.rawValue, key ?? "", pointer.description] }
}

extension Conflict: CustomStringConvertible {
  /// The place, such as `checkout/paid charge /responses/0/status`.
  package var description: String {
    [scenario.rawValue, key, pointer.description].compactMap(\.self).filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}

extension Conflict {
  /// Lets the conflict follow stubs of its scenario that get other keys, also in an order of stubs.
  package mutating func follow(keys newKeys: [Stub.Key: Stub.Key]) {
    if newKeys.isEmpty { return }
    func newKey(_ old: String) -> String? { newKeys[Stub.Key(unchecked: old)]?.rawValue }
    if let old = key {
      key = newKey(old) ?? old
      return
    }
    guard pointer == .stubs else { return }
    changeVersions { $0.replacingTexts(newKey) }
  }

  /// Lets the conflict, and what its versions include, follow scenarios that get other names.
  package mutating func follow(names newNames: [ScenarioName: ScenarioName]) {
    if newNames.isEmpty { return }
    scenario = newNames[scenario] ?? scenario
    guard key == nil else { return }
    func renamed(_ value: JSONValue) -> JSONValue {
      value.replacingTexts { text in
        ScenarioName(text).flatMap { newNames[$0]?.rawValue }
      }
    }
    let isIncludes = pointer == .includes
    let isWhole = pointer.tokens.isEmpty
    changeVersions { value in
      if isIncludes { return renamed(value) }
      guard isWhole, case .object(var members) = value else { return value }
      members["includes"] = members["includes"].map(renamed)
      return .object(members)
    }
  }

  /// The conflict that follows the other names.
  func following(_ newNames: [ScenarioName: ScenarioName]) -> Conflict {
    var conflict = self
    conflict.follow(names: newNames)
    return conflict
  }

  private mutating func changeVersions(_ change: (JSONValue) -> JSONValue) {
    (base, ours, theirs) = (base.map(change), ours.map(change), theirs.map(change))
  }
}

extension JSONPointer {
  /// The place of what a scenario includes, in its document.
  package static let includes = JSONPointer(["includes"])
  /// The place of the stubs of a scenario; of a conflict, the order of their keys.
  package static let stubs = JSONPointer(["stubs"])
}

extension JSONValue {
  /// A list with some of its texts replaced; every other value stays.
  fileprivate func replacingTexts(_ newText: (String) -> String?) -> JSONValue {
    guard case .array(let elements) = self else { return self }
    return .array(
      elements.map { element in
        guard case .string(let text) = element, let changed = newText(text) else { return element }
        return .string(changed)
      })
  }
}
