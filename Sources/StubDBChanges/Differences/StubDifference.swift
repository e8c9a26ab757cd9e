package import StubDBModel

/// A stub that came, went, moved or says something else.
package struct StubDifference: Hashable, Sendable {
  /// The stub as it was; nil where there was none.
  package var before: Stub?
  /// The stub as it is; nil where there is none.
  package var after: Stub?
  /// What is different between the two; empty where one is missing, or only the place changed.
  package var changes: [ValueChange]
  /// Whether it stands before or behind other stubs than it did.
  package var hasMoved: Bool

  /// The key a person knows it by: the new one, where there is one.
  package var key: String { after?.key ?? before?.key ?? "" }
}
