/// The content of a text for `stubdb add --file`.
public enum DocumentContent: Hashable, Sendable {
  /// One or several whole scenarios, in order; their names are unique.
  case scenarios([Scenario])
  /// One or several stubs that belong to no scenario yet, in order; their keys are unique.
  case stubs([Stub])
}
