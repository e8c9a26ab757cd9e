internal import HTTPTypes
internal import StubDBDrift
internal import StubDBModel
internal import StubDBSupport

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

  private var names: [Target: String] = [:]

  init(_ calls: [RecordedCall], isUsed: Bool) {
    guard isUsed else { return }
    let groups = Dictionary(grouping: calls) { Self.target($0.pattern) }
    for (target, calls) in groups where calls.count >= Self.minimumCount {
      names[target] = Self.volatileName(calls)
    }
  }

  /// The call with any value for the parameter that is volatile for its target, which the report says.
  func applied(to call: RecordedCall) -> RecordedCall {
    guard let name = names[Self.target(call.pattern)],
      call.pattern.query.contains(where: { ByteText.isEqual($0.name, name) })
    else { return call }
    var call = call
    call.exchange.source.add(
      .changed, .volatile, "\"\(name)\" differs in every request and is not matched")
    call.pattern = Self.freeing(name, call.pattern)
    return call
  }

  private static func target(_ pattern: RequestPattern) -> Target {
    Target(methods: pattern.methods, host: pattern.host, path: pattern.path)
  }

  /// The parameter that differs in every call, or nil.
  private static func volatileName(_ calls: [RecordedCall]) -> String? {
    guard calls.allSatisfy({ $0.response == calls[0].response }),
      let name = onlyDifference(calls[0].pattern.query, calls[1].pattern.query)
    else { return nil }
    let values = calls.compactMap { call in
      call.pattern.query.first { ByteText.isEqual($0.name, name) }?.pattern.literal
    }
    guard values.count == calls.count, Set(values.map { ByteText($0) }).count == calls.count,
      values.allSatisfy(\.looksRandom),
      Set(calls.map { freeing(name, $0.pattern) }).count == 1
    else { return nil }
    return name
  }

  /// The name of the one parameter that two queries do not agree about; nil if it is not one.
  ///
  /// Everything else is the same in all calls, so that any two of them tell which parameter it may be.
  private static func onlyDifference(_ one: [NamedPattern], _ other: [NamedPattern]) -> String? {
    let patterns = Dictionary(other.map { (ByteText($0.name), $0.pattern) }) { first, _ in first }
    let different = one.lazy.filter { patterns[ByteText($0.name)] != $0.pattern }.map(\.name)
      .prefix(2)
    return different.count == 1 ? different.first : nil
  }

  private static func freeing(_ name: String, _ pattern: RequestPattern) -> RequestPattern {
    var pattern = pattern
    for place in pattern.query.indices
    where ByteText.isEqual(pattern.query[place].name, name) {
      pattern.query[place].pattern = .anything
    }
    return pattern
  }
}
