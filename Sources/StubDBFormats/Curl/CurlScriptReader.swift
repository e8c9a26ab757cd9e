internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Reads the commands of a script.
struct CurlScriptReader {
  let input: ImportInput
  let options: ImportOptions

  /// The stubs of all requests, equal ones once.
  func stubs(of text: String) throws -> [ImportedStub] {
    var variables = ShellVariables(given: options.variables)
    return self.stubs(of: try exchanges(of: commands(of: text), &variables))
  }

  private func exchanges(
    of commands: [ShellWords.Command], _ variables: inout ShellVariables
  ) throws -> [RecordedExchange] {
    var exchanges: [RecordedExchange] = []
    for (place, command) in commands.enumerated() {
      exchanges += try self.exchanges(of: command.substituted, &variables)
      let words = command.words.flatMap(variables.words)
      variables.read(words)
      guard let arguments = CurlCommand.arguments(words) else { continue }
      let content = command.input ?? (place > 0 ? Self.output(of: commands[place - 1]) : nil)
      do {
        for part in arguments.split(whereSeparator: { $0 == "--next" || $0 == "-:" }) {
          exchanges += try requests(
            Array(part), line: command.line, input: content.map(variables.filled))
        }
        if arguments.isEmpty { throw CurlError("the curl command has no URL") }
      } catch let error as CurlError {
        throw CurlError(OpenVariable.written(error.message), line: error.line ?? command.line)
      } catch let error as FormatError where !error.isRefusal {
        input.log.add(
          .dropped, .unreadable, file: input.file, pointer: "\(command.line):1", line: command.line,
          item: nil, "The command was left out: \(error.message)")
      }
    }
    return exchanges
  }

  private func commands(of text: String) throws(CurlError) -> [ShellWords.Command] {
    do {
      return try ShellWords(parsing: text, expansion: .marked).parsed
    } catch let error where error == ShellWords.commandPrompt {
      return try CommandPromptWords(parsing: text).parsed
    }
  }

  /// What a command prints for the next one, where that is its text.
  private static func output(of command: ShellWords.Command) -> String? {
    guard command.isPiped, let name = command.words.first else { return nil }
    switch name {
    case "echo": return command.words.dropFirst().joined(separator: " ") + "\n"
    case "cat" where command.words.count == 1: return command.input
    case "printf" where command.words.count == 3 && command.words[1] == "%s":
      return command.words[2]
    default: return OpenVariable.marked("output of \(name)")
    }
  }

  private func requests(
    _ arguments: [String], line: Int, input content: String?
  ) throws -> [RecordedExchange] {
    let folder = input.folder?.allowedOnly
    func read(_ path: String) throws -> Data {
      if path == "-" || path == "." {
        guard let content else {
          throw CurlError("the command reads standard input; write the content", line: line)
        }
        return Data(content.utf8)
      }
      let path = OpenVariable.written(path)
      func failure(_ message: String) -> FormatError {
        FormatError(file: input.file, line: line, message: message)
      }
      guard let folder else {
        throw failure("the file \"\(path)\" cannot be read here; write its content")
      }
      return try folder.read(path) { failure($0) }
    }
    let reading = CurlReading(
      readFile: read,
      readPart: { path in
        do { return try read(path) } catch is FormatError { return nil }
      })
    return try CurlCommand.requests(of: arguments, reading: reading).map {
      try requireKnown($0, arguments, line: line)
      return exchange($0, arguments: arguments, line: line)
    }
  }

