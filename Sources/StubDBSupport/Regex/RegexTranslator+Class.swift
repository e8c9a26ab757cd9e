extension RegexTranslator {
  /// Translates a set, whose opening bracket was consumed.
  mutating func outerClass(at start: Int) throws(RegexSyntaxError) -> String {
    let set = try parseClass(at: start)
    return flags.ignoresCase && flags.isUnicodeCase ? "(?i:\(set))" : set
  }

  private mutating func parseClass(at start: Int) throws(RegexSyntaxError) -> String {
    classDepth += 1
    defer { classDepth -= 1 }
    guard classDepth <= Self.maximumClassDepth else {
      throw failure("more than \(Self.maximumClassDepth) sets inside each other", at: start)
    }
    let isNegated = take("^")
    // The parts between "&&", each the union of its elements; a nested set writes its own "[".
    var operands = [""]
    var hasElement = false
    while let scalar = peek() {
      if skipsInClass(scalar) { continue }
      if scalar == "]", hasElement || dialect == .ecmaScript {
        place += 1
        if let set = Self.set(operands, isNegated: isNegated) { return set }
        return try emptyClass(isNegated, at: start)
      }
      if dialect == .java, isNext("&&") {
        place += 2
        while take("&") {}
        guard !operands[operands.count - 1].isEmpty else {
          throw failure("an operand is missing before \"&&\"", at: place - 2)
        }
        operands.append("")
        continue
      }
      operands[operands.count - 1] += try classElement()
      hasElement = true
    }
    throw failure("a '[' that is not closed", at: start)
  }

  /// Nil for an empty set.
  private static func set(_ operands: [String], isNegated: Bool) -> String? {
    let operands = operands.filter { !$0.isEmpty }
    guard let first = operands.first else { return nil }
    let sign = isNegated ? "[^" : "["
    if operands.count == 1 { return sign + first + "]" }
    return sign + operands.map { "[\($0)]" }.joined(separator: "&&") + "]"
  }

  /// In ECMAScript, `[]` matches nothing and `[^]` everything.
  private func emptyClass(_ isNegated: Bool, at start: Int) throws(RegexSyntaxError) -> String {
    guard dialect == .ecmaScript else { throw failure("an empty set", at: start) }
    return isNegated ? Self.anything : "(?!)"
  }

  private mutating func skipsInClass(_ scalar: Unicode.Scalar) -> Bool {
    guard flags.allowsComments, scalar.isASCII, scalar.properties.isWhitespace else { return false }
    place += 1
    return true
  }

  /// A character, a range, a class or a nested set.
  private mutating func classElement() throws(RegexSyntaxError) -> String {
    let start = place
    if dialect == .java, take("[") { return try parseClass(at: start) }
    if dialect == .java, isNext("\\Q") {
      place += 2
      return takeQuoted().map { caseVariants($0...$0) }.joined()
    }
    guard let first = try classCharacter() else { return try escapedClass(at: start) }
    guard peek() == "-", let next = peek(1), next != "]", dialect != .java || next != "[" else {
      return caseVariants(first...first)
    }
    place += 1
    let end = place
    guard let last = try classCharacter() else {
      // A class cannot end a range, so the hyphen before it is literal.
      place = end
      return caseVariants(first...first) + Self.escaped("-")
    }
    guard first <= last else {
      throw failure("a range whose end comes before its beginning", at: start)
    }
    return caseVariants(first...last)
  }

  /// A character of a set; nil, with nothing consumed, for an escape of a class.
  private mutating func classCharacter() throws(RegexSyntaxError) -> Unicode.Scalar? {
    guard let scalar = peek() else { throw failure("a '[' that is not closed") }
    guard scalar == "\\" else {
      place += 1
      return scalar
    }
    let start = place
    place += 1
    if dialect == .ecmaScript, take("b") { return "\u{8}" }
    if let character = try escapedCharacter(at: start) { return character }
    place = start
    return nil
  }

  private mutating func escapedClass(at start: Int) throws(RegexSyntaxError) -> String {
    place = start + 1
    guard let set = try escapedSet(at: start) else {
      throw failure("\\\(peek().map { String($0) } ?? "") means nothing inside a set", at: start)
    }
    return set
  }

  /// The characters in a range, with both cases if case is ignored.
  private func caseVariants(_ range: ClosedRange<Unicode.Scalar>) -> String {
    let written = Self.written(range)
    guard flags.ignoresCase else { return written }
    // ICU adds the other cases of a whole set.
    if flags.isUnicodeCase { return written }
    var result = written
    for letters in ["a"..."z", "A"..."Z"] as [ClosedRange<Unicode.Scalar>] {
      let (first, last) = (
        max(range.lowerBound, letters.lowerBound), min(range.upperBound, letters.upperBound)
      )
      guard first <= last, let other = Self.otherCase(first), let end = Self.otherCase(last) else {
        continue
      }
      result += Self.written(other...end)
    }
    return result
  }

  private static func written(_ range: ClosedRange<Unicode.Scalar>) -> String {
    let first = escaped(range.lowerBound)
    return range.lowerBound == range.upperBound ? first : first + "-" + escaped(range.upperBound)
  }
}

