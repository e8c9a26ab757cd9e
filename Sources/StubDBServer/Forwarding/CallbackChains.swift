#if Server
import HTTPTypes
import StubDBEngine

/// Counts the calls that calls lead to, so that servers which call each other, or themselves, come to an end.
///
/// A header field of each call says how many calls are in a row with it, and which chain of calls it belongs to.
struct CallbackChains {
  /// Where a call stands.
  enum Place: Equatable {
    /// The value of the header field.
    case field(String)
    /// The call is one too many; the reason is a sentence without its full stop.
    case refused(reason: String)
  }

  static let fieldName = HTTPField.Name("StubDB-Callback")
  /// How many calls may follow from one another.
  static let mostInARow = 5
  /// How many calls the first one of a chain may lead to in all.
  static let mostFollowing = 100
  /// How many chains are remembered at least.
  private static let mostChains = 1_000

  /// How many calls followed from the first one, by chain: of late, and before.
  private var counts: [String: Int] = [:]
  private var earlierCounts: [String: Int] = [:]

  /// The place of a call that follows from a request, whose field may be forged.
  mutating func place(ofCallAfter request: StubRequest) -> Place {
    let parts = Self.fieldName.flatMap { request.headers[$0] }?.split(separator: " ") ?? []
    guard let number = parts.first.flatMap({ Int($0) }), number > 0 else {
      return .field("1 \(String(UInt64.random(in: .min ... .max), radix: 36))")
    }
    guard number < Self.mostInARow else {
      return .refused(reason: "The request before is the last of \(Self.mostInARow) calls in a row")
    }
    let chain = parts.count > 1 ? String(parts[1].prefix(20)) : ""
    let count = counts[chain] ?? earlierCounts[chain] ?? 0
    guard count < Self.mostFollowing else {
      return .refused(
        reason: "The first call of this chain has led to \(Self.mostFollowing) others already")
    }
    if counts[chain] == nil, counts.count == Self.mostChains {
      (earlierCounts, counts) = (counts, [:])
    }
    counts[chain] = count + 1
    return .field("\(number + 1) \(chain)")
  }
}
#endif
