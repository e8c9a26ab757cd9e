internal import StubDBJSON
internal import StubDBModel

/// The values to take out, each with its placeholder.
///
/// A value has the same placeholder everywhere, so that stubs still fit together: a token in a response and the pattern
/// that requires it, an identifier in a body and in a `Location`.
package struct Redaction {
  /// Shorter values are replaced only where a rule selects them, because they may occur anywhere by chance.
  package static let shortestEverywhere = 6
  private static let firstNumber = 900_000_000

  /// The values in the order in which they were found.
  package private(set) var secrets: [SecretText] = []
  private var placeholders: [String: String] = [:]
  private var nextNumber = 1

  package init() {}

  /// Whether nothing was selected.
  package var isEmpty: Bool { placeholders.isEmpty }

  /// The values that are replaced everywhere.
  package var everywhere: [String] {
    secrets.map(\.revealed).filter { $0.utf8.count >= Self.shortestEverywhere }
  }

  /// The placeholder of a value; nil if the value stays.
  func placeholder(for secret: String) -> String? { placeholders[secret] }

  /// Records placeholders of an earlier redaction, so that new ones differ from them.
  mutating func note(earlier value: JSONValue) {
    switch value {
    case .string(let text): note(text)
    case .number(let number): note(number)
    default: return
    }
  }

  private mutating func note(_ text: String) {
    var rest = text[...]
    while let found = rest.firstRange(of: "REDACTED-") {
      let digits = rest[found.upperBound...].prefix { $0.isASCII && $0.isNumber }
      if let number = Int(digits.prefix(9)) { nextNumber = max(nextNumber, number + 1) }
      rest = rest[found.upperBound...]
    }
  }

  private mutating func note(_ number: JSONNumber) {
    guard let value = number.integerValue, value > Self.firstNumber,
      value < Self.firstNumber + 1_000_000
    else { return }
    nextNumber = max(nextNumber, value - Self.firstNumber + 1)
  }

  mutating func add(_ secret: String) {
    guard placeholders[secret] == nil, !Self.isPlaceholder(secret) else { return }
    // A text that is a number may occur as a JSON number elsewhere, and must stay a number.
    let isNumber = (try? JSONValue(parsing: secret.utf8Data)).map { value in
      if case .number = value { true } else { false }
    }
    placeholders[secret] =
      isNumber == true ? String(Self.firstNumber + nextNumber) : "REDACTED-\(nextNumber)"
    nextNumber += 1
    secrets.append(SecretText(secret))
  }

  /// Whether the value is a placeholder of an earlier redaction.
  static func isPlaceholder(_ text: String) -> Bool {
    if let number = Int(text) { return (firstNumber...(firstNumber + 1_000_000)).contains(number) }
    return text.hasPrefix("REDACTED-") && text.dropFirst(9).allSatisfy(\.isNumber)
  }
}
