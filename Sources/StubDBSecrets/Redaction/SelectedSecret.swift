internal import StubDBModel

/// A value that a rule selected, and the text of the document that it is in.
struct SelectedSecret {
  let pointer: JSONPointer
  let text: String
}
