internal import StubDBSupport

/// The requests of an `.http` file in the format of JetBrains' HTTP client and VS Code's REST Client.
///
/// Placeholders such as `{{host}}` are kept, because their values may depend on the responses to earlier requests.
/// Response handlers, scripts and references to saved responses are ignored and listed.
/// https://www.jetbrains.com/help/idea/exploring-http-syntax.html
package struct HTTPFile: Sendable, Equatable {
  /// One request, with its placeholders.
  package struct Request: Sendable, Equatable {
    /// The name after `###` or `# @name`; nil without a name.
    package var name: String?
    /// The line of the method and URL, from 1.
    package var line: Int
    /// The method; `GET` if the line has only a URL.
    package var method: String
    /// The URL, including its parts on indented lines below.
    package var url: String
    /// The header fields in order, each with its line.
    package var headers: [Header] = []
    /// The pieces of the content in order; empty without content.
    package var body: [BodyPiece] = []
  }

  package struct Header: Sendable, Equatable {
    package var name: String
    /// The value, without the spaces around it.
    package var value: String
    /// The line, from 1.
    package var line: Int
  }

  /// A piece of a request's content.
  package enum BodyPiece: Sendable, Equatable {
    /// Lines of text, without the last line end.
    case text(String)
    /// The content of a file, whose path is relative to the `.http` file; `isTemplate` if placeholders in it are filled
    /// in.
    case file(path: String, isTemplate: Bool, line: Int)
  }

  /// A variable of the file: `@host = https://api.shop.test`.
  package struct Variable: Sendable, Equatable {
    package var name: String
    /// The value, with its placeholders.
    package var value: String
  }

  /// A part of the file that is ignored: a script, a saved response.
  package struct Omission: Sendable, Equatable {
    /// The line where it begins, from 1.
    package var line: Int
    /// A description, such as `a response handler`.
    package var what: String
  }

  /// More header fields than any client sends, and fewer than `HTTPFields` can contain.
  private static let maximumHeaderCount = 1000

  /// The requests, in order; may be empty.
  package private(set) var requests: [Request] = []
  /// The variables, in order; if a name occurs more than once, the last one counts.
  package private(set) var variables: [Variable] = []
  /// The parts that are ignored, in order.
  package private(set) var omissions: [Omission] = []

  /// Parses a file.
  ///
  /// - Throws: ``HTTPFileError`` with the line, for a header field without a colon, a missing URL, a script without
  /// an end, a request of GraphQL or of another protocol, and a file in another encoding than UTF-8.
  package init(parsing text: String) throws(HTTPFileError) {
    var reader = Reader(text)
    while let block = reader.nextBlock() { try add(block) }
  }

  private mutating func add(_ block: Reader.Block) throws(HTTPFileError) {
    var lines = block.lines[...]
    var request = Request(name: block.name, line: 0, method: "", url: "")
    try addPrologue(of: &request, from: &lines)
    guard let first = lines.popFirst() else { return }
    try request.setTarget(first)
    while let line = lines.first, line.isContinuation {
      request.url += line.trimmed
      lines.removeFirst()
    }
    while let line = lines.first, !line.isBlank, !line.startsBodyOrHandler {
      lines.removeFirst()
      if line.isComment { continue }
      if request.headers.count == Self.maximumHeaderCount {
        throw HTTPFileError(
          line: line.number, "a request has at most \(Self.maximumHeaderCount) header fields")
      }
      let header = try Header(line)
      try header.requireNoGraphQL()
      request.headers.append(header)
    }
    try addBody(of: &request, from: &lines)
    requests.append(request)
  }

  /// The lines above the request line: variables, comments, a name, scripts.
  private mutating func addPrologue(
    of request: inout Request, from lines: inout ArraySlice<Line>
  ) throws(HTTPFileError) {
    while let line = lines.first {
      if line.isBlank {
        lines.removeFirst()
      } else if let directive = line.directive {
        if directive.name == "name", let name = directive.value { request.name = name }
        lines.removeFirst()
      } else if line.isComment {
        lines.removeFirst()
      } else if let variable = Variable(line) {
        variables.append(variable)
        lines.removeFirst()
      } else if line.trimmed.hasPrefix("<") {
        try leaveOut("a script before the request", from: &lines)
      } else {
        return
      }
    }
  }

  private mutating func addBody(
    of request: inout Request, from lines: inout ArraySlice<Line>
  ) throws(HTTPFileError) {
    var texts: [String] = []
    func flush() {
      guard !texts.isEmpty else { return }
      request.body.append(.text(texts.joined(separator: "\n")))
      texts = []
    }
    while let first = lines.first, first.isBlank { lines.removeFirst() }
    while let line = lines.first {
      if line.text.hasPrefix("> ") || line.text.hasPrefix(">>") {
        try leaveOut(
          line.text.hasPrefix(">>") ? "a file for the response" : "a response handler", from: &lines
        )
      } else if line.text.hasPrefix("<> ") {
        try leaveOut("a saved response", from: &lines)
      } else if let file = try BodyPiece(line) {
        flush()
        request.body.append(file)
        lines.removeFirst()
      } else {
        texts.append(String(line.text))
        lines.removeFirst()
      }
    }
    while let last = texts.last, last.allSatisfy(\.isWhitespace) { texts.removeLast() }
    flush()
  }

  /// Skips a line, and the rest of a script that begins on it with `{%`.
  private mutating func leaveOut(
    _ what: String, from lines: inout ArraySlice<Line>
  ) throws(HTTPFileError) {
    guard let first = lines.popFirst() else { return }
    omissions.append(Omission(line: first.number, what: what))
    guard first.text.contains("{%"), !first.text.contains("%}") else { return }
    while let line = lines.popFirst() {
      if line.text.contains("%}") { return }
    }
    throw HTTPFileError(line: first.number, "the script has no end; it ends with %}")
  }
}

