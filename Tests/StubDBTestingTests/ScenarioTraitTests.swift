import Foundation
import HTTPTypes
import StubDBModel
import StubDBSupport
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends a charge and returns the text of the response.
func charge(in session: URLSession) async throws -> String {
  var request = URLRequest(url: try #require(URL(string: "https://api.shop.test/charges")))
  request.httpMethod = "POST"
  return String(decoding: try await session.data(for: request).0, as: UTF8.self)
}

extension ScenarioNaming where Self == ScenarioName {
  /// As the plugin declares it.
  static var declined: ScenarioName { ScenarioName(generated: "checkout/declined") }
}

@Suite(.catalog(TestCatalog.path), .scenario("checkout/accepted"))
struct ScenarioTraitTests {
  @Test(.scenario(.declined))
  func aScenarioMayBeNamedInSwift() async throws {
    #expect(try await charge(in: .stubbed) == "checkout/declined 1")
    #expect(StubInterceptor.current.scenario.name == .declined)
    let catalog = try Catalog(contentsOf: URL(fileURLWithPath: TestCatalog.path))
    #expect(try catalog.load(.declined).name == ScenarioName("checkout/declined"))
  }

  @Test(arguments: 1...20)
  func everyCaseHasARunOfItsOwn(_ number: Int) async throws {
    #expect(try await charge(in: .stubbed) == "checkout/accepted 1")
    #expect(try await charge(in: .stubbed) == "checkout/accepted 2")
    #expect(StubInterceptor.current.journal.count == 2)
  }

  #if compiler(>=6.3)
    @Test func aCancelledTestDoesNotFailForWhatItDidNotDo() throws {
      try Test.cancel("This is what is tested: the required stub was not used.")
    }
  #endif

  @Test(.scenario("checkout/declined"))
  func innermostScenarioCounts() async throws {
    #expect(try await charge(in: .stubbed) == "checkout/declined 1")
    #expect(try await charge(in: .stubbed) == "checkout/declined 2")
    #expect(StubInterceptor.current.scenario.name.rawValue == "checkout/declined")
  }

  @Suite(.scenario("checkout/declined")) struct Nested {
    @Test func suiteGivesItsScenarioToItsTests() async throws {
      #expect(try await charge(in: .stubbed) == "checkout/declined 1")
      #expect(try await charge(in: .stubbed) == "checkout/declined 2")
    }

    @Suite struct Deeper {
      @Test func scenariosAndCatalogsAreInherited() async throws {
        #expect(try await charge(in: .stubbed) == "checkout/declined 1")
        #expect(try await charge(in: .stubbed) == "checkout/declined 2")
      }
    }
  }
}

@Suite struct ScenarioTraitWithoutSuiteTests {
  @Test(
    .scenario(
      "checkout/declined", catalog: TestCatalog.path, options: .init(unmatched: .respond(404))))
  func traitOfATestMayNameTheCatalogAndThePolicy() async throws {
    let url = try #require(URL(string: "https://api.shop.test/other"))
    let response = try await URLSession.stubbed.data(from: url).1
    #expect((response as? HTTPURLResponse)?.statusCode == 404)
    #expect(StubInterceptor.current.journal.map(\.isMatched) == [false])
  }

  @Test func askingForAScenarioWhereThereIsNoneIsAnIssueAtTheLineThatAsks() async throws {
    let url = try #require(URL(string: "https://api.shop.test/"))
    let (places, line) = (Locked([String]()), Locked(0))
    await withKnownIssue {
      line.withLock { $0 = #line + 1 }
      let session = URLSession.stubbed
      let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
      #expect(error?.localizedDescription.contains("stubdb") == false)
      #expect(error?.localizedDescription.contains("created outside a scenario") == true)
    } matching: { issue in
      let place = issue.sourceLocation.map { "\($0.fileName):\($0.line)" }
      places.withLock { $0.append(place ?? "") }
      return issue.comments.contains { $0.rawValue.contains(".scenario(") }
    }
    #if os(Linux) && canImport(Runtime)
      #expect(places.withLock { $0 } == ["ScenarioTraitTests.swift:\(line.withLock { $0 })"])
    #endif
  }

  @Test(.interceptor) func closuresAloneNeedNoScenario() async throws {
    try StubInterceptor.current.stub(.post, "/charges") { _ in .text("closure") }
    #expect(try await charge(in: .stubbed) == "closure")
    #expect(StubInterceptor.current.journal.count == 1)
  }

  @Suite(.scenario("checkout/accepted", catalog: TestCatalog.path)) struct Nested {
    @Test(.interceptor(options: .init(unmatched: .respond(404))))
    func anInterceptorInsideASuiteTakesTheScenarioAway() async throws {
      #expect(try await charge(in: .stubbed).contains("No closure of this interceptor answers"))
    }
  }
}
