import StubDBModel

/// Refuses what cannot be played in the part of a stub that answers.
enum ResponseCheck {
  static func refusal(of stub: borrowing Stub) -> Refusal? {
    for index in stub.responses.indices {
      if let found = refusal(of: stub.responses[index]) {
        return found.inside("responses", String(index))
      }
    }
    if stub.then == .passthrough { return .notSupported("then") }
    return stub.flow == nil ? nil : .notSupported("flow")
  }

  private static func refusal(of response: borrowing StubResponse) -> Refusal? {
    switch response.delay {
    case .uniform: return .notSupported("delay", "uniform")
    case .lognormal: return .notSupported("delay", "lognormal")
    case .fixed, nil: break
    }
    if response.chunks != nil { return .notSupported("chunks") }
    if response.fault != nil { return .notSupported("fault") }
    if response.afterBytes != nil { return .notSupported("afterBytes") }
    return response.isTemplate ? .notSupported("template") : nil
  }
}
