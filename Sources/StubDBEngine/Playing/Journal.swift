internal import Foundation

/// How much of a journal is kept; what falls out is counted.
package struct JournalLimit: Hashable, Sendable {
  /// The largest number of entries; at least one is kept.
  package var entryCount: Int
  /// The largest number of bytes of the requests and answers: their URLs, header fields and kept content.
  ///
  /// The newest request is kept whatever its size.
  package var byteCount: Int

  package init(entryCount: Int, byteCount: Int) {
    self.entryCount = max(1, entryCount)
    self.byteCount = byteCount
  }

  /// Everything is kept, as tests need it.
  package static let unlimited = JournalLimit(entryCount: .max, byteCount: .max)
}

/// What a front end keeps of an answer with its entry of the journal.
package protocol KeptAnswer: Sendable {
  /// The size in bytes that counts towards the limit of the journal.
  var keptByteCount: Int { get }
}

/// The requests of a run, numbered from 1 in order of arrival.
///
/// A limit drops the oldest entries. Numbers go on, whatever is dropped or removed.
package struct Journal {
  private let limit: JournalLimit
  private let isLimited: Bool
  /// The entries, with those that are only reserved; before ``start`` there are stand-ins for dropped ones.
  package private(set) var entries: [ServeEvent] = []
  /// The nanoseconds that the answer to each of the entries took, negative while that is not known, and what is kept of it.
  package private(set) var answers: [(nanoseconds: Int64, kept: (any KeptAnswer)?)] = []
  /// How many of the entries from ``start`` on are stand-ins for removed ones.
  private var removedCount = 0
  package private(set) var start = 0
  /// The number of the entry before the first one in `entries`.
  package private(set) var offset = 0
  private var byteCount = 0
  /// The numbers of the entries that are reserved for requests without a decision.
  package private(set) var reserved: Set<Int> = []
  /// The last number that was given when the journal was emptied.
  private var emptiedAt = 0
  /// How many entries were dropped, and how many of them no stub answered.
  private(set) var dropped = (count: 0, unmatched: 0)

  init(limit: JournalLimit) {
    self.limit = limit
    isLimited = limit != .unlimited
  }

  /// The number of the next entry.
  package var nextNumber: Int { offset + entries.count + 1 }

  /// The number of entries, with those that are only reserved.
  package var count: Int { entries.count - start }

  /// The requests that were decided, in order of arrival.
  var decided: [ServeEvent] {
    if start == 0, reserved.isEmpty, removedCount == 0 { return entries }
    return entries[start...].filter { !$0.isGone && !reserved.contains($0.number) }
  }

  /// Adds an entry, in its place if that is reserved.
  mutating func enter(_ event: ServeEvent) {
    let index = event.number - offset - 1
    guard index < entries.count else { return append(event) }
    if index >= start {
      if isLimited {
        byteCount += event.byteCount - entries[index].byteCount
      }
      entries[index] = event
      reserved.remove(event.number)
    } else if !event.isMatched, event.number > emptiedAt {
      dropped.unmatched += 1
    }
  }

  /// Changes an entry that is still there.
  package mutating func update(_ number: Int, _ change: (ServeEvent) -> ServeEvent) {
    guard let index = index(of: number) else { return }
    let before = isLimited ? entries[index].byteCount : 0
    entries[index] = change(entries[index])
    guard isLimited else { return }
    byteCount += entries[index].byteCount - before
    dropOldest()
  }

  /// Says which status the client of an entry got, nil for none, and how long the answer took.
  ///
  /// It may be the entry of an earlier run, whose number is another request's now; that came at another time.
  package mutating func conclude(
    _ event: ServeEvent, status: Int?, kept: (any KeptAnswer)?, after time: Duration
  ) {
    guard let index = index(of: event.number), entries[index].arrival == event.arrival else {
      return
    }
    if entries[index].status != status { entries[index] = entries[index].with(status: status) }
    let (seconds, attoseconds) = time.components
    answers[index] = (seconds * 1_000_000_000 + attoseconds / 1_000_000_000, kept)
    guard isLimited, let kept else { return }
    byteCount += kept.keptByteCount
    dropOldest()
  }

  /// Removes entries that are decided; numbers of others have no effect.
  mutating func remove(_ numbers: Set<Int>) {
    for number in numbers {
      guard let index = index(of: number), !reserved.contains(number) else { continue }
      release(index)
      removedCount += 1
    }
  }

  /// The place of an entry, for any number; nil if it was dropped or removed, or is not there yet.
  package func index(of number: Int) -> Int? {
    guard number > offset else { return nil }
    let index = number - offset - 1
    guard index >= start, index < entries.count, !entries[index].isGone else { return nil }
    return index
  }

  /// Adds an entry for a request that is decided later.
  mutating func reserve(_ request: StubRequest, arrival: Date) -> Int {
    let number = nextNumber
    reserved.insert(number)
    append(ServeEvent(number: number, request: request, arrival: arrival))
    return number
  }

  /// Removes all entries.
  mutating func empty() {
    offset = nextNumber - 1
    emptiedAt = offset
    (entries, answers, start, byteCount, reserved, dropped) = ([], [], 0, 0, [], (0, 0))
    removedCount = 0
  }

  private mutating func append(_ event: ServeEvent) {
    entries.append(event)
    answers.append((-1, nil))
    guard isLimited else { return }
    byteCount += event.byteCount
    dropOldest()
  }

  private mutating func dropOldest() {
    while entries.count - start > limit.entryCount
      || byteCount > limit.byteCount && entries.count - start > 1
    {
      dropFirst()
    }
  }

  private mutating func dropFirst() {
    let event = entries[start]
    release(start)
    if event.isGone {
      removedCount -= 1
    } else {
      dropped.count += 1
      if reserved.remove(event.number) == nil, !event.isMatched { dropped.unmatched += 1 }
    }
    start += 1
    guard start >= 32, start * 2 > entries.count else { return }
    entries.removeFirst(start)
    answers.removeFirst(start)
    offset += start
    start = 0
  }

  /// Gives up what an entry has, while its place is given back later: moving the rest for each would take long.
  private mutating func release(_ index: Int) {
    if isLimited {
      byteCount -= entries[index].byteCount + (answers[index].kept?.keptByteCount ?? 0)
    }
    (entries[index], answers[index].kept) = (.gone, nil)
  }
}

extension ServeEvent {
  /// Stands for an entry that is no longer in the journal.
  fileprivate static let gone = ServeEvent(
    number: 0, request: StubRequest(url: ""), arrival: .distantPast)

  package var isGone: Bool { number == 0 }
}
