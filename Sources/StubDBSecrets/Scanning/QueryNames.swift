internal import StubDBModel

/// The names in a JSONPath or an XPath that may say what the selected value is.
///
/// Of `//user/password[1]/text()` that is `password`, of `//item[@name='password']/value` both `value` and `password`.
struct QueryNames {
  /// Steps that select the value of what a predicate names.
  private static let valueSteps: Set<String> = ["value", "string", "text"]

  /// The name of the last step that has one.
  private var steps: [String] = []
  /// The texts in the predicates of that step.
  private var texts: [String] = []

  /// The names, the last step first.
  static func names(in query: String) -> [String] {
    var names = QueryNames()
    names.read(Array(query.utf8)[...])
    return names.steps + names.texts
  }

  private mutating func read(_ query: ArraySlice<UInt8>) {
    var rest = query
    while let byte = rest.first {
      if byte == UInt8(ascii: "[") {
        readBracket(&rest)
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        _ = Self.takeQuoted(&rest)
      } else if ByteSet.words.contains(byte) {
        readWord(&rest)
      } else {
        rest.removeFirst()
      }
    }
  }

  /// A word is no name as a function such as `text()`, an axis, or a prefix.
  private mutating func readWord(_ rest: inout ArraySlice<UInt8>) {
    let word = rest.prefix { ByteSet.urlSafe.contains($0) }
    rest = rest.dropFirst(word.count)
    let next = rest.first { $0 != 0x20 }
    guard next != UInt8(ascii: "("), next != UInt8(ascii: ":"),
      !word.allSatisfy({ ByteSet.digits.contains($0) })
    else { return }
    let name = String(decoding: word, as: UTF8.self)
    if !Self.valueSteps.contains(name.lowercased()) { texts = [] }
    steps = [name]
  }

  /// `['name']` is a step; of an index or a predicate, only the texts count.
  private mutating func readBracket(_ rest: inout ArraySlice<UInt8>) {
    rest.removeFirst()
    let first = rest.first { $0 != 0x20 }
    let isStep = first == UInt8(ascii: "'") || first == UInt8(ascii: "\"")
    var found: [String] = []
    var depth = 1
    while depth > 0, let byte = rest.first {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        found.append(Self.takeQuoted(&rest))
        continue
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      default: break
      }
      rest.removeFirst()
    }
    if isStep {
      let isValue = found.allSatisfy { Self.valueSteps.contains($0.lowercased()) }
      (steps, texts) = (found, isValue ? texts : [])
    } else {
      texts += found
    }
  }

  /// The text of a quotation at the beginning.
  private static func takeQuoted(_ rest: inout ArraySlice<UInt8>) -> String {
    let quote = rest.removeFirst()
    let text = rest.prefix { $0 != quote }
    rest = rest.dropFirst(text.count + 1)
    return String(decoding: text, as: UTF8.self)
  }
}
