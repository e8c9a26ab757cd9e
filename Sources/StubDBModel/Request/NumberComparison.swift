/// A comparison with a number; the raw value is the operator's name in a document.
public enum NumberComparison: String, Hashable, Sendable, CaseIterable {
  /// The value equals the number.
  case equalTo = "equalToNumber"
  /// The value is greater than the number.
  case greaterThan = "greaterThanNumber"
  /// The value is the number or greater.
  case greaterThanOrEqual = "greaterThanEqualNumber"
  /// The value is less than the number.
  case lessThan = "lessThanNumber"
  /// The value is the number or less.
  case lessThanOrEqual = "lessThanEqualNumber"
}
