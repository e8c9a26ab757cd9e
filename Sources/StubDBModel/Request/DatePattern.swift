public import StubDBSupport

/// A date to compare with, and how the two dates are read and rounded first.
///
/// The fields and their texts are WireMock's. https://wiremock.org/docs/request-matching/#dates-and-times
public struct DatePattern: Hashable, Sendable {
  /// A literal date, or `now` with an offset such as `now +3 days`.
  @ByBytes public var expected: String
  /// The format of the value; nil for the usual ones.
  public var actualFormat: Format?
  /// What the expected date is rounded to; nil for nothing.
  public var truncateExpected: Truncation?
  /// What the value is rounded to; nil for nothing.
  public var truncateActual: Truncation?
  /// Whether rounding comes after the offset; false by default.
  public var applyTruncationLast: Bool
  /// How far the expected date is moved; nil for not at all.
  public var expectedOffset: Offset?

  /// Makes a date pattern.
  public init(
    _ expected: String, actualFormat: Format? = nil, truncateExpected: Truncation? = nil,
    truncateActual: Truncation? = nil, applyTruncationLast: Bool = false,
    expectedOffset: Offset? = nil
  ) {
    self.expected = expected
    self.actualFormat = actualFormat
    self.truncateExpected = truncateExpected
    self.truncateActual = truncateActual
    self.applyTruncationLast = applyTruncationLast
    self.expectedOffset = expectedOffset
  }
}

extension DatePattern {
  /// The format of a date: letters such as `dd/MM/yyyy HH:mm`, or a number.
  ///
  /// The letters are those of Java's `DateTimeFormatter`; loading a scenario refuses others.
  /// https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/format/DateTimeFormatter.html
  public struct Format: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The letters, `unix` or `epoch`.
    public let rawValue: String

    /// Makes a format of its letters.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a format of its letters.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Whether both are written with the same bytes.
    public static func == (one: Format, other: Format) -> Bool {
      ByteText.isEqual(one.rawValue, other.rawValue)
    }

    /// Seconds since 1970.
    public static let unix = Format(rawValue: "unix")
    /// Milliseconds since 1970.
    public static let epoch = Format(rawValue: "epoch")
  }

  /// What a date is rounded to, in its own zone.
  public struct Truncation: RawRepresentable, Hashable, Sendable, CaseIterable {
    package let kind: DateTruncation

    private init(_ kind: DateTruncation) { self.kind = kind }

    /// The beginning of its minute.
    public static let firstSecondOfMinute = Truncation(.minute)
    /// The beginning of its hour.
    public static let firstMinuteOfHour = Truncation(.hour)
    /// The beginning of its day.
    public static let firstHourOfDay = Truncation(.day)
    /// The beginning of its month.
    public static let firstDayOfMonth = Truncation(.month)
    /// The beginning of the month after its own.
    public static let firstDayOfNextMonth = Truncation(.nextMonth)
    /// The beginning of the last day of its month.
    public static let lastDayOfMonth = Truncation(.endOfMonth)
    /// The beginning of its year.
    public static let firstDayOfYear = Truncation(.year)
    /// The beginning of the year after its own.
    public static let firstDayOfNextYear = Truncation(.nextYear)
    /// The beginning of the last day of its year.
    public static let lastDayOfYear = Truncation(.endOfYear)

    /// All of this version; later ones may add others.
    public static var allCases: [Truncation] { DateTruncation.allCases.map(Truncation.init) }

    /// The word in a document.
    public var rawValue: String { kind.rawValue }

    /// The one with this word; nil for a word that this version does not know.
    public init?(rawValue: String) {
      guard let kind = DateTruncation(rawValue: rawValue) else { return nil }
      self.kind = kind
    }
  }

  /// How far a date is moved.
  public struct Offset: Hashable, Sendable {
    /// The number of units; negative for the past.
    public var count: Int
    /// The unit.
    public var unit: Unit

    /// Makes an offset.
    public init(_ count: Int, _ unit: Unit) {
      self.count = count
      self.unit = unit
    }
  }

  /// A unit of offsets.
  public struct Unit: RawRepresentable, Hashable, Sendable, CaseIterable {
    package let kind: DateUnit

    private init(_ kind: DateUnit) { self.kind = kind }

    /// Seconds.
    public static let seconds = Unit(.seconds)
    /// Minutes.
    public static let minutes = Unit(.minutes)
    /// Hours.
    public static let hours = Unit(.hours)
    /// Days of 24 hours.
    public static let days = Unit(.days)
    /// Months of the calendar.
    public static let months = Unit(.months)
    /// Years of the calendar.
    public static let years = Unit(.years)

    /// All of this version; later ones may add others.
    public static var allCases: [Unit] { DateUnit.allCases.map(Unit.init) }

    /// The word in a document.
    public var rawValue: String { kind.rawValue }

    /// The one with this word; nil for a word that this version does not know.
    public init?(rawValue: String) {
      guard let kind = DateUnit(rawValue: rawValue) else { return nil }
      self.kind = kind
    }
  }
}

/// A comparison with a date.
public struct DateComparison: RawRepresentable, Hashable, Sendable, CaseIterable {
  package enum Kind: String, Sendable, CaseIterable {
    case before
    case after
    case equalTo = "equalToDateTime"
  }

  package let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// The value is earlier than the date.
  public static let before = DateComparison(.before)
  /// The value is later than the date.
  public static let after = DateComparison(.after)
  /// The value is the same moment.
  public static let equalTo = DateComparison(.equalTo)

  /// All of this version; later ones may add others.
  public static var allCases: [DateComparison] { Kind.allCases.map(DateComparison.init) }

  /// The word in a document.
  public var rawValue: String { kind.rawValue }

  /// The one with this word; nil for a word that this version does not know.
  public init?(rawValue: String) {
    guard let kind = Kind(rawValue: rawValue) else { return nil }
    self.kind = kind
  }
}

/// A comparison with a number.
public struct NumberComparison: RawRepresentable, Hashable, Sendable, CaseIterable {
  package enum Kind: String, Sendable, CaseIterable {
    case equalTo = "equalToNumber"
    case greaterThan = "greaterThanNumber"
    case greaterThanOrEqual = "greaterThanEqualNumber"
    case lessThan = "lessThanNumber"
    case lessThanOrEqual = "lessThanEqualNumber"
  }

  package let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// The value equals the number.
  public static let equalTo = NumberComparison(.equalTo)
  /// The value is greater than the number.
  public static let greaterThan = NumberComparison(.greaterThan)
  /// The value is the number or greater.
  public static let greaterThanOrEqual = NumberComparison(.greaterThanOrEqual)
  /// The value is less than the number.
  public static let lessThan = NumberComparison(.lessThan)
  /// The value is the number or less.
  public static let lessThanOrEqual = NumberComparison(.lessThanOrEqual)

  /// All of this version; later ones may add others.
  public static var allCases: [NumberComparison] { Kind.allCases.map(NumberComparison.init) }

  /// The word in a document.
  public var rawValue: String { kind.rawValue }

  /// The one with this word; nil for a word that this version does not know.
  public init?(rawValue: String) {
    guard let kind = Kind(rawValue: rawValue) else { return nil }
    self.kind = kind
  }
}
