import Foundation
import StubDB
import StubDBDocuments
import StubDBHTTPTypes
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

  /// Without a text, a folder is where the settings should be.
  private func catalog(settings: String?) throws -> (catalog: Catalog, folder: URL) {
    let folder = try makeTemporaryFolder()
    let file = folder.appendingPathComponent(CatalogSettings.fileName)
    if let settings {
      try Data(settings.utf8).write(to: file)
    } else {
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    }
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
    // What lies on top counts, and what is included does not.
    let laid = try StubInterceptor("own", in: catalog, options: .init(overlays: ["base"]))
    let problems = #expect(throws: VerificationError.self) { try laid.verify() }?.problems ?? []
    #expect(Set(problems.map(\.stubKey)) == ["pay", "me"])
    let session = try ScenarioSession("own", in: catalog)
    #expect(session.options.unmatched == .respond(404) && session.options.requiresStubs)
  }

  @Test(arguments: [
    (#"{ "defaults": { "requireStubs": true } }"#, "requiresStubs"),
    (#"{ "defaults": { "pace": -1 } }"#, "a factor such as 0.1"),
    (#"{ "defaults": { "unmatched": 99 } }"#, "a status such as 404"),
    (nil, "cannot be read"),
  ])
  func settingsThatCannotBeReadRefuseAllRequests(settings: String?, reason: String) async throws {
    let (catalog, folder) = try catalog(settings: settings)
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = try StubInterceptor("own", in: catalog).urlSession()
    let url = try #require(URL(string: "https://api.shop.test/pay"))
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    let message = error?.localizedDescription ?? ""
    #expect(message.hasPrefix("The settings of the catalog cannot be used: "))
    #expect(message.contains(CatalogSettings.fileName) && message.contains(reason))
  }
}
