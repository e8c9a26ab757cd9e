internal import StubDBModel

/// The identity of a scenario or stub across the three versions.
enum MergeIdentity<Name: Hashable & Comparable & Sendable>: Hashable, Comparable, Sendable {
  /// Absent from the base; both sides may have added it under this name.
  case added(Name)
  /// Present in the base under this name, whatever a side calls it now.
  case base(Name)

  var name: Name {
    switch self {
    case .added(let name), .base(let name): name
    }
  }
}

/// What a scenario includes, across the three versions.
enum MergedInclude: Hashable, Comparable, Sendable {
  /// A scenario of the merged catalogs, which may have another name on each side.
  case own(MergeIdentity<ScenarioName>)
  /// A scenario of another catalog, which the merge does not look into.
  case other(ScenarioReference)

  /// The identity of a scenario of the merged catalogs; nil for another.
  var identity: MergeIdentity<ScenarioName>? {
    if case .own(let identity) = self { identity } else { nil }
  }

  /// The include as some version has it.
  var reference: ScenarioReference {
    switch self {
    case .own(let identity): ScenarioReference(identity.name)
    case .other(let reference): reference
    }
  }
}
