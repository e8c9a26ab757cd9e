import Foundation
import StubDBJSON
import StubDBRecording

/// Numbers the placeholders of a run anew, in the order in which they come up.
///
/// A process numbers the secrets of all its runs together. So two tests that do the same have different placeholders for
/// the tokens that they got, and only the new numbers show that they saw the same.
struct PlaceholderNumbers {
  private static let mark = "REDACTED-"

  private var numbers: [String: Int] = [:]

  /// The exchange with new numbers; unchanged if it has no placeholders.
  mutating func renumbered(_ exchange: DraftExchange) -> DraftExchange {
    let parts = exchange.stub.canonicalText.components(separatedBy: Self.mark)
    guard parts.count > 1 else { return exchange }
    var text = parts[0]
    for part in parts.dropFirst() {
      let digits = String(part.prefix { $0.isASCII && $0.isNumber })
      let number = numbers[digits] ?? numbers.count + 1
      if !digits.isEmpty { numbers[digits] = number }
      text += Self.mark + (digits.isEmpty ? "" : String(number)) + part.dropFirst(digits.count)
    }
    guard let stub = try? JSONValue(parsing: Data(text.utf8)) else { return exchange }
    var renumbered = exchange
    renumbered.stub = stub
    return renumbered
  }
}
