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
