import Foundation
internal import StubDBSupport

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
    var letters = argument.unicodeScalars.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = CurlOption.option(letter: Character(letter)) else {
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
    case .range:
      // Of a number alone, curl makes a range that begins there.
      set("Range", "bytes=\(value)\(value.allSatisfy(\.isNumber) ? "-" : "")")
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
    if let path = text.without(prefix: "@") {
      guard let lines = String(data: try readFile(path), encoding: .utf8) else {
        throw CurlError("the file \(path) of --header is not UTF-8 text")
      }
      for line in lines.split(whereSeparator: \.endsLine) { try addHeaderLine(String(line)) }
      return
    }
    try addHeaderLine(text)
  }

  /// A header field; in a file of fields, `@` does not name another file.
  private mutating func addHeaderLine(_ text: String) throws {
    guard let (name, value) = text.cut(at: ":") else {
      guard text.unicodeScalars.last == ";" else {
        // The text may be a secret, so the error does not show it.
        let name = text.prefix { !" \t;=".contains($0) }
        throw CurlError(
          name.count < text.count
            ? "the header field \"\(name)\" has no colon"
            : "a header field has no colon; write it as 'Name: value'")
      }
      return set(String(text.unicodeScalars.dropLast()), "")
    }
    let field = name.trimmingCharacters(in: .whitespaces)
    let content = value.trimmingCharacters(in: .whitespaces)
    if !content.isEmpty, !field.isEmpty { set(field, content) }
  }

  private mutating func addData(_ value: String, _ effect: CurlOption.Effect) throws {
    var bytes = Data(value.utf8)
    if effect == .dataURLEncode {
      bytes = Data(try URLEncodedData.text(value, read: readFile).utf8)
    } else if effect != .dataRaw, let path = value.without(prefix: "@") {
      bytes = try readFile(path)
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
    guard let (before, after) = text.cut(at: "=") else {
      throw CurlError("a value of --form has no name; write it as name=value")
    }
    let (name, value) = (String(before), String(after))
    guard !isPlain else {
      parts.append(.init(name: name, filename: nil, content: Data(value.utf8)))
      return
    }
    let form = FormValue(value)
    guard let path = form.path else {
      let content = Data(form.text.utf8)
      parts.append(.init(name: name, filename: form.filename, content: content))
      return
    }
    let base = path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? path
    parts.append(
      .init(
        name: name, filename: form.isFile ? form.filename ?? base : nil,
        content: try readPart(path)))
  }
}
