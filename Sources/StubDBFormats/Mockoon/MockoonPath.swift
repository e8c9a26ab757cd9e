internal import Foundation
internal import HTTPTypes
internal import StubDBModel

/// A path in the form of Express, as stubs have it.
///
/// https://expressjs.com/en/4x/api.html#path-examples
struct MockoonPath {
  /// The path and the patterns of its placeholders.
  private(set) var pattern = RequestPattern()
  /// The names of the placeholders; nil where the path is an expression.
  private(set) var names: Set<String>?

  /// The longest endpoint that is looked at.
  private static let maximumLength = 8_192

  /// The paths that an endpoint represents: two for each placeholder that may be missing.
  ///
  /// - Throws: ``Untranslatable`` for more than three of them, and for an endpoint that no request can have.
  static func paths(_ endpoint: String) throws -> [MockoonPath] {
    guard endpoint.utf8.count <= maximumLength else { throw Untranslatable("endpoint") }
    var variants = [""]
    let segments = split(endpoint)
    guard segments.count(where: isOptional) < 4 else { throw Untranslatable("endpoint") }
    for segment in segments {
      let whole = isOptional(segment) ? String(segment.dropLast()) : segment
      variants = variants.flatMap { (variant: String) -> [String] in
        let longer = "\(variant)/\(whole)"
        return isOptional(segment) ? [longer, variant] : [longer]
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
    var parameters: [NamedPattern] = []
    var template = ""
    for segment in segments {
      guard let (text, name, expression) = Self.simple(segment),
        name.map({ names.insert($0).inserted }) ?? true
      else {
        pattern.path = .value(.matches(Self.expression(segments)))
        return
      }
      if let name, let expression { parameters[name] = .matches(expression) }
      template += "/" + text
    }
    pattern.path = .template(template)
    pattern.pathParameters = parameters
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
    return (URLParts.literal(segment), nil, nil)
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

/// A request, to which rules add conditions.
struct MockoonRequest {
  var pattern: RequestPattern
  let path: MockoonPath

  /// Whether the path has no placeholders.
  var hasLiteralPath: Bool { path.names?.isEmpty ?? false }

  mutating func setURL(_ url: ValuePattern) throws {
    guard pattern.wholeURL == nil else { throw Untranslatable("several rules of the path") }
    pattern.wholeURL = url
  }

  mutating func setMethods(_ methods: [HTTPRequest.Method]) throws {
    guard pattern.methods.count == 1 else {
      pattern.methods = methods
      return
    }
    guard methods.contains(pattern.methods[0]) else {
      throw Untranslatable("a rule that never holds")
    }
  }
}