  /// - Throws: ``FormatError`` for a request of which not even the URL or the method is known.
  private func requireKnown(
    _ request: CurlCommand, _ arguments: [String], line: Int
  ) throws(FormatError) {
    let url = request.url.replacing(#/^http:\/\//#, with: "").replacing(#/\/$/#, with: "")
    let unknown: (part: String, text: String)? =
      if OpenVariable.isIn(request.method) {
        ("method", request.method)
      } else if OpenVariable.isWhole(url), arguments.contains(url) {
        ("URL", url)
      } else {
        nil
      }
    guard let unknown else { return }
    let shown = OpenVariable.written(unknown.text)
    let name = shown.drop { $0 == "$" }
    throw FormatError(
      file: input.file, line: line,
      message:
        "its \(unknown.part) is \(shown), which has no value; give it one with --var \(name)=VALUE")
  }

  private func exchange(
    _ request: CurlCommand, arguments: [String], line: Int
  ) -> RecordedExchange {
    let source = ReportSource(
      file: input.file, line: line, log: input.log, item: input.log.beginItem())
    var exchange = RecordedExchange(
      method: request.method, url: request.url, outcome: .answer(RecordedAnswer(status: 200)),
      source: source)
    exchange.requestHeaders = RecordedHeaders(
      request.fields.map { RecordedHeaders.Field($0.name, $0.value) })
    // Only a part of the content is asked for.
    if exchange.requestHeaders["Range"] != nil { exchange.matchedHeaders = ["Range"] }
    if !arguments.contains("--path-as-is") {
      exchange.url = Self.withoutDotSegments(exchange.url)
    }
    if exchange.requestHeaders["Content-Type"] == nil, let type = request.contentType {
      exchange.requestHeaders.append("Content-Type", type)
    }
    if !request.parts.isEmpty {
      exchange.requestBody = .multipart(
        request.parts.map {
          RecordedBody.Part(name: $0.name, filename: $0.filename, content: $0.content)
        })
      for part in request.parts where part.content == nil {
        source.add(
          .changed, .noRequestBody,
          "The file \(part.filename ?? part.name) is not read; its part may have any content")
      }
    } else if !request.content.isEmpty {
      exchange.requestBody = .bytes(Self.content(request.content))
    }
    noteCredentials(of: request, at: source)
    noteHost(of: request, at: source)
    for name in Self.variables(in: arguments) {
      source.add(
        .changed, .variable, "\(name) has no value; whatever stands in its place matches")
    }
    return exchange
  }

  /// The URL that curl asks for: it takes `.` and `..` out of paths.
  private static func withoutDotSegments(_ url: String) -> String {
    guard url.contains("/."), let start = url.range(of: "://")?.upperBound,
      let slash = url[start...].firstIndex(of: "/")
    else { return url }
    let end = url[slash...].firstIndex { "?#".contains($0) } ?? url.endIndex
    var kept: [Substring] = []
    let segments = url[slash..<end].dropFirst().split(
      separator: "/", omittingEmptySubsequences: false)
    for (place, segment) in segments.enumerated() {
      let isLast = place == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return url[..<slash] + "/" + kept.joined(separator: "/") + url[end...]
  }

  /// Says which credentials the stub does not ask for: every user has others.
  private func noteCredentials(of request: CurlCommand, at source: ReportSource) {
    let asked = Set(options.matchedHeaders.map { $0.lowercased() })
    var seen: Set<String> = []
    for name in request.fields.map(\.name)
    where SensitiveName(name) != .none && !asked.contains(name.lowercased()) {
      guard seen.insert(name.lowercased()).inserted else { continue }
      source.add(
        .changed, .variable,
        "\(name) is not asked for; --match-headers \(name) asks for any value of it")
    }
  }

  /// Says that a field `Host` with another host than the URL has is not asked for.
  private func noteHost(of request: CurlCommand, at source: ReportSource) {
    guard !options.matchedHeaders.contains(where: { $0.lowercased() == "host" }),
      let text = request.fields.last(where: { $0.name.lowercased() == "host" })?.value
    else { return }
    let (field, url) = (URLParts("http://\(text)/"), URLParts(request.url))
    let isSamePort = field?.port == nil || field?.port == url?.port
    if let field, field.host == url?.host, isSamePort { return }
    source.add(
      .changed, .header,
      "The field Host, \(OpenVariable.written(text)), is not asked for, because most clients send the host "
        + "of the URL; --match-headers Host asks for it")
  }

  /// The variables of a command, each once.
  private static func variables(in arguments: [String]) -> [String] {
    var names: [String] = []
    var seen: Set<String> = []
    for part in arguments.filter(OpenVariable.isIn).flatMap(OpenVariable.parts) {
      guard case .variable(let name) = part else { continue }
      let shown = name == "command" ? "$(…)" : "$\(name)"
      if seen.insert(shown).inserted { names.append(shown) }
    }
    return names
  }

  /// JSON in which variables stand where numbers and objects do, with texts in their places.
  private static func content(_ bytes: Data) -> Data {
    let text = String(decoding: bytes, as: UTF8.self)
    guard OpenVariable.isIn(text), !OpenVariable.isWhole(text),
      (try? JSONValue(parsing: text)) == nil
    else { return bytes }
    var isInString = false
    let quoted = OpenVariable.parts(of: text).map { part in
      switch part {
      case .text(let text):
        var isEscaped = false
        for byte in text.utf8 {
          if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
          isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return text
      case .variable(let name):
        let mark = OpenVariable.marked(name)
        return isInString ? mark : "\"\(mark)\""
      }
    }.joined()
    return (try? JSONValue(parsing: quoted)) == nil ? bytes : Data(quoted.utf8)
  }
}
