import Foundation
import HTTPTypes
package import StubDBEngine
package import StubDBJSON
import StubDBModel

/// A line of the journal of a run, as a failing test has it attached.
///
/// A line is a JSON object; the first has the version of the format as `stubdbJournal`, and describes the run.
package enum JournalLine: Hashable, Sendable {
  case head(JournalHead)
  case entry(JournalEntry)
  /// A problem of the run, as the test reported it.
  case problem(String)

  /// The version of the format that is written; other versions are not read.
  package static let version = 1

  /// The line with its line break.
  package var text: String { JSONValue.object(members).canonicalText + "\n" }

  private var members: JSONObject {
    switch self {
    case .head(let head): head.members
    case .entry(let entry): entry.members
    case .problem(let text): ["problem": .string(text)]
    }
  }

  /// Reads a line without its line break; nil if it is not one of this version.
  package init?(_ line: some Collection<UInt8>) {
    guard case .object(let members)? = try? JSONValue(parsing: Data(line)) else { return nil }
    if let head = JournalHead(members) {
      self = .head(head)
    } else if let entry = JournalEntry(members) {
      self = .entry(entry)
    } else if case .string(let text)? = members["problem"] {
      self = .problem(text)
    } else {
      return nil
    }
  }
}

/// What a journal says of its run.
package struct JournalHead: Hashable, Sendable {
  /// The name of the test; nil if it is not known.
  package var test: String?
  /// The scenario; nil if only closures answered.
  package var scenario: String?
  /// The overlays, the last one answers first.
  package var overlays: [String] = []
  /// The seed of everything random.
  package var seed: UInt64 = 0
  /// The day that it was in the run, as `--today` has it; nil if dates stayed as recorded.
  package var today: String?
  /// The path of the catalog; nil if the scenario was made in memory.
  package var catalog: String?
  /// The digest of the catalog's content; nil if it is not known.
  package var digest: String?
  /// The number of requests that the journal does not have, which came before those that it has.
  package var omitted = 0
  /// Why the journal has nothing else; nil for most.
  package var withheld: String?

  package init() {}

  fileprivate init?(_ members: JSONObject) {
    guard members["stubdbJournal"] == .number(JSONNumber(JournalLine.version)) else { return nil }
    (test, scenario) = (members["test"]?.text, members["scenario"]?.text)
    (catalog, digest) = (members["catalog"]?.text, members["digest"]?.text)
    (withheld, today) = (members["withheld"]?.text, members["today"]?.text)
    if case .array(let names)? = members["overlays"] { overlays = names.compactMap(\.text) }
    seed = members["seed"]?.text.flatMap { UInt64($0) } ?? 0
    omitted = members["omitted"]?.integer ?? 0
  }

  fileprivate var members: JSONObject {
    var members: JSONObject = ["stubdbJournal": .number(JSONNumber(JournalLine.version))]
    members["test"] = test.map(JSONValue.string)
    members["scenario"] = scenario.map(JSONValue.string)
    members["catalog"] = catalog.map(JSONValue.string)
    members["digest"] = digest.map(JSONValue.string)
    members["withheld"] = withheld.map(JSONValue.string)
    members["today"] = today.map(JSONValue.string)
    if !overlays.isEmpty { members["overlays"] = .array(overlays.map(JSONValue.string)) }
    // A JSON number does not have 64 bits everywhere.
    if seed != 0 { members["seed"] = .string(String(seed)) }
    if omitted > 0 { members["omitted"] = .number(JSONNumber(omitted)) }
    return members
  }
}

/// A request of a journal, and what answered it.
package struct JournalEntry: Hashable, Sendable {
  /// The number in the run, from 1.
  package let number: Int
  /// When the request came, in UTC.
  package var time: String?
  /// The request; nil if it cannot be shown.
  package var request: StubRequest?
  /// Why something cannot be shown; nil if all is there.
  package var withheld: String?
  /// What answered: `scenario`, `key`, `response` and `status`, `closure`, or `nearMisses`.
  package var answer: JSONObject = [:]

  package init(number: Int) { self.number = number }

  /// The scenario and the key of the stub that answered; nil if none did.
  package var stub: (scenario: String, key: String)? {
    guard let scenario = answer["scenario"]?.text, let key = answer["key"]?.text else {
      return nil
    }
    return (scenario, key)
  }

  fileprivate init?(_ members: JSONObject) {
    guard let number = members["request"]?.integer else { return nil }
    self.number = number
    (time, withheld) = (members["at"]?.text, members["withheld"]?.text)
    if case .object(let answer)? = members["answer"] { self.answer = answer }
    guard let method = members["method"]?.text, let url = members["url"]?.text else { return }
    var request = StubRequest(method: method, url: url)
    if case .array(let fields)? = members["headers"] {
      for case .array(let pair) in fields {
        guard pair.count == 2, let name = pair[0].text.flatMap({ HTTPField.Name($0) }),
          let value = pair[1].text
        else { return nil }
        request.headers.append(HTTPField(name: name, value: value))
      }
    }
    if let text = members["text"]?.text {
      request.body = .bytes(Data(text.utf8))
    } else if let base64 = members["base64"]?.text {
      guard let content = Data(base64Encoded: base64) else { return nil }
      request.body = .bytes(content)
    } else if let withheld {
      request.body = .unknown(reason: withheld)
    }
    self.request = request
  }

  fileprivate var members: JSONObject {
    var members: JSONObject = ["request": .number(JSONNumber(number))]
    members["at"] = time.map(JSONValue.string)
    members["withheld"] = withheld.map(JSONValue.string)
    if !answer.isEmpty { members["answer"] = .object(answer) }
    guard let request else { return members }
    members["method"] = .string(request.method)
    members["url"] = .string(request.url)
    if !request.headers.isEmpty {
      members["headers"] = .array(
        request.headers.map { .array([.string($0.name.rawName), .string($0.value)]) })
    }
    guard let content = request.content, !content.isEmpty else { return members }
    if let text = ExchangeDocument.text(content) {
      members["text"] = .string(text)
    } else {
      members["base64"] = .string(content.base64EncodedString())
    }
    return members
  }
}

extension JSONValue {
  var text: String? { if case .string(let text) = self { text } else { nil } }

  var integer: Int? {
    if case .number(let number) = self { number.integerValue } else { nil }
  }
}
