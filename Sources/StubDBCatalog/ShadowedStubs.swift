internal import StubDBModel

/// Finds stubs that can never answer, because another one of their scenario always does first.
///
/// Sound, not complete: a stub is named only where the other asks for a part of what it asks for.
enum ShadowedStubs {
  static func problems(in scenario: Scenario) -> [CheckProblem] {
    let order = scenario.stubs.indices.sorted {
      (scenario.stubs[$0].priority, $0) < (scenario.stubs[$1].priority, $1)
    }
    // Only a stub for the same path, or for any, can ask for less.
    var earlierByPath: [PathPattern?: [Int]] = [:]
    var problems: [Int: CheckProblem] = [:]
    for index in order {
      let stub = scenario.stubs[index]
      let candidates =
        (earlierByPath[nil] ?? [])
        + (stub.request.path == nil ? [] : earlierByPath[stub.request.path] ?? [])
      let first = candidates.first { scenario.stubs[$0].request.asksForPart(of: stub.request) }
      if let first {
        problems[index] = CheckProblem(
          "it never answers: \"\(scenario.stubs[first].key)\" comes first and matches whatever it "
            + "matches; give this stub a lower priority number, or remove it",
          scenario: scenario.name, key: stub.key,
          pointer: JSONPointer(["stubs", String(index)]))
      } else if stub.alwaysAnswers {
        earlierByPath[stub.request.path, default: []].append(index)
      }
    }
    return problems.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension Stub {
  /// Whether every request that matches gets an answer from this stub, however often it comes.
  fileprivate var alwaysAnswers: Bool {
    flow == nil && (then == .repeatLast || then == .cycle || then == .passthrough)
      && !responses.contains { $0.handover == .next }
  }
}

extension RequestPattern {
  /// Whether every request that the other pattern matches is sure to match this one.
  fileprivate func asksForPart(of other: RequestPattern) -> Bool {
    (methods.isEmpty || !other.methods.isEmpty && Set(methods).isSuperset(of: other.methods))
      && (scheme == nil || scheme == other.scheme)
      && (host == nil || host == other.host)
      && (port == nil && (scheme == nil || other.port == nil) || port == other.port)
      && (path == nil || path == other.path)
      && pathParameters.allSatisfy(other.pathParameters.contains)
      && query.allSatisfy(other.query.contains)
      && (!queryIsExact || other.queryIsExact && query.map(\.name) == other.query.map(\.name))
      && headers.allSatisfy(other.headers.contains)
      && cookies.allSatisfy(other.cookies.contains)
      && captured.allSatisfy(other.captured.contains)
      && (basicAuth == nil || basicAuth == other.basicAuth)
      && body.allSatisfy(other.body.contains)
  }
}
