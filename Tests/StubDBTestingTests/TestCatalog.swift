import Foundation
import StubDB

/// A catalog in the temporary folder, made once for all tests of the process.
///
/// Traits name catalogs by path before any test runs, so the path is fixed for the process.
enum TestCatalog {
  static let path: String = {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "stubdb-testing-\(UUID().uuidString).stubdb")
    do {
      let catalog = try Catalog.create(at: file)
      try catalog.edit { editor in
        for situation in ["accepted", "declined"] {
          try editor.insert(scenario("checkout/\(situation)"))
        }
      }
    } catch {
      // The tests that open it say what is wrong.
      return "\(file.path) (\(error))"
    }
    atexit { try? FileManager.default.removeItem(atPath: TestCatalog.path) }
    return file.path
  }()

  private static func scenario(_ name: String) throws -> Scenario {
    try ScenarioDocument.decode(
      Data(
        """
        { "scenario": "\(name)", "stubs": [
          { "key": "charge", "required": \(name == "checkout/accepted"), "request": { "method": "POST", "path": "/charges" },
            "responses": [ { "text": "\(name) 1" }, { "text": "\(name) 2" } ] } ] }
        """.utf8))
  }
}
