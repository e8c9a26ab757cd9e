package import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// The place of a secret, for printing: a name that contains a secret is replaced by its position and kind, such as
/// `<member 2: GitHub token, 40 bytes>`.
package struct SecretPlace: Hashable, Sendable {
  /// The scenario's name.
  package let scenario: String
  /// The stub's key; nil for a place in the scenario itself.
  package let key: String?
  /// The place in the scenario's document, as a JSON pointer.
  package let pointer: String

  /// The place as `{scenario, key, pointer}`.
  package var jsonMembers: [(String, OrderedJSON)] {
    [("scenario", .string(scenario)), ("key", .string(key)), ("pointer", .string(pointer))]
  }
}

/// The current place of a walk through a scenario's document.
struct DocumentPosition {
  /// One step into an object or an array.
  private struct Step {
    let token: String
    /// The position of the member in its object, sorted by name, from 1; nil for an element.
    let member: Int?
  }

  private let scenario: ScenarioName
  /// The position of the scenario in its catalog, from 1.
  private let number: Int
  private let keys: [String]
  private var stub: Int?
  private var steps: [Step] = []

  init() {
    (scenario, number, keys) = (ScenarioName(unchecked: ""), 0, [])
  }

  init(_ scenario: Scenario, number: Int) {
    (self.scenario, self.number) = (scenario.name, number)
    keys = scenario.stubs.map(\.key.rawValue)
  }

  /// The key of the current stub; nil outside the stubs.
  var key: String? { stub.map { keys[$0] } }

  /// The name of the object that contains the current member; empty at the top.
  var parent: String { steps.count > 1 ? steps[steps.count - 2].token : "" }

  var pointer: JSONPointer { JSONPointer(steps.map(\.token)) }

  mutating func enter(member name: String, _ number: Int) {
    steps.append(Step(token: name, member: number))
  }

  mutating func enter(element index: Int) {
    if steps.count == 1, steps[0].token == "stubs" { stub = index }
    steps.append(Step(token: String(index), member: nil))
  }

  mutating func leave() {
    steps.removeLast()
    if steps.count == 1 { stub = nil }
  }

  /// The place for printing; `isSecret` is whether a name is masked for other reasons.
  func place(hiding isSecret: (String) -> Bool = { _ in false }) -> SecretPlace {
    let tokens = steps.map { step in
      step.member.map { Self.shown(step.token, "member \($0)", isSecret) } ?? step.token
    }
    return SecretPlace(
      scenario: Self.shown(scenario.rawValue, "scenario \(number)", isSecret),
      key: key.map { Self.shown($0, "stub \((stub ?? 0) + 1)", isSecret) },
      pointer: JSONPointer(tokens).description)
  }

  /// The name, or its position and kind.
  private static func shown(
    _ name: String, _ position: String, _ isSecret: (String) -> Bool
  ) -> String {
    var text = name
    let kind = text.withUTF8 { TextSecrets.find(in: $0) }.first?.kind
    guard kind != nil || isSecret(name) else { return name }
    return "<\(position): \(kind?.title ?? "a value"), \(name.utf8.count) bytes>"
  }
}
