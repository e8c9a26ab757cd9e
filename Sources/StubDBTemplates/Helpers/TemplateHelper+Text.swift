import Foundation

extension TemplateHelper {
  /// The functions that change texts.
  ///
  /// The names are those of https://github.com/jknack/handlebars.java.
  static let texts: [TemplateHelper] = [
    TemplateHelper("upper", 1...1, block: .first) { (call, _) throws(Failure) in
      .text(call.text(0).uppercased())
    },
    TemplateHelper("lower", 1...1, block: .first) { (call, _) throws(Failure) in
      .text(call.text(0).lowercased())
    },
    TemplateHelper("capitalize", 1...1, block: .first) { (call, _) throws(Failure) in
      .text(call.capitalized(eachWord: true))
    },
    TemplateHelper("capitalizeFirst", 1...1, block: .first) { (call, _) throws(Failure) in
      .text(call.capitalized(eachWord: false))
    },
    TemplateHelper("trim", 1...1, block: .first) { (call, _) throws(Failure) in
      .text(call.text(0).trimmingCharacters(in: .whitespacesAndNewlines))
    },
    TemplateHelper("default", 2...2) { (call, _) throws(Failure) in call.firstFilled },
    TemplateHelper("defaultIfEmpty", 2...2) { (call, _) throws(Failure) in call.firstFilled },
    TemplateHelper("concat", 1...many) { (call, _) throws(Failure) in
      .text(call.arguments.map(\.plainText).joined())
    },
    TemplateHelper("substring", 2...3) { (call, _) throws(Failure) in .text(try call.substring()) },
    TemplateHelper("replace", 3...3) { (call, _) throws(Failure) in .text(try call.replaced()) },
    TemplateHelper("cut", 2...2) { (call, _) throws(Failure) in
      .text(ByteSearch(call.text(1)).pieces(of: call.text(0)).joined())
    },
    TemplateHelper("split", 2...2) { (call, _) throws(Failure) in .list(try call.split()) },
    TemplateHelper("join", 2...many) { (call, _) throws(Failure) in .text(try call.joined()) },
    TemplateHelper("slugify", 1...1) { (call, _) throws(Failure) in .text(call.slug) },
    TemplateHelper("stripTags", 1...1) { (call, _) throws(Failure) in .text(call.withoutTags) },
    TemplateHelper("yesno", 1...1, options: ["yes", "no", "maybe"]) { (call, _) throws(Failure) in
      switch call.arguments[0] {
      case .null: call.options["maybe"] ?? .text("maybe")
      case let value where value.isTrue: call.options["yes"] ?? .text("yes")
      default: call.options["no"] ?? .text("no")
      }
    },
  ]

  /// The functions that fit texts to a length.
  static let paddings: [TemplateHelper] = [
    TemplateHelper("center", 1...1, options: ["size", "pad"]) { (call, _) throws(Failure) in
      .text(try call.padded { $0 / 2 })
    },
    TemplateHelper("ljust", 1...1, options: ["size", "pad"]) { (call, _) throws(Failure) in
      .text(try call.padded { _ in 0 })
    },
    TemplateHelper("rjust", 1...1, options: ["size", "pad"]) { (call, _) throws(Failure) in
      .text(try call.padded { $0 })
    },
    TemplateHelper("abbreviate", 2...2) { (call, _) throws(Failure) in
      let (text, width) = (call.text(0), try call.integer(1))
      guard width >= 4 else { throw Failure(message: "the width must be at least 4, not \(width)") }
      return .text(text.count <= width ? text : text.prefix(width - 3) + "...")
    },
  ]
}

extension TemplateHelperCall {
  fileprivate func capitalized(eachWord: Bool) -> String {
    var (result, isStart) = ("", true)
    for character in text(0) {
      result += isStart ? character.uppercased() : String(character)
      isStart = eachWord && character.isWhitespace
    }
    return result
  }

  fileprivate var firstFilled: TemplateValue {
    arguments[0] == .null || arguments[0] == .text("") ? arguments[1] : arguments[0]
  }

  /// The characters between two indices from 0, the second excluded; indices beyond the end are clamped.
  fileprivate func substring() throws(Failure) -> String {
    let text = text(0)
    let start = max(0, try integer(1))
    let end = arguments.count > 2 ? try integer(2) : .max
    guard start < end else { return "" }
    return String(text.dropFirst(start).prefix(end - start))
  }

  fileprivate func replaced() throws(Failure) -> String {
    let (text, part, other) = (text(0), text(1), text(2))
    guard !part.isEmpty else { throw Failure(message: "the text to replace is empty") }
    let pieces = ByteSearch(part).pieces(of: text)
    try checkRoom(text.utf8.count + pieces.count * other.utf8.count)
    return pieces.joined(separator: other)
  }

  fileprivate func split() throws(Failure) -> [TemplateValue] {
    guard !text(1).isEmpty else { throw Failure(message: "the text to split at is empty") }
    return ByteSearch(text(1)).pieces(of: text(0)).map(TemplateValue.text)
  }

  /// The elements of a list, or all arguments except the last, joined by the last argument.
  fileprivate func joined() throws(Failure) -> String {
    let elements = arguments.count == 2 ? try list(0) : Array(arguments.dropLast())
    let separator = text(arguments.count - 1)
    try checkRoom(
      elements.reduce(0) { $0 + $1.weight } + elements.count * separator.utf8.count)
    return elements.map(\.plainText).joined(separator: separator)
  }

  fileprivate var slug: String {
    let plain = text(0).decomposedStringWithCanonicalMapping.unicodeScalars.filter { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || scalar == "_" || scalar == "-" || scalar == " "
    }
    return String(String.UnicodeScalarView(plain)).lowercased().split(separator: " ")
      .joined(separator: "-")
  }

  /// The text without tags: without everything between `<` and `>`.
  fileprivate var withoutTags: String {
    var (result, pending) = ("", "")
    for character in text(0) {
      if !pending.isEmpty {
        pending.append(character)
        if character == ">" { pending = "" }
      } else if character == "<" {
        pending = "<"
      } else {
        result.append(character)
      }
    }
    return result + pending
  }

  fileprivate func padded(_ before: (Int) -> Int) throws(Failure) -> String {
    let text = text(0)
    let size = try integer(option: "size", default: text.count)
    let pad = options["pad"]?.plainText ?? " "
    guard pad.count == 1 else { throw Failure(message: "pad must be one character") }
    guard size <= 100_000 else {
      throw Failure(message: "the size must be at most 100000, not \(size)")
    }
    let missing = max(0, size - text.count)
    // A character may take any number of bytes, so the size is checked in bytes.
    try checkRoom(text.utf8.count + missing * pad.utf8.count)
    let left = before(missing)
    return String(repeating: pad, count: left) + text
      + String(repeating: pad, count: missing - left)
  }
}
