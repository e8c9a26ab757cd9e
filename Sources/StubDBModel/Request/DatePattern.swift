/// A date to compare with, and how the two dates are read and rounded first.
///
/// The fields and their texts are WireMock's. https://wiremock.org/docs/request-matching/#dates-and-times
public struct DatePattern: Hashable, Sendable {
  /// A literal date, or `now` with an offset such as `now +3 days`.
  public var expected: String
  /// The format of the value: a date pattern, `unix` or `epoch`; nil for the usual ones.
  public var actualFormat: String?
  /// What the expected date is rounded to, such as `first day of month`; nil for nothing.
  public var truncateExpected: String?
  /// What the value is rounded to; nil for nothing.
  public var truncateActual: String?
  /// Whether rounding comes after the offset; false by default.
  public var applyTruncationLast: Bool
  /// How far the expected date is moved, in ``expectedOffsetUnit``; nil for nothing.
  public var expectedOffset: Int?
  /// The unit of ``expectedOffset``, such as `days`; nil for none.
  public var expectedOffsetUnit: String?

  /// Makes a date pattern.
  public init(
    _ expected: String, actualFormat: String? = nil, truncateExpected: String? = nil,
    truncateActual: String? = nil, applyTruncationLast: Bool = false, expectedOffset: Int? = nil,
    expectedOffsetUnit: String? = nil
  ) {
    self.expected = expected
    self.actualFormat = actualFormat
    self.truncateExpected = truncateExpected
    self.truncateActual = truncateActual
    self.applyTruncationLast = applyTruncationLast
    self.expectedOffset = expectedOffset
    self.expectedOffsetUnit = expectedOffsetUnit
  }
}
