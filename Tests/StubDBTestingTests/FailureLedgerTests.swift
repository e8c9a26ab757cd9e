import Foundation
import StubDB
import StubDBModel
import StubDBPlayback
import StubDBTestSupport
import StubDBTestingRecording
import StubDBURLProtocol
import Testing

@testable import StubDBTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a test reports at its end.
@Suite struct FailureLedgerTests {
  private func ledger(
    _ options: PlaybackOptions = PlaybackOptions()
  ) throws -> (FailureLedger, StubInterceptor) {
    let catalog = try Catalog(contentsOf: URL(fileURLWithPath: TestCatalog.path))
    let interceptor = StubInterceptor(try catalog.load("checkout/declined"), options: options)
    return (FailureLedger(interceptor, in: .swiftTesting), interceptor)
  }

  /// Sends requests without an answer to this machine through the shared session, until one is noticed.
  ///
  /// Meanwhile, another test may have an interceptor answer the shared session, which then notices the request.
  private func askSharedSession(_ requests: SharedRequests) async throws {
    let url = try #require(URL(string: "http://ada:hunter2@127.0.0.2:9/v1/token=hunter2?token=abc"))
    SharedSessionWatch.begin()
    await SharedSessionWatch.$requests.withValue(requests) {
      for _ in 0..<10_000 where requests.count == 0 {
        _ = try? await URLSession.shared.data(from: url)
        await Task.yield()
      }
    }
  }

