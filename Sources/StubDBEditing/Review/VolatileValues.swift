internal import Foundation
import StubDBDrift
internal import StubDBModel
internal import StubDBSecrets

/// Values that differ in every request by their nature.
enum VolatileValues {
  /// Whether a value is a time, a UUID, a secret that was taken out, or a random text.
  static func isVolatile(_ value: RequestPlaces.Value) -> Bool {
    guard let text = value.text else { return false }
    if RedactionPlaceholders.isIn(text) { return true }
    return isTime(text) || isUUID(text) || isRandom(text)
  }

  /// The number that a value is; nil if it is no whole number.
  static func wholeNumber(_ value: RequestPlaces.Value) -> Int? { value.text.flatMap { Int($0) } }

  /// A time in seconds, milliseconds or microseconds since 1970, or a date with a time of day.
  private static func isTime(_ text: String) -> Bool {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let rest = text.dropFirst(digits.count)
    if [10, 13, 16].contains(digits.count), digits.first == "1" || digits.first == "2" {
      return rest.isEmpty || rest.first == "." && rest.dropFirst().allSatisfy(\.isNumber)
    }
    return text.prefixMatch(of: /\d{4}-?\d\d-?\d\d[T ]\d\d:?\d\d/) != nil
      || text.wholeMatch(of: /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil
  }

  private static func isUUID(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return [[8, 4, 4, 4, 12], [32]].contains(parts.map(\.utf8.count))
      && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
  }

  private static func isRandom(_ text: String) -> Bool {
    text.utf8.count >= 16 && text.looksRandom && !text.contains(where: \.isWhitespace)
  }
}
