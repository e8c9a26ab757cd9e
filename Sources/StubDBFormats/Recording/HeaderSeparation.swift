internal import HTTPTypes
internal import StubDBModel

/// Tells equal requests with different answers apart by a header field, where one does it exactly.
enum HeaderSeparation {
  private static let candidates = [
    "Accept", "Content-Type", "Range", "If-None-Match", "If-Modified-Since", "Authorization",
    "Accept-Language",
  ]
  /// Fields that a request without them does not lack, because clients add them under conditions of their own.
  private static let conditional: Set<String> = ["If-None-Match", "If-Modified-Since", "Range"]

  /// The group as it is, or one group for each value of the field.
  static func separate(_ group: CallGroup) -> [CallGroup] {
    if let ranges = rangeGroup(group) { return [ranges] }
    guard !group.hasOneAnswer else { return [group] }
    for name in candidates + customNames(of: group) {
      if let groups = separate(group, by: name) { return groups }
    }
    return [group]
  }

  /// A part of a content is the answer to a range only.
  private static func rangeGroup(_ group: CallGroup) -> CallGroup? {
    guard group.hasOneAnswer, group.calls[0].response.status == 206 else { return nil }
    let ranges = Set(group.calls.map { $0.exchange.requestHeaders["Range"] })
    guard ranges.count == 1, case let range?? = ranges.first else { return nil }
    var group = group
    group.pattern.headers.append(HeaderPattern(.range, .equalTo(range)))
    return group
  }

  private static func customNames(of group: CallGroup) -> [String] {
    let names = group.calls.flatMap { $0.exchange.requestHeaders.fields.map(\.name) }
    return Set(names.filter { $0.lowercased().hasPrefix("x-") }.map { $0.lowercased() }).sorted()
  }

  private static func separate(_ group: CallGroup, by name: String) -> [CallGroup]? {
    guard let field = HTTPField.Name(name) else { return nil }
    var values: [String?] = []
    var groups: [CallGroup] = []
    for call in group.calls {
      let value = classValue(name, call.exchange.requestHeaders[name])
      if let place = values.firstIndex(of: value) {
        groups[place].calls.append(call)
      } else {
        values.append(value)
        groups.append(CallGroup(pattern: group.pattern, calls: [call]))
      }
    }
    guard groups.count > 1, groups.allSatisfy(\.hasOneAnswer),
      Set(groups.map { $0.calls[0].response }).count > 1
    else { return nil }
    for place in groups.indices {
      if let pattern = pattern(name, values[place]) {
        groups[place].pattern.headers.append(HeaderPattern(field, pattern))
      }
    }
    // The stub that asks for nothing comes last.
    return zip(values, groups).filter { $0.0 != nil }.map(\.1)
      + zip(values, groups).filter { $0.0 == nil }.map(\.1)
  }

  /// Tokens are told apart by their scheme only: no token becomes part of a stub.
  private static func classValue(_ name: String, _ value: String?) -> String? {
    guard name == "Authorization", let value else { return value }
    return String(value.prefix { $0 != " " })
  }

  private static func pattern(_ name: String, _ value: String?) -> ValuePattern? {
    guard let value else { return conditional.contains(name) ? nil : .absent }
    return name == "Authorization" ? .matches("\(value) .+") : .equalTo(value)
  }
}
