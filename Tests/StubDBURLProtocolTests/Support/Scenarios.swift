import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBModel
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Makes a scenario from its document.
func load(_ document: String) throws -> LoadedScenario {
  try LoadedScenario(
    ScenarioDocument.decode(Data(document.utf8), file: nil) { _ in Data() })
}

/// Makes a scenario with one stub, which answers every request.
func answering(_ response: StubResponse) throws -> LoadedScenario {
  try LoadedScenario(
    Scenario(
      name: ScenarioName(unchecked: "test/one"), stubs: [Stub(key: "any", responses: [response])]))
}

let apiURL = "https://api.shop.test/v1/things"

func request(
  _ method: String = "GET", _ url: String = apiURL, headers: [String: String] = [:],
  body: String? = nil
) throws -> URLRequest {
  var request = URLRequest(url: try #require(URL(string: url)))
  request.httpMethod = method
  for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
  request.httpBody = body.map { Data($0.utf8) }
  return request
}