/// An error in an `.http` file, or in a request of it that cannot be sent.
package struct HTTPFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  package var line: Int
  /// What is wrong, and what to write.
  package var message: String

  package init(line: Int, _ message: String) {
    self.line = line
    self.message = message
  }

  package var description: String { "line \(line): \(message)" }
}

extension HTTPFile.Request {
  /// The methods that may be written in lower case, as VS Code's client takes them.
  private static let methods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT",
  ]
  /// The words in place of a method that JetBrains' client has for other protocols.
  private static let protocols: Set<String> = ["WEBSOCKET", "GRPC", "RSOCKET"]

  fileprivate mutating func setTarget(_ line: HTTPFile.Line) throws(HTTPFileError) {
    self.line = line.number
    var words = line.trimmed.split(separator: " ", omittingEmptySubsequences: true)
    if let version = words.last, words.count > 1, version.hasPrefix("HTTP/") { words.removeLast() }
    if let first = words.first, Self.methods.contains(first.uppercased()) {
      words[0] = first.uppercased()[...]
    }
    let hasMethod =
      words.count > 1 && words[0].allSatisfy { $0.isASCII && ($0.isUppercase || $0 == "-") }
    method = hasMethod ? String(words.removeFirst()) : "GET"
    if method == "GRAPHQL" { throw HTTPFileError.graphQL(line: line.number) }
    if Self.protocols.contains(method) {
      throw HTTPFileError(
        line: line.number, "\(method) is not a method of HTTP, and only requests of HTTP are sent")
    }
    url = words.joined(separator: " ")
    let isVerbAlone = !hasMethod && url.allSatisfy { $0.isASCII && $0.isUppercase }
    if url.isEmpty || isVerbAlone {
      throw HTTPFileError(
        line: line.number, "the URL is missing; write it as GET https://api.shop.test/v1/me")
    }
  }
}

extension HTTPFileError {
  /// A request whose content is a query of GraphQL and not JSON.
  fileprivate static func graphQL(line: Int) -> HTTPFileError {
    HTTPFileError(
      line: line,
      "a query of GraphQL is sent as JSON; write POST, and {\"query\": \"…\"} as the content")
  }
}

extension HTTPFile.Header {
  /// Throws for the field by which VS Code's client makes JSON of a query; it is not sent.
  fileprivate func requireNoGraphQL() throws(HTTPFileError) {
    if name.lowercased() == "x-request-type", value.lowercased() == "graphql" {
      throw HTTPFileError.graphQL(line: line)
    }
  }

  fileprivate init(_ line: HTTPFile.Line) throws(HTTPFileError) {
    guard let (name, value) = line.text.cut(at: ":"), !name.isEmpty else {
      throw HTTPFileError(
        line: line.number,
        "this is not a header field; write Name: value, or an empty line before the content")
    }
    self.init(
      name: HTTPFile.Line.trim(name), value: HTTPFile.Line.trim(value), line: line.number)
  }
}

extension HTTPFile.Variable {
  /// Nil if the line is not `@name = value`.
  fileprivate init?(_ line: HTTPFile.Line) {
    guard line.text.hasPrefix("@"), let (before, after) = line.text.cut(at: "=") else { return nil }
    let name = HTTPFile.Line.trim(before.dropFirst())
    guard !name.isEmpty, !name.contains(" ") else { return nil }
    self.init(name: name, value: HTTPFile.Line.trim(after))
  }
}

extension HTTPFile.BodyPiece {
  /// Nil if the line is not `< path`, `<@ path` or `<@utf8 path`.
  fileprivate init?(_ line: HTTPFile.Line) throws(HTTPFileError) {
    let isTemplate = line.text.hasPrefix("<@")
    let start = line.text.prefix { !$0.isWhitespace }
    let encoding = start.dropFirst(2)
    guard isTemplate || start == "<",
      encoding.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
    else { return nil }
    let path = HTTPFile.Line.trim(line.text.dropFirst(start.count))
    guard !path.isEmpty, !path.hasPrefix("{%") else { return nil }
    guard ["", "utf8", "utf-8"].contains(encoding.lowercased()) else {
      throw HTTPFileError(
        line: line.number,
        "files are read as UTF-8, not as \(encoding); write <@ \(path) for a file in UTF-8, "
          + "or < \(path) for its bytes as they are")
    }
    self = .file(path: path, isTemplate: isTemplate, line: line.number)
  }
}
