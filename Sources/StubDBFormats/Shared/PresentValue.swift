internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel

/// Patterns that only a value satisfies which is there.
///
/// An operator that is about what a value is not, such as `not`, is satisfied by a missing one here. In other tools, a
/// name that a request does not have satisfies none.
enum PresentValue {
  private static let something: JSONValue = ["contains": ""]

  /// The pattern, which a missing value does not satisfy.
  static func demanded(_ pattern: JSONValue) -> JSONValue { ["and": [something, pattern]] }

  /// The patterns by name, of which a missing value satisfies `absent` alone.
  static func demanded(_ patterns: JSONValue, in part: String) -> JSONValue {
    guard case .object(let members) = patterns else { return patterns }
    return .object(
      Dictionary(
        uniqueKeysWithValues: members.map { name, pattern in
          let isFree = pattern != ["absent": true] && mayBeMissing(pattern, in: part, name)
          return (name, isFree ? demanded(pattern) : pattern)
        }))
  }

  private static func mayBeMissing(_ pattern: JSONValue, in part: String, _ name: String) -> Bool {
    guard let request = try? RequestPattern(jsonObject: [part: .object([name: pattern])]) else {
      return false
    }
    return ExportedRun.matches(StubRequest(method: "GET", url: "http://example.test/"), request)
  }
}
