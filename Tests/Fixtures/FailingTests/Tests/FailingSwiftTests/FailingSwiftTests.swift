import Foundation
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private func charge(_ amount: Int) throws -> URLRequest {
  var request = URLRequest(url: try #require(URL(string: "https://api.shop.test/v1/charges")))
  request.httpMethod = "POST"
  request.httpBody = Data("{\"amount\": \(amount)}".utf8)
  return request
}

/// Sends the request and ignores the result, like code that swallows errors.
private func swallow(_ request: URLRequest, in session: URLSession) async {
  _ = try? await session.data(for: request)
}

@Suite(.catalog("Fixtures/failing.stubdb"))
struct FailingSwiftTests {
  @Test(.scenario("checkout/failing"))
  func passes() async throws {
    await swallow(try charge(1200), in: .stubbed)
    await swallow(try charge(1200), in: .stubbed)
  }

  @Test(.scenario("checkout/failing", options: .init(unmatched: .respond(404))))
  func passesWithAPolicyForUnmatchedRequests() async throws {
    await swallow(try charge(1), in: .stubbed)
  }

  @Test(.scenario("checkout/partly"))
  func passesWithASequenceThatIsUsedInPart() async throws {
    await swallow(try charge(1200), in: .stubbed)
  }

  @Test(.scenario("checkout/failing"))
  func failsUnmatched() async throws {
    await swallow(try charge(1300), in: .stubbed)
  }

  @Test(.scenario("checkout/failing", options: .init(unmatched: .fail)), arguments: [1, 2, 3])
  func failsUnmatchedForOneArgument(_ number: Int) async throws {
    let session = URLSession.stubbed
    if number == 2 {
      await swallow(try charge(1300), in: session)
    } else {
      await swallow(try charge(1200), in: session)
      await swallow(try charge(1200), in: session)
    }
  }

  @Test(.scenario("checkout/failing"))
  func failsUnmatchedOnAnotherThread() async throws {
    let session = URLSession.stubbed
    let request = try charge(1300)
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      Thread.detachNewThread {
        session.dataTask(with: request) { _, _, _ in done.resume() }.resume()
      }
    }
  }

  @Test(.scenario("checkout/failing"))
  func failsUnfinishedSequence() async throws {
    await swallow(try charge(1200), in: .stubbed)
  }

  @Test(.scenario("checkout/required"))
  func failsUnusedRequiredStub() {}

  @Test(.scenario("checkout/no-such"))
  func failsUnknownScenario() {}

  @Test(.scenario("checkout/failing", catalog: "Fixtures/no-such.stubdb"))
  func failsMissingCatalog() {}

  @Test(.scenario("checkout/required"), .scenario("checkout/failing"))
  func failsForTheLastOfStackedScenarios() async throws {
    await swallow(try charge(1200), in: .stubbed)
  }

  @Test(.scenario("checkout/required", options: .init(overlays: ["checkout/failing"])))
  func failsForBothLayersOfAnOverlay() async throws {
    await swallow(try charge(1200), in: .stubbed)
  }

  @Test(.scenario("checkout/failing"))
  func failsForAnExpectationInAClosure() async throws {
    StubInterceptor.current.stub { request in
      #expect(request.method == "DELETE")
      return .status(204)
    }
    await swallow(try charge(1200), in: .stubbed)
  }

  @Test(.scenario("checkout/passthrough"))
  func failsForPassthroughThatIsNotAllowed() async throws {
    await swallow(try charge(1200), in: .stubbed)
  }

  @Suite(.scenario("checkout/failing")) struct Nested {
    @Suite struct Deeper {
      @Test func failsInANestedSuite() async throws {
        await swallow(try charge(1300), in: .stubbed)
      }

      @Test(.scenario("checkout/required"))
      func failsForItsOwnScenarioInANestedSuite() {}
    }
  }

  @Test func failsWithoutScenario() async throws {
    await swallow(try charge(1200), in: .stubbed)
  }
}

@Suite struct FailingWithoutCatalogTests {
  @Test(.scenario("checkout/failing"))
  func failsWithoutCatalog() {}
}

@Suite(.catalog("Fixtures/failing.stubdb"), .scenario("checkout/failing"))
struct FailingExpectationTests {
  @Test func failsForAnotherNumberOfRequests() async throws {
    await swallow(try charge(1200), in: .stubbed)
    await swallow(try charge(1200), in: .stubbed)
    StubInterceptor.current.expectRequests(2, to: "/v1/charges", method: .post)
    StubInterceptor.current.expectRequests(1, to: "/v1/charges")
  }
}

/// Nothing listens at this address.
private func unanswered() throws -> URLRequest {
  URLRequest(url: try #require(URL(string: "http://127.0.0.2:9/v1/charges?token=abc")))
}

@Suite(.catalog("Fixtures/failing.stubdb"), .serialized)
struct FailingUseTests {
  @Test(.scenario("checkout/partly", options: .init(requiresWholeSequences: true)))
  func failsForASequenceThatTheTestWantsWhole() async throws {
    await swallow(try charge(1200), in: .stubbed)
  }

  @Test(.scenario("checkout/partly"))
  func failsForTheSharedSession() async throws {
    await swallow(try unanswered(), in: .shared)
  }

  @Test(.scenario("checkout/partly"))
  func passesWithTheSharedSessionBesideItsOwn() async throws {
    await swallow(try unanswered(), in: .shared)
    await swallow(try charge(1200), in: .stubbed)
  }

  @Test(.scenario("checkout/partly"))
  func warnsForAScenarioThatIsAskedNothing() {}

  @Test(.interceptor)
  func failsForWhatNoClosureAnswers() async throws {
    try StubInterceptor.current.stub(.get, "/v1/charges") { _ in .status(204) }
    await swallow(try charge(1200), in: .stubbed)
  }

  @Test(.scenario("checkout/failing"))
  func failsOnceForAnErrorThatIsNotCaught() async throws {
    _ = try await URLSession.stubbed.data(for: charge(1300))
  }

  /// The request is still under way when the test ends.
  @Test(.interceptor)
  func passesWithARequestUnderWayAtItsEnd() async throws {
    let (hasBegun, begin) = AsyncStream.makeStream(of: Void.self)
    StubInterceptor.current.stub { _ in
      begin.finish()
      try await Task.sleep(for: .seconds(3600))
      return nil
    }
    URLSession.stubbed.dataTask(with: try charge(1)) { _, _, _ in }.resume()
    for await _ in hasBegun {}
  }
}
