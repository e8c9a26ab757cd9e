import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// Random requests to a resource get what a list of items in memory says.
@Suite struct ResourcePropertyTests {
  /// What is known of the items: their ids and texts, in order.
  private struct Items {
    var list: [(id: Int, name: String?)] = []
    var last = 0

    var json: JSONValue { .array(list.map { Self.json($0.id, $0.name) }) }

    static func json(_ id: Int, _ name: String?) -> JSONValue {
      var item: JSONObject = ["id": .number(JSONNumber(id))]
      item["name"] = name.map { .string($0) }
      return .object(item)
    }

    /// The status and the content of an answer; a nil content is not compared.
    mutating func answer(_ method: String, _ id: Int?, _ name: String?) -> (Int, JSONValue?) {
      let place = list.firstIndex { $0.id == id }
      switch (method, id, place) {
      case ("GET", nil, _): return (200, json)
      case ("POST", nil, _):
        last += 1
        list.append((last, name))
        return (201, Self.json(last, name))
      case ("PUT", let id?, nil):
        last = max(last, id)
        list.append((id, name))
        return (201, Self.json(id, name))
      case ("GET", _?, nil), ("PATCH", _?, nil), ("DELETE", _?, nil): return (404, nil)
      case ("GET", let id?, let place?): return (200, Self.json(id, list[place].name))
      case ("PUT", let id?, let place?):
        list[place].name = name
        return (200, Self.json(id, name))
      case ("PATCH", let id?, let place?):
        list[place].name = name ?? list[place].name
        return (200, Self.json(id, list[place].name))
      case ("DELETE", _?, let place?):
        list.remove(at: place)
        return (204, nil)
      default: return (405, nil)
      }
    }
  }

  @Test(arguments: 1...20)
  func aResourceDoesWhatAListDoes(seed: UInt64) throws {
    let text =
      #"{"scenario": "a/b", "stubs": [{"key": "items", "resource": {"at": "/items", "id": "integer"}}]}"#
    let run = try LoadedScenario(ScenarioDocument.decode(Data(text.utf8))).run(seed: seed)
    var (random, items) = (SeededRandom(seed: seed), Items())
    for _ in 0..<300 {
      let method = ["GET", "POST", "PUT", "PATCH", "DELETE"].randomElement(using: &random) ?? "GET"
      let id = Bool.random(using: &random) ? Int.random(in: 1...12, using: &random) : nil
      let name = [nil, "Ada", "Bob", "é"].randomElement(using: &random) ?? nil
      let path = "https://a.test/items" + (id.map { "/\($0)" } ?? "")
      let content = name.map { #"{"name": "\#($0)"}"# } ?? "{}"
      let (status, json) = items.answer(method, id, name)
      let request = StubRequest(method: method, url: path, body: .bytes(Data(content.utf8)))
      guard case .respond(let selection) = run.respond(to: request) else {
        throw EngineTestFailure.notAnswered
      }
      #expect(selection.response.status == status, "\(method) \(path)")
      guard let json, let body = selection.response.body?.bytes else { continue }
      #expect(try JSONValue(parsing: body) == json, "\(method) \(path)")
    }
  }
}
