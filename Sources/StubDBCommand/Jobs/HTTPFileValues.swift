import Foundation
import HTTPTypes
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBSupport

/// The values of the placeholders in an `.http` file while its requests are sent one after another.
struct HTTPFileValues {
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

  private var variables: [String: String] = [:]
  private var exchanges: [String: Exchange] = [:]
  private let environment: [String: String]
  private let now: Date

  /// Uses the variables of the file; those that the command line gives take precedence.
  init(
    _ file: HTTPFile, given: [(name: String, value: String)],
    environment: [String: String] = ProcessInfo.processInfo.environment, now: Date = Date()
  ) {
    for variable in file.variables { variables[variable.name] = variable.value }
    for (name, value) in given { variables[name] = value }
    self.environment = environment
    self.now = now
  }

  /// Keeps a named request and its response.
  mutating func keep(_ exchange: Exchange, of name: String) {
    exchanges[name] = exchange
  }

  /// Returns the text with all placeholders replaced by their values.
  ///
  /// - Throws: `HTTPFileError` with the line for a placeholder without a value.
  func resolve(_ text: String, line: Int) throws(HTTPFileError) -> String {
    try resolve(text, line: line, depth: 0)
  }

  private func resolve(
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
      let found = try value(
        of: isEncoded ? String(name.dropFirst()) : name, line: line, depth: depth)
      result += isEncoded ? URLParts.encodedQuery(found) : found
      rest = rest[close.upperBound...]
    }
    return result + rest
  }

  private func value(of name: String, line: Int, depth: Int) throws(HTTPFileError) -> String {
    if name.hasPrefix("$") { return try systemValue(name, line: line) }
    if let value = variables[name] { return try resolve(value, line: line, depth: depth + 1) }
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

  private func systemValue(_ name: String, line: Int) throws(HTTPFileError) -> String {
    let words = name.split(separator: " ").map(String.init)
    switch words[0] {
    case "$uuid", "$guid", "$random.uuid": return UUID().uuidString.lowercased()
    case "$timestamp": return String(Int(now.timeIntervalSince1970))
    case "$isoTimestamp": return now.formatted(.iso8601)
    case "$datetime" where words.count == 1 || words[1] == "iso8601":
      return now.formatted(.iso8601)
    case "$randomInt":
      let bounds = words.dropFirst().compactMap { Int($0) }
      if bounds.count == 2, bounds[0] < bounds[1] {
        return String(Int.random(in: bounds[0]..<bounds[1]))
      }
      return String(Int.random(in: 0..<1000))
    case "$processEnv" where words.count == 2: return try variable(words[1], name, line: line)
    case let word where word.hasPrefix("$env."):
      return try variable(String(word.dropFirst("$env.".count)), name, line: line)
    default:
      throw HTTPFileError(
        line: line,
        "{{\(name)}} is not supported; there are $uuid, $timestamp, $isoTimestamp, $datetime iso8601,"
          + " $randomInt MIN MAX and $processEnv NAME")
    }
  }

  private func variable(
    _ name: String, _ placeholder: String, line: Int
  ) throws(HTTPFileError) -> String {
    if let value = environment[name] { return value }
    throw HTTPFileError(
      line: line, "{{\(placeholder)}}: the environment has no variable \(name)")
  }
}
