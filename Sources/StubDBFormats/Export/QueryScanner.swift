/// Cuts the text of a JSONPath or XPath expression, at places that are in no text and no brackets.
///
/// By scalars: a combining mark after a sign is one of the sign's neighbours, not part of it.
struct QueryScanner {
  private let scalars: [Unicode.Scalar]

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The parts between the separators, in order, without spaces at their ends; at least one.
  static func parts(of text: String, at separator: String) -> [String] {
    QueryScanner(text).parts(at: Array(separator.unicodeScalars))
  }

  /// What is between an opening bracket at the beginning and its closing one, and what follows; nil without both.
  static func bracketed(_ text: String) -> (inside: String, rest: String)? {
    let scanner = QueryScanner(text)
    guard let end = scanner.endOfBrackets else { return nil }
    return (
      scanner.text(scanner.scalars[1..<end]), scanner.text(scanner.scalars[(end + 1)...])
    )
  }

  private func text(_ part: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: part)
    return String(text)
  }

  private func parts(at separator: [Unicode.Scalar]) -> [String] {
    var parts: [String] = []
    var start = 0
    walk { index, depth in
      if depth == 0, index >= start, scalars[index...].starts(with: separator) {
        parts.append(trimmed(scalars[start..<index]))
        start = index + separator.count
      }
      return true
    }
    return parts + [trimmed(scalars[start...])]
  }

  private func trimmed(_ part: ArraySlice<Unicode.Scalar>) -> String {
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    let first = part.drop(while: isSpace)
    guard let last = first.lastIndex(where: { !isSpace($0) }) else { return "" }
    return text(first[...last])
  }

  private var endOfBrackets: Int? {
    guard let first = scalars.first, "[(".unicodeScalars.contains(first) else { return nil }
    var end: Int?
    walk { index, depth in
      // The closing bracket is seen before it counts.
      guard index > 0, depth == 1, "])".unicodeScalars.contains(scalars[index]) else { return true }
      end = index
      return false
    }
    return end
  }

  /// Visits the scalars outside of texts with the number of open brackets before them, until the closure returns false.
  private func walk(_ visit: (_ index: Int, _ depth: Int) -> Bool) {
    var depth = 0
    var quote: Unicode.Scalar?
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      if let open = quote {
        if scalar == "\\" { index += 1 } else if scalar == open { quote = nil }
      } else {
        guard visit(index, depth) else { return }
        switch scalar {
        case "'", "\"": quote = scalar
        case "[", "(": depth += 1
        case "]", ")": depth -= 1
        default: break
        }
      }
      index += 1
    }
  }
}
