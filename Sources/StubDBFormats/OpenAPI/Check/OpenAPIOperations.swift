internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// An operation of a description.
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

  /// A segment of a path.
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

/// All operations of a description.
struct OpenAPIOperations {
  let operations: [OpenAPIOperation]
  /// All hosts of their servers; empty if none is named.
  let hosts: Set<String>
  let references: OpenAPIReferences
  let schemas: OpenAPICompiledSchemas
  let root: SourceValue
  let isSwagger: Bool
  /// The places of the operations by the number of their segments.
  private let placesByLength: [Int: [Int]]

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
    var places: [Int: [Int]] = [:]
    for operation in operations {
      for length in Set(operation.paths.map(\.count)) {
        places[length, default: []].append(operation.index)
      }
    }
    placesByLength = places
  }

  /// The operations whose paths fit that of a stub best, in the order of the description.
  func nearest(to stub: [String]) -> [OpenAPIOperation] {
    var (best, found) = (Int.max, [Int]())
    for place in placesByLength[stub.count] ?? [] {
      guard let distance = operations[place].distance(to: stub), distance <= best else { continue }
      if distance < best { (best, found) = (distance, []) }
      found.append(place)
    }
    return found.map { operations[$0] }
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
    var best: Int?
    for path in paths {
      guard let distance = Self.distance(path, stub) else { continue }
      best = min(distance, best ?? distance)
    }
    return best
  }

  private static func distance(_ own: [Segment], _ stub: [String]) -> Int? {
    guard own.count == stub.count else { return nil }
    var distance = 0
    for (segment, other) in zip(own, stub) {
      let isOpen = URLParts.isPlaceholder(other)
      switch segment {
      case .placeholder where isOpen, .mixed where isOpen: break
      case .placeholder where !other.isEmpty: distance += 1
      case .mixed(let text) where matches(other, text): distance += 1
      case .literal where isOpen: distance += 100
      case .literal(other): break
      default: return nil
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
      guard case .placeholder(let name) = segment, !URLParts.isPlaceholder(value) else {
        return nil
      }
      return (name, value.removingPercentEncoding ?? value)
    }
  }
}
