/// What a filter does with an object.
enum FilteredObject {
  /// Tests the object itself: Jayway, which WireMock and MockServer use.
  case tested
  /// Selects nothing: Go's library, which Hoverfly uses.
  case refused
  /// Tests its members, as in RFC 9535.
  case searched
}

/// A path of RFC 9535 with a filter, rewritten so that it selects what another tool selects with it.
///
/// A query cannot ask whether a value is a list. But only a list has an element 0, and only a list or an object has
/// any, so that `$[0]` and `$[*]` in a filter tell them apart.
struct FilteredPath {
  /// The query that selects something where the path does.
  var query: String
  /// The query of the values that the path selects.
  var values: String
  /// Whether `values` leaves out objects that the path would select.
  var leavesOutObjects = false
  /// Whether members of objects are tested which the other tool does not test.
  var isWider = false

  /// Nil if the path would match more than in the other tool.
  init?(_ path: String, _ object: FilteredObject) {
    query = path
    values = path
    if object == .searched { return }
    guard let parts = Self.segments(of: path) else { return nil }
    let filters = parts.indices.filter { Self.filter(of: parts[$0]) != nil }
    guard let index = filters.first, let filter = Self.filter(of: parts[index]) else { return }
    let before = parts[..<index]
    let rest = parts[(index + 1)...].joined()
    let isOnly = filters.count == 1 && !filter.contains(where: { $0 == "?" })
    if isOnly, before.allSatisfy(Self.isSingle) {
      rewrite("$" + before.joined(), parts[index].hasPrefix(".."), filter, rest, object)
    } else if isOnly, let last = before.last, ["[*]", ".*"].contains(last),
      before.dropLast().allSatisfy(Self.isSingle), !parts[index].hasPrefix("..")
    {
      let parent = "$" + before.dropLast().joined()
      values = "\(parent)[?@[0]][?(\(filter))]\(rest)"
      leavesOutObjects = object == .tested
      query =
        object == .refused
        ? values
        : "\(parent)[?@[0] && @[?(\(filter))]\(rest) || "
          + "@[*] && !@[0] && (\(filter))\(Self.exists("@", rest))]"
    } else {
      // The value that is filtered has no name in its own filter.
      guard filters.allSatisfy({ Self.filter(of: parts[$0]).map(Self.asksForMembers) ?? false })
      else { return nil }
      isWider = true
      leavesOutObjects = object == .tested
    }
  }

  /// Rewrites a filter of the one value that `value` selects, or of that and all below it.
  private mutating func rewrite(
    _ value: String, _ isDeep: Bool, _ filter: String, _ rest: String, _ object: FilteredObject
  ) {
    let start = isDeep ? "\(value)..[?" : "\(value)[?"
    let itself = Self.replacingCurrent(in: filter, with: value)
    if isDeep, object == .tested {
      let element = "@[*] && !@[0] && (\(filter))"
      values = "\(start)\(element)]\(rest)"
      query =
        "\(start)\(element)\(Self.exists("@", rest)) || "
        + "\(value)[*] && !\(value)[0] && (\(itself))\(Self.exists(value, rest))]"
    } else if isDeep {
      // Go's library looks for lists at every depth.
      isWider = true
    } else {
      let element = "\(value)[0] && (\(filter))"
      values = "\(start)\(element)]\(rest)"
      query =
        object == .refused
        ? values
        : "\(start)\(element)\(Self.exists("@", rest)) || "
          + "!\(value)[0] && (\(itself))\(Self.exists(value, rest))]"
    }
    leavesOutObjects = object == .tested
  }

