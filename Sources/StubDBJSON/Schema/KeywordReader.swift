/// Reads the keywords of a schema object.
struct KeywordReader {
  let members: [String: JSONValue]
  let pointer: JSONPointer
  var inResource: JSONPointer
  var resource: String

  func error(_ keyword: String, _ message: String) -> JSONSchemaError {
    JSONSchemaError(
      pointer: pointer.appending(keyword), message: "\"\(keyword)\" \(message)")
  }

  func string(_ keyword: String) throws(JSONSchemaError) -> String? {
    guard let value = members[keyword] else { return nil }
    guard case .string(let text) = value else { throw error(keyword, "takes a string") }
    return text
  }

  func bool(_ keyword: String) throws(JSONSchemaError) -> Bool? {
    guard let value = members[keyword] else { return nil }
    guard case .bool(let flag) = value else { throw error(keyword, "takes true or false") }
    return flag
  }

  func number(_ keyword: String) throws(JSONSchemaError) -> JSONNumber? {
    guard let value = members[keyword] else { return nil }
    guard case .number(let number) = value else { throw error(keyword, "takes a number") }
    return number
  }

  /// A non-negative integer; one that does not fit becomes the largest.
  func count(_ keyword: String) throws(JSONSchemaError) -> Int? {
    guard let number = try number(keyword) else { return nil }
    guard number.isWhole, number.doubleValue >= 0 else {
      throw error(keyword, "takes a whole number, zero or more")
    }
    return number.integerValue ?? (number.doubleValue < 1e15 ? Int(number.doubleValue) : .max)
  }

  func strings(_ keyword: String) throws(JSONSchemaError) -> [String]? {
    guard let value = members[keyword] else { return nil }
    guard let strings = value.strings else { throw error(keyword, "takes a list of strings") }
    return strings
  }

  func elements(_ keyword: String) throws(JSONSchemaError) -> [JSONValue]? {
    guard let value = members[keyword] else { return nil }
    guard case .array(let elements) = value else { throw error(keyword, "takes a list") }
    return elements
  }

  /// The members of a keyword that takes an object, sorted by name.
  func object(_ keyword: String) throws(JSONSchemaError) -> [(key: String, value: JSONValue)] {
    guard let value = members[keyword] else { return [] }
    guard case .object(let members) = value else { throw error(keyword, "takes an object") }
    return members.sorted { $0.key < $1.key }
  }
}

extension JSONValue {
  /// The elements, if it is a list of strings.
  var strings: [String]? {
    guard case .array(let elements) = self else { return nil }
    var strings: [String] = []
    for element in elements {
      guard case .string(let text) = element else { return nil }
      strings.append(text)
    }
    return strings
  }
}
