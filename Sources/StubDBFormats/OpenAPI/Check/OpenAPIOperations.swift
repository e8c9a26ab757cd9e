internal import Foundation
internal import StubDBModel

struct OpenAPIOperation {
  let method: String
  /// The path as it is written.
  let path: String
  /// Its segments after the base path of each server.
  let paths: [[Segment]]
  /// The hosts of the servers; empty if they are not named.
  let hosts: Set<String>
  let item: SourceValue
  let value: SourceValue
  let parameters: OpenAPIParameters
  /// Its place in the description, to count by.
  let index: Int

  enum Segment {
    case literal(String)
    /// A placeholder that is a whole segment, with its name.
    case placeholder(String)
    /// Text with placeholders in it, such as `v{version}` or `{id}:copy`.
    case mixed(String)

    init(_ text: String) {
      if !text.contains("{") {
        self = .literal(text)
      } else if URLParts.isPlaceholder(text[...]), !text.dropFirst().contains("{") {
        self = .placeholder(String(text.dropFirst().dropLast()))
      } else {
        self = .mixed(text)
      }
    }

    var text: String {
      switch self {
      case .literal(let text), .mixed(let text): text
      case .placeholder(let name): "{\(name)}"
      }
    }
  }
}

struct OpenAPIOperations {
  let operations: [OpenAPIOperation]
  /// All hosts of their servers; empty if none is named.
  let hosts: Set<String>
  let references: OpenAPIReferences
  let schemas: OpenAPICompiledSchemas
  let root: SourceValue
  let isSwagger: Bool
  private let paths: OpenAPIPathTree

  /// Whether schemas are those of OpenAPI 3.0 and before, which are no JSON Schema.
  let isOld: Bool

  /// - Throws: ``FormatError`` for what is no description, and for a reference that cannot be followed.
  init(_ input: ImportInput) throws(FormatError) {
    guard OpenAPIFormat().recognizes(input), let root = input.tree?.root else {
      throw FormatError(
        file: input.file, message: "this is no description in OpenAPI 3 or Swagger 2")
    }
    (self.root, isSwagger) = (root, root["swagger"] != nil)
    isOld = isSwagger || root["openapi"]?.peekedText?.hasPrefix("3.0") ?? false
    references = OpenAPIReferences(input)
    schemas = OpenAPICompiledSchemas(references, isOld: isOld)
    var operations: [OpenAPIOperation] = []
    for path in root["paths"]?.members ?? [] where path.name.hasPrefix("/") {
      let item = try references.resolved(path.value)
      for (method, reference) in OpenAPIFormat.operations(of: item) {
        let value = try references.resolved(reference)
        let servers = Self.servers(root, item, value).map { URLParts($0.isEmpty ? "/" : $0) }
        operations.append(
          OpenAPIOperation(
            method: method, path: path.name,
            paths: Set(servers.map { Self.base($0) }).sorted().map {
              Self.segments($0 + path.name).map(OpenAPIOperation.Segment.init)
            },
            hosts: Set(servers.compactMap { $0?.host }), item: item, value: value,
            parameters: try OpenAPIParameters(item, value, references), index: operations.count))
      }
    }
    self.operations = operations
    hosts = operations.reduce(into: []) { $0.formUnion($1.hosts) }
    var paths = OpenAPIPathTree()
    for operation in operations {
      for path in operation.paths { paths.insert(path, operation.index) }
    }
    self.paths = paths
  }

  /// The places of the operations whose paths fit that of a stub best, in the order of the description.
  func nearest(to stub: [String]) -> [Int] { paths.nearest(to: stub).places }

  /// The segments of a stub's path; nil if they may be any, because the description has no parameter in place of each
  /// `**`, or not with all of the methods.
  func path(_ template: String, methods: [String]) -> [String]? {
    let own = template.split(separator: "/", omittingEmptySubsequences: false)
    let open = own.indices.filter { own[$0] == "**" }.map { $0 - 1 }
    let path = Self.segments(own.map { $0 == "**" ? "{rest}" : $0 }.joined(separator: "/"))
    if open.isEmpty { return path }
    let described = nearest(to: path).map { operations[$0] }.filter { operation in
      operation.paths.contains { $0.fits(path) && open.allSatisfy($0.isParameter) }
    }.map(\.method)
    // A server that answers GET answers HEAD alike.
    let isDescribed = methods.allSatisfy { method in
      described.contains(method) || method == "HEAD" && described.contains("GET")
    }
    return isDescribed && !described.isEmpty ? path : nil
  }

  /// The servers of an operation: its own, those of its path, or those of the description.
  private static func servers(
    _ root: SourceValue, _ item: SourceValue, _ operation: SourceValue
  ) -> [String] {
    if root["swagger"] != nil {
      let base = root.text("basePath") ?? ""
      return [root.text("host").map { "https://\($0)\(base)" } ?? base]
    }
    for value in [operation, item, root] {
      let urls = OpenAPIServer.urls(of: value["servers"])
      if !urls.isEmpty { return urls }
    }
    return [""]
  }

  private static func base(_ server: URLParts?) -> String {
    guard let path = server?.path, path != "/" else { return "" }
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  static func segments(_ path: String) -> [String] {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { segment in
      segment.contains("{") ? String(segment) : URLParts.canonicalPath(segment)
    }
  }
}

extension OpenAPIOperation {
  /// The name of the response that describes a status, such as `404`, `4XX` or `default`; nil if none does.
  func response(_ status: Int) -> String? {
    let names = (value["responses"]?.members ?? []).map(\.name)
    return ["\(status)", "\(status / 100)XX", "\(status / 100)xx", "default"]
      .first(where: names.contains)
  }
}

extension Resource {
  /// The methods that the list and the items answer, with the statuses of their answers.
  var operations: [(method: String, path: [String], statuses: [Int])] {
    let list = OpenAPIOperations.segments(path)
    let item = list + ["{id}"]
    return [
      ("GET", list, limit == nil ? [200] : [200, 400]), ("POST", list, [201, 400, 409, 415, 507]),
      ("GET", item, [200, 404]), ("PUT", item, [200, 201, 400, 404, 409, 415, 507]),
      ("PATCH", item, [200, 400, 404, 409, 415, 507]), ("DELETE", item, [204, 404]),
    ]
  }
}

extension [OpenAPIOperation.Segment] {
  /// Whether a path of a stub may be one of these segments.
  fileprivate func fits(_ stub: [String]) -> Bool {
    count == stub.count && zip(self, stub).allSatisfy { $0.distance(to: $1) != nil }
  }

  /// Whether the segment at an index may be any.
  fileprivate func isParameter(_ index: Int) -> Bool {
    if indices.contains(index), case .placeholder = self[index] { true } else { false }
  }
}

extension OpenAPIOperation {
  /// The values that a path of a stub has in place of placeholders, by the names of parameters.
  func pathValues(in stub: [String]) -> [(name: String, value: String)] {
    guard let own = paths.first(where: { $0.fits(stub) }) else { return [] }
    return zip(own, stub).compactMap { segment, value in
      guard case .placeholder(let name) = segment, !URLParts.isPlaceholder(value) else {
        return nil
      }
      return (name, value.removingPercentEncoding ?? value)
    }
  }
}
