import StubDBJSON
import StubDBModel

/// Conflicts as text for a terminal.
struct ConflictView {
  let style: Style

  /// A conflict on four lines: its place and the three versions.
  func lines(_ conflict: Conflict) -> [String] {
    let indent = 14
    let limit = ValueExcerpt.room(beside: indent)
    let (ours, theirs) = ValueExcerpt.pair(conflict.ours, conflict.theirs, limit: limit)
    return [
      style.bold(Printable.line(conflict.description)) + style.dim(note(conflict)),
      "    base    \(ValueExcerpt.of(conflict.base, limit: limit))",
      "    ours    \(style.red(ours))",
      "    theirs  \(style.green(theirs))",
    ]
  }

  private func note(_ conflict: Conflict) -> String {
    guard conflict.pointer.tokens.isEmpty else { return "" }
    let what = conflict.key == nil ? "the whole scenario" : "the whole stub"
    switch (conflict.ours, conflict.theirs) {
    case (nil, _): return "  (\(what): ours removed it, theirs changed it)"
    case (_, nil): return "  (\(what): ours changed it, theirs removed it)"
    default: return "  (\(what))"
    }
  }
}

extension OrderedJSON {
  /// A conflict as `{scenario, key, pointer, base, ours, theirs}`, without the version of a side that removed the
  /// value.
  static func conflict(_ conflict: Conflict) -> OrderedJSON {
    let versions = [
      ("base", conflict.base), ("ours", conflict.ours), ("theirs", conflict.theirs),
    ]
    return .object(
      [
        ("scenario", .string(conflict.scenario.rawValue)), ("key", .string(conflict.key)),
        ("pointer", .string(conflict.pointer.description)),
      ] + versions.compactMap { name, value in value.map { (name, .value($0)) } })
  }
}
