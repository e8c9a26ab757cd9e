import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBModel
import StubDBTestSupport

/// Runs a test with a new catalog that has the scenarios of a document, or none.
func withCatalog<Value>(_ document: String? = nil, _ body: (Catalog) throws -> Value) throws
  -> Value
{
  try withTemporaryFolder { folder in
    let url = folder.appendingPathComponent("shop.stubdb")
    var scenarios: [Scenario] = []
    if let document,
      case .scenarios(let decoded) = try ScenarioDocument.decodeStubs(Data(document.utf8))
    {
      scenarios = decoded
    }
    try Catalog.create(at: url) { editor in
      for scenario in scenarios { try editor.replace(scenario) }
    }
    return try body(Catalog(contentsOf: url))
  }
}
