public import Foundation
import StubDBEngine
import StubDBModel
import StubDBSupport

extension PlaybackOptions {
  /// The day that it is in a run, to which the dates of recorded answers are moved.
  ///
  /// They are later by the days between the latest `recorded.at` of the scenario and today; if both have a time of day, by
  /// the seconds between them. Days are those of UTC, or of the zone that is written.
  public struct Today: Hashable, Sendable, ExpressibleByStringLiteral {
    enum Kind: Hashable {
      case recorded, now, invalid
      case date(DateTime, hasTime: Bool)
    }

    let kind: Kind
    /// As `--today` has it.
    let text: String

    /// The day of the recording: answers stay as they are, and the run's clock begins then.
    public static let recorded = Today(kind: .recorded, text: "recorded")
    /// The day on which the test runs, for clients that look at the clock of the system.
    public static let now = Today(kind: .now, text: "now")

    /// Another moment, from which the run's clock goes on.
    public static func at(_ date: Date) -> Today {
      // An integer of watchOS has 32 bits.
      let most = min(1e11, Double(Int.max) * 0.99)
      let seconds = min(most, max(-most, date.timeIntervalSince1970))
      let date = DateTime(Date(timeIntervalSince1970: seconds))
      return Today(kind: .date(date, hasTime: true), text: date.description)
    }

    private init(kind: Kind, text: String) { (self.kind, self.text) = (kind, text) }

    /// Why no request is answered; nil for a day that exists.
    var problem: String? {
      kind != .invalid
        ? nil
        : "today is \"\(text)\", which is no date; write one such as \"2027-02-28\" or "
          + "\"2027-02-28T23:59:30Z\", or .now or .recorded"
    }

    /// Reads `recorded`, `now`, a day (`2027-02-28`) or a moment of RFC 3339; nil for other texts.
    public init?(_ text: String) {
      self.text = text
      if text == "recorded" || text == "now" {
        kind = text == "now" ? .now : .recorded
      } else {
        guard let moment = Stub.Recording(at: text)?.moment else { return nil }
        kind = .date(moment.date, hasTime: moment.hasTime)
      }
    }

    /// Makes a day or a moment of a literal; with one that is invalid, all requests are refused.
    public init(stringLiteral value: String) {
      self = Today(value) ?? Today(kind: .invalid, text: value)
    }
  }

  /// The scenario as on that day, and how many seconds the run's clock is ahead.
  func dated(
    _ scenario: LoadedScenario
  ) -> (scenario: LoadedScenario, clockOffset: Double) {
    guard let today else { return (scenario, 0) }
    let recorded = scenario.latestRecording?.moment
    let now = DateTime(Date())
    var (date, hasTime) = (today == .recorded ? recorded?.date ?? now : now, true)
    if case .date(let day, let isExact) = today.kind { (date, hasTime) = (day, isExact) }
    var shift = 0
    if let recorded, today != .recorded {
      shift = (date.day - recorded.date.day) * 86_400
      if hasTime, recorded.hasTime { shift = date.instant - recorded.date.instant }
    }
    return (scenario.moved(to: shift, on: today.text), Double(date.instant - now.instant))
  }
}
