internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// An operation of a description.
struct OpenAPIOperation {
  let method: String
  /// The path as it is written.
  let path: String
  /// Its segments after the base path of each server.
  let paths: [[String]]
  /// The hosts of the servers; empty if they are not named.
  let hosts: Set<String>
  let item: SourceValue
  let value: SourceValue
  let parameters: OpenAPIParameters
  /// Its place in the description, to count by.
  let index: Int
}

/// All operations of a description.
struct OpenAPIOperations {
  let operations: [OpenAPIOperation]
  let references: OpenAPIReferences
  let root: SourceValue
  let isSwagger: Bool

  /// Whether schemas are those of OpenAPI 3.0 and before, which are no JSON Schema.
  var isOld: Bool { isSwagger || root["openapi"]?.peekedText?.hasPrefix("3.0") ?? false }

  /// - Throws: ``FormatError`` for what is no description, and for a reference that cannot be followed.
  init(_ input: ImportInput) throws(FormatError) {
    guard OpenAPIFormat().recognizes(input), let root = input.tree?.root else {
      throw FormatError(
        file: input.file, message: "this is no description in OpenAPI 3 or Swagger 2")
    }
    (self.root, isSwagger) = (root, root["swagger"] != nil)
    references = OpenAPIReferences(input)
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
              Self.segments($0 + path.name)
            },
            hosts: Set(servers.compactMap { $0?.host }), item: item, value: value,
            parameters: try OpenAPIParameters(item, value, references), index: operations.count))
      }
    }
    self.operations = operations
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
  /// How well a path of a stub fits: 0 is best; nil if it does not.
  ///
  /// A placeholder of the description takes any segment. A placeholder of the stub fits a literal segment of the
  /// description too, but less well. Fewer placeholders of the description fit better.
  func distance(to stub: [String]) -> Int? {
    paths.compactMap { Self.distance($0, stub) }.min()
  }

  private static func distance(_ own: [String], _ stub: [String]) -> Int? {
    guard own.count == stub.count else { return nil }
    var distance = 0
    for (segment, other) in zip(own, stub) {
      let isOpen = URLParts.isPlaceholder(other)
      if segment.contains("{") {
        guard isOpen || matches(other, segment) else { return nil }
        distance += isOpen ? 0 : 1
      } else if isOpen {
        distance += 100
      } else if segment != other {
        return nil
      }
    }
    return distance
  }

  /// Whether a segment fits one with placeholders, such as `v{version}` or `{id}:copy`.
  private static func matches(_ text: String, _ segment: String) -> Bool {
    var expression = ""
    var rest = segment[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      expression += NSRegularExpression.escapedPattern(for: String(rest[..<open])) + ".+"
      rest = rest[rest.index(after: close)...]
    }
    expression += NSRegularExpression.escapedPattern(for: String(rest))
    return text.range(of: "^(?:\(expression))$", options: .regularExpression) != nil
  }

  /// The values that a path of a stub has in place of placeholders, by the names of parameters.
  func pathValues(in stub: [String]) -> [(name: String, value: String)] {
    guard let own = paths.first(where: { Self.distance($0, stub) != nil }) else { return [] }
    return zip(own, stub).compactMap { segment, value in
      guard URLParts.isPlaceholder(segment), !URLParts.isPlaceholder(value) else { return nil }
      return (
        String(segment.dropFirst().dropLast()), value.removingPercentEncoding ?? value
      )
    }
  }
}
