package import Foundation
import HTTPTypes
package import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
package import StubDBPlayback
package import StubDBRecording
import StubDBSecrets
package import StubDBServing

/// The journal of a failed test, whose requests can be sent again through a run of today's catalog.
package struct JournalReplay {
  /// Reports a file that is not a journal, or one whose requests were withheld.
  package struct Failure: Error {
    /// The end of a sentence that begins with the file's name.
    package let reason: String
  }

  /// How the answer of today compares with that of the test.
  package enum Verdict: String, Sendable {
    /// The same stub answers.
    case same
    /// A stub answers, where none did.
    case now
    /// Another stub answers.
    case other
    /// No stub answers, as before.
    case still
    /// No stub answers any more.
    case lost
    /// No stub answers, perhaps because secrets of the request were taken out.
    case undecided
    /// A closure of the test answered, which the catalog does not have.
    case closure
    /// The journal does not have the request.
    case withheld

    /// Whether today's catalog answers the request, as far as it can be asked.
    package var isAnswered: Bool {
      switch self {
      case .same, .now, .other, .closure: true
      case .still, .lost, .undecided, .withheld: false
      }
    }
  }

  /// A request of the journal, and what it gets today.
  package struct Step {
    package let entry: JournalEntry
    package let verdict: Verdict
    /// The answer of today; nil if the request was not sent.
    package let answer: PlayedAnswer?

    /// The request, what it got and what it gets, for programs.
    package var json: OrderedJSON {
      var members: [(String, OrderedJSON)] = [
        ("request", .integer(entry.number)),
        ("method", .string(entry.request?.method)),
        ("url", .string(entry.request.map { SecretDisplay.text($0.url) })),
        ("verdict", .string(verdict.rawValue)),
        ("before", .string(entry.stub.map { SecretDisplay.text($0.key) })),
      ]
      guard let answer else { return .object(members) }
      let event = answer.event
      members += [
        ("scenario", .string(event.scenario?.rawValue)),
        ("key", .string(event.stubKey.map { SecretDisplay.text($0) })),
      ]
      if let response = answer.response {
        members.append(("response", .json(.object(response.jsonObject(includingBody: true)))))
      }
      if !event.isMatched { members.append(("nearMisses", .array(event.nearMisses.map(\.json)))) }
      return .object(members)
    }
  }

  /// What the journal says of its run.
  package let head: JournalHead
  /// Its requests, in order; empty if the test sent none.
  package let entries: [JournalEntry]

  /// Reads a journal.
  ///
  /// - Throws: ``Failure`` for a file that is no journal of this version, and for one whose requests were withheld.
  package init(_ data: Data) throws(Failure) {
    let lines = data.split(separator: UInt8(ascii: "\n"))
    guard case .head(let head)? = lines.first.flatMap({ JournalLine($0) }) else {
      throw Failure(
        reason: "is not a journal of this version: its first line is not an object with "
          + "\"stubdbJournal\": \(JournalLine.version)")
    }
    if let withheld = head.withheld { throw Failure(reason: "has no requests: \(withheld)") }
    var entries: [JournalEntry] = []
    for (index, line) in lines.enumerated().dropFirst() {
      switch JournalLine(line) {
      case .entry(let entry)?: entries.append(entry)
      case .problem?: continue
      case .head?, nil:
        throw Failure(reason: "is not a journal of this version: see its line \(index + 1)")
      }
    }
    (self.head, self.entries) = (head, entries)
  }

  /// Sends a request of the journal.
  ///
  /// - Throws: `PlayedAnswer.Failure` for an answer that cannot be described.
  package static func step(
    _ entry: JournalEntry, in player: Player
  ) throws(PlayedAnswer.Failure) -> Step {
    if entry.answer["closure"] != nil {
      return Step(entry: entry, verdict: .closure, answer: nil)
    }
    guard let request = entry.request else {
      return Step(entry: entry, verdict: .withheld, answer: nil)
    }
    let answer = try PlayedAnswer(to: request, from: player)
    return Step(entry: entry, verdict: verdict(answer.event, on: entry, request), answer: answer)
  }

  private static func verdict(
    _ event: ServeEvent, on entry: JournalEntry, _ request: StubRequest
  ) -> Verdict {
    guard let key = event.stubKey, let scenario = event.scenario?.rawValue else {
      if entry.stub == nil { return .still }
      return request.hasPlaceholders || request.content == nil ? .undecided : .lost
    }
    guard let before = entry.stub else { return .now }
    return before == (scenario, key) ? .same : .other
  }
}

extension StubRequest {
  /// Whether a secret was taken out of it.
  fileprivate var hasPlaceholders: Bool {
    RedactionPlaceholders.isIn(url) || headers.contains { RedactionPlaceholders.isIn($0.value) }
      || content.map { !RedactionPlaceholders.all(in: $0).isEmpty } == true
  }
}
