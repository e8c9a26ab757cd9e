import Foundation
import StubDB
import StubDBDocuments
import StubDBTestSupport

/// A catalog in a new folder, created once for all tests of the process.
///
/// Traits name catalogs by path before any test runs, so the path is fixed for the process.
enum TestCatalog {
  static let path: String = {
    var file = URL(fileURLWithPath: "test.stubdb")
    do {
      file = try makeTemporaryFolder().appendingPathComponent("test.stubdb")
      let catalog = try Catalog.create(at: file)
      try catalog.edit { editor in
        for situation in ["accepted", "declined"] {
          try editor.insert(scenario("checkout/\(situation)"))
        }
      }
    } catch {
      // The tests that open it report the error.
      return "\(file.path) (\(error))"
    }
    atexit {
      let file = URL(fileURLWithPath: TestCatalog.path)
      try? FileManager.default.removeItem(at: file.deletingLastPathComponent())
    }
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
