/// A named set of stubs: a situation that a test can ask for.
///
/// Nothing here checks that keys are unique or that included scenarios exist. The document decoder checks the first,
/// the catalog both.
public struct Scenario: Hashable, Sendable {
  /// The name, unique in a catalog.
  public var name: ScenarioName
  /// One line of description; nil if there is none.
  public var summary: String?
  /// Words to filter by; sorted and unique, may be empty.
  public var tags: [String]
  /// The included scenarios, whose stubs answer after this one's; in order and unique, may be empty.
  public var includes: [ScenarioName]
  /// The stubs in document order; may be empty.
  public var stubs: [Stub]

  /// Makes a scenario; tags are sorted and made unique.
  public init(
    name: ScenarioName, summary: String? = nil, tags: [String] = [],
    includes: [ScenarioName] = [], stubs: [Stub] = []
  ) {
    self.name = name
    self.summary = summary
    self.tags = Set(tags).sorted()
    self.includes = includes
    self.stubs = stubs
  }
}
