import StubDBModel

/// Decides whether the content of a request satisfies body patterns.
///
/// As with values, the answer is nil where it cannot be told: of content that cannot be seen, or that is no text, only
/// what is true of every content is true.
struct BodyMatching: Sendable {
  let values: ValueMatching

  func matches(_ body: PreparedBody, _ pattern: BodyPattern) -> Bool? {
    switch pattern {
    case .value(let pattern):
      switch body.text {
      case .value(let text): return values.matches(text, pattern)
      case .empty: return values.matches(nil, pattern)
      case .malformed: return unseen(pattern, isPresent: true)
      case .unknown: return unseen(pattern, isPresent: false)
      }
    case .binaryEqualTo(let data):
      guard case .bytes(let bytes) = body.content else { return nil }
      return bytes == data
    case .equalToJSON(let expected, let ignoreArrayOrder, let ignoreExtraElements):
      switch body.json {
      case .value(let actual):
        var comparison = JSONComparison(
          ignoreArrayOrder: ignoreArrayOrder, ignoreExtraElements: ignoreExtraElements)
        let isEqual = comparison.isEqual(expected, actual)
        return comparison.isExhausted ? nil : isEqual
      case .empty, .malformed: return false
      case .unknown: return nil
      }
    case .and(let patterns):
      return ValueMatching.all(patterns) { matches(body, $0) }
    case .or(let patterns):
      return ValueMatching.any(patterns) { matches(body, $0) }
    case .not(let inner):
      return matches(body, inner).map { !$0 }
    case .matchesJSONPath, .matchesJSONSchema, .form, .multipart, .graphQL, .equalToXML,
      .matchesXPath:
      // Refused when the scenario was loaded.
      return nil
    }
  }

  /// What can be said of a value that cannot be read; `isPresent` says whether there is one for sure.
  private func unseen(_ pattern: ValuePattern, isPresent: Bool) -> Bool? {
    switch pattern {
    case .anything: true
    case .absent: isPresent ? false : nil
    case .and(let patterns): ValueMatching.all(patterns) { unseen($0, isPresent: isPresent) }
    case .or(let patterns): ValueMatching.any(patterns) { unseen($0, isPresent: isPresent) }
    case .not(let inner): unseen(inner, isPresent: isPresent).map { !$0 }
    default: nil
    }
  }
}
