extension JSONPathParser {
  func peek() -> Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    position += 1
    return true
  }

  mutating func takeWord(_ word: String) -> Bool {
    let word = Array(word.unicodeScalars)
    guard scalars[position...].starts(with: word) else { return false }
    position += word.count
    return true
  }

  mutating func skipWhiteSpace() {
    while let scalar = peek(), scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" {
      position += 1
    }
  }

  func text(from start: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<position])
    return String(text)
  }

  /// Counts one level of nesting, so that a hostile query cannot exhaust the stack.
  mutating func descend() throws(JSONPathSyntaxError) {
    depth += 1
    if depth > Self.maximumDepth {
      throw failure("more than \(Self.maximumDepth) levels of nesting")
    }
  }

  func failure(_ message: String, at place: Int? = nil) -> JSONPathSyntaxError {
    JSONPathSyntaxError(message: message, offset: place ?? position)
  }

  static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar)
  }

  /// Whether a shorthand name may begin with the scalar.
  static func isNameFirst(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
      || scalar.value >= 0x80
  }
}
