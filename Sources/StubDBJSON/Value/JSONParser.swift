internal import StubDBSupport

/// Makes a tree of values of JSON text.
///
/// Foundation's parsers do not keep the text of numbers or duplicate names, and do not report places.
struct JSONParser {
  /// An array or object that has begun.
  private struct Container {
    var isObject: Bool
    var elements: [JSONValue] = []
    var members: JSONObject = [:]
    /// The name of the member that is being read, and where it begins.
    var name: (text: String, start: Int)?
  }

  private var scanner: JSONScanner
  private var containers: [Container] = []
  private var root = JSONValue.null
  /// How many arrays and objects are inside each other at most.
  private(set) var depth = 0

  init(_ bytes: UnsafeRawBufferPointer, maximumValues: Int) {
    scanner = JSONScanner(bytes, maximumValues: maximumValues)
  }

  mutating func parse() throws(JSONSyntaxError) -> JSONValue {
    var isInValue = false
    do throws(JSONSyntaxError) {
      while let token = try scanner.next() {
        isInValue = true
        try read(token)
        isInValue = false
      }
      return root
    } catch {
      var error = error
      error.pointer = pointer(isInValue: isInValue || scanner.isBeforeValue)
      throw error
    }
  }

  private mutating func read(_ token: JSONScanner.Token) throws(JSONSyntaxError) {
    switch token {
    case .beginObject, .beginArray:
      containers.append(Container(isObject: token == .beginObject))
      depth = max(depth, containers.count)
    case .endObject: try add(.object(containers.removeLast().members))
    case .endArray: try add(.array(containers.removeLast().elements))
    case .name:
      let name = try text()
      containers[containers.count - 1].name = (name, scanner.start)
    case .string: try add(.string(text()))
    case .number:
      try add(.number(JSONNumber(unchecked: String(decoding: scanner.token, as: UTF8.self))))
    case .yes: try add(.bool(true))
    case .no: try add(.bool(false))
    case .null: try add(.null)
    }
  }

  private mutating func add(_ value: JSONValue) throws(JSONSyntaxError) {
    guard let last = containers.indices.last else {
      root = value
      return
    }
    guard let name = containers[last].name else {
      containers[last].elements.append(value)
      return
    }
    guard containers[last].members.updateValue(value, forKey: name.text) == nil else {
      throw scanner.failure("the member \"\(name.text)\" is given twice", at: name.start)
    }
    containers[last].name = nil
  }

  /// The last name or string.
  private mutating func text() throws(JSONSyntaxError) -> String {
    let text =
      scanner.isEscaped
      ? String(strictUTF8: JSONEscapes.decodedBytes(scanner.content))
      : String(strictUTF8: scanner.content)
    guard let text else {
      throw scanner.failure("the text is not valid UTF-8", at: scanner.start + 1)
    }
    return text
  }

  /// The innermost value that is being read, or the array or object around the position.
  private func pointer(isInValue: Bool) -> JSONPointer {
    JSONPointer(
      containers.indices.compactMap { index in
        let container = containers[index]
        if container.isObject { return container.name?.text }
        let isOpen = index < containers.count - 1 || isInValue
        return isOpen ? String(container.elements.count) : nil
      })
  }
}
