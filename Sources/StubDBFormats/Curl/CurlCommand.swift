package import Foundation
internal import StubDBModel
internal import StubDBSupport

/// The request that a curl command sends.
///
/// Reads the commands that browsers and proxies copy and documentation shows. Nothing is executed.
/// https://curl.se/docs/manpage.html
package struct CurlCommand: Hashable, Sendable {
  /// A name and a value, such as a header field.
  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: String
  }

  /// A part of a multipart content.
  package struct Part: Hashable, Sendable {
    package var name: String
    package var filename: String?
    /// Nil for a file that is not read.
    package var content: Data?
  }

  package private(set) var method = "GET"
  /// The URL with its scheme, and with the parameters that `-G` and `--url-query` add.
  package private(set) var url = ""
  /// The header fields that were given, in order, without those that curl adds itself.
  package private(set) var fields: [Field] = []
  /// The content; empty without content.
  package private(set) var content = Data()
  /// The media type of the content, either given or curl's default; nil without content.
  package private(set) var contentType: String?
  /// The parts of multipart content; empty for other content.
  package private(set) var parts: [Part] = []
  /// The shell variables that the command contains, kept as text.
  package private(set) var variables: [String] = []

  /// Parses the text of one command.
  ///
  /// - Parameters:
  ///   - text: The text as typed; commands after a `|` are ignored.
  ///   - readFile: Reads the file that `@PATH` names; `-` is standard input.
  /// - Throws: ``CurlError`` for a text that cannot be parsed, and the errors of `readFile`.
  package init(
    parsing text: String, readFile: @escaping (String) throws -> Data
  ) throws {
    let (words, variables) = try Self.words(of: text)
    let commands = words.compactMap(Self.arguments)
    guard let arguments = commands.first else {
      throw CurlError("this is not a curl command; a command begins with curl")
    }
    guard commands.count == 1 else {
      throw CurlError("these are \(commands.count) curl commands; give one at a time")
    }
    self.variables = variables
    var reading = CurlReading(readFile: readFile)
    try reading.read(arguments)
    guard let url = reading.urls.first else { throw CurlError("the curl command has no URL") }
    guard reading.urls.count == 1 else {
      throw CurlError("the curl command asks for \(reading.urls.count) URLs; give one at a time")
    }
    try take(reading, url: url)
  }

  /// The words of each command, in the quoting of bash or of the Windows command prompt.
  private static func words(of text: String) throws(CurlError) -> ([[String]], [String]) {
    do {
      let shell = try ShellWords(parsing: text)
      return (shell.commands, shell.variables)
    } catch let error where error == ShellWords.commandPrompt {
      let prompt = try CommandPromptWords(parsing: text)
      return (prompt.parsed.map { $0.words.map(OpenVariable.written) }, prompt.variables)
    }
  }

  /// The requests of a command: one for each URL, and for each URL that its globs represent.
  static func requests(
    of arguments: [String], reading: CurlReading
  ) throws -> [CurlCommand] {
    var reading = reading
    try reading.read(arguments)
    guard !reading.urls.isEmpty else { throw CurlError("the curl command has no URL") }
    var requests: [CurlCommand] = []
    // A variable beside a URL, such as $OPTIONS, represents options, and would be a URL that matches everything.
    let urls = reading.urls.filter { !OpenVariable.isWhole($0) }
    for url in urls.isEmpty ? reading.urls : urls {
      for url in reading.isGlobOff ? [url] : try CurlGlob.urls(url) {
        var request = CurlCommand()
        try request.take(reading, url: url)
        requests.append(request)
      }
    }
    return requests
  }

  private init() {}

  /// Prompts, words of the shell, and commands that run another one.
  private static let beforeCommands: Set<String> = [
    "$", "%", "#", "time", "sudo", "if", "then", "else", "elif", "while", "until", "do", "!", "{",
    "command", "exec",
  ]

  /// The arguments of `curl`; nil for another command.
  static func arguments(_ words: [String]) -> [String]? {
    var words = words[...]
    while let first = words.first, beforeCommands.contains(first) { words.removeFirst() }
    while let word = words.first, ShellVariables.assignment(word) != nil { words.removeFirst() }
    guard let program = words.popFirst()?.split(separator: "/").last,
      program == "curl" || program == "curl.exe"
    else { return nil }
    return Array(words)
  }

  private mutating func take(_ reading: CurlReading, url first: String) throws(CurlError) {
    if !reading.data.isEmpty, !reading.parts.isEmpty {
      throw CurlError("the curl command has --data and --form; curl takes one of them")
    }
    var query = reading.query
    if reading.isGet {
      guard let data = String(strictUTF8: reading.data) else {
        throw CurlError(
          "the content that --get puts into the URL is not UTF-8; use --data-urlencode")
      }
      if !data.isEmpty { query.append(data) }
    } else {
      content = reading.data
      parts = reading.parts
    }
    url = try CurlURL.text(first, isGlobbed: !reading.isGlobOff, query: query)
    fields = reading.fields
    let given = fields.first { $0.name.lowercased() == "content-type" }?.value
    if reading.hasData, !reading.isGet {
      contentType = given ?? reading.impliedType
    } else if !parts.isEmpty {
      contentType = given ?? "multipart/form-data"
    } else {
      contentType = given
    }
    method =
      reading.method ?? (reading.isHead ? "HEAD" : nil)
      ?? (reading.isGet
        ? "GET" : reading.hasData || !parts.isEmpty ? "POST" : reading.isUpload ? "PUT" : "GET")
    if reading.isUpload {
      content = reading.upload
      contentType = given
    }
  }
}

/// The URL of a curl command.
enum CurlURL {
  /// The URL with a scheme and the additional parameters.
  static func text(
    _ url: String, isGlobbed: Bool, query: [String]
  ) throws(CurlError) -> String {
    var text = isGlobbed ? try unescaped(url) : URLParts.encodingBraces(in: url)
    if !text.contains("://") { text = "http://" + text }
    // A fragment is never sent.
    text = String(text.unicodeScalars.prefix { $0 != "#" })
    for parameters in query where !parameters.isEmpty {
      text += (text.contains("?") ? "&" : "?") + parameters
    }
    return text
  }

  /// Removes the backslashes that escape curl's globbing.
  ///
  /// A segment such as `{id}` stays, because documentation uses it as a placeholder.
  private static func unescaped(_ url: String) throws(CurlError) -> String {
    var scalars = String.UnicodeScalarView()
    var rest = url.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", let next = rest.first, let encoded = encoded(next) {
        rest.removeFirst()
        scalars.append(contentsOf: encoded.unicodeScalars)
      } else {
        scalars.append(scalar)
      }
    }
    let text = String(scalars)
    let authorityEnd = text.range(of: "://")?.upperBound ?? text.startIndex
    // An IPv6 address is written in brackets.
    let end = text.unicodeScalars[authorityEnd...]
    if let open = end.firstIndex(of: "["), open != authorityEnd, end[open...].contains("-") {
      throw CurlError(
        "curl asks for several URLs with [ ] in \(url); write one, or %5B and %5D for brackets")
    }
    if let open = text.unicodeScalars.firstIndex(of: "{"),
      text.unicodeScalars[open...].prefix(while: { $0 != "}" }).contains(",")
    {
      throw CurlError(
        "curl asks for several URLs with { } in \(url); write one, or %7B and %7D for braces")
    }
    return text
  }

  private static func encoded(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "{": "%7B"
    case "}": "%7D"
    case "[": "%5B"
    case "]": "%5D"
    default: nil
    }
  }
}
