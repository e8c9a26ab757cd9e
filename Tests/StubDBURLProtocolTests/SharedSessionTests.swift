import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBTestSupport
import Testing

@testable import StubDBTesting
@testable import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Takes turns with the tests of this process whose scenarios reach the shared session.
private struct TakingTurns: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await SharedSessionTurn.perform(function)
  }
}

/// Intercepting `URLSession.shared`, which exists once per process.
@Suite(.serialized, TakingTurns()) struct SharedSessionTests {
  @Test func theSharedSessionIsAnsweredByOneInterceptorUntilItEnds() async throws {
    let first = StubInterceptor(try answering(StubResponse(body: .text("shared"))))
    try first.interceptSharedSession()
    try first.interceptSharedSession()
    let (data, _) = try await URLSession.shared.data(for: try request())
    #expect(String(decoding: data, as: UTF8.self) == "shared")
    let second = StubInterceptor(try answering(StubResponse(body: .text("second"))))
    let error = #expect(throws: SharedSessionError.self) { try second.interceptSharedSession() }
    #expect(error?.description.contains("reach: .sharedSession") == true)
    first.end()
    try second.interceptSharedSession()
    let (again, _) = try await URLSession.shared.data(for: try request())
    #expect(String(decoding: again, as: UTF8.self) == "second")
    second.end()
    let remaining = URLSession.shared.configuration.protocolClasses ?? []
    let ours = remaining.filter { $0 is StubURLProtocol.Type }
    #expect(ours.isEmpty)
  }

  #if canImport(FoundationNetworking)
    /// The watch and an interceptor change the same list of classes.
    ///
    /// It begins as Foundation makes it of registered classes: with the watcher behind one that is asked first.
    @Test func takeoversAndTheWatchDoNotDisplaceEachOther() async throws {
      final class OfAnother: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { false }
      }
      SharedSessionWatch.begin()
      let configuration = URLSession.shared.configuration
      configuration.protocolClasses = [OfAnother.self, NoticingProtocol.self]
      defer { configuration.protocolClasses = [NoticingProtocol.self] }
      let scenario = try answering(StubResponse(body: .text("shared")))
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            for _ in 0..<50 { SharedSession.addWatcher(NoticingProtocol.self) }
          }
          group.addTask {
            for _ in 0..<50 {
              let interceptor = StubInterceptor(scenario)
              try? interceptor.interceptSharedSession()
              interceptor.end()
            }
          }
        }
      }
      let classes = URLSession.shared.configuration.protocolClasses ?? []
      #expect(classes.elementsEqual([NoticingProtocol.self, OfAnother.self]) { $0 == $1 })
      let last = StubInterceptor(scenario)
      try last.interceptSharedSession()
      SharedSession.addWatcher(NoticingProtocol.self)
      let (data, _) = try await URLSession.shared.data(for: try request())
      #expect(String(decoding: data, as: UTF8.self) == "shared")
      last.end()
    }
  #endif

  /// A class that was registered before the first use of the shared session is at the end of its list.
  @Test func theWatcherIsMovedBeforeTheClassesOfFoundation() {
    final class OfFoundation: URLProtocol {}
    let (stubs, watcher) = (NumberedClass.number(0), NoticingProtocol.self)
    let arranged = SharedSession.arranged(
      [stubs, OfFoundation.self, watcher], holder: nil, watcher: watcher)
    #expect(arranged.elementsEqual([stubs, watcher, OfFoundation.self]) { $0 == $1 })
    let taken = SharedSession.arranged(arranged, holder: stubs, watcher: watcher)
    #expect(taken.elementsEqual(arranged) { $0 == $1 })
    let ended = SharedSession.arranged(taken, holder: nil, watcher: watcher, without: stubs)
    #expect(ended.elementsEqual([watcher, OfFoundation.self]) { $0 == $1 })
  }

  @Test func cookiesOfStubsDoNotStayInTheSharedStorage() async throws {
    let storage = HTTPCookieStorage.shared
    let url = try #require(URL(string: "https://shared-session.test/"))
    let own = HTTPCookie.cookies(
      withResponseHeaderFields: ["Set-Cookie": "kept=own; Path=/"], for: url)
    storage.setCookies(own, for: url, mainDocumentURL: nil)
    defer { storage.cookies(for: url)?.forEach(storage.deleteCookie) }
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/login", "stubs": [ { "key": "in", "responses": [
          { "headers": { "Set-Cookie": ["kept=stub; Path=/", "sid=stub; Path=/"] } } ] } ] }
        """))
    try interceptor.interceptSharedSession()
    func cookies() -> Set<String> {
      Set((storage.cookies(for: url) ?? []).map { "\($0.name)=\($0.value)" })
    }
    _ = try await URLSession.shared.data(from: url)
    #expect(cookies() == ["kept=stub", "sid=stub"])
    interceptor.end()
    #expect(cookies() == ["kept=own"])
  }

  /// Cookies of stubs are in the storage that the system keeps for all programs of the user.
  @Test func aProcessThatIsKilledWithTheSharedSessionLeavesNothing() throws {
    try withTemporaryFolder { folder in
      let home = folder.appendingPathComponent("home")
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
      let document = """
        {"scenario": "session/login", "stubs": [{"key": "login", "request": {"path": "/login"}, "responses": [
          {"headers": {"Set-Cookie": "sid=s1; Max-Age=3600"}, "text": "first"},
          {"headers": {"Set-Cookie": "sid=s2; Expires=Fri, 01 Jan 2100 00:00:00 GMT"}, "text": "second"}]}]}
        """
      try catalog.edit { try $0.insert(ScenarioDocument.decode(Data(document.utf8))) }
      for _ in 0..<2 {
        let (process, output) = (Process(), Pipe())
        process.executableURL = Program.built("RecordingWorker")
        process.arguments = [catalog.url.path, "session/login"]
        process.environment = ["HOME": home.path]
        process.standardOutput = output
        try process.start()
        var text = Data()
        while text.count(where: { $0 == UInt8(ascii: "\n") }) < 3 {
          let piece = output.fileHandleForReading.availableData
          if piece.isEmpty { break }
          text += piece
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(String(decoding: text, as: UTF8.self) == "0 cookies\nfirst\nsecond\n")
      }
    }
  }
}
