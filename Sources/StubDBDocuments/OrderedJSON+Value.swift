internal import StubDBJSON
internal import StubDBModel
import StubDBSupport

extension OrderedJSON {
  /// A value pattern in its shortest form: a string, a list, or an operator object.
  static func value(_ pattern: ValuePattern) -> OrderedJSON {
    if let text = pattern.literal { return .string(text) }
    if case .hasExactly(let patterns) = pattern.storage { return values(patterns) }
    return .object(valueMembers(pattern))
  }

  private static func values(_ patterns: [ValuePattern]) -> OrderedJSON {
    var words: [String] = []
    for pattern in patterns {
      guard let text = pattern.literal else { return .array(patterns.map(value)) }
      words.append(text)
    }
    return .words(words)
  }

  /// A value pattern as an operator and its options.
  static func valueMembers(_ pattern: ValuePattern) -> [(String, OrderedJSON)] {
    let name = pattern.operator.rawValue
    switch pattern.storage {
    case .equalTo(let text, let ignoresCase):
      return [(name, .string(text.string))] + flag("caseInsensitive", ignoresCase)
    case .contains(let text), .doesNotContain(let text), .matches(let text),
      .doesNotMatch(let text), .equalToCaptured(let text):
      return [(name, .string(text.string))]
    case .absent, .anything: return [(name, .yes)]
    case .number(_, let number): return [(name, .json(.number(number)))]
    case .date(_, let date): return [(name, .string(date.expected))] + options(of: date)
    case .hasExactly(let patterns), .includes(let patterns), .and(let patterns), .or(let patterns):
      return [(name, values(patterns))]
    case .not(let pattern): return [(name, value(pattern))]
    }
  }

  static func flag(_ key: String, _ isSet: Bool) -> [(String, OrderedJSON)] {
    isSet ? [(key, .yes)] : []
  }

  /// A member with a text; none without one.
  package static func text(_ key: String, _ text: String?) -> [(String, OrderedJSON)] {
    text.map { [(key, .string($0))] } ?? []
  }

  private static func options(of date: DatePattern) -> [(String, OrderedJSON)] {
    var members = text("actualFormat", date.actualFormat?.rawValue)
    members += text("truncateExpected", date.truncateExpected?.rawValue)
    members += text("truncateActual", date.truncateActual?.rawValue)
    members += flag("applyTruncationLast", date.applyTruncationLast)
    guard let offset = date.expectedOffset else { return members }
    return members + [("expectedOffset", .integer(offset.count))]
      + text("expectedOffsetUnit", offset.unit.rawValue)
  }
}
