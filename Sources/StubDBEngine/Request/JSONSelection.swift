import Foundation
import StubDBJSON

/// The results of a query in JSON content, in the forms that patterns need.
final class JSONSelection {
  let values: [JSONValue]
  private let isDeep: Bool
  private let context: MatchContext
  /// Strings as they are, other values as JSON.
  private(set) lazy var texts = values.map(\.selectedText)
  /// The texts of those that are not arrays or objects.
  private(set) lazy var scalarTexts = values.filter { !$0.isContainer }.map(\.selectedText)
  /// The values as contents of their own.
  private(set) lazy var bodies = values.map {
    PreparedBody($0, isDeep: isDeep, context: context)
  }
  /// For strings that look like JSON, the JSON in them.
  private(set) lazy var embedded: [PreparedBody] = values.compactMap { value in
    guard case .string(let text) = value,
      let first = text.utf8.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let inner = try? JSONValue.parse(
        Data(text.utf8), maximumValues: JSONValue.maximumContentValues)
    else { return nil }
    return PreparedBody(inner.value, isDeep: inner.isDeep, context: context)
  }
  /// All values as a JSON array.
  private(set) lazy var list = PreparedBody(
    .array(values), isDeep: isDeep, context: context)

  init(_ values: [JSONValue], isDeep: Bool, context: MatchContext) {
    self.values = values
    self.isDeep = isDeep
    self.context = context
  }
}

extension JSONValue {
  /// The value as text: a string as is, other values as JSON without white space, members sorted.
  var selectedText: String {
    switch self {
    case .string(let text): text
    case .number(let number): number.text
    default: canonicalText
    }
  }
}
