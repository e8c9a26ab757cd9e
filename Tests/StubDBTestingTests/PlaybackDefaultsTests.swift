import Foundation
import StubDB
import StubDBDocuments
import StubDBTestSupport
import Testing

@testable import StubDBPlayback
@testable import StubDBTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How strictly tests are played: by their options, by traits of their suites, and by the settings of a catalog.
@Suite struct PlaybackDefaultsTests {
  @Suite(.stubdbDefaults(pace: .instant, requiresWholeSequences: true)) struct Strict {
    @Suite(.stubdbDefaults(unmatched: .respond(404), requiresWholeSequences: false)) struct Inner {
      @Test func theOptionsCountFirstAndThenTheInnermostTrait() throws {
        let test = try #require(Test.current)
        let open = test.completed(PlaybackOptions())
        #expect(open.pace == .instant)
        #expect(open.unmatched == .respond(404))
        #expect(!open.requiresWholeSequences && !open.requiresStubs)
        let own = test.completed(
          PlaybackOptions(pace: .real, unmatched: .fail, requiresWholeSequences: true))
        #expect(own.pace == .real)
        #expect(own.unmatched == .fail)
        #expect(own.requiresWholeSequences)
      }
    }

    @Test(.scenario("checkout/declined", catalog: TestCatalog.path))
    func aTestIsPlayedAsItsSuiteSays() async throws {
      #expect(StubInterceptor.current.options.requiresWholeSequences)
      #expect(StubInterceptor.current.options.pace == .instant)
      for _ in 0..<2 { _ = try await charge(in: .stubbed) }
    }
  }

  private func catalog(settings: String) throws -> (catalog: Catalog, folder: URL) {
    let folder = try makeTemporaryFolder()
    try Data(settings.utf8).write(to: folder.appendingPathComponent(CatalogSettings.fileName))
    let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
    let (base, own) = (
      """
      { "scenario": "base", "stubs": [ { "key": "me", "request": { "path": "/me" } } ] }
      """,
      """
      { "scenario": "own", "includes": ["base"], "stubs": [ { "key": "pay", "request": { "path": "/pay" } } ] }
      """
    )
    try catalog.edit { editor in
      for text in [base, own] { try editor.insert(ScenarioDocument.decode(Data(text.utf8))) }
    }
    return (catalog, folder)
  }

  @Test func theSettingsOfACatalogCountForAllItsScenariosButNotForOptOuts() throws {
    let (catalog, folder) = try catalog(
      settings: #"{ "defaults": { "requiresStubs": true, "unmatched": 404, "pace": 0.5 } }"#)
    defer { try? FileManager.default.removeItem(at: folder) }
    let strict = try StubInterceptor("own", in: catalog)
    #expect(strict.options.pace == .scaled(0.5))
    #expect(strict.options.unmatched == .respond(404))
    let error = #expect(throws: VerificationError.self) { try strict.verify() }
    #expect(error?.problems.map(\.stubKey) == ["pay"])
    try StubInterceptor("own", in: catalog, options: .init(requiresStubs: false)).verify()
  }

  @Test func settingsThatCannotBeReadRefuseAllRequests() async throws {
    let (catalog, folder) = try catalog(settings: #"{ "defaults": { "requireStubs": true } }"#)
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = try StubInterceptor("own", in: catalog).urlSession()
    let url = try #require(URL(string: "https://api.shop.test/pay"))
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    let message = error?.localizedDescription ?? ""
    #expect(message.hasPrefix("The settings of the catalog cannot be used: "))
    #expect(message.contains(CatalogSettings.fileName) && message.contains("requiresStubs"))
  }
}
