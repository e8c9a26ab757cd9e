internal import Foundation
internal import HTTPTypes
package import StubDBCatalog
internal import StubDBEngine
internal import StubDBJSON
package import StubDBModel
internal import StubDBSecrets
internal import StubDBSupport

/// A request that a stub answers, to try the stub with.
package struct ExampleRequest {
  /// The longest body that is repeated in a command to type next.
  private static let longestBody = 500
  /// The largest number of header fields and parameters that are repeated in such a command.
  private static let maximumCount = 100
  private let method: String
  private let url: String
  private var fields: [HTTPField] = []
  private var body = ""

  /// Makes a request from the plain values of a pattern.
  ///
  /// Nil if a value cannot be derived, is too long, or is a secret.
  package init?(for pattern: RequestPattern) {
    guard pattern.headers.count <= Self.maximumCount, pattern.query.count <= Self.maximumCount,
      let url = Self.url(for: pattern), Self.isShowable(pattern)
    else { return nil }
    guard SecretDisplay.text(url) == url, !Self.holdsSecret(pattern) else { return nil }
    method = pattern.methods.first?.rawValue ?? "GET"
    self.url = url
    for header in pattern.headers where header.pattern != .absent {
      guard let values = Self.values(for: header.named) else { return nil }
      fields += values.map { HTTPField(name: header.name, value: $0) }
    }
    guard fields.count <= Self.maximumCount else { return nil }
    switch pattern.body.count {
    case 0: return
    case 1:
      guard let body = Self.text(for: pattern.body[0]) else { return nil }
      guard body.utf8.count <= Self.longestBody,
        !body.unicodeScalars.contains(where: \.isTerminalControl),
        SecretDisplay.text(body) == body
      else { return nil }
      self.body = body
    default: return nil
    }
  }

  /// The arguments of `match` after the scenario.
  package var place: [String] { [method, url] }

  /// The options of `match`.
  package var options: [String] {
    let headers = fields.flatMap { ["--header", "\($0.name.rawName): \($0.value)"] }
    let data = body.isEmpty ? [] : ["--data", (body.hasPrefix("@") ? "@" : "") + body]
    return headers + data
  }

  /// Whether the stub with the key answers the request when the scenario is played.
  package func isAnswered(by key: Stub.Key, of scenario: ScenarioName, in catalog: Catalog) -> Bool
  {
    let request = StubRequest(
      method: method, url: url, headers: HTTPFields(fields), body: .bytes(Data(body.utf8)))
    // A scenario that cannot be loaded answers nothing; the reason is shown when it is played.
    let source = try? catalog.load(scenario.rawValue).firstMatch(for: request)
    return source?.origin == scenario && source?.stub.key == key
  }

  /// Whether a scan finds a secret in the pattern, in any of its values and encodings.
  private static func holdsSecret(_ pattern: RequestPattern) -> Bool {
    var scanner = SecretScanner()
    let stub = Stub(key: "example", request: pattern)
    return !scanner.findings(in: Scenario(name: ScenarioName(unchecked: "example"), stubs: [stub]))
      .isEmpty
  }

  /// Whether the pattern asks for nothing but what an example has, and what only a run can tell.
  private static func isShowable(_ pattern: RequestPattern) -> Bool {
    var rest = pattern
    (rest.methods, rest.wholeURL, rest.scheme, rest.host, rest.port) = ([], nil, nil, nil, nil)
    (rest.path, rest.pathParameters, rest.query) = (nil, [], [])
    (rest.queryIsExact, rest.headers, rest.captured, rest.body) = (false, [], [], [])
    return rest == RequestPattern()
  }

  /// The host of examples for patterns of any host.
  private static let anyHost = "any.test"

  private static func url(for pattern: RequestPattern) -> String? {
    if let url = pattern.wholeURL {
      return pattern.host == nil && pattern.path == nil && pattern.query.isEmpty
        ? url.literal : nil
    }
    let path: String
    switch pattern.path {
    case nil: path = "/"
    case .template(let text): path = self.path(for: text, pattern.pathParameters)
    case .value: return nil
    }
    let host: String
    switch pattern.host {
    case nil: host = anyHost
    case let pattern? where pattern.operator == .equalTo: host = pattern.text
    default: return nil
    }
    let scheme = pattern.scheme ?? "https"
    let port = pattern.port.map { ":\($0)" } ?? ""
    var items: [String] = []
    for parameter in pattern.query where parameter.pattern != .absent {
      guard let values = values(for: parameter) else { return nil }
      items += values.map { URLParts.QueryItem(name: parameter.name, value: $0).description }
    }
    guard items.count <= maximumCount else { return nil }
    let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
    return "\(scheme)://\(host)\(port)\(path)\(query)"
  }

  /// The path with example values for its placeholders.
  private static func path(for template: String, _ parameters: [NamedPattern]) -> String {
    template.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      if segment == "**" { return "any" }
      guard URLParts.isPlaceholder(segment) else { return String(segment) }
      let parameter = parameters.first { $0.name == segment.dropFirst().dropLast() }
      return parameter.flatMap { values(for: $0.pattern)?.first }.map(URLParts.canonicalPath) ?? "1"
    }.joined(separator: "/")
  }

  /// The values that satisfy the patterns for a name; nil also if they must not be printed.
  private static func values(for named: NamedPattern) -> [String]? {
    values(for: named.pattern).flatMap { values in
      values.allSatisfy { SecretDisplay.value($0, of: named.name) == $0 } ? values : nil
    }
  }

  /// The values that satisfy a pattern; nil if it is not a plain comparison.
  private static func values(for pattern: ValuePattern) -> [String]? {
    switch pattern.storage {
    case .equalTo(let text, _), .contains(let text): return [text.string]
    case .anything, .not(.absent): return ["any"]
    case .number(.equalTo, let number): return [number.text]
    case .hasExactly(let patterns), .includes(let patterns):
      let values = patterns.compactMap { self.values(for: $0)?.first }
      return values.count == patterns.count ? values : nil
    default: return nil
    }
  }

  private static func text(for pattern: BodyPattern) -> String? {
    if case .value(let value) = pattern.storage { return values(for: value)?.first }
    switch pattern.operation {
    case let operation as EqualToJSONOperator:
      let text = operation.value.canonicalText
      return SecretDisplay.text(text, as: .placeholder) == text ? text : nil
    case let operation as FormOperator:
      var items: [String] = []
      for field in operation.fields where field.pattern != .absent {
        guard let values = values(for: field) else { return nil }
        items += values.map { URLParts.QueryItem(name: field.name, value: $0).description }
      }
      return items.joined(separator: "&")
    default: return nil
    }
  }
}