  /// The paths of which `query` may be what this type makes.
  static func candidates(for query: String) -> [String] {
    guard let start = query.firstRange(of: "[?"), let filter = group(in: query[start.upperBound...])
    else { return [] }
    let before = query[..<start.lowerBound]
    let after = query[filter.endIndex...].dropFirst()
    var rests: [Substring] = [""]
    // What follows the filter in one of the two queries, or is asked for beside it in the other.
    for mark in [" && @", "]"] where after.hasPrefix(mark) {
      let rest = after.dropFirst(mark.count)
      rests.append(rest.firstRange(of: " || ").map { rest[..<$0.lowerBound] } ?? rest)
    }
    return rests.flatMap { rest in
      ["", "[*]", ".*"].map { "\(before)\($0)[?(\(filter))]\(rest)" }
    }
  }

  private static func exists(_ value: String, _ rest: String) -> String {
    rest.isEmpty ? "" : " && \(value)\(rest)"
  }

  /// The expression of a filter, without the parentheses around it; nil for another segment.
  private static func filter(of segment: String) -> String? {
    let brackets = segment.hasPrefix("..") ? segment.dropFirst(2) : segment[...]
    guard brackets.hasPrefix("[?"), brackets.hasSuffix("]") else { return nil }
    let filter = brackets.dropFirst(2).dropLast()
    guard let group = Self.group(in: filter),
      group.startIndex == filter.index(after: filter.startIndex),
      filter[group.endIndex...].count == 1
    else { return String(filter) }
    return String(group)
  }

  /// What stands in the first parentheses of a filter; nil without any.
  private static func group(in filter: Substring) -> Substring? {
    var depth = 0
    var start: String.Index?
    let tokens = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[()]/
    for token in filter.matches(of: tokens.matchingSemantics(.unicodeScalar)) {
      switch token.output {
      case "(":
        if start == nil { start = token.range.upperBound }
        depth += 1
      case ")":
        depth -= 1
        if depth == 0, let start { return filter[start..<token.range.lowerBound] }
      default: break
      }
    }
    return nil
  }

  /// Whether a segment selects one value at most.
  private static func isSingle(_ segment: String) -> Bool {
    !segment.hasPrefix("..") && !["[*]", ".*"].contains(segment)
      && (segment.hasPrefix(".")
        || segment.wholeMatch(of: /\[(?:-?[0-9]+|'[^']*'|"[^"]*")\]/) != nil)
  }

  /// Whether a value without members cannot satisfy the filter: each `@` is followed by a name, nothing is negated,
  /// and nothing is compared with another path, which may be missing too.
  private static func asksForMembers(_ filter: String) -> Bool {
    let texts = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/.matchingSemantics(.unicodeScalar)
    let bare = filter.replacing(texts, with: "''")
    return !bare.contains("!") && !bare.contains("?")
      && bare.firstMatch(of: /@(?!\.[^.*]|\[''\])/) == nil
      && bare.firstMatch(of: /[=<>]\s*[@$]/) == nil
  }

  /// The filter with another path in the place of each `@`.
  private static func replacingCurrent(in filter: String, with path: String) -> String {
    let tokens = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|@/
    return filter.replacing(tokens.matchingSemantics(.unicodeScalar)) { match in
      match.output == "@" ? path : String(match.output)
    }
  }

  /// The parts of a path after `$`: names, brackets, each with the dots before it.
  private static func segments(of path: String) -> [String]? {
    guard path.hasPrefix("$") else { return nil }
    var rest = path.dropFirst()
    var segments: [String] = []
    while !rest.isEmpty {
      var end = rest.startIndex
      while end < rest.endIndex, rest[end] == "." || rest[end] == " " {
        end = rest.index(after: end)
      }
      guard end < rest.endIndex else { return nil }
      if rest[end] == "[" {
        let inner = rest[rest.index(after: end)...]
        guard let close = JaywayPath.end(of: inner.unicodeScalars, where: { $0 == "]" }) else {
          return nil
        }
        end = inner.index(after: close)
      } else {
        end = rest[end...].firstIndex { $0 == "." || $0 == "[" } ?? rest.endIndex
      }
      segments.append(String(rest[..<end]))
      rest = rest[end...]
    }
    return segments
  }
}
