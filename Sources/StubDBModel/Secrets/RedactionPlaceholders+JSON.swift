internal import Foundation
package import StubDBJSON

extension RedactionPlaceholders {
  /// The placeholders in the texts, numbers and names of a value, also in credentials such as `Basic dXNlcjpwYXNz` and in
  /// content in base64.
  package static func all(in value: JSONValue) -> Set<String> {
    switch value {
    case .string(let text): texts(text)
    case .number(let number): all(in: number.text)
    case .array(let elements): elements.reduce(into: []) { $0.formUnion(all(in: $1)) }
    case .object(let members):
      members.reduce(into: []) {
        $0.formUnion(all(in: $1.key))
        $0.formUnion(all(in: $1.value))
      }
    case .null, .bool: []
    }
  }

  private static func texts(_ text: String) -> Set<String> {
    let found = all(in: text)
    let word = text.lowercased().hasPrefix("basic ") ? String(text.dropFirst(6)) : text
    guard found.isEmpty, word.utf8.count >= 12, let bytes = Data(base64Encoded: word) else {
      return found
    }
    return all(in: bytes)
  }
}
