import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBModel

extension Sandbox {
  /// Puts a stub into a scenario of `shop.stubdb` without the checks of `add`, as an older version
  /// could.
  func insertUnchecked(_ stub: String, into name: String) throws {
    let content = try ScenarioDocument.decodeStubs(Data(stub.utf8))
    guard case .stubs(let stubs) = content, let name = ScenarioName(name) else { return }
    try Catalog(contentsOf: folder.appendingPathComponent("shop.stubdb")).edit { editor in
      for stub in stubs { try editor.insert(stub, into: name) }
    }
  }
}
