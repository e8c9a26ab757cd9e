#if Server
import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBServing

/// A part of a journal that a client asks for: the first entries after a number, or the last ones before another, that
/// pass a filter.
struct JournalListing {
  static let parameters = [
    "after", "before", "limit", "matched", "method", "path", "status", "stub", "text",
  ]
  /// How many entries are looked at for one page, so that a rare filter does not take long.
  private static let mostLookedAt = 10_000
  /// How many entries are read at once before a number.
  private static let step = 500

  private let limit: Int
  private let after: Int
  /// Nil for the first entries after ``after``; otherwise the last ones before this number, down to that one.
  private let before: Int?
  private let filter: JournalFilter

  init(_ request: AdminRequest) throws {
    limit = try request.integer("limit", 100, in: 1...1_000)
    after = try request.integer("after", 0, in: 0...Int.max)
    before =
      request.query["before"] == nil ? nil : try request.integer("before", 1, in: 1...Int.max)
    filter = try JournalFilter(request)
  }

  /// The page, in order of arrival.
  func page(of run: ScenarioRun) -> OrderedJSON {
    let (events, next, missing) = before.map { earlier(of: run, before: $0) } ?? later(of: run)
    return .object([
      ("events", .array(events)), ("next", .integer(next)), ("dropped", .integer(missing)),
    ])
  }

  private func later(of run: ScenarioRun) -> (events: [OrderedJSON], next: Int, missing: Int) {
    var (events, next, missing, lookedAt) = ([OrderedJSON](), after, 0, 0)
    while events.count < limit, lookedAt < Self.mostLookedAt {
      let page = run.journal(after: next, limit: limit)
      missing += page.missing
      lookedAt += page.entries.count
      guard !page.entries.isEmpty else {
        next = page.last
        break
      }
      for (event, duration) in zip(page.entries, page.durations) where events.count < limit {
        next = event.number
        if filter.accepts(event, in: run) { events.append(event.json(duration: duration)) }
      }
    }
    return (events, next, missing)
  }

  /// The last entries before a number; the next page is before ``next``, and does not exist if that is not larger than
  /// the first number.
  private func earlier(
    of run: ScenarioRun, before number: Int
  ) -> (events: [OrderedJSON], next: Int, missing: Int) {
    var (events, next, lookedAt) = ([OrderedJSON](), min(number, run.lastNumber + 1), 0)
    while events.count < limit, lookedAt < Self.mostLookedAt, next > after + 1 {
      let first = max(after + 1, next - Self.step)
      let (found, missing) = entries(of: run, in: first..<next)
      for (event, duration) in found.reversed() where events.count < limit {
        next = event.number
        if filter.accepts(event, in: run) { events.append(event.json(duration: duration)) }
      }
      lookedAt += Self.step
      if events.count < limit { next = first }
      // Numbers are not given again: nothing is kept before what was dropped.
      if missing > 0, next <= first + missing {
        return (events.reversed(), after + 1, first + missing - 1 - after)
      }
    }
    return (events.reversed(), next, 0)
  }

  /// The decided entries with these numbers, and how many at the beginning were dropped.
  private func entries(
    of run: ScenarioRun, in numbers: Range<Int>
  ) -> (found: [(ServeEvent, Duration?)], missing: Int) {
    var (found, missing) = ([(ServeEvent, Duration?)](), 0)
    var after = numbers.lowerBound - 1
    while after + 1 < numbers.upperBound {
      let page = run.journal(after: after, limit: numbers.upperBound - 1 - after)
      missing += page.missing
      found += zip(page.entries, page.durations).filter { $0.0.number < numbers.upperBound }
      // What is not decided yet ends a page.
      after = max(page.last, after + 1)
    }
    return (found, missing)
  }
}

/// Which entries of a journal a client asks for.
private struct JournalFilter {
  private let isMatched: Bool?
  private let method: String?
  /// The pieces of the path between which there is anything.
  private let path: [Substring]?
  private let statuses: ClosedRange<Int>?
  private let stub: String?
  private let text: [UInt8]?

  init(_ request: AdminRequest) throws {
    isMatched = try request.truth("matched")
    method = request.query["method"]?.uppercased()
    path = request.query["path"]?.split(separator: "*", omittingEmptySubsequences: false)
    statuses = try request.query["status"].map { text in
      if let status = Int(text), (100...999).contains(status) { return status...status }
      guard let first = text.utf8.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first),
        text.dropFirst().lowercased() == "xx"
      else {
        throw AdminProblem(
          400, "invalid-parameter", "Invalid parameter",
          "status is a number such as 404, or a class such as 4xx.")
      }
      let least = Int(first - UInt8(ascii: "0")) * 100
      return least...least + 99
    }
    stub = request.query["stub"]?.lowercased()
    // Contents are bytes, of which ASCII alone has letters in two cases.
    text = request.query["text"].map { $0.utf8.map(Self.lowercased) }
  }

  func accepts(_ event: ServeEvent, in run: ScenarioRun) -> Bool {
    if let isMatched, event.isMatched != isMatched { return false }
    if let method, event.request.method.uppercased() != method { return false }
    if let statuses, event.status.map({ !statuses.contains($0) }) ?? true { return false }
    if let path, !Self.matches(URLParts(event.request.url)?.path ?? "", path) { return false }
    if let stub {
      let name = "\(event.scenario?.rawValue ?? "")/\(event.stubKey ?? "")"
      guard event.isMatched, name.lowercased().contains(stub) else { return false }
    }
    return text.map { contains($0, event, run) } ?? true
  }

  /// Whether the URL, the fields or the content of the request or of the response contain the text, in any case.
  private func contains(_ text: [UInt8], _ event: ServeEvent, _ run: ScenarioRun) -> Bool {
    let request = event.request
    if Self.contains(request.url.utf8, text) { return true }
    let sent = run.sentResponse(toEntry: event.number)
    for field in Array(request.headers) + Array(sent?.headers ?? [:])
    where Self.contains("\(field.name.rawName): \(field.value)".utf8, text) {
      return true
    }
    return [request.content, sent?.content].contains { $0.map { Self.contains($0, text) } ?? false }
  }

  private static func contains(_ bytes: some Sequence<UInt8>, _ text: [UInt8]) -> Bool {
    guard let first = text.first else { return true }
    let found = bytes.withContiguousStorageIfAvailable { bytes in
      guard bytes.count >= text.count else { return false }
      return (0...bytes.count - text.count).contains { start in
        lowercased(bytes[start]) == first
          && text.indices.allSatisfy { lowercased(bytes[start + $0]) == text[$0] }
      }
    }
    return found ?? contains(Array(bytes), text)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Whether the text is the pieces in order, with anything between them.
  private static func matches(_ text: String, _ pieces: [Substring]) -> Bool {
    guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else {
      return text == pieces.first ?? ""
    }
    guard text.hasPrefix(first) else { return false }
    var rest = text.dropFirst(first.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = rest.range(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
#endif