  #if canImport(FoundationNetworking)
    @Test func aTestThatAsksTheSharedSessionInsteadOfItsOwnIsTold() async throws {
      let (ledger, _) = try ledger()
      try await askSharedSession(ledger.sharedRequests)
      let findings = ledger.closeAlone(.failed)
      #expect(findings.map(\.isWarning) == [false])
      let message = try #require(findings.first?.own)
      #expect(
        message.hasPrefix(
          "Scenario \"checkout/declined\" was asked nothing, but this test asked URLSession.shared for "
            + "GET http://127.0.0.2:9/v1/token=(secret, 7 bytes), which goes to the real network. Hand URLSession.stubbed"
        ))
      #expect(
        message.contains("write the trait .scenario(\"checkout/declined\", reach: .sharedSession)"))
    }

    @Test func theSharedSessionIsIgnoredIfTheScenarioWasAskedOrTheNetworkIsAllowed()
      async throws
    {
      let (asked, interceptor) = try ledger()
      try await askSharedSession(asked.sharedRequests)
      _ = try await charge(in: interceptor.urlSession())
      #expect(asked.closeAlone(.complete).isEmpty)

      let (open, _) = try ledger(PlaybackOptions(unmatched: .passthrough))
      try await askSharedSession(open.sharedRequests)
      #expect(open.closeAlone(.complete).isEmpty)
    }

    @Test func requestsOfOtherTestsAreNotNoticed() async throws {
      let (own, other) = (SharedRequests(), SharedRequests())
      try await askSharedSession(other)
      try await SharedSessionWatch.$requests.withValue(own) {
        try await Task.detached { try await askSharedSession(other) }.value
      }
      #expect(other.count == 1)
      #expect(own.count == 0)
    }

    @Test func requestsToThisMachineAndOfSessionsOfTheirOwnAreLeftOut() async throws {
      let requests = SharedRequests()
      SharedSessionWatch.begin()
      let url = try #require(URL(string: "http://127.0.0.1:9/"))
      let other = try #require(URL(string: "http://127.0.0.2:9/"))
      await SharedSessionWatch.$requests.withValue(requests) {
        _ = try? await URLSession.shared.data(from: url)
        _ = try? await URLSession(configuration: .default).data(from: other)
        _ = try? await URLSession(configuration: .ephemeral).data(from: other)
      }
      #expect(requests.count == 0)
    }
  #endif

  @Test func aScenarioThatIsAskedNothingIsAWarning() throws {
    let (ledger, _) = try ledger()
    let findings = ledger.closeAlone(.complete)
    #expect(findings.map(\.isWarning) == [true])
    #expect(
      findings.first?.own
        == "Scenario \"checkout/declined\" was asked nothing. Does the code under test have URLSession.stubbed? "
        + "A test that needs no scenario passes without naming one.")
    let shared = FailureLedger(try self.ledger().1, in: .swiftTesting, reach: .sharedSession)
    #expect(
      shared.closeAlone(.complete).first?.own.contains(
        "Does the code under test ask URLSession.shared?") == true)
    #expect(try self.ledger().0.closeAlone(.cutShort).isEmpty)
    #expect(try self.ledger().0.closeAlone(.failed).isEmpty)
    #expect(FailureLedger(StubInterceptor(), in: .swiftTesting).closeAlone(.complete).isEmpty)
  }

  /// Sends a request of a test that has ended; returns the ledger of the next one, which was asked, and the first one's
  /// name.
  private func late(in framework: FailureLedger.Framework) async throws -> (FailureLedger, String) {
    let (_, earlier) = try ledger()
    let test = "late\(UUID().uuidString)()"
    earlier.name(test: "ShopTests/\(test)")
    let session = earlier.urlSession()
    earlier.end()
    let (_, interceptor) = try ledger()
    _ = try await charge(in: interceptor.urlSession())
    _ = try? await charge(in: session)
    return (FailureLedger(interceptor, in: framework), test)
  }

  /// XCTest has no warnings, so that only a failure can name the request.
  @Test func aPassedXCTestLeavesALateRequestToTheNextReport() async throws {
    // Other tests of this process may take the sentence.
    for _ in 0..<100 {
      let (ledger, test) = try await late(in: .xcTest)
      #expect(ledger.close(.complete).isEmpty)
      if LateRequests.take().contains(where: { $0.contains(test) }) { return }
    }
    Issue.record("nothing names the test")
  }

  @Test func aLateRequestIsPartOfTheFirstFailureOrAWarning() async throws {
    // Other tests of this process may take the sentence.
    for _ in 0..<100 {
      let (ledger, test) = try await late(in: .swiftTesting)
      guard let finding = ledger.close(.complete).first(where: { $0.message.contains(test) }) else {
        continue
      }
      #expect(finding.isWarning)
      #expect(finding.message.contains("POST /charges came "))
      #expect(finding.message.contains("after \(test) had ended"))
      return
    }
    Issue.record("no finding names the test")
  }

  @Test func theErrorOfARequestLeavesTheReportToTheTest() async throws {
    var options = PlaybackOptions()
    options.isReportedElsewhere = true
    let (ledger, interceptor) = try ledger(options)
    let url = try #require(URL(string: "https://api.shop.test/other"))
    let error = await #expect(throws: URLError.self) {
      try await interceptor.urlSession().data(from: url)
    }
    #expect(
      error?.localizedDescription
        == "No stub of scenario \"checkout/declined\" answers GET https://api.shop.test/other; "
        + "the test reports what differs.")
    #expect(ledger.willReport(try #require(error)))
    #expect(!ledger.willReport(URLError(.resourceUnavailable)))
    #expect(!ledger.willReport(URLError(.timedOut)))
    let message = try #require(ledger.closeAlone(.failed).first?.own)
    #expect(message.contains("The nearest stub"))
  }

  @Test(arguments: [FailureLedger.Ending.complete, .failed])
  func aTestThatRecordsSaysSoAndWhetherItFailed(_ ending: FailureLedger.Ending) async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi" }
    let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
    var options = PlaybackOptions(record: .newEpisodes)
    options.isReportedElsewhere = true
    let interceptor = StubInterceptor(
      playing: try RecordedPlay("shop/new", in: catalog, options, environment: [:]))
    _ = try await interceptor.urlSession().data(from: try #require(URL(string: server.url("/"))))
    let findings = FailureLedger(interceptor, in: .swiftTesting).closeAlone(ending)
    let draft = catalog.url.path + ".draft"
    #expect(
      findings.map(\.own) == [
        "Recorded 1 request into \(draft). To see and accept them: stubdb review; then the test plays them."
      ])
    #expect(findings.map(\.isWarning) == [true])
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: draft).first { $0.hasSuffix("jsonl") })
    let text = try String(contentsOfFile: "\(draft)/\(name)", encoding: .utf8)
    #expect(text.contains("\"failed\":\(ending == .failed)"))
  }

  #if compiler(>=6.3)
    /// Where the environment lets a trait record.
    private static let records =
      RecordMode.all.effective(in: ProcessInfo.processInfo.environment) == .all

    @Test(.enabled(if: records), arguments: [true, false])
    func aFailedExpectationMarksWhatWasRecorded(fails: Bool) async throws {
      let folder = try makeTemporaryFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi" }
      let url = try #require(URL(string: server.url("/")))
      let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
      let test = try #require(Test.current)
      let trait = ScenarioTrait.scenario("shop/new", catalog: catalog, record: .all)
      // The issue of the inner test is not one of this test.
      let silence = IssueHandlingTrait.compactMapIssues { _ in nil }
      try await silence.provideScope(for: test, testCase: Test.Case.current) {
        try await trait.provideScope(for: test, testCase: Test.Case.current) {
          _ = try await URLSession.stubbed.data(from: url)
          #expect(!fails)
        }
      }
      let draft = catalog.url.path + ".draft"
      let name = try #require(
        try FileManager.default.contentsOfDirectory(atPath: draft).first { $0.hasSuffix("jsonl") })
      let text = try String(contentsOfFile: "\(draft)/\(name)", encoding: .utf8)
      #expect(text.contains("\"failed\":\(fails)"))
    }
  #endif

  @Test func closuresAloneNameNoScenarioAndNoCommand() async throws {
    let interceptor = StubInterceptor()
    try interceptor.stub("/a") { _ in .status(204) }
    let url = try #require(URL(string: "https://api.shop.test/b?page=2"))
    await #expect(throws: URLError.self) { try await interceptor.urlSession().data(from: url) }
    let findings = FailureLedger(interceptor, in: .swiftTesting).closeAlone(.failed)
    #expect(
      findings.map(\.own) == [
        """
        No closure of this interceptor answers
          GET https://api.shop.test/b?page=2

        To answer it:
          try interceptor.stub(.get, "https://api.shop.test/b") { request in .json([:]) }
        """
      ])
  }
}

/// Late requests of other tests of this process are in the findings of whichever test ends next.
private let endOfLateRequests = "A test should end what it has begun."

extension FailureLedger {
  fileprivate func closeAlone(_ ending: Ending) -> [Finding] {
    close(ending).filter { !$0.isWarning || !$0.message.hasSuffix(endOfLateRequests) }
  }
}

extension FailureLedger.Finding {
  fileprivate var own: String {
    guard message.hasSuffix(endOfLateRequests),
      let end = message.range(of: "\n\n", options: .backwards)
    else { return message }
    return String(message[..<end.lowerBound])
  }
}
