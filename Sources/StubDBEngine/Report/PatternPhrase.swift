import StubDBJSON
import StubDBModel

extension ValuePattern {
  /// The pattern as a phrase: `matches "Bearer .+"`.
  var phrase: String {
    switch self {
    case .equalTo(let text, let caseInsensitive):
      TextExcerpt.quoted(text) + (caseInsensitive ? " in any case" : "")
    case .contains(let text): "contains " + TextExcerpt.quoted(text)
    case .doesNotContain(let text): "does not contain " + TextExcerpt.quoted(text)
    case .matches(let expression): "matches " + TextExcerpt.quoted(expression)
    case .doesNotMatch(let expression): "does not match " + TextExcerpt.quoted(expression)
    case .absent: "absent"
    case .anything: "anything"
    case .equalToCaptured(let name): "the value captured as " + TextExcerpt.quoted(name)
    case .number(let comparison, let number): "\(comparison.rawValue) \(number.text)"
    case .date(let comparison, let date): "\(comparison.rawValue) \(date.phrase)"
    case .and(let patterns): Phrase.joined(patterns.map(\.phrase), " and ")
    case .or(let patterns): Phrase.joined(patterns.map(\.phrase), " or ")
    case .not(let inner): "not (\(inner.phrase))"
    case .hasExactly(let patterns): "exactly " + Phrase.list(patterns.map(\.phrase))
    case .includes(let patterns): "includes " + Phrase.list(patterns.map(\.phrase))
    }
  }
}

extension BodyPattern {
  /// The pattern as a phrase: `JSON {"amount":1200}, extra elements allowed`.
  var phrase: String {
    switch self {
    case .value(let pattern): pattern.phrase
    case .binaryEqualTo(let data): "the \(data.count) bytes \(Phrase.hexadecimal(data))"
    case .equalToJSON(let value, let ignoreArrayOrder, let ignoreExtraElements):
      "JSON " + TextExcerpt.plain(value.hidingSecrets().canonicalText)
        + (ignoreArrayOrder ? ", arrays in any order" : "")
        + (ignoreExtraElements ? ", extra elements allowed" : "")
    case .and(let patterns): Phrase.joined(patterns.map(\.phrase), " and ")
    case .or(let patterns): Phrase.joined(patterns.map(\.phrase), " or ")
    case .not(let inner): "not (\(inner.phrase))"
    case .matchesJSONPath(let path, let operand):
      TextExcerpt.plain(path) + " selects "
        + (operand?.hidingSecrets(selectedBy: path).phrase ?? "something")
    case .matchesJSONSchema(let schema, _):
      "JSON that satisfies the schema " + TextExcerpt.plain(schema.canonicalText)
    case .form(let fields):
      "a form with " + Phrase.list(fields.map { "\($0.name) \($0.shownPattern.phrase)" })
    case .multipart(let parts): "multipart with " + Phrase.list(parts.map(\.phrase))
    case .graphQL(let pattern): "GraphQL" + pattern.phrase
    case .equalToXML(let pattern): "XML " + TextExcerpt.plain(pattern.document)
    case .matchesXPath(let path):
      TextExcerpt.plain(path.expression) + " selects "
        + (path.value?.hidingSecrets(selectedBy: path.expression).phrase ?? "something")
    }
  }
}

extension DatePattern {
  /// The expected date as a phrase: `now +3 days, first day of month`.
  fileprivate var phrase: String {
    let offset = expectedOffset.map { " \($0 < 0 ? "" : "+")\($0) \(expectedOffsetUnit ?? "")" }
    return expected + (offset ?? "") + (truncateExpected.map { ", \($0)" } ?? "")
  }
}

extension PartPattern {
  /// The pattern as a phrase: `part avatar with filename matches ".+"`.
  var phrase: String {
    let parts =
      (filename.map { ["filename \($0.phrase)"] } ?? [])
      + headers.map { "header \($0.name) \($0.shownPattern.phrase)" }
      + body.map { "body \($0.hidingSecrets(of: name ?? "").phrase)" }
    return title + (parts.isEmpty ? "" : " with " + parts.joined(separator: " and "))
  }

