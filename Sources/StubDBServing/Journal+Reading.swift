package import StubDBEngine

/// A part of a journal.
package struct JournalPage: Hashable, Sendable {
  /// The entries, in order of arrival.
  package var entries: [ServeEvent]
  /// How long each of them was answered; nil while that is not known.
  package var durations: [Duration?]
  /// The number after which the next page begins.
  package var last: Int
  /// The number of entries between the place that was asked for and the first one, which are no longer in the journal.
  package var missing: Int
}

extension Journal {
  /// The entries after a number, up to the first one that is not decided yet.
  func page(after number: Int, limit: Int) -> JournalPage {
    let number = max(0, number)
    let begin = max(start, min(number - offset, entries.count))
    var page = JournalPage(
      entries: [], durations: [], last: max(number, offset + begin),
      missing: max(0, offset + begin - number))
    for (index, event) in zip(begin..., entries[begin...]) {
      if page.entries.count >= limit || reserved.contains(event.number) { break }
      if !event.isGone {
        page.entries.append(event)
        page.durations.append(duration(at: index))
      }
      page.last = offset + index + 1
    }
    return page
  }

  /// What is kept of the answer to an entry; nil for nothing.
  func kept(of number: Int) -> (any KeptAnswer)? {
    index(of: number).flatMap { answers[$0].kept }
  }

  /// How long the answer to an entry took; nil while that is not known.
  func duration(ofEntry number: Int) -> Duration? {
    index(of: number).flatMap(duration(at:))
  }

  private func duration(at index: Int) -> Duration? {
    answers[index].nanoseconds < 0 ? nil : .nanoseconds(answers[index].nanoseconds)
  }

  /// The entry of a number; nil if it was dropped, or is not decided yet.
  func entry(_ number: Int) -> ServeEvent? {
    guard let index = index(of: number), !reserved.contains(number) else { return nil }
    return entries[index]
  }
}
