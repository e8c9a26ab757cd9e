import StubDBSupport

/// Regular expressions for `swift test --filter`.
package enum TestPattern {
  /// The characters that a regular expression gives a meaning.
  private static let special = Set(#"\^$.|?*+()[]{}"#.unicodeScalars)

  /// An expression that matches the text; it is one word on a line.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    // A character may be a special one with marks on it.
    for scalar in text.unicodeScalars {
      if scalar.isTerminalControl {
        escaped += "\\x{\(String(scalar.value, radix: 16, uppercase: true))}"
        continue
      }
      if special.contains(scalar) { escaped.unicodeScalars.append("\\") }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }

  /// An expression that selects one test of Swift Testing and no other, by its name in the usage ledger.
  ///
  /// The name that it is compared with has a dot after the module, and ends with the place in the source.
  package static func selecting(_ test: String) -> String {
    let parts = test.split(separator: "/", maxSplits: 1)
    return "^" + escaped(parts.joined(separator: ".")) + "(/|$)"
  }
}
