package import StubDBCatalog
internal import StubDBCatalogEditing
package import StubDBDescriptions
package import StubDBModel

/// Keeps a description in a catalog, for tests and servers that check requests.
package struct DescriptionKeeping {
  /// The scenario that keeps it.
  package let name: ScenarioName
  private let scenario: Scenario

  /// - Throws: ``Refusal`` for a file whose name no scenario can have.
  package init(_ description: KeptDescription) throws {
    guard let name = description.scenarioName else {
      throw Refusal(
        description: "no scenario can be named after \"\(description.file)\"; rename the file")
    }
    self.name = name
    scenario = try description.scenario(named: name)
  }

  /// Writes it in place of what was kept of the same file; nothing is written if that is the same.
  ///
  /// - Throws: ``Refusal`` if a scenario of another kind has the name, or a `CatalogError`.
  package func write(to catalog: Catalog) throws {
    try catalog.edit { editor in
      if let other = try editor.scenario(named: name), !KeptDescription.isKept(in: other) {
        throw Refusal(
          description:
            "the catalog has a scenario \(name) that is no description; rename it, or the file")
      }
      try editor.replace(scenario)
    }
  }

  /// Reports that a description cannot be kept.
  package struct Refusal: Error, CustomStringConvertible {
    package let description: String
  }
}
