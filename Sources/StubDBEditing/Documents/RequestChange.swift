package import StubDBJSON
internal import StubDBModel

/// A change of the `request` of a stub's document.
package struct RequestChange {
  /// Members of a document's request, as they are written; the other properties add to them.
  private let members: JSONObject
  private let method: String?
  private let url: String?
  private let headers: [(name: String, value: String)]
  private let query: [(name: String, value: String)]
  private let queryIsExact: Bool?
  private let body: JSONValue?
  /// What gave the body, for messages.
  let bodyOrigin: String?

  package init(
    members: JSONObject, method: String?, url: String?, headers: [(name: String, value: String)],
    query: [(name: String, value: String)], queryIsExact: Bool?,
    body: JSONValue?, bodyOrigin: String?
  ) {
    (self.members, self.method, self.url) = (members, method, url)
    (self.headers, self.query) = (headers, query)
    (self.queryIsExact, self.body, self.bodyOrigin) = (queryIsExact, body, bodyOrigin)
  }

  func apply(to request: inout JSONObject) {
    if case .string(let url) = members["url"] { Self.apply(url, to: &request) }
    applyMembers(to: &request)
    if let method { request["method"] = .string(method) }
    if let url { Self.apply(url, to: &request) }
    if !headers.isEmpty {
      request["headers"] = NamedValues.merged(headers, into: request["headers"], ignoringCase: true)
    }
    if !query.isEmpty {
      request["query"] = NamedValues.merged(query, into: request["query"], ignoringCase: false)
    }
    if let queryIsExact { request["queryIsExact"] = .bool(queryIsExact) }
    if let body { request["body"] = body }
  }

  /// Replaces the URL of the request, including the parameters of its query.
  private static func apply(_ url: String, to request: inout JSONObject) {
    for part in partsOfURL { request[part] = nil }
    request["url"] = .string(url)
    guard case .object(var parameters) = request["query"] else { return }
    for item in URLParts(template: url)?.query ?? [] { parameters[item.name] = nil }
    request["query"] = .object(parameters)
  }

  /// Adds the members to a request; those of objects with names are added name by name.
  private func applyMembers(to request: inout JSONObject) {
    for (part, value) in members {
      guard Self.named.contains(part), case .object(let added) = value,
        case .object(var existing) = request[part]
      else {
        request[part] = value
        continue
      }
      let ignoringCase = part == RequestPart.headers.rawValue
      for (name, pattern) in added {
        existing = existing.filter { $0.key != name && !(ignoringCase && $0.key.isSame(as: name)) }
        existing[name] = pattern
      }
      request[part] = .object(existing)
    }
  }

  /// The parts whose members are names of a request's own.
  private static let named = Set(
    [RequestPart.pathParameters, .query, .headers, .cookies, .captured].map(\.rawValue))

  /// Parts of a document's request that `url` takes the place of.
  package static let partsOfURL = [RequestPart.scheme, .host, .port, .path].map(\.rawValue)

  /// Whether the members give a part of the URL by itself.
  var hasPartOfURL: Bool {
    members["url"] == nil && Self.partsOfURL.contains { members[$0] != nil }
  }

  /// Whether the members give the value at a place in a request.
  func gives(_ place: some Collection<String>) -> Bool {
    guard let part = place.first, let value = members[part] else { return false }
    guard let name = place.dropFirst().first, case .object(let values) = value,
      Self.named.contains(part)
    else { return true }
    return values.keys.contains(name)
  }
}

extension String {
  fileprivate func isSame(as other: String) -> Bool { lowercased() == other.lowercased() }
}

/// Sets members of a document's object to a value, or to a list if a name occurs repeatedly.
enum NamedValues {
  /// The object with the members set; existing values of the same names are replaced.
  static func merged(
    _ values: [(name: String, value: String)], into object: JSONValue?, ignoringCase: Bool
  ) -> JSONValue {
    var members: JSONObject = [:]
    if case .object(let existing) = object { members = existing }
    func same(_ left: String, _ right: String) -> Bool {
      ignoringCase ? left.lowercased() == right.lowercased() : left == right
    }
    members = members.filter { member in !values.contains { same($0.name, member.key) } }
    for (name, value) in values {
      let name = members.keys.first { same($0, name) } ?? name
      switch members[name] {
      case nil: members[name] = .string(value)
      case .array(let earlier): members[name] = .array(earlier + [.string(value)])
      case .some(let earlier): members[name] = [earlier, .string(value)]
      }
    }
    return .object(members)
  }
}
