import Foundation
import StubDBJSON
import StubDBModel
import StubDBSupport
import StubDBTemplates
import StubDBXML

/// The environment for the templates of one answer: the request, what the run keeps, and random numbers.
final class AnswerEnvironment: TemplateEnvironment {
  let request: PreparedRequest
  /// The path of the stub, for its placeholders; nil if it has none.
  let path: PlaceholderPath?
  let queries: CompiledQueries
  let now: Date
  /// The number of the answer among those of its stub, from 1.
  private let answer: Int
  private(set) var captured: CapturedValues
  /// The values of the counters, including this answer.
  private let counts: [String: Int]
  private(set) var generator: SeededGenerator

  init(
    request: PreparedRequest, path: PlaceholderPath?, queries: CompiledQueries, now: Date,
    answer: Int = 1, captured: CapturedValues = CapturedValues(), counts: [String: Int] = [:],
    generator: SeededGenerator
  ) {
    self.request = request
    self.path = path
    self.queries = queries
    self.now = now
    self.answer = answer
    self.captured = captured
    self.counts = counts
    self.generator = generator
  }

  /// Keeps a value under a name; nil removes it.
  ///
  /// - Throws: A reason why it cannot be kept.
  func keep(_ value: JSONValue?, as name: String) throws(TemplateError) {
    guard let value else { return captured.forget(name) }
    if value.isTooDeep || !captured.hasRoom(for: name) {
      throw TemplateError(
        message: value.isTooDeep
          ? "the value has too many arrays and objects inside each other"
          : "the run already keeps \(CapturedValues.limit) values",
        place: TemplatePlace.start)
    }
    captured.keep(value, as: name)
  }

  func value(at path: [String]) -> TemplateValue? {
    if path.first == "baseURL" {
      return request.baseURL.map(TemplateValue.text)
    }
    guard path.first == "request", path.count > 1 else { return .integer(answer) }
    let rest = path[2...]
    switch path[1] {
    case "path": return rest.isEmpty ? .text(request.path) : parameter(rest)
    case "pathSegments": return Self.value(of: request.segments.map(Self.decoded), rest)
    case "query": return named(request.query.map { ($0.name, $0.value) }, rest) { $0 == $1 }
    case "headers":
      return named(request.headers, rest) { ByteText.isSameName($0, $1) }
    case "cookies": return named(request.cookies, rest) { $0 == $1 }
    case "json":
      guard case .value(let json) = request.body.json else { return nil }
      return json[rest].map { TemplateValue($0) }
    default: return rest.isEmpty ? part(path[1]) : nil
    }
  }

  private func part(_ name: String) -> TemplateValue? {
    switch name {
    case "method": return .text(request.request.method)
    case "url": return .text(target)
    case "absoluteUrl": return .text(request.request.url)
    case "scheme": return request.scheme.map(TemplateValue.text)
    case "host": return request.host.map(TemplateValue.text)
    case "port": return request.port.map(TemplateValue.integer)
    case "baseUrl": return request.origin.map(TemplateValue.text)
    case "body":
      guard case .value(let text) = request.body.text else { return nil }
      return .text(text)
    default:
      guard case .value(let bytes) = request.body.bytes else { return nil }
      return .text(bytes.base64EncodedString())
    }
  }

