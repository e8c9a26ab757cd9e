internal import StubDBModel

/// Which scenario a name means in each of three catalogs.
struct IncludedNames {
  var base: [ScenarioName: String] = [:]
  var ours: [ScenarioName: String] = [:]
  var theirs: [ScenarioName: String] = [:]

  /// The identities of scenarios that are included under these names.
  func identities(of names: [ScenarioName], in side: [ScenarioName: String]) -> [String] {
    names.map { side[$0] ?? "\n" + $0.rawValue }
  }

  /// The same for what is left of a scenario that one side removed.
  func identities(of names: [ScenarioName], _ part: CatalogMerge.Part) -> [String] {
    identities(of: names, in: part.ours == nil ? theirs : ours)
  }
}
