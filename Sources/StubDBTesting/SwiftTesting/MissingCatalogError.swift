/// Reports that a test names a scenario but no catalog.
struct MissingCatalogError: Error, CustomStringConvertible {
  let scenario: String

  var description: String {
    "No catalog is given for scenario \"\(scenario)\". Add the trait .catalog(\"Fixtures/….stubdb\") to the test or "
      + "to its suite, or write .scenario(\"\(scenario)\", catalog: \"Fixtures/….stubdb\")."
  }
}
