#if Server
import Foundation
import NIOHTTP1
import StubDBJSON
import StubDBModel

/// A request to the admin API.
struct AdminRequest: Sendable {
  let method: String
  /// The segments of the path, decoded; `/` inside of one stays.
  let path: [String]
  /// The query parameters, decoded; of several with one name the last one counts.
  let query: [String: String]
  let headers: HTTPHeaders
  let content: Data
  /// Whether the client is on this machine.
  let isFromLoopback: Bool
  /// Whether it came over TLS.
  let isSecure: Bool
  /// The values of the placeholders of the route.
  var parameters: [String] = []

  init(_ head: HTTPRequestHead, _ content: Data, isFromLoopback: Bool, isSecure: Bool = false) {
    method = head.method.rawValue
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts[0].split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    let pairs = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.replacing("+", with: " ").removingPercentEncoding ?? String($0) }
      return (sides[0], sides.count > 1 ? sides[1] : "")
    }
    query = Dictionary(pairs) { $1 }
    headers = head.headers
    self.content = content
    self.isFromLoopback = isFromLoopback
    self.isSecure = isSecure
  }

  /// The host that the client asked, without its port.
  var host: String { Authority.host(of: headers.first(name: "host") ?? "") }

  /// Whether the client has the version with this entity tag already.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
  func knows(_ tag: String) -> Bool {
    let known = headers["if-none-match"].joined(separator: ",").split(separator: ",")
    return known.contains { text in
      let text = text.trimmingPrefix { $0 == " " }
      return text == "*" || text == tag || text == "W/" + tag
    }
  }

  func cookies(_ name: String) -> [String] {
    headers["cookie"].flatMap { $0.split(separator: ";") }.compactMap { cookie in
      let sides = cookie.trimmingPrefix { $0 == " " }.split(separator: "=", maxSplits: 1)
      return sides.count == 2 && sides[0] == name ? String(sides[1]) : nil
    }
  }

  /// A truth value from the query, or nil.
  ///
  /// - Throws: An ``AdminProblem`` for other values.
  func truth(_ name: String) throws -> Bool? {
    switch query[name] {
    case nil: return nil
    case "true": return true
    case "false": return false
    default:
      throw AdminProblem(
        400, "invalid-parameter", "Invalid parameter", "\(name) is true or false.")
    }
  }

  /// A whole number from the query.
  ///
  /// - Throws: An ``AdminProblem`` for other values.
  func integer(_ name: String, _ usual: Int, in range: ClosedRange<Int>) throws -> Int {
    guard let text = query[name] else { return usual }
    guard let value = Int(text), range.contains(value) else {
      throw AdminProblem(
        400, "invalid-parameter", "Invalid parameter",
        "\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  /// Reads the content as an object with these members; without content it is empty.
  ///
  /// - Throws: `DocumentError` with the place of what is wrong.
  func object<Value>(
    _ name: String, _ keys: [String], _ body: (DocumentObject) throws(DocumentError) -> Value
  ) throws(DocumentError) -> Value {
    let text = content.isEmpty ? Data("{}".utf8) : content
    return try DocumentNode.reading(text, file: nil) { (root) throws(DocumentError) in
      try body(try root.object(DocumentObjectKind(name, keys)))
    }
  }
}
#endif
