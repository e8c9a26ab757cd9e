import Foundation

/// Collects the arguments of a curl command.
struct CurlReading {
  private let readFile: (String) throws -> Data
  /// Reads the file of a part; nil if it is not to be read.
  private let readPart: (String) throws -> Data?
  private(set) var urls: [String] = []
  private(set) var query: [String] = []
  private(set) var method: String?
  private(set) var fields: [CurlCommand.Field] = []
  private(set) var data = Data()
  private(set) var hasData = false
  private(set) var impliedType = "application/x-www-form-urlencoded"
  private(set) var parts: [CurlCommand.Part] = []
  private(set) var upload = Data()
  private(set) var isUpload = false
  private(set) var isHead = false
  private(set) var isGet = false
  private(set) var isGlobOff = false

  init(
    readFile: @escaping (String) throws -> Data, readPart: ((String) throws -> Data?)? = nil
  ) {
    self.readFile = readFile
    self.readPart = readPart ?? readFile
  }

  mutating func read(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        urls += rest
        return
      }
      if argument.hasPrefix("--") {
        try readLong(argument, &rest)
      } else if argument.hasPrefix("-"), argument.count > 1 {
        try readShort(argument, &rest)
      } else {
        urls.append(argument)
      }
    }
  }

  private mutating func readLong(_ argument: String, _ rest: inout ArraySlice<String>) throws {
    guard let option = CurlOption.option(named: String(argument.dropFirst(2))) else {
      let name = argument.prefix { $0 != "=" }
      throw CurlError("\(name) is not an option of curl that is known here; leave it out")
    }
    try apply(option, option.takesValue ? value(of: argument, &rest) : "")
  }

  /// Letters may be combined, and the value of the last one may follow directly.
  private mutating func readShort(_ argument: String, _ rest: inout ArraySlice<String>) throws {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = CurlOption.option(letter: letter) else {
        throw CurlError("-\(letter) is not an option of curl that is known here; leave it out")
      }
      guard option.takesValue else {
        try apply(option, "")
        continue
      }
      try apply(option, letters.isEmpty ? value(of: "-\(letter)", &rest) : String(letters))
      return
    }
  }

  private func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw CurlError("\(option) needs a value") }
    return value
  }

  private mutating func apply(_ option: CurlOption, _ value: String) throws {
    switch option.effect {
    case .method: method = value
    case .head: isHead = true
    case .get: isGet = true
    case .globOff: isGlobOff = true
    case .url: urls.append(value)
    case .urlQuery: query.append(try URLEncodedData.text(value, plainMark: "+", read: readFile))
    case .header: try addHeader(value)
    case .userAgent: set("User-Agent", value)
    case .referer: set("Referer", value)
    case .cookie: set("Cookie", value)
    case .user: set("Authorization", "Basic " + Data(value.utf8).base64EncodedString())
    case .bearer: set("Authorization", "Bearer \(value)")
    case .range: set("Range", "bytes=\(value)")
    case .data, .dataRaw, .dataBinary, .dataURLEncode, .json: try addData(value, option.effect)
    case .form, .formString: try addPart(value, isPlain: option.effect == .formString)
    case .upload:
      isUpload = true
      upload = try readFile(value)
    case .none: break
    }
  }

  private mutating func set(_ name: String, _ value: String) {
    fields.append(.init(name: name, value: value))
  }

  /// `Name: value`; `Name;` for an empty value; `Name:` removes a field that curl would send.
  private mutating func addHeader(_ text: String) throws {
    if text.hasPrefix("@") {
      let path = String(text.dropFirst())
      guard let lines = String(data: try readFile(path), encoding: .utf8) else {
        throw CurlError("the file \(path) of --header is not UTF-8 text")
      }
      for line in lines.split(whereSeparator: \.isNewline) { try addHeaderLine(String(line)) }
      return
    }
    try addHeaderLine(text)
  }

  /// A header field; in a file of fields, `@` does not name another file.
  private mutating func addHeaderLine(_ text: String) throws {
    guard let colon = text.firstIndex(of: ":") else {
      guard text.hasSuffix(";") else {
        // The text may be a secret, so the error does not show it.
        let name = text.prefix { !" \t;=".contains($0) }
        throw CurlError(
          name.count < text.count
            ? "the header field \"\(name)\" has no colon"
            : "a header field has no colon; write it as 'Name: value'")
      }
      return set(String(text.dropLast()), "")
    }
    let name = text[..<colon].trimmingCharacters(in: .whitespaces)
    let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    if !value.isEmpty, !name.isEmpty { set(name, value) }
  }

  private mutating func addData(_ value: String, _ effect: CurlOption.Effect) throws {
    var bytes = Data(value.utf8)
    if effect == .dataURLEncode {
      bytes = Data(try URLEncodedData.text(value, read: readFile).utf8)
    } else if effect != .dataRaw, value.hasPrefix("@") {
      bytes = try readFile(String(value.dropFirst()))
      if effect == .data { bytes.removeAll { $0 == 0x0A || $0 == 0x0D } }
    }
    if effect == .json {
      impliedType = "application/json"
    } else if hasData {
      data.append(UInt8(ascii: "&"))
    }
    hasData = true
    data += bytes
  }

  /// `name=value`; `name=@file` sends a file; `name=<file` sends its content as the value; `;type=` and others may
  /// follow.
  private mutating func addPart(_ text: String, isPlain: Bool) throws {
    guard let equals = text.firstIndex(of: "=") else {
      throw CurlError("a value of --form has no name; write it as name=value")
    }
    let name = String(text[..<equals])
    var value = String(text[text.index(after: equals)...])
    guard !isPlain else {
      parts.append(.init(name: name, filename: nil, content: Data(value.utf8)))
      return
    }
    let isFile = value.hasPrefix("@")
    var filename: String?
    let segments = Self.segments(of: value)
    for option in segments.dropFirst() {
      if option.hasPrefix("filename=") { filename = Self.unquoted(option.dropFirst(9)) }
    }
    if isFile || value.hasPrefix("<") || value.hasPrefix("\"") || filename != nil
      || segments.dropFirst().contains(where: { $0.hasPrefix("type=") })
    {
      value = String(segments[0])
    }
    guard isFile || value.hasPrefix("<") else {
      let content = Data(Self.unquoted(value[...]).utf8)
      parts.append(.init(name: name, filename: filename, content: content))
      return
    }
    let path = Self.unquoted(value.dropFirst())
    let base = path.split(separator: "/").last.map(String.init) ?? path
    parts.append(
      .init(name: name, filename: isFile ? filename ?? base : nil, content: try readPart(path)))
  }

  /// The value and its options: what `;` divides outside of double quotes.
  private static func segments(of text: String) -> [Substring] {
    var segments: [Substring] = []
    var (start, place) = (text.startIndex, text.startIndex)
    var isQuoted = false
    while place < text.endIndex {
      switch text[place] {
      case "\"": isQuoted.toggle()
      case "\\" where isQuoted:
        let next = text.index(after: place)
        if next < text.endIndex { place = next }
      case ";" where !isQuoted:
        segments.append(text[start..<place])
        start = text.index(after: place)
      default: break
      }
      place = text.index(after: place)
    }
    return segments + [text[start...]]
  }

  /// A text without its double quotes, in which `\"` and `\\` stand for a quote and a backslash.
  private static func unquoted(_ text: Substring) -> String {
    guard text.count > 1, text.first == "\"", text.last == "\"" else { return String(text) }
    var plain = ""
    var rest = text.dropFirst().dropLast()
    while let character = rest.popFirst() {
      if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
        plain.append(rest.removeFirst())
      } else {
        plain.append(character)
      }
    }
    return plain
  }
}

/// The values of `--data-urlencode` and `--url-query`.
private enum URLEncodedData {
  /// `content`, `=content`, `name=content`, `@file` or `name@file`; the content is percent-encoded.
  static func text(
    _ value: String, plainMark: Character? = nil, read: (String) throws -> Data
  ) throws -> String {
    if let plainMark, value.first == plainMark { return String(value.dropFirst()) }
    guard let mark = value.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
      return encoded(Data(value.utf8))
    }
    let name = value[..<mark]
    let rest = String(value[value.index(after: mark)...])
    let content = value[mark] == "=" ? Data(rest.utf8) : try read(rest)
    return name.isEmpty ? encoded(content) : "\(name)=\(encoded(content))"
  }

  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

  /// Bytes of any kind, as curl encodes them.
  private static func encoded(_ content: Data) -> String {
    content.map { byte in
      unreserved.contains(byte)
        ? String(UnicodeScalar(byte))
        : (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
