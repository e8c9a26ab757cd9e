import Foundation
import StubDB
import StubDBDocuments
import StubDBTestSupport
import StubDBTesting
import Testing

/// A catalog whose scenario includes one of another catalog, made once for all tests of the process.
private enum IncludingCatalog {
  static let path: String = {
    let name = "including.stubdb"
    do {
      let folder = try makeTemporaryFolder()
      let digest = "sha256:" + String(repeating: "0", count: 64)
      let lock = """
        {"version": 1, "catalogs": {"payments": {"url": "s3://stubs/payments", "commit": "\(digest)",
          "digest": "\(digest)", "bytes": 0, "path": "payments.stubdb"}}}
        """
      try Data(lock.utf8).write(to: folder.appendingPathComponent("stubdb.lock"))
      let catalogs = [
        name:
          #"{"scenario": "checkout/declined", "includes": ["payments:card/declined"], "stubs": []}"#,
        "payments.stubdb": """
        {"scenario": "card/declined", "includes": ["card"], "stubs": []}
        """,
      ]
      for (file, document) in catalogs {
        let catalog = try Catalog.create(at: folder.appendingPathComponent(file))
        try catalog.edit { editor in
          if file != name { try editor.insert(ScenarioDocument.decode(Data(card.utf8))) }
          try editor.insert(ScenarioDocument.decode(Data(document.utf8)))
        }
      }
      return folder.appendingPathComponent(name).path
    } catch {
      // The tests that open it report the error.
      return "\(name) (\(error))"
    }
  }()

  private static let card = """
    {"scenario": "card", "stubs": [
      {"key": "charge", "request": {"method": "POST", "path": "/charges"}, "responses": [{"text": "declined"}]}]}
    """
}

@Suite(.catalog(IncludingCatalog.path), .scenario("checkout/declined"))
struct OtherCatalogTraitTests {
  @Test func theOtherCatalogAnswersATest() async throws {
    #expect(try await charge(in: .stubbed) == "declined")
    let event = try #require(StubInterceptor.current.journal.first)
    #expect(event.scenario?.rawValue == "payments:card")
  }
}
