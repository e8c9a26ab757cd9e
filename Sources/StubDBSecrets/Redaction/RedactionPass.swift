internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// A walk through a document that replaces values, or only finds them.
struct RedactionPass {
  let everywhere: SecretReplacement
  let redaction: Redaction
  /// The places where values of less than ``Redaction/shortestEverywhere`` bytes are replaced too.
  let shortSecrets: [JSONPointer: [String]]
  /// Texts that are replaced as a whole, because a scan finds a secret in what replacing left.
  let whole: [JSONPointer: String]
  /// Texts that stay, because nothing valid would be left.
  let kept: Set<JSONPointer>
  /// The places that changed, in the order of the walk.
  private(set) var places: [SecretPlace] = []
  /// The same as pointers, and what is printed of each.
  var changed: [JSONPointer: SecretPlace] = [:]
  private var position: DocumentPosition

  init(
    _ scenario: Scenario, number: Int, everywhere: SecretReplacement, redaction: Redaction,
    shortSecrets: [JSONPointer: [String]] = [:], whole: [JSONPointer: String] = [:],
    kept: Set<JSONPointer> = []
  ) {
    self.everywhere = everywhere
    self.redaction = redaction
    self.shortSecrets = shortSecrets
    self.whole = whole
    self.kept = kept
    position = DocumentPosition(scenario, number: number)
  }

  /// The document with placeholders; the types of its values are unchanged.
  mutating func redacted(_ document: JSONValue) -> JSONValue {
    value(document, under: "", isContent: false)
  }

  private mutating func value(
    _ value: JSONValue, under name: String, isContent: Bool
  ) -> JSONValue {
    switch value {
    case .null, .bool: return value
    case .number(let number): return isContent ? self.number(number) : value
    case .string(let text):
      return .string(self.text(text, under: name, isContent: isContent))
    case .array(let elements):
      var result: [JSONValue] = []
      for (index, element) in elements.enumerated() {
        position.enter(element: index)
        result.append(self.value(element, under: name, isContent: isContent))
        position.leave()
      }
      return .array(result)
    case .object(let members):
      return .object(object(members, under: name, isContent: isContent))
    }
  }

  private mutating func object(
    _ members: JSONObject, under parent: String, isContent: Bool
  ) -> JSONObject {
    var result: JSONObject = [:]
    for (index, name) in members.keys.sorted().enumerated() {
      guard let member = members[name] else { continue }
      position.enter(member: name, index + 1)
      let newName = isContent || DocumentKeys.maps.contains(parent) ? self.name(name) : nil
      if newName != nil { note() }
      result[newName.map { Self.free($0, in: members, and: result) } ?? name] = self.value(
        member, under: name, isContent: isContent || DocumentKeys.content.contains(name))
      position.leave()
    }
    return result
  }

  /// The name, or the name with a number if it is taken: two names may have contained one value in different encodings.
  private static func free(
    _ name: String, in members: JSONObject, and result: JSONObject
  ) -> String {
    func isTaken(_ name: String) -> Bool { members[name] != nil || result[name] != nil }
    guard isTaken(name) else { return name }
    var number = 2
    while isTaken("\(name)-\(number)") { number += 1 }
    return "\(name)-\(number)"
  }

  private func name(_ name: String) -> String? {
    if !kept.isEmpty, kept.contains(position.pointer) { return nil }
    if let newName = everywhere.replaced(name) { return newName }
    guard !whole.isEmpty, let placeholder = whole[position.pointer] else { return nil }
    var text = name
    return text.withUTF8({ TextSecrets.find(in: $0) }).isEmpty ? nil : placeholder
  }

  private mutating func text(_ text: String, under name: String, isContent: Bool) -> String {
    let isBase64 = !isContent && DocumentKeys.base64.contains(name)
    if !kept.isEmpty, kept.contains(position.pointer) { return text }
    if !whole.isEmpty, let placeholder = whole[position.pointer] {
      note()
      if isBase64 { return placeholder.base64 }
      return isContent
        ? placeholder
        : DocumentKeys.wholeText(placeholder, for: name, under: position.parent)
    }
    guard isBase64, let bytes = Base64.decoded(text.utf8) else {
      guard let result = replaced(text) else { return text }
      note()
      return result
    }
    guard let result = replaced(Array(bytes)) else { return text }
    note()
    return Data(result).base64EncodedString()
  }

  private func replaced(_ text: String) -> String? {
    var text = text
    let result = text.withUTF8 { everywhere.replaced($0) }
    let all =
      result.map { $0.withUnsafeBufferPointer(shortReplaced) ?? $0 } ?? text.withUTF8(shortReplaced)
    return all.map { String(decoding: $0, as: UTF8.self) }
  }

  private func replaced(_ bytes: [UInt8]) -> [UInt8]? {
    let result = bytes.withUnsafeBufferPointer { everywhere.replaced($0) }
    return (result ?? bytes).withUnsafeBufferPointer { shortReplaced($0) } ?? result
  }

  /// The bytes without the short secrets that a rule selected here.
  private func shortReplaced(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard !shortSecrets.isEmpty, let secrets = shortSecrets[position.pointer] else { return nil }
    return SecretReplacement(secrets, redaction).replaced(bytes)
  }

  private mutating func number(_ number: JSONNumber) -> JSONValue {
    var text = everywhere.replaced(number.text)
    if text == nil, !shortSecrets.isEmpty,
      shortSecrets[position.pointer]?.contains(number.text) == true
    {
      text = redaction.placeholder(for: number.text)
    }
    guard let text, case .number(let changed)? = try? JSONValue(parsing: text.utf8Data) else {
      return .number(number)
    }
    note()
    return .number(changed)
  }

  private mutating func note() {
    let place = position.place { everywhere.isFound(in: $0) }
    if places.last != place { places.append(place) }
    changed[position.pointer] = place
  }
}

/// A walk through a document that finds remaining values.
struct RemainderSearch {
  let everywhere: SecretReplacement
  private(set) var places: [SecretPlace] = []
  private var position: DocumentPosition

  init(_ scenario: Scenario, number: Int, everywhere: SecretReplacement) {
    self.everywhere = everywhere
    position = DocumentPosition(scenario, number: number)
  }

  mutating func visit(_ value: JSONValue, under parent: String = "", isContent: Bool = false) {
    switch value {
    case .null, .bool: return
    case .number(let number): note(number.text)
    case .string(let text):
      guard !isContent, DocumentKeys.base64.contains(parent), let bytes = Base64.decoded(text.utf8)
      else {
        return note(text)
      }
      let isFound = bytes.withUnsafeBytes {
        everywhere.isFound(in: $0.bindMemory(to: UInt8.self))
      }
      if isFound { note() }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        position.enter(element: index)
        visit(element, under: parent, isContent: isContent)
        position.leave()
      }
    case .object(let members):
      for (index, name) in members.keys.sorted().enumerated() {
        guard let member = members[name] else { continue }
        position.enter(member: name, index + 1)
        if isContent || DocumentKeys.maps.contains(parent) { note(name) }
        visit(member, under: name, isContent: isContent || DocumentKeys.content.contains(name))
        position.leave()
      }
    }
  }

  private mutating func note(_ text: String) {
    if everywhere.isFound(in: text) { note() }
  }

  private mutating func note() {
    places.append(position.place { everywhere.isFound(in: $0) })
  }
}
