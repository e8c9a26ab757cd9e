internal import StubDBJSON
internal import StubDBModel

/// A request pattern as columns: plain ones for listing and searching, the rest as JSON.
struct RequestColumns {
  var method: String?
  var scheme: String?
  var host: String?
  var port: Int?
  var path: String?
  /// The members that the plain columns do not express; nil if there are none.
  var pattern: String?

  init(_ request: RequestPattern) {
    var members = request.jsonObject
    method = Self.take("method", from: &members)
    scheme = Self.take("scheme", from: &members)
    host = Self.take("host", from: &members)
    path = Self.take("path", from: &members)
    if case .number(let number) = members["port"] {
      port = number.integerValue
      members["port"] = nil
    }
    pattern = members.isEmpty ? nil : JSONValue.object(members).canonicalText
  }

  /// Removes a member if it is a plain string, and returns it.
  private static func take(_ key: String, from members: inout [String: JSONValue]) -> String? {
    guard case .string(let text) = members[key] else { return nil }
    members[key] = nil
    return text
  }
}
