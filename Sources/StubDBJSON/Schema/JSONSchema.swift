internal import StubDBSupport

/// A compiled JSON Schema of draft 2020-12 or draft 7.
///
/// `format`, `contentEncoding` and `contentMediaType` are annotations that reject nothing, as these drafts say.
/// References stay inside the schema; nothing is fetched. https://json-schema.org/draft/2020-12
package struct JSONSchema: Sendable {
  /// The supported dialects.
  package enum Dialect: String, Sendable, CaseIterable {
    /// Draft 7. https://json-schema.org/draft-07
    case draft07 = "draft-07"
    /// Draft 2020-12, the default.
    case draft202012 = "2020-12"
  }

  let nodes: [SchemaNode]
  let root: Int
  let dynamicAnchors: [DynamicAnchor: Int]
  let collectsAnnotations: Bool

  /// Compiles a schema; if the argument is nil, its `$schema` decides the dialect.
  ///
  /// - Throws: A ``JSONSchemaError`` with the place of an unsupported draft, a keyword of the wrong type, an invalid
  /// pattern, or a reference without a target.
  package init(_ schema: JSONValue, dialect: Dialect? = nil) throws(JSONSchemaError) {
    let stated = if let dialect { dialect } else { try Self.dialect(of: schema) }
    var compiler = SchemaCompiler(dialect: stated)
    root = try compiler.compileRoot(schema)
    nodes = try compiler.linkedNodes()
    dynamicAnchors = compiler.dynamicAnchors
    collectsAnnotations = nodes.contains {
      $0.unevaluatedItems != nil || $0.unevaluatedProperties != nil
    }
  }

  /// The violations of the schema in the value, in the order in which they were found; empty if it is valid.
  ///
  /// At most 1,000 are returned. A `pattern` that takes longer than some tenths of a second ends the validation.
  package func violations(in value: JSONValue) -> [JSONSchemaViolation] {
    validated(value, checks: .max).violations
  }

  /// Does the same for an untrusted schema or value; nil if more checks than the limit are needed.
  ///
  /// A check applies one schema to one value; schemas that refer to each other can multiply them. The checks are
  /// subtracted from the limit, which ends below 0 if it did not suffice.
  package func violations(in value: JSONValue, checks limit: inout Int) -> [JSONSchemaViolation]? {
    let validator = validated(value, checks: limit)
    limit = validator.stepsLeft
    return validator.isExhausted ? nil : validator.violations
  }

  /// Validates on the caller's stack, or on a larger one if the value is too deep for that.
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

  /// Drafts that give some keywords another meaning.
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

/// An error in a JSON Schema, with its place.
package struct JSONSchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place in the schema.
  package let pointer: JSONPointer
  /// A phrase that says what is wrong there.
  package let message: String

  /// The place and the message.
  package var description: String {
    pointer.tokens.isEmpty ? message : "\(pointer): \(message)"
  }
}

/// A place in a value that violates a schema.
package struct JSONSchemaViolation: Hashable, Sendable, CustomStringConvertible {
  /// The place in the value.
  package let pointer: JSONPointer
  /// The keyword that is violated.
  package let keyword: String
  /// A phrase that says what the schema requires there.
  package let message: String

  /// The place and the message.
  package var description: String {
    pointer.tokens.isEmpty ? message : "\(pointer): \(message)"
  }
}
