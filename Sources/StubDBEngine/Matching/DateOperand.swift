import StubDBModel
import StubDBSupport

/// A compiled date pattern.
struct DateOperand: Sendable {
  private enum Expected {
    case now
    case date(DateTime)
  }

  private var expected: Expected
  private var moves: [DateOffset] = []
  private let truncateExpected: DateTruncation?
  private let truncateActual: DateTruncation?
  private let truncatesLast: Bool
  private let format: DateFormat?

  /// Compiles the pattern.
  ///
  /// - Throws: An error at the operator's place, for an invalid date, offset or format.
  init(_ pattern: DatePattern) throws(CompileError) {
    truncateExpected = pattern.truncateExpected?.kind
    truncateActual = pattern.truncateActual?.kind
    truncatesLast = pattern.applyTruncationLast
    format =
      if let format = pattern.actualFormat { try Self.format(format.rawValue) } else { nil }
    if let move = Self.offsetFromNow(pattern.expected) {
      expected = .now
      if move.count != 0 { moves.append(move) }
    } else if let date = DateText.date(pattern.expected) {
      expected = .date(date)
    } else {
      throw CompileError(
        code: .invalidPattern,
        reason: "\(TextExcerpt.quoted(pattern.expected)) is not a date; write one such as "
          + "\"2026-11-21T08:00:00Z\", or an offset such as \"now +3 days\"", path: [])
    }
    if let offset = pattern.expectedOffset {
      moves.append(DateOffset(count: offset.count, unit: offset.unit.kind))
    }
    guard moves.allSatisfy(\.isUsable) else {
      throw CompileError(
        code: .invalidPattern, reason: "the offset is beyond \(DateOffset.largest)", path: [])
    }
  }

  private static func format(_ text: String) throws(CompileError) -> DateFormat {
    do throws(DateFormatError) {
      return try DateFormat(text)
    } catch {
      throw CompileError(
        code: .invalidPattern,
        reason: "the format \(TextExcerpt.quoted(text)) \(error.problem)", path: ["actualFormat"])
    }
  }

  /// Whether a value is a date that satisfies the comparison with the expected date; false for other values.
  func matches(_ value: String, _ comparison: DateComparison, now: DateTime) -> Bool {
    guard let actual = date(value) else { return false }
    let order = Self.difference(actual, expectedDate(now: now))
    return switch comparison.kind {
    case .before: order < (0, 0)
    case .after: order > (0, 0)
    case .equalTo: order == (0, 0)
    }
  }

  /// The distance of a value from the expected date, 0 to 1: 0.5 for two years.
  func distance(_ value: String, now: DateTime) -> Double {
    guard let actual = date(value) else { return 1 }
    let seconds = abs(Double(Self.difference(actual, expectedDate(now: now)).seconds))
    return seconds / (seconds + 2 * 365 * 86_400)
  }

  /// The expected date.
  func expectedDate(now: DateTime) -> DateTime {
    var date =
      switch expected {
      case .now: now
      case .date(let date): date
      }
    if !truncatesLast, let truncateExpected { date = truncateExpected.applied(to: date) }
    for move in moves { date = date.moved(by: move.count, move.unit) }
    if truncatesLast, let truncateExpected { date = truncateExpected.applied(to: date) }
    return date
  }

  /// The value as a date, truncated; nil if it is not a date.
  func date(_ value: String) -> DateTime? {
    guard value.utf8.count <= 200 else { return nil }
    let date = format.map { $0.date(value) } ?? DateText.date(value)
    return truncateActual.flatMap { truncation in date.map(truncation.applied) } ?? date
  }

  /// Compares moments if both dates have a zone or only the expected one has; local times otherwise.
  private static func difference(
    _ actual: DateTime, _ expected: DateTime
  ) -> (seconds: Int, nanoseconds: Int) {
    let seconds =
      expected.offset != nil
      ? actual.instant - expected.instant : actual.clockSeconds - expected.clockSeconds
    let nanoseconds = actual.nanoseconds - expected.nanoseconds
    return nanoseconds < 0 ? (seconds - 1, nanoseconds + 1_000_000_000) : (seconds, nanoseconds)
  }

  /// Parses `now`, `now +3 days` or `-5 hours`; nil for anything else.
  private static func offsetFromNow(_ text: String) -> DateOffset? {
    let words = text.lowercased().split(separator: " ")
    guard words.first == "now" else { return DateOffset(text) }
    return words.count == 1
      ? DateOffset(count: 0, unit: .seconds)
      : DateOffset(words.dropFirst().joined(separator: " "))
  }
}
