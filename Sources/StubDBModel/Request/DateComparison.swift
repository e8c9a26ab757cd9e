/// A comparison with a date; the raw value is the operator's name in a document.
public enum DateComparison: String, Hashable, Sendable, CaseIterable {
  /// The value is earlier than the date.
  case before
  /// The value is later than the date.
  case after
  /// The value is the same moment.
  case equalTo = "equalToDateTime"
}
