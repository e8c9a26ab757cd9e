internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
package import StubDBFormats
internal import StubDBJSON
internal import StubDBModel

/// The values of the placeholders in an `.http` file while its requests are sent one after another.
package struct HTTPFileValues {
  /// A request that was sent, and the response to it, for `{{login.response.body.$.token}}`.
  struct Exchange {
    let request: Message
    /// Nil if the request got an error instead.
    let response: Message?
  }

  /// Header fields and content.
  struct Message {
    var headers = HTTPFields()
    var content = Data()
  }

  /// The maximum depth of variables that refer to variables.
  private static let maximumDepth = 32
  /// The maximum number of bytes that the placeholders of one request represent, variables in variables included.
  private static let maximumByteCount = 64 << 20

  private var variables: [String: String] = [:]
  private var exchanges: [String: Exchange] = [:]
  /// The values of the variables that the current request has used, without placeholders.
  private var filled: [String: String] = [:]
  /// The number of bytes that the placeholders of the current request stood for so far.
  private var byteCount = 0
  private var generator: SeededGenerator
  private let environment = ProcessInfo.processInfo.environment
  private let now = Date()

  /// Uses the variables of the file; those that the command line gives take precedence.
  ///
  /// `seed` decides the random values.
  package init(_ file: HTTPFile, given: [(name: String, value: String)], seed: UInt64) {
    for variable in file.variables { variables[variable.name] = variable.value }
    for (name, value) in given { variables[name] = value }
    generator = SeededGenerator(seed: seed)
  }

  /// Begins a request: variables are worked out anew, because they may refer to the requests before it.
  mutating func beginRequest() {
    filled = [:]
    byteCount = 0
  }

  /// Keeps a named request and its response.
  mutating func keep(_ exchange: Exchange, of name: String) {
    exchanges[name] = exchange
  }

  /// Returns the text with all placeholders replaced by their values.
  ///
  /// - Throws: `HTTPFileError` with the line for a placeholder without a value.
  mutating func resolve(_ text: String, line: Int) throws(HTTPFileError) -> String {
    try resolve(text, line: line, depth: 0)
  }

  private mutating func resolve(
    _ text: String, line: Int, depth: Int
  ) throws(HTTPFileError) -> String {
    guard depth < Self.maximumDepth else {
      throw HTTPFileError(line: line, "the variables refer to each other without end")
    }
    var result = ""
    var rest = text[...]
    while let open = rest.range(of: "{{"), let close = rest[open.upperBound...].range(of: "}}") {
      result += rest[..<open.lowerBound]
      let name = rest[open.upperBound..<close.lowerBound].trimmingCharacters(in: .whitespaces)
      let isEncoded = name.hasPrefix("%")
      var found = try value(
        of: isEncoded ? String(name.dropFirst()) : name, line: line, depth: depth)
      if isEncoded { found = URLParts.encodedQuery(found) }
      byteCount += found.utf8.count
      guard byteCount <= Self.maximumByteCount else {
        throw HTTPFileError(
          line: line,
          "the placeholders of this request expand to more than "
            + "\(Self.maximumByteCount >> 20) MiB; {{\(name)}} is one of them")
      }
      result += found
      rest = rest[close.upperBound...]
    }
    return result + rest
  }

  private mutating func value(
    of name: String, line: Int, depth: Int
  ) throws(HTTPFileError) -> String {
    if name.hasPrefix("$") { return try systemValue(name, line: line) }
    if let value = filled[name] { return value }
    if let text = variables[name] {
      // Once for each request: a variable that is named twice in each of many others would take forever.
      let value = try resolve(text, line: line, depth: depth + 1)
      filled[name] = value
      return value
    }
    let parts = name.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
    if parts.count >= 3, let exchange = exchanges[String(parts[0])] {
      return try value(
        of: exchange, side: parts[1], section: parts[2],
        selector: parts.count > 3 ? String(parts[3]) : "*", of: parts[0], placeholder: name,
        line: line)
    }
    if parts.count >= 3, ["request", "response"].contains(parts[1]) {
      throw HTTPFileError(
        line: line, "{{\(name)}} needs a request named \"\(parts[0])\" above it that was answered")
    }
    throw HTTPFileError(
      line: line,
      "{{\(name)}} has no value; write @\(name) = … above, or give --variable \(name)=…")
  }

  // MARK: Earlier requests

  private func value(
    of exchange: Exchange, side: Substring, section: Substring, selector: String,
    of name: Substring, placeholder: String, line: Int
  ) throws(HTTPFileError) -> String {
    let message =
      side == "request" ? exchange.request : side == "response" ? exchange.response : nil
    guard let message else {
      throw HTTPFileError(line: line, "{{\(placeholder)}}: there is no response to take it from")
    }
    switch section {
    case "headers":
      if let name = HTTPField.Name(selector), let value = message.headers[name] { return value }
      throw HTTPFileError(
        line: line, "{{\(placeholder)}}: there is no header field \"\(selector)\"")
    case "body":
      if selector == "*" { return String(decoding: message.content, as: UTF8.self) }
      let place = side == "request" ? "the request \"\(name)\"" : "the response to \"\(name)\""
      return try value(
        at: selector, in: message.content, of: place, placeholder: placeholder, line: line)
    default:
      throw HTTPFileError(line: line, "{{\(placeholder)}}: write headers or body, not \(section)")
    }
  }

  private func value(
    at selector: String, in content: Data, of place: String, placeholder: String, line: Int
  ) throws(HTTPFileError) -> String {
    guard let json = try? JSONValue(parsing: content) else {
      throw HTTPFileError(line: line, "{{\(placeholder)}}: the content is not JSON")
    }
    let path: JSONPath
    do {
      path = try JSONPath(selector.hasPrefix("$") ? selector : "$." + selector)
    } catch {
      throw HTTPFileError(line: line, "{{\(placeholder)}}: \(error)")
    }
    guard let value = path.values(in: json).first else {
      throw HTTPFileError(
        line: line, "{{\(placeholder)}}: \(path) selects nothing in \(place)")
    }
    if case .string(let text) = value { return text }
    return value.canonicalText
  }

  // MARK: Values of the system

  private mutating func systemValue(
    _ name: String, line: Int
  ) throws(HTTPFileError) -> String {
    let words = name.split(separator: " ").map(String.init)
    let isAlone = words.count == 1
    switch words[0] {
    case "$uuid" where isAlone, "$guid" where isAlone, "$random.uuid" where isAlone:
      return uuid()
    case "$timestamp" where isAlone: return String(Int(now.timeIntervalSince1970))
    case "$isoTimestamp" where isAlone: return now.formatted(.iso8601)
    case "$datetime" where isAlone || words.dropFirst() == ["iso8601"]:
      return now.formatted(.iso8601)
    case "$randomInt" where isAlone: return String(Int.random(in: 0..<1000, using: &generator))
    case "$randomInt":
      let bounds = words.dropFirst().compactMap { Int($0) }
      guard words.count == 3, bounds.count == 2, bounds[0] < bounds[1] else {
        throw HTTPFileError(
          line: line,
          "{{\(name)}}: write $randomInt MIN MAX with two whole numbers, the second one greater")
      }
      return String(Int.random(in: bounds[0]..<bounds[1], using: &generator))
    case "$processEnv" where words.count == 2: return try variable(words[1], name, line: line)
    case let word where isAlone && word.hasPrefix("$env."):
      return try variable(String(word.dropFirst("$env.".count)), name, line: line)
    default:
      throw HTTPFileError(
        line: line,
        "{{\(name)}} is not supported; there are $uuid, $timestamp, $isoTimestamp, $datetime iso8601,"
          + " $randomInt MIN MAX and $processEnv NAME")
    }
  }

  /// A version 4 UUID. https://www.rfc-editor.org/rfc/rfc9562#section-5.4
  private mutating func uuid() -> String {
    let high = generator.next() & ~0xF000 | 0x4000
    let low = generator.next() & (UInt64.max >> 2) | (1 << 63)
    let hex = [high, low].map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    var rest = hex[...]
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }

  private func variable(
    _ name: String, _ placeholder: String, line: Int
  ) throws(HTTPFileError) -> String {
    if let value = environment[name] { return value }
    throw HTTPFileError(
      line: line, "{{\(placeholder)}}: the environment has no variable \(name)")
  }
}

extension HTTPFile {
  /// The names of variables that nothing in the file refers to; none if it includes files, which are not searched.
  package func unused(_ names: [String]) -> [String] {
    guard !requests.contains(where: { $0.body.contains(where: \.isTemplateFile) }) else {
      return []
    }
    let used = Set(
      texts.flatMap { text in
        text.components(separatedBy: "{{").dropFirst().map {
          $0.prefix { $0 != "}" }.trimmingCharacters(in: .whitespaces)
        }
      })
    return names.filter { !used.contains($0) }
  }

  /// All texts in which placeholders may be.
  fileprivate var texts: [String] {
    variables.map(\.value)
      + requests.flatMap { request in
        [request.url] + request.headers.flatMap { [$0.name, $0.value] }
          + request.body.map { piece in
            switch piece {
            case .text(let text): text
            case .file(let path, _, _): path
            }
          }
      }
  }
}

extension HTTPFile.BodyPiece {
  /// Whether it is a file in which placeholders are filled in.
  fileprivate var isTemplateFile: Bool {
    if case .file(_, isTemplate: true, _) = self { return true }
    return false
  }
}
