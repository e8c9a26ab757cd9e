import Foundation
import StubDBTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends one charge and gives the text of the answer.
func charge(in session: URLSession) async throws -> String {
  var request = URLRequest(url: try #require(URL(string: "https://api.shop.test/charges")))
  request.httpMethod = "POST"
  return String(decoding: try await session.data(for: request).0, as: UTF8.self)
}

@Suite(.catalog(TestCatalog.path), .scenario("checkout/accepted"))
struct ScenarioTraitTests {
  @Test(arguments: 1...20)
  func everyCaseHasARunOfItsOwn(_ number: Int) async throws {
    #expect(try await charge(in: .stubbed) == "checkout/accepted 1")
    #expect(try await charge(in: .stubbed) == "checkout/accepted 2")
    #expect(Interceptor.current.journal.count == 2)
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
    #expect(Interceptor.current.scenario.name.rawValue == "checkout/declined")
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
  @Test(.scenario("checkout/declined", catalog: TestCatalog.path, unmatched: .respond(404)))
  func traitOfATestMayNameTheCatalogAndThePolicy() async throws {
    let url = try #require(URL(string: "https://api.shop.test/other"))
    let response = try await URLSession.stubbed.data(from: url).1
    #expect((response as? HTTPURLResponse)?.statusCode == 404)
    #expect(Interceptor.current.journal.map(\.isMatched) == [false])
  }

  @Test func askingForAScenarioWhereThereIsNoneIsAnIssueAndNotACrash() async throws {
    let url = try #require(URL(string: "https://api.shop.test/"))
    try await withKnownIssue {
      _ = try await URLSession.stubbed.data(from: url)
    } matching: { issue in
      issue.error is URLError || issue.comments.contains { $0.rawValue.contains(".scenario(") }
    }
  }
}
