internal import StubDBJSON
import StubDBModel

// Finds the places at which the base has no value that both sides began with, because a merge left a conflict there
// and each side settled it for itself.

/// The conflicts of three versions that are not settled in them.
package struct OpenConflicts: Sendable {
  package var base: [Conflict]
  package var ours: [Conflict]
  package var theirs: [Conflict]

  package init(base: [Conflict] = [], ours: [Conflict] = [], theirs: [Conflict] = []) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
  }
}

extension CatalogMerge {
  /// Finds the conflicts of the base that neither side has any more.
  mutating func dispute(_ open: OpenConflicts) {
    if open.base.isEmpty { return }
    let left = following(open.ours, ourNames)
    let right = following(open.theirs, theirNames)
    for conflict in open.base where !left.contains(conflict) && !right.contains(conflict) {
      parts[.base(conflict.scenario)]?.disputed.append(conflict)
    }
  }

  /// The conflicts of one side, by the names that its scenarios have in the base.
  private func following(
    _ conflicts: [Conflict], _ side: [ScenarioName: Identity]
  ) -> Set<Conflict> {
    let names = side.filter { $0.key != $0.value.name }.mapValues(\.name)
    return Set(conflicts.map { $0.following(names) })
  }

  /// Makes a conflict of includes that both sides settled before, but differently.
  func contestDisputedIncludes(of part: inout Part) {
    let ours = includes(of: part, in: .ours)
    guard part.isDisputed(.includes), ours != includes(of: part, in: .theirs) else { return }
    part.contested.insert(.includes)
    part.includes = ours
  }
}

extension CatalogMerge.Part {
  /// Whether a place outside the stubs is disputed.
  func isDisputed(_ pointer: JSONPointer) -> Bool {
    disputed.contains { $0.key == nil && $0.pointer == pointer }
  }
}
