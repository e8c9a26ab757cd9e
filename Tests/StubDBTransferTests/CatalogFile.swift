import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBModel
import StubDBTestSupport

/// Runs a test with a new catalog that has the scenarios of a document.
func withCatalog<Value>(_ document: String, _ body: (Catalog) throws -> Value) throws -> Value {
  try withTemporaryFolder { folder in
    let url = folder.appendingPathComponent("shop.stubdb")
    guard case .scenarios(let scenarios) = try ScenarioDocument.decodeStubs(Data(document.utf8))
    else { preconditionFailure("a test gives scenarios") }
    try Catalog.create(at: url) { editor in
      for scenario in scenarios { try editor.replace(scenario) }
    }
    return try body(Catalog(contentsOf: url))
  }
}