  /// The part of the request that the pattern constrains.
  var title: String { name.map { "part \(TextExcerpt.plain($0))" } ?? "a part" }
}

extension GraphQLPattern {
  fileprivate var phrase: String {
    (operationName.map { " operation \($0.phrase)" } ?? "")
      + (variables.map { " variables \(TextExcerpt.plain($0.hidingSecrets().canonicalText))" } ?? "")
      + (query.map { " query \(TextExcerpt.quoted($0))" } ?? "")
  }
}

extension RequestPattern {
  /// Method and URL as one line: `POST https://api.shop.test/v1/charges`.
  var requestLine: String {
    let method = methods.isEmpty ? "any method" : methods.joined(separator: "|")
    let items = query.map { item in
      guard case .equalTo(let value, caseInsensitive: false) = item.pattern else {
        return URLParts.encodedQuery(item.name) + "=…"
      }
      let shown = SecretDisplay.value(value, of: item.name)
      guard shown == value else { return URLParts.encodedQuery(item.name) + "=" + shown }
      return URLParts.QueryItem(name: item.name, value: value).description
    }
    let url = origin + pathText + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    return "\(method) \(TextExcerpt.plain(url))"
  }

  private var origin: String {
    let port = port.map { ":\($0)" } ?? ""
    switch host {
    case .equalTo(let host, _): return (scheme.map { $0 + ":" } ?? "") + "//" + host + port
    case let host?: return "(host \(host.phrase))" + port
    case nil where scheme == nil && port.isEmpty: return ""
    case nil: return (scheme ?? "any scheme") + "://(any host)" + port
    }
  }

  private var pathText: String {
    switch path {
    case .template(let template): template
    case .value(.equalTo(let path, caseInsensitive: false)): path
    case .value(let pattern): "(path \(pattern.phrase))"
    case nil: "/**"
    }
  }
}

extension NamedPattern {
  /// The pattern without secrets.
  var shownPattern: ValuePattern { pattern.hidingSecrets(of: name) }
}

extension BodyPattern {
  /// The pattern without secrets, of which a name or a path may also tell.
  func hidingSecrets(of name: String) -> BodyPattern {
    guard case .value(let pattern) = self else { return self }
    return .value(pattern.hidingSecrets(of: name))
  }

  func hidingSecrets(selectedBy path: String) -> BodyPattern {
    SensitiveName.isNamed(in: path) ? hidingSecrets(of: "secret") : self
  }
}

extension ValuePattern {
  func hidingSecrets(selectedBy path: String) -> ValuePattern {
    SensitiveName.isNamed(in: path) ? hidingSecrets(of: "secret") : self
  }
}

/// Parts of phrases.
enum Phrase {
  static func joined(_ parts: [String], _ word: String) -> String {
    parts.count == 1 ? parts[0] : "(" + parts.joined(separator: word) + ")"
  }

  /// The largest number of elements that are listed.
  private static let longestList = 20

  static func list(_ parts: [String]) -> String {
    if parts.isEmpty { return "nothing" }
    let rest = parts.count - longestList
    return parts.prefix(longestList).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// The values of a request for a name, which may mark them as secret.
  static func actual(_ values: [String], of name: String = "") -> String {
    guard !values.isEmpty else { return "absent" }
    let values = values.map { SecretDisplay.value($0, of: name) }
    let rest = values.count - longestList
    return values.prefix(longestList).map(TextExcerpt.quoted).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }

  /// The value of a request; says that it differs if neither side may be shown.
  static func notEqual(_ actual: String, _ expected: String) -> String {
    actual.contains(SecretDisplay.mark) && expected.contains(SecretDisplay.mark)
      ? actual + ", not equal" : actual
  }

  /// The first bytes as hexadecimal digits.
  static func hexadecimal(_ data: some Collection<UInt8>) -> String {
    let digits = data.prefix(32).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }
    return digits.joined() + (data.count > 32 ? "…" : "")
  }
}
