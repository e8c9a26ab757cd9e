internal import Foundation
internal import StubDBJSON
internal import StubDBModel
internal import StubDBRecording
internal import StubDBSecrets

/// Numbers the placeholders of a run anew, in the order in which they come up.
///
/// A process numbers the secrets of all its runs together. So two tests that do the same have different placeholders for
/// the tokens that they got, and only the new numbers show that they saw the same.
struct PlaceholderNumbers {
  private var numbers: [String: Int] = [:]

  /// A placeholder with its new number; nil if it has not come up.
  ///
  /// Those of numbers stay.
  func renumbered(_ placeholder: String) -> String? {
    var isKnown = true
    let text = RedactionPlaceholders.renumbered(placeholder) { digits in
      guard let number = numbers[digits] else {
        isKnown = false
        return digits
      }
      return String(number)
    }
    return isKnown ? text : nil
  }

  /// The exchange with new numbers; unchanged if it has no placeholders.
  mutating func renumbered(_ exchange: DraftExchange) -> DraftExchange {
    let old = exchange.stub.canonicalText
    guard RedactionPlaceholders.isIn(old) else { return exchange }
    let text = RedactionPlaceholders.renumbered(old) { digits in
      let number = numbers[digits] ?? numbers.count + 1
      numbers[digits] = number
      return String(number)
    }
    guard let stub = try? JSONValue(parsing: Data(text.utf8)) else { return exchange }
    var renumbered = exchange
    renumbered.stub = stub
    return renumbered
  }
}
