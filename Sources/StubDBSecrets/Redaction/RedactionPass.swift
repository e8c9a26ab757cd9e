internal import StubDBModel

/// One walk through a document that replaces values.
struct RedactionPass {
  let everywhere: SecretReplacement
  let redaction: Redaction
  let contentKeys: Set<String>
  let shortSecrets: [JSONPointer: [String]]
  /// What was changed, in the order of the walk.
  private(set) var places: [JSONPointer] = []
  private var place: [String] = []

  init(
    everywhere: SecretReplacement, redaction: Redaction, contentKeys: Set<String>,
    shortSecrets: [JSONPointer: [String]]
  ) {
    self.everywhere = everywhere
    self.redaction = redaction
    self.contentKeys = contentKeys
    self.shortSecrets = shortSecrets
  }

  /// The document with placeholders; its types are what they were.
  mutating func redacted(_ document: JSONValue) -> JSONValue {
    value(document, isContent: false)
  }

  private mutating func value(_ value: JSONValue, isContent: Bool) -> JSONValue {
    switch value {
    case .null, .bool: return value
    case .number(let number): return isContent ? self.number(number) : value
    case .string(let text): return .string(self.text(text))
    case .array(let elements):
      var result: [JSONValue] = []
      for (index, element) in elements.enumerated() {
        place.append(String(index))
        result.append(self.value(element, isContent: isContent))
        place.removeLast()
      }
      return .array(result)
    case .object(let members):
      var result: [String: JSONValue] = [:]
      for name in members.keys.sorted() {
        guard let member = members[name] else { continue }
        place.append(name)
        let newName = everywhere.replaced(name)
        if newName != nil { places.append(JSONPointer(place)) }
        result[newName ?? name] = self.value(
          member, isContent: isContent || contentKeys.contains(name))
        place.removeLast()
      }
      return .object(result)
    }
  }

  private mutating func text(_ text: String) -> String {
    var result = everywhere.replaced(text)
    if !shortSecrets.isEmpty, let secrets = shortSecrets[JSONPointer(place)] {
      let short = SecretReplacement(secrets, redaction)
      result = short.replaced(result ?? text) ?? result
    }
    if result != nil { places.append(JSONPointer(place)) }
    return result ?? text
  }

  private mutating func number(_ number: JSONNumber) -> JSONValue {
    let isShort = number.text.utf8.count < Redaction.shortestEverywhere
    let isSelected =
      !isShort || shortSecrets[JSONPointer(place)]?.contains(number.text) == true
    guard isSelected, let placeholder = redaction.placeholder(for: number.text),
      let value = Int(placeholder)
    else { return .number(number) }
    places.append(JSONPointer(place))
    return .number(JSONNumber(value))
  }
}
