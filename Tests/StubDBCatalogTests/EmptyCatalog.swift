import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBModel
import StubDBTestSupport

/// Runs the closure with an empty catalog in a new folder.
func withCatalog<Value>(_ body: (Catalog) throws -> Value) throws -> Value {
  try withTemporaryFolder { folder in
    try body(Catalog.create(at: folder.appendingPathComponent("shop.stubdb")))
  }
}

func name(_ text: String) throws -> ScenarioName {
  guard let name = ScenarioName(text) else {
    throw CatalogError(.invalidValue, "not a name: \(text)")
  }
  return name
}

/// The names of the files in a folder, sorted.
func files(in folder: URL) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}
