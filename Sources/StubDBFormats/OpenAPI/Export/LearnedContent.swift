internal import StubDBDocuments
internal import StubDBDrift
internal import StubDBJSON
internal import StubDBSupport

/// Contents of one media type, of requests or of answers with one status.
struct LearnedContent {
  /// How many examples are kept, and how long each may be.
  private static let mostExamples = 3
  private static let longestExample = 16 * 1024

  private var shape = Shape()
  /// Whether some of the contents are not JSON, so that no schema says what they are.
  private var hasOther = false
  private var fields: Set<String> = []
  private var examples: [(name: String, value: JSONValue)] = []

  /// Adds a content; nil if it is not JSON.
  mutating func add(_ value: JSONValue?, named name: String) {
    guard let value else {
      hasOther = true
      return
    }
    shape.add(value)
    guard examples.count < Self.mostExamples, !examples.contains(where: { $0.value == value }),
      value.canonicalText.utf8.count <= Self.longestExample
    else { return }
    var names = UniqueNames(limit: 400, taken: Set(examples.map(\.name)))
    examples.append((names.unique(name), value))
  }

  mutating func add(fields names: [String]) { fields.formUnion(names) }

  /// The media type as a description has it; `requests` is the shape of all JSON of requests, of which none need have all.
  func json(mediaType: String, _ requests: Shape?) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = []
    if hasOther {
      if mediaType.hasPrefix("text/") {
        members.append(("schema", .object([("type", .string("string"))])))
      }
    } else if !fields.isEmpty {
      let properties = fields.sorted { $0.precedesByBytes($1) }.map { ($0, OrderedJSON.object([])) }
      members.append(
        ("schema", .object([("type", .string("object")), ("properties", .object(properties))])))
    } else {
      members.append(("schema", (requests ?? shape).schema(hasRequired: requests == nil)))
    }
    if !examples.isEmpty {
      let values = examples.map { ($0.name, OrderedJSON.object([("value", .json($0.value))])) }
      members.append(("examples", .object(values)))
    }
    return .object(members)
  }
}

extension Shape {
  /// Objects with more different names than this are maps, whose names are data.
  private static let mostProperties = 60

  /// The schema that all samples satisfy.
  ///
  /// A member is required if at least two objects were seen, and all have it. https://json-schema.org/draft/2020-12
  func schema(named name: String? = nil, hasRequired: Bool) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = []
    let names = typeNames
    if let first = names.first {
      members.append(("type", names.count == 1 ? .string(first) : .words(names)))
    }
    if let format = texts.commonClass(name: name)?.format {
      members.append(("format", .string(format)))
    }
    if let element {
      members.append(("items", element.schema(hasRequired: hasRequired)))
    }
    if self.members.count > Self.mostProperties {
      members.append(("additionalProperties", memberValues.schema(hasRequired: hasRequired)))
    } else if !self.members.isEmpty {
      members += properties(hasRequired: hasRequired)
    }
    return .object(members)
  }

  private func properties(hasRequired: Bool) -> [(String, OrderedJSON)] {
    let sorted = members.sorted { $0.key.precedesByBytes($1.key) }
    let properties = sorted.map { name, member in
      (name, member.shape.schema(named: name, hasRequired: hasRequired))
    }
    // Shapes do not tell names apart that compose a letter differently.
    let required = sorted.map(\.key).filter { always($0) && $0.utf8.allSatisfy { $0 < 0x80 } }
    let isKnown = hasRequired && objectCount > 1 && !required.isEmpty
    return [("properties", .object(properties))]
      + (isKnown ? [("required", .words(required))] : [])
  }

  private var typeNames: [String] {
    let all: [(Types, String)] = [
      (.object, "object"), (.array, "array"), (.string, "string"), (.number, "number"),
      (.integer, "integer"), (.boolean, "boolean"), (.null, "null"),
    ]
    // A number may be an integer.
    let seen = types.contains(.number) ? types.subtracting(.integer) : types
    return all.filter { seen.contains($0.0) }.map(\.1)
  }
}

extension TextClass {
  /// The format of JSON Schema; nil if there is none.
  fileprivate var format: String? {
    switch self {
    case .dateTime: "date-time"
    case .date: "date"
    case .uuid: "uuid"
    case .url: "uri"
    case .email: "email"
    case .integerText, .plain: nil
    }
  }
}
