package import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

extension OrderedJSON {
  /// Differences as a flat list of `{change, scenario, key, pointer, before, after}`.
  package static func differences(_ differences: some Sequence<ScenarioDifference>) -> OrderedJSON {
    .array(differences.flatMap(items))
  }

  private static func items(_ difference: ScenarioDifference) -> [OrderedJSON] {
    let name = difference.name
    var items: [OrderedJSON] = []
    switch (difference.before, difference.after) {
    case (nil, _): items.append(item("added", name))
    case (_, nil): items.append(item("removed", name))
    case (let old?, let new?):
      if old != new {
        items.append(
          item("renamed", name, before: .string(old.rawValue), after: .string(new.rawValue)))
      }
    }
    items += difference.changes.map { item("changed", name, $0) }
    return items + difference.stubs.flatMap { Self.items($0, name) }
  }

  private static func items(
    _ difference: StubDifference, _ name: ScenarioName
  ) -> [OrderedJSON] {
    let key = difference.key
    switch (difference.before, difference.after) {
    case (nil, let stub): return [item("added", name, key: key, after: stub?.documentValue)]
    case (let stub, nil): return [item("removed", name, key: key, before: stub?.documentValue)]
    case (let before?, let after?):
      let renamed =
        before.key == after.key
        ? []
        : [
          item(
            "renamed", name, key: key, before: .string(before.key.rawValue),
            after: .string(after.key.rawValue))
        ]
      let moved = difference.hasMoved ? [item("moved", name, key: key)] : []
      let changes = difference.changes.filter { $0.pointer.tokens != ["key"] }
      return renamed + moved + changes.map { item("changed", name, key: key, $0) }
    }
  }

  private static func item(
    _ what: String, _ name: ScenarioName, key: String? = nil, _ change: ValueChange
  ) -> OrderedJSON {
    item(
      what, name, key: key, pointer: change.pointer.description, before: change.before,
      after: change.after)
  }

  private static func item(
    _ what: String, _ name: ScenarioName, key: String? = nil, pointer: String = "",
    before: JSONValue? = nil, after: JSONValue? = nil
  ) -> OrderedJSON {
    .object([
      ("change", .string(what)), ("scenario", .string(name.rawValue)), ("key", .string(key)),
      ("pointer", .string(pointer)), ("before", .json(before ?? .null)),
      ("after", .json(after ?? .null)),
    ])
  }
}

extension Conflict {
  /// The conflict as `{scenario, key, pointer, base, ours, theirs}`, without the version of a side that removed the
  /// value.
  package var json: OrderedJSON {
    let versions = [("base", base), ("ours", ours), ("theirs", theirs)]
    return .object(
      [
        ("scenario", .string(scenario.rawValue)), ("key", .string(key)),
        ("pointer", .string(pointer.description)),
      ] + versions.compactMap { name, value in value.map { (name, .json($0)) } })
  }
}