extension RegexTranslator {
  /// Java's POSIX classes in ASCII and, with `(?U)`, in Unicode.
  private static let posixClasses: [String: (ascii: String, unicode: String)] = [
    "Lower": ("a-z", "\\p{Lowercase}"), "Upper": ("A-Z", "\\p{Uppercase}"),
    "ASCII": ("\\x00-\\x7F", "\\x00-\\x7F"), "Alpha": ("a-zA-Z", "\\p{Alphabetic}"),
    "Digit": ("0-9", "\\p{Nd}"), "Alnum": ("a-zA-Z0-9", "\\p{Alphabetic}\\p{Nd}"),
    "Punct": ("!-/\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E", "\\p{P}"),
    "Graph": ("\\x21-\\x7E", "[^\\p{White_Space}\\p{Cc}\\p{Cs}\\p{Cn}]"),
    "Print": ("\\x20-\\x7E", "[^\\p{White_Space}\\p{Cc}\\p{Cs}\\p{Cn}]\\p{Zs}"),
    "Blank": (" \\t", "\\p{Zs}\\t"), "Cntrl": ("\\x00-\\x1F\\x7F", "\\p{Cc}"),
    "XDigit": ("0-9a-fA-F", "\\p{Nd}\\p{Hex_Digit}"),
    "Space": (" \\t\\n\\x0B\\f\\r", "\\p{White_Space}"),
  ]
  private static let cased: Set<String> = [
    "Lower", "Upper", "Lu", "Ll", "Lt", "IsLowercase", "IsUppercase", "IsTitlecase",
    "javaLowerCase", "javaUpperCase", "javaTitleCase",
  ]

  /// Translates a class by name: `\p{Alpha}`, `\p{IsLatin}`, `\pL`; the backslash was consumed.
  mutating func property(isNegated: Bool, at start: Int) throws(RegexSyntaxError) -> String {
    place += 1
    var name: String
    if take("{") {
      guard let end = scalars[place...].firstIndex(of: "}") else {
        throw failure("the name of a class that is not closed", at: start)
      }
      name = text(place..<end)
      place = end + 1
    } else if dialect == .java, let letter = peek() {
      place += 1
      name = String(letter)
    } else {
      throw failure("the name of a class is missing; write \\p{L}", at: start)
    }
    if name.hasPrefix("^") { throw failure("\(name) is not the name of a class", at: start) }
    let sign = isNegated ? "[^" : "["
    guard dialect == .java else { return "\(sign)\\p{\(name)}]" }
    return sign + (try javaProperty(name, at: start)) + "]"
  }

  private func javaProperty(_ name: String, at start: Int) throws(RegexSyntaxError) -> String {
    if flags.ignoresCase, Self.cased.contains(name) {
      let isASCII = Self.posixClasses[name] != nil && !flags.isUnicode
      return isASCII ? "a-zA-Z" : "\\p{Lu}\\p{Ll}\\p{Lt}"
    }
    if let set = Self.posixClasses[name] { return flags.isUnicode ? set.unicode : set.ascii }
    switch name {
    case "L1": return "\\x00-\\xFF"
    case "LD": return "\\p{L}\\p{Nd}"
    case "LC": return "\\p{Lu}\\p{Ll}\\p{Lt}"
    default: break
    }
    let near = Self.posixClasses.keys.first { $0.lowercased() == name.lowercased() }
    if let near { throw failure("unknown class \(name); write \\p{\(near)}", at: start) }
    return "\\p{\(name)}"
  }
}
