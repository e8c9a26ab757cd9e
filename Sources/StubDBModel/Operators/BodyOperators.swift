public import Foundation
package import StubDBJSON

extension BodyPattern {
  /// The operators of a body that are not those of a value, in canonical order.
  ///
  /// A new one is a line here and a type below, or in a file beside this one if it is long.
  package static let operators: [any BodyOperator.Type] = [
    BinaryOperator.self, EqualToJSONOperator.self, JSONPathOperator.self, JSONSchemaOperator.self,
    FormOperator.self, MultipartOperator.self, GraphQLPattern.self, XMLPattern.self,
    XPathPattern.self,
  ]
}

/// The operator `binaryEqualTo`.
package struct BinaryOperator: Hashable, Sendable {
  package var bytes: Data
}

extension BinaryOperator: BodyOperator {
  package static let name = "binaryEqualTo"
  package static let operand = BodyOperand.bytes

  package static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: JSONObject
  ) throws(DocumentError) -> BodyPattern {
    .binaryEqualTo(try operand.base64())
  }

  package func phrase(_ style: PhraseStyle) -> String {
    style.noun("the \(bytes.count) bytes \(bytes.hexadecimalExcerpt)")
  }
}

extension DocumentNode {
  /// The bytes of a text in base64.
  func base64() throws(DocumentError) -> Data {
    let text = try string()
    guard let data = Data(base64Encoded: text) else {
      throw failure(.invalidValue, "the text is not base64 (RFC 4648 section 4, with padding)")
    }
    return data
  }
}

extension BodyPattern {
  /// The very bytes.
  public static func binaryEqualTo(_ bytes: Data) -> BodyPattern {
    BodyPattern(BinaryOperator(bytes: bytes))
  }
}

/// The operator `form`.
package struct FormOperator: Hashable, Sendable {
  package var fields: [NamedPattern]
  /// Whether a content with other fields, or with one of these more often than its pattern says, does not match.
  package var isExact = false
}

extension FormOperator: BodyOperator {
  package static let name = "form"
  package static let operand = BodyOperand.patternsByName
  package static let options = ["isExact"]

  package static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: JSONObject
  ) throws(DocumentError) -> BodyPattern {
    .form(
      try operand.namedPatterns(.form), isExact: try object.flag("isExact", of: members))
  }

  package func phrase(_ style: PhraseStyle) -> String {
    style.noun(
      "a form with \(isExact ? "exactly " : "")"
        + style.list(fields.map { $0.phrase(style.ofNouns) }))
  }
}

extension BodyPattern {
  /// Fields of an `application/x-www-form-urlencoded` content, sorted by name.
  ///
  /// Other fields are allowed unless `isExact`; then each field comes once, or as often as its `hasExactly` or
  /// `includes` says.
  public static func form(_ fields: [NamedPattern], isExact: Bool = false) -> BodyPattern {
    BodyPattern(FormOperator(fields: NamedPattern.sorted(fields), isExact: isExact))
  }
}
