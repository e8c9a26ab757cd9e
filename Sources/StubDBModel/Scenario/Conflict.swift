package import StubDBJSON

/// A place of a scenario that two branches changed differently, so that a merge could not decide.
///
/// The scenario has one of the versions at the place; the conflict has all of them.
package struct Conflict: Hashable, Sendable {
  /// The scenario, by its name in the merged catalog.
  package var scenario: ScenarioName
  /// The stub; nil if the conflict is about the scenario itself.
  package var key: String?
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
