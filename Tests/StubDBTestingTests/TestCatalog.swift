import Foundation
import StubDB

/// A catalog in a new folder, created once for all tests of the process.
///
/// Traits name catalogs by path before any test runs, so the path is fixed for the process. It is not in the temporary
/// folder itself, where a `stubdb` that searches upward would find it.
enum TestCatalog {
  static let path: String = {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("stubdb-testing-\(UUID().uuidString)")
    let file = folder.appendingPathComponent("test.stubdb")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
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
