internal import StubDBSupport

/// A JSON Schema, compiled: draft 2020-12 or draft 7.
///
/// `format`, `contentEncoding` and `contentMediaType` are annotations and refuse nothing, as the
/// drafts have it. References stay inside the schema; nothing is ever fetched.
/// https://json-schema.org/draft/2020-12
public struct JSONSchema: Sendable {
  /// The dialects that are understood.
  public enum Dialect: String, Sendable, CaseIterable {
    /// Draft 7. https://json-schema.org/draft-07
    case draft07 = "draft-07"
    /// Draft 2020-12, the default.
    case draft202012 = "2020-12"
  }

  let nodes: [SchemaNode]
  let root: Int
  let dynamicAnchors: [DynamicAnchor: Int]
  let collectsAnnotations: Bool

  /// Compiles a schema; a `$schema` in it decides the dialect where the argument is nil.
  ///
  /// - Throws: A ``JSONSchemaError`` for another draft than these two, a keyword of the wrong type, a pattern that is no regular
  ///   expression, and a reference that leads nowhere, each with its place.
  public init(_ schema: JSONValue, dialect: Dialect? = nil) throws(JSONSchemaError) {
    let stated = if let dialect { dialect } else { try Self.dialect(of: schema) }
    var compiler = SchemaCompiler(dialect: stated)
    root = try compiler.compileRoot(schema)
    nodes = try compiler.linkedNodes()
    dynamicAnchors = compiler.dynamicAnchors
    collectsAnnotations = nodes.contains {
      $0.unevaluatedItems != nil || $0.unevaluatedProperties != nil
    }
  }

  /// What in the value breaks the schema, in the order in which it was found; empty if it is valid.
  ///
  /// At most 1,000 are given. A `pattern` that takes longer than some tenths of a second ends the check.
  public func violations(in value: JSONValue) -> [JSONSchemaViolation] {
    validated(value, checks: .max).violations
  }

  /// The same for a value that nobody vouches for: nil where more checks than the limit are needed.
  ///
  /// A check is one schema applied to one value; schemas that refer to each other can multiply them. What was needed is
  /// taken off the limit, which then is below 0 where it was not enough.
  public func violations(in value: JSONValue, checks limit: inout Int) -> [JSONSchemaViolation]? {
    let validator = validated(value, checks: limit)
    limit = validator.stepsLeft
    return validator.isExhausted ? nil : validator.violations
  }

  /// Checks on the caller's stack, and where that would go too deep on a larger one.
  private func validated(_ value: JSONValue, checks limit: Int) -> SchemaValidator {
    var validator = SchemaValidator(
      schema: self, steps: limit, depth: SchemaValidator.shallowDepth)
    validator.validate(value)
    guard validator.isTooDeep else { return validator }
    return LargeStack.run {
      var validator = SchemaValidator(
        schema: self, steps: limit, depth: SchemaValidator.maximumDepth)
      validator.validate(value)
      return validator
    }
  }

  /// Drafts that mean something else by some keywords.
  private static let otherDrafts = ["draft-03", "draft-04", "draft-06", "draft/2019-09"]

  private static func dialect(of schema: JSONValue) throws(JSONSchemaError) -> Dialect {
    guard case .object(let members) = schema, case .string(let uri) = members["$schema"] else {
      return .draft202012
    }
    if uri.contains("json-schema.org"), let other = otherDrafts.first(where: uri.contains) {
      throw JSONSchemaError(
        pointer: JSONPointer(["$schema"]),
        message: "a schema of \(other) is not understood; write one of draft-07 or 2020-12")
    }
    return uri.contains("draft-07") ? .draft07 : .draft202012
  }
}
