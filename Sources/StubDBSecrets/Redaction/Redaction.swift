internal import StubDBJSON
internal import StubDBModel

/// The values to take out, each with its placeholder.
///
/// A value has the same placeholder everywhere, so that stubs still fit together: a token in a response and the pattern
/// that requires it, an identifier in a body and in a `Location`.
package struct Redaction {
  /// Shorter values are replaced only where a rule selects them, because they may occur anywhere by chance.
  package static let shortestEverywhere = 6

  /// The values in the order in which they were found.
  package private(set) var secrets: [SecretText] = []
  private var placeholders: [String: String] = [:]
  /// The placeholders of values that are numbers.
  private(set) var numbers: Set<String> = []
  private var nextNumber = 1
  /// How often a value was added or a number skipped.
  private(set) var changeCount = 0

  package init() {}

  /// The values that are replaced everywhere.
  package var everywhere: [String] {
    secrets.map(\.revealed).filter { $0.utf8.count >= Self.shortestEverywhere }
  }

  /// The placeholder of a value; nil if the value stays.
  func placeholder(for secret: String) -> String? { placeholders[secret] }

  /// Notes the largest number of the placeholders of an earlier redaction, so that new ones differ from them.
  mutating func skip(to number: Int) {
    guard number >= nextNumber else { return }
    nextNumber = number + 1
    changeCount += 1
  }

  mutating func add(_ secret: String) {
    guard placeholders[secret] == nil, !RedactionPlaceholders.isOne(secret) else { return }
    // A text that is a number may occur as a JSON number elsewhere, and must stay a number.
    let isNumber = (try? JSONValue(parsing: secret.utf8Data)).map { value in
      if case .number = value { true } else { false }
    }
    let placeholder = RedactionPlaceholders.text(nextNumber, isNumber: isNumber == true)
    placeholders[secret] = placeholder
    if isNumber == true { numbers.insert(placeholder) }
    nextNumber += 1
    changeCount += 1
    secrets.append(SecretText(secret))
  }
}
