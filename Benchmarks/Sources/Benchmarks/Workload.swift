import Foundation
import StubDB

/// The scenarios and requests that every row uses.
enum Workload {
  /// A scenario with this many stubs: most with a literal path, every tenth with a placeholder, all
  /// with a header pattern.
  static func scenario(
    _ name: String, stubs count: Int, bodyByteCount: Int = 0, firstBody: Int = 0
  ) -> Scenario {
    guard let name = ScenarioName(name) else { preconditionFailure("not a name: \(name)") }
    return Scenario(
      name: name, summary: "Measured with \(count) stubs",
      stubs: (0..<count).map { index in
        let path = index % 10 == 9 ? "/v1/shops/{shop}/items/\(index)" : "/v1/items/\(index)"
        return Stub(
          key: "item-\(index)",
          request: RequestPattern(
            methods: [.get], scheme: "https", host: "api.shop.test", path: .template(path),
            headers: [HeaderPattern(.accept, .contains("json"))]),
          responses: [
            StubResponse(
              headers: [.contentType: "application/json"],
              body: body(firstBody + index, byteCount: bodyByteCount))
          ])
      })
  }

  /// The URL that the stub with this index answers.
  static func url(_ index: Int) -> String {
    index % 10 == 9
      ? "https://api.shop.test/v1/shops/7/items/\(index)"
      : "https://api.shop.test/v1/items/\(index)"
  }

  /// A JSON text of at least this many bytes that no other number gives.
  static func bodyText(_ number: Int, byteCount: Int) -> String {
    let start = #"{"id":\#(number),"text":""#
    let filler = String(repeating: "stub \(number) ", count: byteCount / 6 + 1)
    return start + filler.prefix(max(0, byteCount - start.utf8.count - 2)) + #""}"#
  }

  private static func body(_ number: Int, byteCount: Int) -> ResponseBody? {
    byteCount == 0 ? .text("ok") : .text(bodyText(number, byteCount: byteCount))
  }
}
