/// A part of a stub that has no counterpart.
struct Untranslatable: Error {
  /// What it is, such as `customMatcher`.
  var name: String
  /// Why, in a few words; nil where the name says enough.
  var reason: String?

  init(_ name: String, _ reason: String? = nil) {
    self.name = name
    self.reason = reason
  }
}
