internal import StubDBJSON
internal import StubDBSupport

// What is cheap to compare, or mostly differs, comes first.

extension Scenario: TextComparable {
  package func hasSameText(as other: Scenario) -> Bool {
    name == other.name && summary.hasSameText(as: other.summary)
      && tags.hasSameText(as: other.tags) && includes == other.includes
      && stubs.hasSameText(as: other.stubs)
  }
}

extension Stub: TextComparable {
  package func hasSameText(as other: Stub) -> Bool {
    key.hasSameText(as: other.key) && summary.hasSameText(as: other.summary)
      && priority == other.priority && isRequired == other.isRequired && then == other.then
      && flow.hasSameText(as: other.flow) && recorded.hasSameText(as: other.recorded)
      && captures.hasSameText(as: other.captures) && responses.hasSameText(as: other.responses)
      && request.hasSameText(as: other.request)
  }
}

extension Stub.Key: TextComparable {
  package func hasSameText(as other: Stub.Key) -> Bool {
    rawValue.hasSameText(as: other.rawValue)
  }
}

extension FlowStep: TextComparable {
  package func hasSameText(as other: FlowStep) -> Bool {
    name.hasSameText(as: other.name) && requires.hasSameText(as: other.requires)
      && becomes.hasSameText(as: other.becomes)
  }
}

extension Stub.Recording: TextComparable {
  package func hasSameText(as other: Stub.Recording) -> Bool {
    at.hasSameText(as: other.at) && from.hasSameText(as: other.from)
  }
}

extension Capture: TextComparable {
  package func hasSameText(as other: Capture) -> Bool {
    // Few stubs have any.
    self == other
      && JSONValue.object(Capture.jsonObject([self]))
        .hasSameText(as: .object(Capture.jsonObject([other])))
  }
}

extension Conflict: TextComparable {
  package func hasSameText(as other: Conflict) -> Bool {
    scenario == other.scenario && key.hasSameText(as: other.key)
      && pointer.tokens.hasSameText(as: other.pointer.tokens)
      && base.hasSameText(as: other.base) && ours.hasSameText(as: other.ours)
      && theirs.hasSameText(as: other.theirs)
  }
}
