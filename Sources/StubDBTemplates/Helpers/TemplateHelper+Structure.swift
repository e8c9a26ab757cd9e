extension TemplateHelper {
  /// The functions that look into values and make lists and objects.
  static let structures: [TemplateHelper] = [
    TemplateHelper("size", 1...1) { (call, _) throws(Failure) in .integer(call.size) },
    TemplateHelper("array", 0...many) { (call, _) throws(Failure) in .list(call.arguments) },
    TemplateHelper("range", 2...2) { (call, _) throws(Failure) in .list(try call.range()) },
    TemplateHelper("lookup", 2...2) { (call, _) throws(Failure) in
      call.arguments[0][call.text(1)] ?? call.arguments[0][path: call.text(1)] ?? .null
    },
    TemplateHelper("merge", 1...many, options: nil) { (call, _) throws(Failure) in
      .object(try call.merged())
    },
  ]

  /// The functions that change lists.
  static let lists: [TemplateHelper] = [
    TemplateHelper("arrayAdd", 2...2, options: ["position"]) { (call, _) throws(Failure) in
      var elements = try call.list(0)
      elements.insert(call.arguments[1], at: try call.position(upTo: elements.count))
      return .list(elements)
    },
    TemplateHelper("arrayRemove", 1...1, options: ["position"]) { (call, _) throws(Failure) in
      var elements = try call.list(0)
      guard !elements.isEmpty else { return .list([]) }
      elements.remove(at: try call.position(upTo: elements.count - 1))
      return .list(elements)
    },
    TemplateHelper("arrayJoin", 2...2, options: ["prefix", "suffix"]) { (call, _) throws(Failure) in
      let elements = try call.list(1)
      try call.checkRoom(
        call.arguments[1].weight + elements.count * call.text(0).utf8.count)
      return .text(
        (call.options["prefix"]?.plainText ?? "")
          + elements.map(\.plainText).joined(separator: call.text(0))
          + (call.options["suffix"]?.plainText ?? ""))
    },
  ]

  /// The functions that change JSON, given as a value or as text.
  static let jsonChanges: [TemplateHelper] = [
    TemplateHelper(
      "jsonMerge", 2...many, options: ["removeNulls"], trial: .never, block: .last
    ) { (call, environment) throws(Failure) in
      var result = try call.json(0, environment)
      for index in call.arguments.indices.dropFirst() {
        result = result.merged(
          with: try call.json(index, environment), removingNulls: call.flag("removeNulls"))
      }
      return result
    },
    TemplateHelper(
      "jsonArrayAdd", 2...2, options: ["maxItems", "flatten"], trial: .never, block: .last
    ) { (call, environment) throws(Failure) in
      guard case .list(var elements) = try call.json(0, environment) else {
        throw Failure(message: "\(call.shown(call.arguments[0])) is not a list")
      }
      let item = try call.json(1, environment)
      if call.flag("flatten"), case .list(let items) = item {
        elements += items
      } else {
        elements.append(item)
      }
      let most = try call.integer(option: "maxItems", default: .max)
      return .list(Array(elements.suffix(max(0, most))))
    },
    TemplateHelper(
      "jsonRemove", 2...2, trial: .never, requires: .query(.jsonPath, argument: 1)
    ) { (call, environment) throws(Failure) in
      let value = try call.json(0, environment)
      do throws(TemplateQueryGivenUp) {
        return try environment.removing(call.text(1), from: value)
      } catch {
        throw tooLong("the query")
      }
    },
    TemplateHelper(
      "jsonSort", 2...2, options: ["order"], trial: .never,
      requires: .query(.jsonPath, argument: 1)
    ) { (call, environment) throws(Failure) in
      .list(try call.sorted(environment))
    },
  ]
}

extension TemplateHelperCall {
  /// An upper bound on the length of a range.
  private static let longestRange = 100_000

  fileprivate var size: Int {
    switch arguments[0] {
    case .null: 0
    case .list(let elements): elements.count
    case .object(let members): members.count
    default: text(0).count
    }
  }

  /// The integers from one number to another, both included; descending if the second is smaller.
  fileprivate func range() throws(Failure) -> [TemplateValue] {
    let (first, last) = (try integer(0), try integer(1))
    let (distance, overflows) = last.subtractingReportingOverflow(first)
    guard !overflows, distance.magnitude < UInt(Self.longestRange) else {
      throw Failure(message: "a range has at most \(Self.longestRange) numbers")
    }
    return stride(from: first, through: last, by: distance < 0 ? -1 : 1).map(TemplateValue.integer)
  }

  /// The members of all objects and of the named arguments; later ones replace earlier ones.
  fileprivate func merged() throws(Failure) -> [String: TemplateValue] {
    var result: [String: TemplateValue] = [:]
    for argument in arguments where argument != .null {
      guard case .object(let members) = argument else {
        throw Failure(message: "\(shown(argument)) is not an object")
      }
      result.merge(members) { $1 }
    }
    return result.merging(options) { $1 }
  }

  /// The position that the option names: `start`, `end` or an index from 0; `end` without the option.
  fileprivate func position(upTo last: Int) throws(Failure) -> Int {
    switch options["position"] {
    case nil, .text("end"): return last
    case .text("start"): return 0
    case let value?:
      guard let place = value.integerValue, (0...last).contains(place) else {
        throw Failure(
          message: "position=\(shown(value)) is not 'start', 'end' or a place from 0 to \(last)")
      }
      return place
    }
  }

  /// Sorts the elements of a list by what a query selects in each, as in `$.name` or `$[*].name`.
  fileprivate func sorted(
    _ environment: any TemplateEnvironment
  ) throws(Failure) -> [TemplateValue] {
    guard case .list(let elements) = try json(0, environment) else {
      throw Failure(message: "\(shown(arguments[0])) is not a list")
    }
    let isForAll = text(1).hasPrefix("$[*]")
    var keys: [TemplateValue] = []
    for element in elements {
      let root = isForAll ? TemplateValue.list([element]) : element
      keys.append(try selection(environment, in: root)?.first ?? .null)
    }
    let order = options["order"]?.plainText.lowercased() ?? "asc"
    guard order == "asc" || order == "desc" else {
      throw Failure(message: "order=\"\(order)\" is not \"asc\" or \"desc\"")
    }
    return elements.indices
      .sorted { left, right in
        let sign = keys[left].order(to: keys[right])
        if sign == 0 { return left < right }
        return order == "asc" ? sign < 0 : sign > 0
      }
      .map { elements[$0] }
  }
}
