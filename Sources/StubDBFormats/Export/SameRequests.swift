internal import Foundation
internal import StubDBModel

/// The requests of an export, to find those that only header fields tell apart.
///
/// Tools that play examples compare method, URL and content; of two stubs with the same, one answers for both there.
struct SameRequests {
  private struct Key: Hashable {
    var method: String
    var url: String
    var body: Data
  }

  private var stubs: [Key: (name: String, request: RequestPattern)] = [:]

  /// Notes the examples of a stub; the report says if another stub has the same.
  mutating func note(_ examples: [RequestExample], of exported: ExportedStub) {
    let request = exported.stub.request
    for example in examples {
      let key = Key(method: example.method, url: example.url, body: example.body)
      guard let other = stubs[key] else {
        stubs[key] = ("\(exported.stub.key)", request)
        continue
      }
      guard Self.fields(of: other.request) != Self.fields(of: request) else { continue }
      exported.document.note(
        .changed, .priority,
        "The stub \(other.name) has the same method, URL and content, and most tools compare nothing else"
      )
      return
    }
  }

  private static func fields(of request: RequestPattern) -> RequestPattern {
    RequestPattern(
      headers: request.headers, cookies: request.cookies, basicAuth: request.basicAuth)
  }
}
