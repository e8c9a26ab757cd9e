internal import Foundation

/// The values of a query parameter in a text that is a URL or has URLs in it.
enum QueryValues {
  private static let ends = Set("&#\"'<> \n\t")

  static func values(of name: String, in text: String) -> [String] {
    guard text.contains("=") else { return [] }
    var values: [String] = []
    let encoded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name
    for spelling in Set([name, encoded]) {
      for mark in ["?", "&"] {
        var rest = text[...]
        while let found = rest.range(of: mark + spelling + "=") {
          let value = rest[found.upperBound...].prefix { !ends.contains($0) }
          values.append(value.replacing("+", with: " ").removingPercentEncoding ?? String(value))
          rest = rest[found.upperBound...]
        }
      }
    }
    return values
  }
}
