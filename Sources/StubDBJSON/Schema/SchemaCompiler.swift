internal import Foundation

/// Compiles a schema into nodes, and then resolves its references.
struct SchemaCompiler {
  let dialect: JSONSchema.Dialect
  private(set) var nodes: [SchemaNode] = []
  private(set) var dynamicAnchors: [DynamicAnchor: Int] = [:]
  /// Nodes by absolute URI: resources, anchors, and resources with a JSON pointer.
  private var nodesByURI: [String: Int] = [:]
  private var references: [(node: Int, text: String, isDynamic: Bool, pointer: JSONPointer)] = []
  /// The location of a node: its resource, and the pointer inside it.
  private var places: [(resource: String, pointer: JSONPointer)] = []
  private var document: JSONValue = .null

  init(dialect: JSONSchema.Dialect) {
    self.dialect = dialect
  }

  mutating func compileRoot(_ schema: JSONValue) throws(JSONSchemaError) -> Int {
    document = schema
    let root = try compile(
      schema, at: JSONPointer(), resource: Self.rootURI, inResource: JSONPointer())
    return root
  }

  private static let rootURI = "stubdb:/schema"

  /// The nodes with every reference resolved.
  mutating func linkedNodes() throws(JSONSchemaError) -> [SchemaNode] {
    var next = 0
    // Resolving may compile schemas under unknown keywords, which may contain references too.
    while next < references.count {
      let reference = references[next]
      next += 1
      guard let target = try resolve(reference.text, from: nodes[reference.node].resource) else {
        throw JSONSchemaError(
          pointer: reference.pointer, message: "the reference \"\(reference.text)\" leads nowhere")
      }
      if reference.isDynamic {
        let place = places[target].resource
        let anchor = dynamicAnchors.first { $0.key.resource == place && $0.value == target }
        let name = reference.text.split(separator: "#").last.map(String.init)
        nodes[reference.node].dynamicReference = DynamicReference(
          target: target, anchor: anchor?.key.name == name ? name : nil)
      } else {
        nodes[reference.node].reference = target
      }
    }
    return nodes
  }

  private mutating func resolve(
    _ text: String, from resource: String
  ) throws(JSONSchemaError) -> Int? {
    let uri = Self.absolute(text, base: resource)
    let parts = uri.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let base = String(parts[0])
    let fragment = parts.count > 1 ? parts[1].removingPercentEncoding ?? String(parts[1]) : ""
    if fragment.isEmpty { return nodesByURI[base] }
    if let node = nodesByURI[base + "#" + fragment] { return node }
    guard fragment.hasPrefix("/"), let start = nodesByURI[base] else { return nil }
    return try compileTarget(of: fragment, from: start)
  }

  /// Compiles the target of a pointer that is not under a keyword with a schema.
  private mutating func compileTarget(
    of fragment: String, from start: Int
  ) throws(JSONSchemaError) -> Int? {
    let tokens = fragment.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      .map { String($0).replacing("~1", with: "/").replacing("~0", with: "~") }
    let pointer = JSONPointer(documentPointer(of: start).tokens + tokens)
    guard let value = document.value(at: pointer) else { return nil }
    if let index = places.indices.first(where: { documentPointer(of: $0) == pointer }) {
      return index
    }
    return try compile(
      value, at: pointer, resource: places[start].resource, inResource: JSONPointer(tokens))
  }

  private var documentPointers: [Int: JSONPointer] = [:]

  private func documentPointer(of node: Int) -> JSONPointer {
    documentPointers[node] ?? JSONPointer()
  }

  mutating func compile(
    _ schema: JSONValue, at pointer: JSONPointer, resource: String, inResource: JSONPointer
  ) throws(JSONSchemaError) -> Int {
    let index = nodes.count
    nodes.append(SchemaNode())
    places.append((resource, inResource))
    documentPointers[index] = pointer
    if pointer.tokens.isEmpty { nodesByURI[resource] = index }
    nodesByURI[resource + "#" + inResource.description] = index
    switch schema {
    case .bool(let value):
      nodes[index].always = value
    case .object(let members):
      var reader = KeywordReader(
        members: members, pointer: pointer, inResource: inResource, resource: resource)
      identify(&reader, index: index)
      nodes[index].resource = reader.resource
      try read(&reader, into: index)
    default:
      throw JSONSchemaError(
        pointer: pointer, message: "a schema is an object, true or false, not \(schema.typeName)")
    }
    return index
  }

  /// Records the names by which others may refer to the node.
  private mutating func identify(_ reader: inout KeywordReader, index: Int) {
    let isReference = dialect == .draft07 && reader.members["$ref"] != nil
    if case .string(let id) = reader.members["$id"], !isReference {
      if dialect == .draft07, id.hasPrefix("#") {
        nodesByURI[reader.resource + id] = index
      } else {
        reader.resource =
          Self.absolute(id, base: reader.resource)
          .split(separator: "#", omittingEmptySubsequences: false).first.map(String.init) ?? id
        reader.inResource = JSONPointer()
        places[index] = (reader.resource, JSONPointer())
        nodesByURI[reader.resource] = index
        nodesByURI[reader.resource + "#"] = index
      }
    }
    guard dialect == .draft202012 else { return }
    if case .string(let anchor) = reader.members["$anchor"] {
      nodesByURI[reader.resource + "#" + anchor] = index
    }
    if case .string(let anchor) = reader.members["$dynamicAnchor"] {
      nodesByURI[reader.resource + "#" + anchor] = index
      dynamicAnchors[DynamicAnchor(resource: reader.resource, name: anchor)] = index
    }
  }

  mutating func refer(from node: Int, to text: String, isDynamic: Bool, at pointer: JSONPointer) {
    references.append((node, text, isDynamic, pointer))
  }

  mutating func update(_ index: Int, _ change: (inout SchemaNode) -> Void) {
    change(&nodes[index])
  }

  private static func absolute(_ reference: String, base: String) -> String {
    if reference.hasPrefix("#") {
      return (base.split(separator: "#").first.map(String.init) ?? base) + reference
    }
    return URL(string: reference, relativeTo: URL(string: base))?.absoluteString ?? reference
  }
}
