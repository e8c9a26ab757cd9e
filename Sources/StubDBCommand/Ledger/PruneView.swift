import StubDBEditing
import StubDBJobs
import StubDBModel
import StubDBSupport

// What `prune` removes, as text.
extension PrunePlan {
  /// The sums, such as `2 scenarios and 3 stubs of others`.
  var sums: String {
    let whole = removals.filter { $0.keys == nil }
    let stubs = removals.filter { $0.keys != nil }.reduce(0) { $0 + $1.stubCount }
    return [
      whole.isEmpty ? nil : Plural.of(whole.count, "scenario"),
      stubs == 0 ? nil : Plural.of(stubs, "stub") + (whole.isEmpty ? "" : " of other scenarios"),
    ].compactMap(\.self).joined(separator: " and ")
  }

  /// A line for each whole scenario and each stub.
  var lines: [String] {
    removals.flatMap { removal -> [String] in
      guard let keys = removal.keys else {
        return ["\(removal.scenario) (\(Plural.of(removal.stubCount, "stub")))"]
      }
      return keys.map { "\(removal.scenario) \(TerminalText.line($0))" }
    }
  }
}
