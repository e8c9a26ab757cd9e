internal import Foundation
internal import StubDBSupport

/// The time that requests to a store are signed with: this machine's, until the store has refused it.
///
/// A store refuses a signature that, by its own clock, is fifteen minutes off. Its answer has its time, as every answer
/// does. What is signed with it is of use only to the server that the request goes to anyway.
final class StoreClock: Sendable {
  /// How far clocks are apart that need no correction, in seconds: less than any store allows.
  private static let tolerance = 300.0

  private let now: @Sendable () -> Date
  /// How many seconds the store's clock is ahead of this machine's.
  private let offset = Locked(0.0)

  init(_ now: @escaping @Sendable () -> Date) {
    self.now = now
  }

  /// The time for a signature.
  var date: Date { now().addingTimeInterval(offset.withLock { $0 }) }

  /// Takes the time of an answer that refuses a request, if it is not the time that the request was signed with.
  ///
  /// - Returns: Whether it was taken, so that another try may not be refused.
  func correct(by answer: TransferAnswer) -> Bool {
    guard let status = answer.status, [400, 401, 403].contains(status),
      let text = answer.fields["date"], text.utf8.count <= 64, let date = DateText.date(text)
    else { return false }
    let theirs = Date(timeIntervalSince1970: Double(date.instant))
    guard abs(theirs.timeIntervalSince(self.date)) > Self.tolerance else { return false }
    offset.withLock { $0 = theirs.timeIntervalSince(now()) }
    return true
  }

  /// What to know where a request is refused all the same; nil if the clocks agree.
  var hint: String? {
    let seconds = offset.withLock { $0 }
    guard seconds != 0 else { return nil }
    let side = seconds > 0 ? "behind" : "ahead of"
    return "This machine's clock is \(Self.text(abs(seconds))) \(side) that of the store, "
      + "whose time the request was signed with."
  }

  /// A time span in its two largest units.
  private static func text(_ seconds: Double) -> String {
    let minutes = Int((seconds / 60).rounded())
    let parts = [(minutes / 1440, "day"), (minutes / 60 % 24, "hour"), (minutes % 60, "minute")]
    return parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }
      .map { Plural.of($0, $1) }.joined(separator: " and ")
  }
}
