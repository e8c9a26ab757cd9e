internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// A path in the form of Express, as a document has it.
///
/// https://expressjs.com/en/4x/api.html#path-examples
struct MockoonPath {
  /// The path and the patterns of its placeholders.
  private(set) var document: [String: JSONValue] = [:]
  /// The names of the placeholders; nil where the path is an expression.
  private(set) var names: Set<String>?

  /// The longest endpoint that is looked at.
  private static let maximumLength = 8_192

  /// The paths that an endpoint stands for: two for each placeholder that may be missing.
  ///
  /// - Throws: ``Untranslatable`` for more than three of them, and for an endpoint that no request can have.
  static func paths(_ endpoint: String) throws -> [MockoonPath] {
    guard endpoint.utf8.count <= maximumLength else { throw Untranslatable("endpoint") }
    var variants = [""]
    let segments = split(endpoint)
    guard segments.count(where: isOptional) < 4 else { throw Untranslatable("endpoint") }
    for segment in segments {
      let whole = isOptional(segment) ? String(segment.dropLast()) : segment
      variants = variants.flatMap { variant in
        isOptional(segment) ? [variant + "/" + whole, variant] : [variant + "/" + whole]
      }
    }
    return variants.map { MockoonPath($0.isEmpty ? "/" : $0) }
  }

  private static func isOptional(_ segment: String) -> Bool {
    segment.hasPrefix(":") && segment.hasSuffix("?")
  }

  /// The segments; a slash in parentheses does not count.
  private static func split(_ path: String) -> [String] {
    var segments: [String] = []
    var segment = ""
    var depth = 0
    for character in path.dropFirst() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == "/", depth <= 0 {
        segments.append(segment)
        segment = ""
      } else {
        segment.append(character)
      }
    }
    return segments + [segment]
  }

  private init(_ path: String) {
    let segments = Self.split(path)
    var names: Set<String> = []
    var parameters: [String: JSONValue] = [:]
    var template = ""
    for segment in segments {
      guard let (text, name, expression) = Self.simple(segment),
        name.map({ names.insert($0).inserted }) ?? true
      else {
        document["path"] = .object(["matches": .string(Self.expression(segments))])
        return
      }
      if let name, let expression {
        parameters[name] = .object(["matches": .string(expression)])
      }
      template += "/" + text
    }
    document["path"] = .string(template)
    if !parameters.isEmpty { document["pathParameters"] = .object(parameters) }
    self.names = names
  }

  /// A segment that is literal, or one placeholder; nil for others.
  private static func simple(
    _ segment: String
  ) -> (text: String, name: String?, expression: String?)? {
    if let match = segment.wholeMatch(of: #/:(\w+)(?:\((.*)\))?/#) {
      let name = String(match.1)
      return ("{\(name)}", name, match.2.map(String.init))
    }
    guard !segment.contains(where: { ":*()?+".contains($0) }) else { return nil }
    return (URLParts.literalTemplate(URLParts.canonicalPath(segment)), nil, nil)
  }

  private static func expression(_ segments: [String]) -> String {
    segments.map { segment in
      var text = ""
      var rest = segment[...]
      while let character = rest.first {
        if character == ":", let match = rest.prefixMatch(of: #/:\w+(?:\(([^()]*)\))?/#) {
          text += match.1.map { "(?:\($0))" } ?? "[^/]+?"
          rest = rest[match.range.upperBound...]
          continue
        }
        rest.removeFirst()
        switch character {
        case "*": text += ".*"
        case "(", ")", "|", "?", "+", "[", "]", "\\": text.append(character)
        default:
          text += NSRegularExpression.escapedPattern(for: URLParts.canonicalPath("\(character)"))
        }
      }
      return "/" + text
    }.joined()
  }
}

/// A request on its way to a document, to which rules add conditions.
struct MockoonRequest {
  private(set) var document: [String: JSONValue]
  private let path: MockoonPath

  /// Whether the path has no placeholders.
  var hasLiteralPath: Bool { path.names?.isEmpty ?? false }

  init(_ document: [String: JSONValue], path: MockoonPath) {
    (self.document, self.path) = (document, path)
  }

  /// Adds a condition on a query parameter, header field, cookie or placeholder.
  mutating func add(_ pattern: JSONValue, to part: String, _ name: String) throws {
    if part == "pathParameters", path.names?.contains(name) != true {
      throw Untranslatable("the parameter \(name) of the path")
    }
    var members: [String: JSONValue] = [:]
    if case .object(let before) = document[part] { members = before }
    members[name] = members[name].map { .object(["and": .array([$0, pattern])]) } ?? pattern
    document[part] = .object(members)
  }

  mutating func addBody(_ pattern: JSONValue) {
    var patterns: [JSONValue] = []
    if case .array(let before) = document["body"] { patterns = before }
    document["body"] = .array(patterns + [pattern])
  }

  mutating func setURL(_ pattern: JSONValue) throws {
    guard document["url"] == nil else { throw Untranslatable("several rules of the path") }
    document["url"] = pattern
  }

  mutating func setMethods(_ names: [String]) throws {
    if case .string(let given) = document["method"] {
      guard names.contains(given) else { throw Untranslatable("a rule that never holds") }
      return
    }
    document["method"] = .array(names.map(JSONValue.string))
  }
}
