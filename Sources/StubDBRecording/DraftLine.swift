import Foundation
package import StubDBJSON

/// A line of a draft, which is complete by itself: lines of several processes may be put together in any order.
///
/// A line is a JSON object with the version of the format as `draft`, and no line break inside.
package enum DraftLine: Hashable, Sendable {
  /// A request of a run, with its answer.
  case exchange(DraftExchange)
  /// A run ended: its test succeeded, as far as is known, or failed.
  case ended(process: String, run: Int, failed: Bool)

  /// The version of the format that is written; other versions are not read.
  package static let version = 1

  /// The line with its line break.
  package var text: String {
    switch self {
    case .exchange(let exchange): JSONValue.object(exchange.members).canonicalText + "\n"
    case .ended(let process, let run, let failed):
      JSONValue.object([
        "draft": .number(JSONNumber(Self.version)), "process": .string(process),
        "run": .number(JSONNumber(run)), "failed": .bool(failed),
      ]).canonicalText + "\n"
    }
  }

  /// Reads a line without its line break; nil if it is not one of this version, such as the last line of a process that
  /// was killed while it wrote.
  package init?(_ line: some Collection<UInt8>) {
    guard case .object(let members)? = try? JSONValue(parsing: Data(line)),
      members["draft"] == .number(JSONNumber(Self.version)),
      let process = members["process"]?.text, let run = members["run"]?.integer
    else { return nil }
    if case .bool(let failed)? = members["failed"] {
      self = .ended(process: process, run: run, failed: failed)
    } else if let exchange = DraftExchange(process, run, members) {
      self = .exchange(exchange)
    } else {
      return nil
    }
  }
}

/// A request and its answer, without secrets, in the form of a stub.
package struct DraftExchange: Hashable, Sendable {
  /// The process, which no other one is named like.
  package var process: String
  /// The number of the run in the process.
  package var run: Int
  /// The number of the request in the journal of its run.
  package var order: Int
  /// The scenario that the run was to play.
  package var scenario: String
  /// The name of the test; nil if the run belongs to none that is known.
  package var test: String?
  /// The mode of the recording: `once`, `newEpisodes` or `all`.
  package var mode: String
  /// The key of the stub of the scenario that the answer is proposed for; nil if the request says which one it is.
  package var stubKey: String?
  /// The time until the answer began and the time it took, in milliseconds.
  package var wait: Int
  package var receive: Int
  /// A stub as in a document: what the request was exactly, and one response.
  package var stub: JSONValue
  /// The names of the files with contents that the stub lacks, by the JSON pointers of their places; usually empty.
  package var files: [String: String] = [:]
  /// The placeholders in the stub that represent numbers; usually empty.
  package var numbers: Set<String> = []
  /// Whether the answer has been decided, so that the line only says that the request was made.
  package var isDecided = false

  package init(
    process: String, run: Int, order: Int, scenario: String, test: String?, mode: String, wait: Int,
    receive: Int, stub: JSONValue
  ) {
    (self.process, self.run, self.order) = (process, run, order)
    (self.scenario, self.test, self.mode) = (scenario, test, mode)
    (self.wait, self.receive, self.stub) = (wait, receive, stub)
  }

  fileprivate init?(_ process: String, _ run: Int, _ members: JSONObject) {
    guard let order = members["order"]?.integer, let mode = members["mode"]?.text,
      let scenario = members["scenario"]?.text, let stub = members["stub"]
    else { return nil }
    self.init(
      process: process, run: run, order: order, scenario: scenario, test: members["test"]?.text,
      mode: mode, wait: members["wait"]?.integer ?? 0, receive: members["receive"]?.integer ?? 0,
      stub: stub)
    stubKey = members["key"]?.text
    isDecided = members["decided"] == .bool(true)
    if case .array(let list)? = members["numbers"] { numbers = Set(list.compactMap(\.text)) }
    guard case .object(let files)? = members["files"] else { return }
    for case (let place, .string(let name)) in files {
      // A name, not a path: a draft reads nothing outside its folder.
      if !name.contains("/"), name != ".." { self.files[place] = name }
    }
    // Without its content it would be another answer.
    guard self.files.count == files.count else { return nil }
  }

  fileprivate var members: JSONObject {
    var members: JSONObject = [
      "draft": .number(JSONNumber(DraftLine.version)), "process": .string(process),
      "run": .number(JSONNumber(run)), "order": .number(JSONNumber(order)),
      "scenario": .string(scenario), "mode": .string(mode), "wait": .number(JSONNumber(wait)),
      "receive": .number(JSONNumber(receive)), "stub": stub,
    ]
    if let test { members["test"] = .string(test) }
    if let stubKey { members["key"] = .string(stubKey) }
    if isDecided { members["decided"] = .bool(true) }
    if !numbers.isEmpty { members["numbers"] = .array(numbers.sorted().map(JSONValue.string)) }
    if !files.isEmpty { members["files"] = .object(files.mapValues(JSONValue.string)) }
    return members
  }
}
