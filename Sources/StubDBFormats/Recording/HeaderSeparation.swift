internal import HTTPTypes
internal import StubDBDrift
internal import StubDBModel
internal import StubDBSupport

/// Distinguishes equal requests with different answers by a header field, where one does it exactly.
///
/// A value that the next run does not send again distinguishes nothing: its stub would never answer. The answers are
/// a sequence then.
enum HeaderSeparation {
  private static let candidates = [
    "Accept", "Content-Type", "Range", "If-None-Match", "If-Modified-Since", "Authorization",
    "Accept-Language",
  ]
  /// Fields that a request without them does not lack, because clients add them under conditions of their own.
  private static let conditional: Set<String> = ["If-None-Match", "If-Modified-Since", "Range"]
  /// What distinguishes requests.
  private enum Class: Hashable {
    case value(ByteText)
    /// Any value with this at its beginning.
    case any(prefix: String)
    case absent

    var rank: Int {
      switch self {
      case .value: 0
      case .any: 1
      case .absent: 2
      }
    }
  }

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
      let classes = Set(
        group.calls.map {
          self.class(of: $0.exchange.requestHeaders[name.rawName], name.rawName, $0, group)
        })
      guard classes.count == 1, let found = classes.first, found != .absent,
        let pattern = pattern(name.rawName, found)
      else { continue }
      var group = group
      group.pattern.headers.append(HeaderPattern(name, pattern))
      return group
    }
    return nil
  }

  /// Fields of an application's own, without those that differ each time or hold secrets.
  private static func customNames(of group: CallGroup) -> [String] {
    var values: [String: [String]] = [:]
    for field in group.calls.flatMap(\.exchange.requestHeaders.fields) {
      let name = field.name.lowercased()
      guard name.hasPrefix("x-"), !HeaderPolicy.volatile.contains(name),
        SensitiveName(name) == .none
      else { continue }
      values[name, default: []].append(field.value)
    }
    return values.filter { !$0.value.contains(where: \.looksRandom) && !isCounter($0.value) }
      .keys.sorted()
  }

  /// Whether a number grows from call to call and did not begin with this run, as that of a process or a request.
  private static func isCounter(_ values: [String]) -> Bool {
    let numbers = values.compactMap { $0.utf8.allSatisfy(\.isASCIIDigit) ? Int($0) : nil }
    return numbers.count == values.count && values.count > 1 && numbers[0] >= 100
      && zip(numbers, numbers.dropFirst()).allSatisfy(<)
  }

  private static func separate(_ group: CallGroup, by name: String) -> [CallGroup]? {
    guard let field = HTTPField.Name(name) else { return nil }
    var found = OrderedGroups<Class, CallGroup>()
    for call in group.calls {
      let own = self.class(of: call.exchange.requestHeaders[name], name, call, group)
      found[own, default: CallGroup(pattern: group.pattern, calls: [])].calls.append(call)
    }
    let classes = found.list.map(\.key)
    var groups = found.list.map(\.value)
    guard groups.count > 1, groups.allSatisfy(\.hasOneAnswer),
      Set(groups.map { $0.calls[0].response }).count > 1
    else { return nil }
    for place in groups.indices {
      if let pattern = pattern(name, classes[place]) {
        groups[place].pattern.headers.append(HeaderPattern(field, pattern))
      }
    }
    // A stub for any value comes after those for one, and the stub that asks for nothing comes last.
    let order = zip(classes, groups).enumerated().sorted {
      ($0.element.0.rank, $0.offset) < ($1.element.0.rank, $1.offset)
    }
    return order.map(\.element.1)
  }

  private static func `class`(
    of value: String?, _ name: String, _ call: RecordedCall, _ group: CallGroup
  ) -> Class {
    guard let value else { return .absent }
    switch name {
    case "Authorization":
      // Tokens are distinguished by their scheme only: no token becomes part of a stub.
      let scheme = value.prefix { $0 != " " }
      let isScheme = scheme.utf8.count < value.utf8.count && scheme.utf8.allSatisfy(\.isASCIILetter)
      return .any(prefix: isScheme ? "\(scheme) " : "")
    case "Content-Type":
      // The boundary is another one in each request.
      let type = value.prefix { $0 != ";" && $0 != " " }
      return type.lowercased().hasPrefix("multipart/")
        ? .any(prefix: String(type)) : .value(ByteText(value))
    case "Range":
      // Whoever sends the whole content did not look at the range.
      return [206, 416].contains(call.response.status) ? .value(ByteText(value)) : .absent
    case "If-Modified-Since":
      // A date that no answer gave is the time of the client.
      let isGiven = group.calls.contains { $0.response.headers.contains { $0.value == value } }
      return isGiven ? .value(ByteText(value)) : .any(prefix: "")
    default: return .value(ByteText(value))
    }
  }

  private static func pattern(_ name: String, _ found: Class) -> ValuePattern? {
    switch found {
    case .absent: conditional.contains(name) ? nil : .absent
    case .value(let value): .equalTo(value.string)
    case .any(let type) where name == "Content-Type": .contains(type)
    case .any(let prefix): .matches("\(prefix).+")
    }
  }
}
