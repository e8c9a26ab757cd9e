internal import Foundation
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// The kinds of contents that Mockoon distinguishes, by their Content-Type only.
///
/// Those of `multipart/form-data` and XML are read there, too; stubs leave them out, and so do not answer more.
enum MockoonContent: CaseIterable {
  /// Parsed as JSON.
  case json
  /// Parsed as a form.
  case form
  /// Not parsed: a rule on a member is about the whole text.
  case text

  var typePattern: ValuePattern {
    let json = "application/json|(?i:application/.*\\+json)"
    switch self {
    case .json: return .matches(".*(?:\(json)).*")
    case .form: return .contains("application/x-www-form-urlencoded")
    case .text:
      let parsed = [
        json, "application/x-www-form-urlencoded", "multipart/form-data", "application/xml",
        "application/soap\\+xml", "text/xml",
      ]
      return .not(.matches(".*(?:\(parsed.joined(separator: "|"))).*"))
    }
  }
}

/// Rules that look into a content.
extension MockoonRule {
  /// Whether the rule is about the parsed content: a member of it, or all of it.
  var readsContent: Bool {
    target == .body && (!name.isEmpty || ![.equals, .regex, .regexI, .null].contains(comparison))
  }

  /// Adds what the rule asks of contents of a kind; false if it never holds for these.
  func apply(to request: inout MockoonRequest, reading content: MockoonContent) throws -> Bool {
    switch content {
    case .json:
      let pattern = try jsonPattern()
      request.pattern.body.append(isInverted ? .not(pattern) : pattern)
    case .form:
      guard let field = formField else { return false }
      // A form has no empty lists.
      if comparison == .emptyArray { return isInverted }
      let pattern = try pattern()
      request.pattern.body.append(
        .form([NamedPattern(field, isInverted ? inverted(pattern) : pattern)]))
    case .text:
      switch comparison {
      case .emptyArray, .arrayIncludes: return isInverted
      case .null: request.pattern.body.append(try bodyPattern())
      case .equals where isInverted, .regex where isInverted, .regexI where isInverted:
        request.pattern.body.append(try bodyPattern())
      case .equals, .regex, .regexI, .schema: return false
      }
    }
    return true
  }

  /// The pattern of the whole content as a text.
  func bodyPattern() throws -> BodyPattern {
    let pattern = BodyPattern.value(try pattern())
    return isInverted ? .not(pattern) : pattern
  }

  /// The name of a form's field: `a.b` is `a[b]` there; nil for one that only JSON has.
  private var formField: String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, comparison != .schema,
      parts.allSatisfy({ part in
        !part.isEmpty && !part.contains(where: { "$[]\\".contains($0) })
          && !part.allSatisfy(\.isNumber)
      })
    else { return nil }
    return first + parts.dropFirst().map { "[\($0)]" }.joined()
  }

  private func jsonPattern() throws -> BodyPattern {
    if comparison == .schema {
      guard name.isEmpty, let schema = environment.bucket(value) else {
        throw Untranslatable("a rule with a schema", "there is no data bucket \(value)")
      }
      return .matchesJSONSchema(schema)
    }
    // A JSONPath gives a list of what it finds.
    let isQuery = name.hasPrefix("$")
    let path = try Self.path(name) + (comparison == .arrayIncludes && !isQuery ? "[:]" : "")
    switch comparison {
    case .emptyArray where isQuery, .null where isQuery:
      throw Untranslatable("a rule with \(comparison.rawValue) on \(name)")
    case .emptyArray:
      return .matchesJSONPath(path, .and([.not(.value(.absent)), .equalToJSON([])]))
    case .arrayIncludes: return .matchesJSONPath(path, .value(.equalTo(value)))
    case .null:
      let nothing: [BodyPattern] = [.value(.absent), .equalToJSON(.null), .value(.equalTo(""))]
      return .or(nothing.map { .matchesJSONPath(path, $0) })
    case .equals, .regex, .regexI, .schema:
      return .matchesJSONPath(path, .value(try pattern()))
    }
  }

  /// `a.b.0` as a JSONPath; what begins with `$` is one.
  static func path(_ name: String) throws -> String {
    if name.hasPrefix("$") {
      guard let path = JaywayPath(name, filteredObject: .searched) else {
        throw Untranslatable("the path \(name)", "it has no counterpart in RFC 9535")
      }
      return path.query
    }
    // A dot after a backslash is part of a name.
    let parts = name.replacing("\\.", with: "\u{0}").split(separator: ".")
    return "$"
      + parts.map { part in
        let part = part.replacing("\u{0}", with: ".")
        if part.allSatisfy({ ("0"..."9").contains($0) }) { return "[\(part)]" }
        let isPlain =
          !(part.first?.isNumber ?? true)
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return isPlain
          ? ".\(part)"
          : "['\(String(part).replacingScalar("\\", with: "\\\\").replacingScalar("'", with: "\\'"))']"
      }.joined()
  }
}
