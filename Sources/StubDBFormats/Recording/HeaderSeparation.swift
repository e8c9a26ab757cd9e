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

  /// A part of a content is the answer to a range only, and 304 to a condition.
  private static func rangeGroup(_ group: CallGroup) -> CallGroup? {
    let names: [Int: [HTTPField.Name]] = [206: [.range], 304: [.ifNoneMatch, .ifModifiedSince]]
    guard group.hasOneAnswer, let names = names[group.calls[0].response.status] else { return nil }
    for name in names {
      let values = Set(group.calls.map { $0.exchange.requestHeaders[name.rawName] })
      guard values.count == 1, case let value?? = values.first else { continue }
      var group = group
      group.pattern.headers.append(HeaderPattern(name, .equalTo(value)))
      return group
    }
    return nil
  }

  /// Fields of an application's own, without those that differ each time or hold secrets.
  private static func customNames(of group: CallGroup) -> [String] {
    var names: Set<String> = []
    for field in group.calls.flatMap(\.exchange.requestHeaders.fields) {
      let name = field.name.lowercased()
      guard name.hasPrefix("x-"), !HeaderPolicy.volatile.contains(name),
        SensitiveName(name) == .none, !field.value.looksRandom
      else { continue }
      names.insert(name)
    }
    return names.sorted()
  }

  private static func separate(_ group: CallGroup, by name: String) -> [CallGroup]? {
    guard let field = HTTPField.Name(name) else { return nil }
    var values: [String?] = []
    var groups: [CallGroup] = []
    var places: [String?: Int] = [:]
    for call in group.calls {
      let value = classValue(name, call.exchange.requestHeaders[name])
      if let place = places[value] {
        groups[place].calls.append(call)
      } else {
        places[value] = groups.count
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
    let scheme = value.prefix { $0 != " " }
    let isScheme = scheme.utf8.count < value.utf8.count && scheme.utf8.allSatisfy(\.isASCIILetter)
    return isScheme ? String(scheme) : ""
  }

  private static func pattern(_ name: String, _ value: String?) -> ValuePattern? {
    guard let value else { return conditional.contains(name) ? nil : .absent }
    guard name == "Authorization" else { return .equalTo(value) }
    return .matches(value.isEmpty ? ".+" : "\(value) .+")
  }
}
