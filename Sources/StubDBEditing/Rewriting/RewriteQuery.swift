package import StubDBJSON
package import StubDBJobs
package import StubDBModel
internal import StubDBSupport

/// Which values of which documents are rewritten: `response $.user.email`.
package struct RewriteQuery: Sendable {
  /// The documents that a query is asked of.
  package enum Side: String, Sendable, CaseIterable {
    /// The JSON that `equalToJson` of a request's body has.
    case request
    /// The JSON of the responses.
    case response
  }

  /// How many values of one document a query may visit.
  private static let mostVisits = 10_000_000

  package let side: Side
  package let path: JSONPath
  /// Names that a document has if anything in it is selected, as JSON has them between quotation marks.
  private let names: [String]

  /// - Throws: ``ArgumentError`` with the place in the query.
  package init(argument text: String) throws(ArgumentError) {
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let side = Side(rawValue: String(words[0])) else {
      throw ArgumentError(
        "it begins with request or response, and a JSONPath follows: 'response $.user.email'")
    }
    do throws(JSONPathSyntaxError) {
      path = try JSONPath(String(words[1]))
    } catch {
      throw ArgumentError("the JSONPath \(words[1]) is wrong: \(error)")
    }
    self.side = side
    names = path.segments.compactMap { segment in
      guard segment.selectors.count == 1, case .name(let name) = segment.selectors[0] else {
        return nil
      }
      return String(JSONValue.string(name).canonicalText.dropFirst().dropLast())
    }
  }

  /// Whether a document may have what the query selects; false is certain.
  func mayConcern(_ text: String) -> Bool { names.allSatisfy { ByteText.contains(text, $0) } }

  /// The selected places; nil if the query visits too many values.
  ///
  /// The answers of a resource are its list and its items: where nothing of the list is selected, each item is asked.
  func places(in value: JSONValue, isSeed: Bool) -> [JSONPointer]? {
    var limit = Self.mostVisits
    let found = path.locatedValues(in: value, visiting: &limit)?.map(\.pointer)
    guard isSeed, found?.isEmpty == true, case .array(let items) = value else { return found }
    var places: [JSONPointer] = []
    for (index, item) in items.enumerated() {
      guard let inner = path.locatedValues(in: item, visiting: &limit) else { return nil }
      places += inner.map { JSONPointer([String(index)] + $0.pointer.tokens) }
    }
    return places
  }
}

/// Words that select scenarios: names, `checkout/` for those below, `*` for a part of a segment, `**` for any segments.
package struct ScenarioGlob: Hashable, Sendable {
  /// The word, as it was given.
  package let text: String
  private let segments: [Substring]

  /// - Throws: ``ArgumentError`` if no scenario can have such a name.
  package init(argument text: String) throws(ArgumentError) {
    let whole = text.utf8.last == UInt8(ascii: "/") ? text + "*/**" : text
    let name = whole.replacingScalar("*", with: "x")
    if let reason = ScenarioName.reasonAgainst(name) { throw ArgumentError(reason) }
    self.text = text
    segments = whole.split(separator: "/")
  }

  /// The name, if the word is one.
  package var name: ScenarioName? {
    text.contains("*") || text.hasSuffix("/") ? nil : ScenarioName(text)
  }

  package func matches(_ name: ScenarioName) -> Bool {
    Self.matches(name.rawValue.split(separator: "/")[...], segments[...])
  }

  private static func matches(
    _ names: ArraySlice<Substring>, _ patterns: ArraySlice<Substring>
  ) -> Bool {
    guard let pattern = patterns.first else { return names.isEmpty }
    if pattern == "**" {
      let rest = patterns.drop { $0 == "**" }
      if rest.isEmpty { return true }
      return names.indices.contains { matches(names[$0...], rest) }
    }
    guard let name = names.first, matches(segment: name, pattern) else { return false }
    return matches(names.dropFirst(), patterns.dropFirst())
  }

  /// Texts between stars are found one after another, the first at the beginning and the last at the end.
  private static func matches(segment: Substring, _ pattern: Substring) -> Bool {
    let pieces = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else {
      return segment == pattern
    }
    guard segment.hasPrefix(first) else { return false }
    var rest = segment.dropFirst(first.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