  /// Path and query as they came, which WireMock calls the URL.
  private var target: String {
    let url = request.request.url.prefix { $0 != "#" }
    guard request.host != nil, let scheme = url.firstRange(of: "://") else { return String(url) }
    let rest = url[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
    return rest.hasPrefix("/") ? String(rest) : "/" + rest
  }

  /// A placeholder of the stub's path, or a segment by its index.
  private func parameter(_ path: ArraySlice<String>) -> TemplateValue? {
    guard path.count == 1, let name = path.first else { return nil }
    let values = self.path?.values(of: name, in: request.segments, or: request.earlierSegments)
    if let value = values?.first { return .text(value) }
    return TemplateValue.list(request.segments.map { .text(Self.decoded($0)) })[name]
  }

  private static func decoded(_ segment: Substring) -> String {
    segment.removingPercentEncoding ?? String(segment)
  }

  /// One value as is, several as a list; without a name, all names.
  private func named(
    _ pairs: [(name: String, value: String)], _ path: ArraySlice<String>,
    _ isSame: (String, String) -> Bool
  ) -> TemplateValue? {
    guard let name = path.first else {
      let groups = Dictionary(grouping: pairs) { $0.name }
      return .object(groups.mapValues { Self.oneOrAll($0.map(\.value)) })
    }
    let values = pairs.filter { isSame($0.name, name) }.map(\.value)
    if path.count == 1, values.count < 2 { return values.first.map(TemplateValue.text) }
    return Self.value(of: values, path.dropFirst())
  }

  private static func oneOrAll(_ values: [String]) -> TemplateValue {
    values.count == 1 ? .text(values[0]) : .list(values.map(TemplateValue.text))
  }

  private static func value(of list: [String], _ path: ArraySlice<String>) -> TemplateValue? {
    let values = TemplateValue.list(list.map(TemplateValue.text))
    guard let name = path.first else { return values }
    return path.count == 1 ? values[name] : nil
  }

  func captured(_ name: String) -> TemplateValue? { captured[name].map { TemplateValue($0) } }

  func captured(beginningWith prefix: String) -> [TemplateValue] {
    captured.values(beginningWith: prefix).map { TemplateValue($0) }
  }

  func select(
    _ query: String, in value: TemplateValue
  ) throws(TemplateQueryGivenUp) -> [TemplateValue]? {
    guard let query = queries.jsonPaths[ByteText(query)] else { return nil }
    let json: JSONValue
    if case .text(let text) = value {
      guard let parsed = try? content(text) else { return nil }
      json = parsed
    } else {
      json = JSONValue(value)
    }
    guard let found = request.context.spending({ query.values(in: json, visiting: &$0) }) else {
      throw TemplateQueryGivenUp()
    }
    return found.map { TemplateValue($0) }
  }

  func parseJSON(_ text: String) -> TemplateValue? {
    (try? content(text)).map { TemplateValue($0) }
  }

  private func content(_ text: String) throws(JSONSyntaxError) -> JSONValue {
    try JSONValue(parsing: text, maximumValues: JSONValue.maximumContentValues)
  }

  func removing(
    _ query: String, from value: TemplateValue
  ) throws(TemplateQueryGivenUp) -> TemplateValue {
    guard let query = queries.jsonPaths[ByteText(query)] else { return value }
    let json = JSONValue(value)
    guard let rest = request.context.spending({ json.removing(query, visiting: &$0) }) else {
      throw TemplateQueryGivenUp()
    }
    return TemplateValue(rest)
  }

  func texts(
    atXPath path: String, in text: String
  ) throws(TemplateQueryGivenUp) -> [String]? {
    guard let path = queries.xPaths[ByteText(path)], let tree = try? XMLTree(parsing: text) else {
      return nil
    }
    guard let found = request.context.spending({ path.evaluate(in: tree, visiting: &$0) }) else {
      throw TemplateQueryGivenUp()
    }
    return found.texts
  }

  func matches(_ text: String, _ expression: String) -> Bool? {
    queries.expressions[ByteText(expression)].flatMap { request.context.matches(text, $0.whole) }
  }

  func groups(
    of expression: String, in text: String
  ) throws(TemplateQueryGivenUp) -> [String]? {
    guard let expression = queries.expressions[ByteText(expression)] else { return nil }
    switch request.context.groups(of: expression.anywhere, in: text) {
    case .found(let groups): return groups
    case .notFound: return nil
    case .givenUp: throw TemplateQueryGivenUp()
    }
  }

  func count(of counter: String) -> Int { counts[counter] ?? 1 }

  func random() -> UInt64 { generator.next() }
}
