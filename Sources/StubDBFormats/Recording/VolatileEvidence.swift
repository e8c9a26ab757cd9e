internal import HTTPTypes
internal import StubDBModel

/// Query parameters that turn out to differ in every request, although their names do not say so.
///
/// The same method and path was asked for three times or more, a parameter had another value each time, and everything
/// else, the answers too, was the same.
struct VolatileEvidence {
  private static let minimumCount = 3

  private struct Target: Hashable {
    var methods: [HTTPRequest.Method]
    var host: ValuePattern?
    var path: PathPattern?
  }

  private var names: [Target: Set<String>] = [:]

  init(_ calls: [RecordedCall], isUsed: Bool) {
    guard isUsed else { return }
    let groups = Dictionary(grouping: calls) { Self.target($0.pattern) }
    for (target, calls) in groups where calls.count >= Self.minimumCount {
      let found = Self.volatileNames(calls)
      if !found.isEmpty { names[target] = found }
    }
  }

  /// The call without the parameters that are volatile for its target, which the report says.
  func applied(to call: RecordedCall) -> RecordedCall {
    guard let names = names[Self.target(call.pattern)] else { return call }
    var call = call
    for parameter in call.pattern.query where names.contains(parameter.name) {
      call.exchange.source.add(
        .changed, .volatile, "\"\(parameter.name)\" differs in every request and is not matched")
    }
    let count = call.pattern.query.count
    call.pattern.query.removeAll { names.contains($0.name) }
    if call.pattern.query.count < count { call.hasFreeQuery = true }
    return call
  }

  private static func target(_ pattern: RequestPattern) -> Target {
    Target(methods: pattern.methods, host: pattern.host, path: pattern.path)
  }

  private static func volatileNames(_ calls: [RecordedCall]) -> Set<String> {
    guard calls.allSatisfy({ $0.response == calls[0].response }) else { return [] }
    let names = calls[0].pattern.query.map(\.name)
    return Set(
      names.filter { name in
        let values = calls.compactMap { call in
          call.pattern.query.first { $0.name == name }?.pattern.literal
        }
        guard values.count == calls.count, Set(values).count == calls.count else { return false }
        guard values.allSatisfy(\.looksRandom) else { return false }
        return Set(calls.map { Self.without(name, $0.pattern) }).count == 1
      })
  }

  private static func without(_ name: String, _ pattern: RequestPattern) -> RequestPattern {
    var pattern = pattern
    pattern.query.removeAll { $0.name == name }
    return pattern
  }
}
