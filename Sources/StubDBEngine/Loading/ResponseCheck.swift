import StubDBModel

/// Refuses what cannot be played in the part of a stub that answers.
enum ResponseCheck {
  static func refusal(of stub: borrowing Stub) -> Refusal? {
    for index in stub.responses.indices where stub.responses[index].isTemplate {
      return .notSupported("responses", String(index), "template")
    }
    return nil
  }
}
