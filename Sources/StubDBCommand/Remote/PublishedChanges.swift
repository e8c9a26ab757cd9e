import StubDBChanges
import StubDBSupport

/// What a push publishes, as lines for people: what it takes away comes first, because others lose it.
struct PublishedChanges {
  /// How many lines there are of what takes nothing away.
  private static let shown = 20

  let changes: [ScenarioDifference]
  /// What the lock file calls the catalog.
  let name: String

  func note() {
    let losses =
      changes.filter { $0.after == nil }
      + changes.filter { $0.after != nil && (isRenamed($0) || lost($0) > 0) }
    let others = changes.filter { $0.after != nil && !isRenamed($0) && lost($0) == 0 }
    for change in losses + others.prefix(Self.shown) { Console.note(line(change)) }
    guard others.count > Self.shown else { return }
    let rest = Plural.of(others.count - Self.shown, "other scenario")
    Console.note("and \(rest): \(FollowUp.command(["remote", "show", name]))")
  }

  /// Whether others lose a name, under which they may play a scenario.
  private func isRenamed(_ change: ScenarioDifference) -> Bool {
    change.before != nil && change.before != change.after
  }

  /// How many stubs a scenario loses that stays.
  private func lost(_ change: ScenarioDifference) -> Int {
    guard change.before != nil else { return 0 }
    return change.stubs.filter { $0.after == nil }.count
  }

  private func line(_ change: ScenarioDifference) -> String {
    let heading = DifferenceView(style: .notes).lines(change)[0]
    let count = change.after == nil ? 0 : lost(change)
    return heading + (count == 0 ? "" : ", without \(Plural.of(count, "stub")) that it had")
  }
}
