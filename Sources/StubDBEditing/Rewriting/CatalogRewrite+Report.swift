internal import StubDBChanges
internal import StubDBEngine
package import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

extension CatalogRewrite.Plan {
  /// How many places are named, and scenarios that are included.
  private static let mostNamed = 3

  /// The plan as `{stubs, scenarios, written, changes, left}`, with changes as those of `stubdb diff --json`.
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
    ])
  }

  /// What was not changed, each on a line.
  package var notes: [String] {
    var lines = LeftPlace.Reason.allCases.compactMap { reason -> String? in
      let places = left.filter { $0.reason == reason }
      if places.isEmpty { return nil }
      let names = places.prefix(Self.mostNamed).map {
        "\($0.scenario) \(SecretDisplay.text($0.key.rawValue)) \($0.pointer)"
      }
      return
        "Left as \(places.count == 1 ? "it is" : "they are"): \(reason.phrase(places.count)): \(Self.shortened(names, of: places.count))"
    }
    if !outside.isEmpty {
      lines.append(
        "Left as they are: included scenarios that were not named: "
          + Self.shortened(outside.map(\.rawValue), of: outside.count))
    }
    return lines
  }

  private static func shortened(_ names: [String], of count: Int) -> String {
    let rest = count - mostNamed
    return names.prefix(mostNamed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
