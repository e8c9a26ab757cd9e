package import StubDBJSON

/// A place of a scenario that two people changed in two ways, and that a merge left to a person.
///
/// The scenario holds one of the versions at the place; this holds all of them.
package struct Conflict: Hashable, Sendable {
  /// The scenario, by the name it has in the merged catalog.
  package var scenario: ScenarioName
  /// The stub; nil where it is about the scenario itself.
  package var key: String?
  /// The place in the stub, with the URL in its parts, or in the scenario's document without its
  /// stubs; empty for the whole of it.
  package var pointer: JSONPointer
  /// What both began with; nil where there was nothing.
  package var base: JSONValue?
  /// What our side made of it; nil where it removed it.
  package var ours: JSONValue?
  /// What their side made of it; nil where it removed it.
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
