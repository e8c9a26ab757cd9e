internal import StubDBSupport

/// A compiled schema; subschemas are indices into the list of nodes.
struct SchemaNode: Sendable {
  /// The schema `true` or `false`; nil for an object.
  var always: Bool?
  /// The schema resource the node belongs to.
  var resource = ""

  var reference: Int?
  var dynamicReference: DynamicReference?

  var types: [String]?
  var enumeration: [JSONValue]?
  var constant: JSONValue?

  var allOf: [Int] = []
  var anyOf: [Int] = []
  var oneOf: [Int] = []
  var not: Int?
  var condition: Int?
  var then: Int?
  var otherwise: Int?

  var multipleOf: JSONNumber?
  var minimum: JSONNumber?
  var exclusiveMinimum: JSONNumber?
  var maximum: JSONNumber?
  var exclusiveMaximum: JSONNumber?

  var minLength: Int?
  var maxLength: Int?
  var pattern: SchemaPattern?

  var prefixItems: [Int] = []
  var items: Int?
  var contains: Int?
  var minContains: Int?
  var maxContains: Int?
  var minItems: Int?
  var maxItems: Int?
  var uniqueItems = false
  var unevaluatedItems: Int?

  var properties: [ByteText: Int] = [:]
  var patternProperties: [(SchemaPattern, Int)] = []
  var additionalProperties: Int?
  var propertyNames: Int?
  var required: [String] = []
  var dependentRequired: [String: [String]] = [:]
  var dependentSchemas: [String: Int] = [:]
  var minProperties: Int?
  var maxProperties: Int?
  var unevaluatedProperties: Int?
}

/// A reference whose anchor is looked up first in the schemas of the dynamic scope.
struct DynamicReference: Sendable {
  /// The target if the dynamic scope does not have the anchor.
  var target: Int
  /// The anchor's name; nil if the reference behaves like a plain one.
  var anchor: String?
}

/// A dynamic anchor of a schema resource.
struct DynamicAnchor: Hashable, Sendable {
  var resource: String
  var name: String
}

/// A regular expression of a schema, in ECMAScript's dialect, which may match anywhere in a text.
struct SchemaPattern: Sendable {
  /// The expression as written.
  let text: String
  private let expression: BoundedRegex

  init(_ pattern: String) throws(RegexSyntaxError) {
    text = pattern
    expression = try BoundedRegex(pattern, dialect: .ecmaScript, isWhole: false)
  }

  /// Whether the expression matches somewhere; nil if that costs more than the limit.
  func isFound(in text: String, visiting limit: inout Int) -> Bool? {
    expression.isFound(in: text, visiting: &limit)
  }
}
