import HTTPTypes
import StubDBJSON
package import StubDBModel
import StubDBSupport

extension PhraseStyle {
  /// Patterns in words as reports show them: shortened, and without secrets.
  static let report = PhraseStyle(
    quoted: { TextExcerpt.quoted($0) }, plain: { TextExcerpt.plain($0) },
    shown: { $0.hidingSecrets(of: $1) }, shownJSON: { $0.hidingSecrets() })
}

extension ValuePattern {
  /// The pattern in words: `matches "Bearer .+"`.
  var phrase: String { phrase(.report) }
}

extension BodyPattern {
  /// The pattern in words: `JSON {"amount":1200}, extra elements allowed`.
  var phrase: String { phrase(.report) }

  /// The pattern as it may be shown if a name says that what it is about is secret.
  func hidingSecrets(of name: String) -> BodyPattern {
    guard case .value(let pattern) = storage else { return self }
    return .value(pattern.hidingSecrets(of: name))
  }
}

extension PartPattern {
  /// The pattern in words: `part avatar with filename matches ".+"`.
  var phrase: String { phrase(.report) }

  /// The part of a request that the pattern is about.
  var title: String { name.map { "part \(TextExcerpt.plain($0))" } ?? "a part" }
}

extension RequestPattern {
  /// The method and the URL in one line: `POST https://api.shop.test/v1/charges`.
  ///
  /// The URL has the query parameters that a request must have.
  package var requestLine: String {
    let method = methods.isEmpty ? "any method" : methods.map(\.rawValue).joined(separator: "|")
    let items = query.filter { $0.pattern != .absent }.map { item in
      guard let value = item.pattern.literal else {
        return URLParts.encodedQuery(item.name) + "=…"
      }
      let shown = SecretDisplay.value(value, of: item.name)
      guard shown == value else { return URLParts.encodedQuery(item.name) + "=" + shown }
      return URLParts.QueryItem(name: item.name, value: value).description
    }
    let place =
      wholeURL.map {
        "(url \($0.phrase))" + (host == nil && path == nil ? "" : " " + origin + pathText)
      }
      ?? origin + pathText
    let url = place + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    return "\(method) \(TextExcerpt.plain(url))"
  }

  private var origin: String {
    let port = port.map { ":\($0)" } ?? ""
    switch host {
    case let host? where host.operator == .equalTo:
      return (scheme.map { $0 + ":" } ?? "") + "//" + host.text + port
    case let host?: return "(host \(host.phrase))" + port
    case nil where scheme == nil && port.isEmpty: return ""
    case nil: return (scheme ?? "any scheme") + "://(any host)" + port
    }
  }

  private var pathText: String {
    switch path {
    case .template(let template): template
    case .value(let pattern):
      pattern.literal ?? pattern.resourcePaths.first ?? "(path \(pattern.phrase))"
    case nil: "/**"
    }
  }
}

/// Pieces of phrases.
enum ReportPhrase {
  /// How many parts of a list are shown.
  private static let longestList = 20

  static func list(_ parts: [String]) -> String { PhraseStyle.report.list(parts) }

  /// What a request has for one name, which may say that it is secret.
  static func actual(_ values: [String], of name: String = "") -> String {
    guard !values.isEmpty else { return "absent" }
    return values.lazy.map { TextExcerpt.quoted(SecretDisplay.value($0, of: name)) }
      .listed(upTo: longestList)
  }

  /// The value of a request; says that it is not equal if neither side is shown.
  static func notEqual(_ actual: String, _ expected: String) -> String {
    actual.contains(SecretDisplay.mark) && expected.contains(SecretDisplay.mark)
      ? actual + ", not equal" : actual
  }
}
