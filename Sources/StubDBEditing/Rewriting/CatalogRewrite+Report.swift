internal import StubDBChanges
package import StubDBDocuments
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

extension CatalogRewrite.Plan {
  /// How many places are named, and scenarios that are included.
  private static let mostNamed = 3

  /// The plan as `{stubs, scenarios, written, changes, left, outside}`, with changes as those of `stubdb diff --json`.
  package func json(isWritten: Bool) -> OrderedJSON {
    let left = left.map { place in
      OrderedJSON.object([
        ("scenario", .string(place.scenario.rawValue)), ("key", .string(place.key.rawValue)),
        ("pointer", .string(place.pointer.description)),
        ("reason", .string(place.reason.rawValue)),
      ])
    }
    return .object([
      ("stubs", .integer(stubCount)), ("scenarios", .integer(changes.count)),
      ("written", .json(.bool(isWritten && stubCount > 0))),
      ("changes", .differences(differences)), ("left", .array(left)),
      ("outside", .array(outside.map { .string($0.rawValue) })),
    ])
  }

  /// What was not changed, each on a line.
  package var notes: [String] {
    var lines = LeftPlace.Reason.allCases.compactMap { reason -> String? in
      let places = left.filter { $0.reason == reason }
      return Self.note(
        reason.phrase(places.count),
        places.prefix(Self.mostNamed).map {
          "\($0.scenario) \(SecretDisplay.text($0.key.rawValue)) \($0.pointer)"
        }, of: places.count)
    }
    let scenarios = Plural.of(
      outside.count, "included scenario that was not named",
      "included scenarios that were not named")
    lines += [Self.note(scenarios, outside.map(\.rawValue), of: outside.count)].compactMap(\.self)
    return lines
  }

  /// Nil if there are none.
  private static func note(_ what: String, _ names: [String], of count: Int) -> String? {
    guard count > 0 else { return nil }
    let rest = Plural.more(count - mostNamed)
    return "Left as \(count == 1 ? "it is" : "they are"): \(what): "
      + names.prefix(mostNamed).joined(separator: ", ") + rest
  }
}
