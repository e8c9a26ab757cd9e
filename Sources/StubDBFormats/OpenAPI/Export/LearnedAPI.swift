internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBDrift
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// The paths and operations that stubs answer.
struct LearnedAPI {
  /// The methods that an operation may have, in the order of the specification.
  static let methods = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]

  /// A path whose variable segments are parameters.
  private struct Path {
    let template: String
    /// The names of the variable segments, with an example of each.
    let parameters: [(name: String, example: String)]
    var operations: [String: LearnedOperation] = [:]
  }

  /// By the template with `{}` for each variable segment, because names do not tell paths apart.
  private var paths: [String: Path] = [:]
  /// Schemes and hosts, in the order in which they were seen.
  private var servers: [String] = []
  private var knownServers: Set<String> = []

  /// Adds the answers that a request of a stub gets.
  mutating func add(
    _ stub: Stub, _ example: RequestExample, _ answers: [SampledAnswer], of scenario: ScenarioName
  ) {
    guard let url = URLParts(example.url) else { return }
    let server = example.isAnyHost ? nil : url.origin
    if let server, knownServers.insert(server).inserted { servers.append(server) }
    let path = Self.path(of: example, url)
    let key = path.template.replacing(/\{[^\/}]*\}/, with: "{}")
    // In place: a copy of what was learned would be made again for each stub.
    paths[key, default: path].operations[example.method, default: LearnedOperation()]
      .add(stub, example, url, server: server, answers, of: scenario)
  }

  /// The path with a parameter for each placeholder, and for each segment that looks like an identifier.
  private static func path(of example: RequestExample, _ url: URLParts) -> Path {
    let values = url.path.split(separator: "/", omittingEmptySubsequences: false)
    let template = (example.pathTemplate ?? url.path)
      .split(separator: "/", omittingEmptySubsequences: false)
    var names = UniqueNames(limit: 100)
    var parameters: [(name: String, example: String)] = []
    let segments = template.enumerated().map { index, segment -> String in
      let value = values.count == template.count ? String(values[index]) : ""
      let name: String
      if URLParts.isPlaceholder(segment) {
        name = String(segment.dropFirst().dropLast())
      } else if segment == "**" {
        name = "rest"
      } else if IdentifierText.isOne(segment.removingPercentEncoding ?? String(segment)) {
        name = "id"
      } else {
        return String(segment)
      }
      let unique = names.unique(OpenAPIPath.placeholder(name))
      parameters.append((unique, value.removingPercentEncoding ?? value))
      return "{\(unique)}"
    }
    return Path(template: segments.joined(separator: "/"), parameters: parameters)
  }

  /// The description; `server` is that of stubs which answer any host.
  func json(title: String, server: String?) -> OrderedJSON {
    let all = servers + (server.map { knownServers.contains($0) ? [] : [$0] } ?? [])
    let paths = paths.values.sorted { $0.template.precedesByBytes($1.template) }.map { path in
      (path.template, json(of: path))
    }
    return .object([
      ("openapi", .string("3.1.0")),
      ("info", .object([("title", .string(title)), ("version", .string("1"))])),
      ("servers", Self.json(servers: all.isEmpty ? ["/"] : all)), ("paths", .object(paths)),
    ])
  }

  private static func json(servers: [String]) -> OrderedJSON {
    .array(servers.map { .object([("url", .string($0))]) })
  }

  private func json(of path: Path) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = []
    if !path.parameters.isEmpty {
      let parameters = path.parameters.map { name, example in
        OrderedJSON.object([
          ("name", .string(name)), ("in", .string("path")), ("required", .yes),
          ("schema", .object([("type", .string("string"))])), ("example", .string(example)),
        ])
      }
      members.append(("parameters", .array(parameters)))
    }
    for method in Self.methods {
      guard let operation = path.operations[method] else { continue }
      var own = operation.members
      if !operation.servers.isEmpty, operation.servers.count < servers.count {
        own.insert(("servers", Self.json(servers: operation.servers)), at: 0)
      }
      members.append((method.lowercased(), .object(own)))
    }
    return .object(members)
  }
}
