internal import Foundation
internal import StubDBModel

struct OpenAPIPath {
  /// What of it is the path of a request.
  let text: String
  /// The parameters that stand behind it, where a description distinguishes operations of one path so: in a fragment, which no
  /// client sends, or in a query.
  let told: [URLParts.QueryItem]
  /// Whether a fragment is left out.
  let hasFragment: Bool

  init(_ path: String) {
    let end = path.firstIndex { $0 == "#" || $0 == "?" } ?? path.endIndex
    text = String(path[..<end])
    let words = path[end...].split { "#?&".contains($0) }
    told = words.flatMap { URLParts.queryItems($0) }.filter { !$0.name.isEmpty }
    hasFragment = path[end...].contains("#")
  }

  /// The order of paths: more literal segments first, then the earlier literal, then those that
  /// something else distinguishes.
  struct Rank: Comparable {
    private let placeholders: [Bool]
    private let count: Int
    private let isTold: Bool

    init(_ path: OpenAPIPath) {
      placeholders = path.text.split(separator: "/").map { $0.contains("{") }
      count = placeholders.count { $0 }
      isTold = !path.told.isEmpty
    }

    static func < (left: Rank, right: Rank) -> Bool {
      // What else is asked for distinguishes it from the path alone.
      if left.placeholders == right.placeholders, left.isTold != right.isTold { return left.isTold }
      if left.count != right.count { return left.count < right.count }
      return left.placeholders.lexicographicallyPrecedes(right.placeholders) { !$0 && $1 }
    }
  }

  /// The pattern of a path; a placeholder that is a part of a segment makes it an expression.
  static func pattern(_ path: String, base: String) -> (pattern: PathPattern, isExpression: Bool) {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    let isPartial = segments.contains { $0.contains("{") && !isWholePlaceholder($0) }
    guard isPartial else {
      var names = UniqueNames(limit: 60)
      let template = segments.map { segment in
        guard isWholePlaceholder(segment) else {
          return URLParts.literal(segment)
        }
        return "{\(names.unique(placeholder(segment.dropFirst().dropLast())))}"
      }.joined(separator: "/")
      return (.template(base + template), false)
    }
    let expression = segments.map { segment in
      var text = ""
      var rest = segment[...]
      while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
        text +=
          ForeignExpression.quoted(URLParts.canonicalPath(rest[..<open])) + "[^/]+"
        rest = rest[rest.index(after: close)...]
      }
      return text + ForeignExpression.quoted(URLParts.canonicalPath(rest))
    }.joined(separator: "/")
    return (.value(.matches(ForeignExpression.quoted(base) + expression)), true)
  }

  /// The name of a parameter as a placeholder may have it.
  static func placeholder(_ name: some StringProtocol) -> String {
    let legal = String(name.filter { !"{}:;*.,+".contains($0) })
    return legal.isEmpty ? "value" : legal
  }

  private static func isWholePlaceholder(_ segment: some StringProtocol) -> Bool {
    segment.first == "{" && segment.last == "}" && segment.count { $0 == "{" } == 1
  }
}
