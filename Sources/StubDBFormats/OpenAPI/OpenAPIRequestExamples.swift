internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// The requests that a description has as examples of an operation.
struct OpenAPIRequestExamples {
  /// How many requests of one operation are asked for at most.
  private static let maximumCount = 20

  let parameters: OpenAPIParameters
  /// The JSON examples of the content by their names; the one without a name has an empty one.
  let bodies: JSONObject
  let options: ImportOptions

  /// The names of all examples, the empty one first.
  private var names: [String] {
    let names = parameters.parameters.reduce(into: Set(bodies.keys)) {
      $0.formUnion($1.examples.keys)
    }
    return names.sorted()
  }

  /// The requests that a stub has to answer: all but those that have answers of their own.
  func requests(to pattern: RequestPattern, besides others: [RequestPattern]) -> [StubRequest] {
    let requests = names.prefix(Self.maximumCount).compactMap { request(named: $0, to: pattern) }
    return requests.filter { request in
      !others.contains { ExportedRun.matches(request, $0) }
    }
  }

  /// The request with the examples of a name, and with those without a name where there is none; nil if a part of it that
  /// the stub asks for is not known.
  func request(named name: String, to pattern: RequestPattern) -> StubRequest? {
    // No example has credentials.
    guard !options.requirements.contains(.security), case .template(var path)? = pattern.path else {
      return nil
    }
    let body = bodies[name] ?? bodies[""]
    guard body != nil || pattern.body.isEmpty else { return nil }
    var isExample = bodies[name] != nil
    var (query, cookies): ([String], [String]) = ([], [])
    var sent = StubRequest(method: pattern.methods.first?.rawValue ?? "GET", url: "/")
    for parameter in parameters.parameters {
      guard let values = parameter.values(named: name) else {
        let isNeeded = parameter.place == "path" || parameter.value.flag("required")
        if isNeeded, options.requirements.contains(.required) { return nil }
        continue
      }
      isExample = isExample || parameter.examples[name] != nil
      switch parameter.place {
      case "path":
        guard let value = values.first, !value.isEmpty else { return nil }
        let placeholder = "{\(OpenAPIPath.placeholder(parameter.name))}"
        path = path.replacingOccurrences(of: placeholder, with: Self.encoded(value))
      case "query":
        query += values.map { URLParts.QueryItem(name: parameter.name, value: $0).description }
      case "cookie": cookies += values.map { "\(parameter.name)=\($0)" }
      case "header":
        guard let field = HTTPField.Name(parameter.name),
          values.allSatisfy({ HTTPField.isValidValue($0) })
        else { return nil }
        sent.headers[field] = values.joined(separator: ",")
      default: break
      }
    }
    guard isExample else { return nil }
    if !cookies.isEmpty { sent.headers[.cookie] = cookies.joined(separator: "; ") }
    if let body {
      sent.headers[.contentType] = "application/json"
      sent.body = .bytes(Data(body.canonicalText.utf8))
    }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    path = segments.map { URLParts.isPlaceholder($0) ? "1" : $0 }.joined(separator: "/")
    sent.url =
      Self.origin(of: pattern) + path + (query.isEmpty ? "" : "?\(query.joined(separator: "&"))")
    return sent
  }

  private static func origin(of pattern: RequestPattern) -> String {
    guard let host = pattern.host?.literal else { return "" }
    return "\(pattern.scheme ?? "https")://\(host)" + (pattern.port.map { ":\($0)" } ?? "")
  }

  /// A value as a segment of a path.
  private static func encoded(_ value: String) -> String {
    value.utf8.percentEncoded { $0.isASCIILetter || $0.isASCIIDigit }
  }
}

extension OpenAPIParameters.Parameter {
  /// The values of an example, or else of the one without a name, or nil.
  fileprivate func values(named name: String) -> [String]? {
    guard let pattern = examples[name] ?? examples[""] else { return nil }
    return pattern.literal.map { [$0] } ?? pattern.patterns.compactMap(\.literal)
  }
}
