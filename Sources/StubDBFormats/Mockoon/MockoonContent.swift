internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The kinds of contents that Mockoon tells apart, by their Content-Type only.
///
/// Those of `multipart/form-data` and XML are read there, too; stubs leave them out, and so do not answer more.
enum MockoonContent: CaseIterable {
  /// Parsed as JSON.
  case json
  /// Parsed as a form.
  case form
  /// Not parsed: a rule on a member is about the whole text.
  case text

  /// The pattern of the Content-Type.
  var typePattern: JSONValue {
    let json = "application/json|(?i:application/.*\\+json)"
    switch self {
    case .json: return .object(["matches": .string(".*(?:\(json)).*")])
    case .form: return ["contains": "application/x-www-form-urlencoded"]
    case .text:
      let parsed = [
        json, "application/x-www-form-urlencoded", "multipart/form-data", "application/xml",
        "application/soap\\+xml", "text/xml",
      ]
      let names = parsed.joined(separator: "|")
      return .object(["not": .object(["matches": .string(".*(?:\(names)).*")])])
    }
  }
}

/// Rules that look into a content.
extension MockoonRule {
  /// Whether the rule is about the parsed content: a member of it, or all of it.
  var readsContent: Bool {
    guard target == "body" else { return false }
    return !name.isEmpty || !["equals", "regex", "regex_i", "null"].contains(comparison)
  }

  /// Adds what the rule asks of contents of a kind; false if it never holds for these.
  func apply(to request: inout MockoonRequest, reading content: MockoonContent) throws -> Bool {
    switch content {
    case .json:
      let pattern = try jsonPattern()
      request.addBody(isInverted ? .object(["not": pattern]) : pattern)
    case .form:
      guard let field = formField else { return false }
      // A form has no empty lists.
      if comparison == "empty_array" { return isInverted }
      let pattern = try pattern()
      request.addBody(
        .object(["form": .object([field: isInverted ? inverted(pattern) : pattern])]))
    case .text:
      switch comparison {
      case "empty_array", "array_includes": return isInverted
      case "null":
        let pattern = try pattern()
        request.addBody(isInverted ? .object(["not": pattern]) : pattern)
      case "equals" where isInverted, "regex" where isInverted, "regex_i" where isInverted:
        request.addBody(.object(["not": try pattern()]))
      default: return false
      }
    }
    return true
  }

  /// The name of a form's field: `a.b` is `a[b]` there; nil for one that only JSON has.
  private var formField: String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, comparison != "valid_json_schema",
      parts.allSatisfy({ part in
        !part.isEmpty && !part.contains(where: { "$[]\\".contains($0) })
          && !part.allSatisfy(\.isNumber)
      })
    else { return nil }
    return first + parts.dropFirst().map { "[\($0)]" }.joined()
  }

  private func jsonPattern() throws -> JSONValue {
    if comparison == "valid_json_schema" {
      guard name.isEmpty, let schema = environment.bucket(value) else {
        throw Untranslatable("a rule with a schema", "there is no data bucket \(value)")
      }
      return .object(["matchesJsonSchema": schema])
    }
    // A JSONPath gives a list of what it finds.
    let isQuery = name.hasPrefix("$")
    let isArray = comparison == "array_includes"
    let path = try Self.path(name) + (isArray && !isQuery ? "[:]" : "")
    var members: [String: JSONValue] = [:]
    switch comparison {
    case "empty_array" where isQuery, "null" where isQuery:
      throw Untranslatable("a rule with \(comparison) on \(name)")
    case "empty_array":
      members["and"] = [["not": ["absent": true]], ["equalToJson": []]]
    case "array_includes": members["equalTo"] = .string(value)
    case "null":
      let nothing: [[String: JSONValue]] = [
        ["absent": true], ["equalToJson": .null], ["equalTo": ""],
      ]
      return [
        "or": .array(nothing.map { ["matchesJsonPath": SelectedValue.pattern(path, $0)] })
      ]
    default:
      guard case .object(let pattern) = try pattern() else { throw Untranslatable(comparison) }
      members = pattern
    }
    members["expression"] = .string(path)
    return .object(["matchesJsonPath": .object(members)])
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
          : "['\(part.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))']"
      }.joined()
  }
}
