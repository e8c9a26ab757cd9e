import Foundation
import StubDBJSON
import StubDBModel
import StubDBSupport

/// Decides whether reports show the secrets of requests and stubs, and what replaces them.
package enum SecretDisplay {
  /// The variable that shows secrets in a test run if it is `1`.
  package static let variable = "STUBDB_SHOW_SECRETS"

  /// Whether secrets are shown: as the environment says, unless the creator of a report decides.
  @TaskLocal package static var isShown = ProcessInfo.processInfo.environment[variable] == "1"

  /// The replacement of a secret.
  package enum Replacement: Sendable {
    /// Its length: `(secret, 18 bytes)`.
    case length
    /// A word that is valid in a command.
    case placeholder

    func text(_ byteCount: Int) -> String {
      switch self {
      case .length: SecretDisplay.mark + " \(Plural.of(byteCount, "byte")))"
      case .placeholder: SecretDisplay.placeholder
      }
    }
  }

  /// The beginning of the replacement.
  static let mark = "(secret,"
  /// The replacement in a command, which can be pasted and shows what to fill in.
  package static let placeholder = "REDACTED"

  /// Longer values are shortened before they are searched for secrets.
  private static let longest = 32 * 1024

  /// The schemes that may precede the secret of an `Authorization` field.
  private static let schemes: Set<String> = [
    "apikey", "aws4-hmac-sha256", "basic", "bearer", "digest", "dpop", "hmac", "key", "negotiate",
    "oauth", "token",
  ]

  /// A URL, a body or a message without secrets: user information, and values whose names mark them.
  package static func text(_ text: String, as replacement: Replacement = .length) -> String {
    guard !isShown else { return text }
    return SecretSearch.hidden(text, as: replacement)
  }

  /// A finished text without what is a token by its format or shape, whatever stands around it.
  ///
  /// The last step of everything that is printed about a request, after the parts whose names tell are hidden.
  package static func withoutTokens(
    _ text: String, as replacement: Replacement = .length
  ) -> String {
    guard !isShown else { return text }
    return SecretSearch.hidden(text, as: replacement, names: false)
  }

  /// The value of a header field, a query parameter or a form field, without secrets.
  package static func value(
    _ value: String, of name: String, as replacement: Replacement = .length
  ) -> String {
    guard !isShown else { return value }
    switch name.lowercased() {
    case "cookie": return cookies(value, first: .max, replacement)
    case "set-cookie": return cookies(value, first: 1, replacement)
    default:
      guard SensitiveName.hides(name, value: value) else {
        return value.utf8.count > longest ? value : SecretSearch.hidden(value, as: replacement)
      }
      return secret(value, as: replacement)
    }
  }

  /// Whether the name alone says that nothing of the value is shown, or only parts of it.
  static func hides(_ name: String, value: String) -> Bool {
    !isShown
      && (["cookie", "set-cookie"].contains(name.lowercased())
        || SensitiveName.hides(name, value: value))
  }

  /// The replacement of a secret value: its scheme, if it has one, and its length.
  static func secret(_ value: String, as replacement: Replacement = .length) -> String {
    let rest = withoutScheme(value)
    guard !isShown, !rest.isEmpty, !isPlaceholder(rest) else { return value }
    return value.prefix(value.count - rest.count) + replacement.text(rest.utf8.count)
  }

  /// The part of a value after `Bearer ` or another scheme.
  static func withoutScheme(_ value: String) -> Substring {
    guard let space = value.firstIndex(of: " "),
      schemes.contains(value[..<space].lowercased())
    else { return value[...] }
    return value[value.index(after: space)...]
  }

  /// Whether a text already replaces a secret: it is redacted in the catalog, a template, or one of ours.
  static func isPlaceholder(_ text: some StringProtocol) -> Bool {
    text.hasPrefix(mark.dropLast()) || text.hasPrefix(placeholder) || text.hasPrefix("{{")
      || text.hasPrefix("${")
  }

  private static func cookies(
    _ value: String, first: Int, _ replacement: Replacement
  ) -> String {
    value.split(separator: ";", omittingEmptySubsequences: false).enumerated()
      .map { index, pair in
        guard index < first, let sign = pair.firstIndex(of: "=") else { return String(pair) }
        let secret = pair[pair.index(after: sign)...]
        guard !secret.isEmpty, !isPlaceholder(secret) else { return String(pair) }
        return pair[...sign] + replacement.text(secret.utf8.count)
      }
      .joined(separator: ";")
  }
}

extension ValuePattern {
  /// The pattern without secrets, which the name of the part may reveal as such.
  func hidingSecrets(of name: String) -> ValuePattern {
    mapLeaves { leaf in
      switch leaf.operator.kind {
      case .text, .part: leaf.with(text: SecretDisplay.value(leaf.text, of: name))
      case .expression: leaf.with(text: Self.expression(leaf.text, of: name))
      case .name, .isTrue, .number, .date, .pattern, .patterns: leaf
      }
    }
  }

  /// A regular expression, unless it spells out a secret: `Bearer .+` does not, `Bearer abc123def` does.
  private static func expression(_ text: String, of name: String) -> String {
    guard SensitiveName.hides(name, value: text) || name.lowercased() == "cookie" else {
      return text
    }
    let words = text.utf8.split { !$0.isASCIILetter && !$0.isASCIIDigit }
    let isTelling = words.contains { word in
      word.count >= 6
        && SecretDisplay.withoutScheme(String(decoding: word, as: UTF8.self) + " ") != ""
    }
    return isTelling ? SecretDisplay.secret(text) : text
  }
}

extension JSONValue {
  /// The value with its secrets replaced: texts and numbers of members that are named like secrets.
  func hidingSecrets(isSecret: Bool = false) -> JSONValue {
    guard !SecretDisplay.isShown else { return self }
    switch self {
    case .object(let members):
      return .object(
        Dictionary(
          uniqueKeysWithValues: members.map { name, value in
            (name, value.hidingSecrets(isSecret: isSecret || SensitiveName(name) != .none))
          }))
    case .array(let elements):
      return .array(elements.map { $0.hidingSecrets(isSecret: isSecret) })
    case .string(let text) where isSecret: return .string(SecretDisplay.secret(text))
    case .number(let number) where isSecret: return .string(SecretDisplay.secret(number.text))
    default: return self
    }
  }
}
