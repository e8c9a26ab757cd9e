package import StubDBModel

/// One value that is another one, came, or went.
package struct ValueChange: Hashable, Sendable {
  /// The place: in the stub's or the scenario's document as it is afterwards, or for what went as it
  /// was before.
  package var pointer: JSONPointer
  /// What it was; nil where there was nothing.
  package var before: JSONValue?
  /// What it is; nil where there is nothing.
  package var after: JSONValue?

  package init(pointer: JSONPointer, before: JSONValue?, after: JSONValue?) {
    self.pointer = pointer
    self.before = before
    self.after = after
  }
}
