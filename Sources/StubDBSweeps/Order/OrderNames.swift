import Foundation
import StubDBEngine
import StubDBModel
import StubDBSupport
import StubDBVariations

/// Names requests so that repetitions of a test give the same names, in whatever order its requests come.
///
/// A name is the key of the stub; further URLs that it answers are `key#2`, and further requests to one URL `key.2`. What
/// would mean something else in a key is written as in URLs: `%`, `,`, `#`, a dot before a digit, and `@` at the
/// beginning. The ends of sleeps are `@500ms`, `@500ms.2`.
struct OrderNames: Sendable {
  private struct Target: Hashable {
    let stub: StubName
    let method: String
    let url: String
  }

  /// The names of targets, and their places among others.
  private var names: [Target: (name: String, place: Int)] = [:]
  private var variants: [String: Int] = [:]

  /// Orders targets by the places of their stubs in the scenario and the texts of their URLs: the order in which requests
  /// came is another one in each run.
  init(_ journal: [ServeEvent], in scenario: LoadedScenario) {
    var ranks: [StubName: Int] = [:]
    for (rank, source) in scenario.sources.enumerated() {
      ranks[StubName(scenario: source.origin, key: source.stub.key.rawValue)] = rank
    }
    let targets = Set(journal.compactMap(Self.target)).sorted { one, other in
      (ranks[one.stub] ?? .max, one.stub.key, one.url, one.method)
        < (ranks[other.stub] ?? .max, other.stub.key, other.url, other.method)
    }
    for target in targets { add(target) }
  }

  private static func target(_ event: ServeEvent) -> Target? {
    StubName(event).map {
      Target(stub: $0, method: event.request.method, url: event.request.url)
    }
  }

  private mutating func add(_ target: Target) {
    let number = (variants[target.stub.key] ?? 0) + 1
    variants[target.stub.key] = number
    names[target] = (Self.name(ofTarget: number, ofKey: target.stub.key), names.count)
  }

  /// The name of the target of a request, and its place among others; nil if no stub answers.
  mutating func name(of event: ServeEvent) -> (name: String, place: Int)? {
    guard let target = Self.target(event) else { return nil }
    if names[target] == nil { add(target) }
    return names[target]
  }

  /// The names of the targets of the unchanged run, in the order of their places.
  var all: [String] { names.values.sorted { $0.place < $1.place }.map(\.name) }

  /// A short text that is another one for other requests, in whatever order they came.
  static func fingerprint(of journal: [ServeEvent], in scenario: LoadedScenario) -> String {
    var names = OrderNames(journal, in: scenario)
    let all = journal.compactMap { names.name(of: $0)?.name }.sorted().joined(separator: ",")
    return String(SHA256Digest.hexadecimal(of: Data(all.utf8)).prefix(6))
  }

  /// The name of one of the URLs that the stub with a key answers.
  static func name(ofTarget number: Int, ofKey key: String) -> String {
    escaped(key) + (number > 1 ? "#\(number)" : "")
  }

  /// The name of one of several requests to a target, or of several sleeps of one length.
  static func numbered(_ name: String, _ number: Int) -> String {
    number > 1 ? "\(name).\(number)" : name
  }

  /// The name of the end of a sleep.
  static func name(ofSleep length: Duration) -> String {
    let time = length / .milliseconds(1)
    return "@" + (Int(exactly: time).map { "\($0)" } ?? "\(time)") + "ms"
  }

  /// Whether a name is one of the end of a sleep; no name of an answer begins with `@`.
  static func isSleep(_ name: String) -> Bool { name.hasPrefix("@") }

  /// Whether a name is one of requests that the stub with a key answers.
  static func isName(_ name: String, ofKey key: String) -> Bool {
    let key = escaped(key)
    guard name.hasPrefix(key) else { return false }
    let rest = name.dropFirst(key.count)
    return rest.allSatisfy { "0123456789#.".contains($0) } && rest.first?.isNumber != true
  }

  /// A key as names have it.
  private static func escaped(_ key: String) -> String {
    var escaped = ""
    var scalars = key.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      let isDigit = scalars.first.map { ("0"..."9").contains($0) } ?? false
      switch scalar {
      case "%", ",", "#": escaped += Self.percent(scalar)
      case "@" where escaped.isEmpty: escaped += Self.percent(scalar)
      case "." where isDigit: escaped += Self.percent(scalar)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func percent(_ scalar: Unicode.Scalar) -> String {
    "%" + String(scalar.value, radix: 16, uppercase: true)
  }
}
