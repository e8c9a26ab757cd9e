package import StubDBJSON

/// How many changes of one answer are made.
package struct EvolutionLimits: Sendable {
  /// More changes are not made.
  var changes: Int
  /// Of longer lists only so many elements are looked at.
  var elements: Int
  /// No more places are looked at: what has them is data.
  var places: Int

  /// What a test tries by itself.
  package static let tried = EvolutionLimits(changes: 500, elements: 50, places: 10_000)
  /// What can be listed and named; bounds of work alone.
  package static let listed = EvolutionLimits(
    changes: 100_000, elements: 1_000_000, places: 1_000_000)
}

/// What a limit has left out of the changes of an answer.
package struct EvolutionCut: Hashable, Sendable {
  /// What there was too much of.
  package enum Limit: String, Hashable, Sendable, CaseIterable {
    case changes
    case elements
    case places
  }

  package let limit: Limit
  /// The list of which not all elements were looked at; empty for other limits.
  package let pointer: JSONPointer
  /// How many there are of, and how many there would be; nil if that is not known.
  package let (kept, total): (Int, Int?)

  init(_ limit: Limit, at pointer: JSONPointer = JSONPointer(), kept: Int, of total: Int? = nil) {
    (self.limit, self.pointer, self.kept, self.total) = (limit, pointer, kept, total)
  }

  /// What is left, as a noun: `50 of 120 elements of /items`.
  package var phrase: String {
    let count = total.map { "\(kept) of \($0)" } ?? "the first \(kept)"
    switch limit {
    case .changes: return "\(count) changes"
    case .elements:
      return "\(count) elements of \("\(pointer)".isEmpty ? "the list" : "\(pointer)")"
    case .places: return "\(count) places"
    }
  }
}
