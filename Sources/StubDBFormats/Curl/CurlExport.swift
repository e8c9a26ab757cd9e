internal import Foundation
internal import HTTPTypes
internal import StubDBModel
internal import StubDBSupport

/// Writes example requests as curl commands for POSIX shells, with what they get in comments.
///
/// https://curl.se/docs/manpage.html
struct CurlExport: ExportFormat {
  let name = "curl"
  let summary = "curl commands of example requests"
  let layout = ExportLayout.file(extension: "sh")

  func files(of content: ExportContent) -> [ExportedFile] {
    content.settleScenarios(["summary": .ignored, "tags": .ignored])
    let blocks = content.stubsInAnswerOrder.flatMap { block(of: $0, content.options) }
    return [ExportedFile(path: "stubs.sh", text: blocks.joined(separator: "\n"))]
  }

  private func block(of stub: ExportedStub, _ options: ExportOptions) -> [String] {
    let examples = stub.examples(options)
    guard !examples.isEmpty else { return [] }
    settle(stub)
    return examples.map { example in
      let answers = stub.played(example).map(Self.words).joined(separator: ", then ")
      let command = CurlWriter(example: example, credentials: stub.stub.request.basicAuth)
      if command.needsPipe {
        (stub.document["request"]?["body"] ?? stub.document).note(
          .changed, .binary,
          "Content that is not text, or long, is piped into the command as base64")
      }
      return "# \(Self.onOneLine(stub.title))\n# \(answers)\n\(command.text)\n"
    }
  }

  /// A curl command has no response, so dropped responses are not reported; dropped conditions are.
  private func settle(_ stub: ExportedStub) {
    stub.document.settle([
      "summary": .kept, "priority": .ignored, "required": .ignored, "recorded": .ignored,
      "responses": .ignored, "then": .ignored, "capture": .ignored,
    ])
    let flow = stub.document["flow"]
    if let required = flow?["requires"]?.peekedText, required != FlowStep.initialState {
      flow?.drop(.state, "The stub answers the command only in this state of its flow")
    } else {
      flow?.ignore()
    }
  }

  /// The outcome of a request, for a comment: `402 application/json, 27 bytes`.
  private static func words(_ response: PlayedResponse) -> String {
    switch response.ending {
    case .next: return "what the next stub answers"
    case .passthrough: return "what the network answers"
    case .never: return "no answer"
    case .webSocket: return "a WebSocket"
    case .error(let error):
      return "fails with \(onOneLine(FailureTable.words(for: error)))"
    case .complete: break
    }
    let type = response.headers[.contentType].map { " " + onOneLine($0.prefix { $0 != ";" }) } ?? ""
    let size = response.content.count
    let content = size == 0 ? "" : "\(type), \(Plural.of(size, "byte"))"
    return "\(response.status)\(content)"
      + (response.repeatCount > 1 ? " (\(response.repeatCount) times)" : "")
  }

  /// A text in a comment, which ends with the line, and must not look like the command below it.
  private static func onOneLine(_ text: some StringProtocol) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          [.control, .format].contains(scalar.properties.generalCategory) ? " " : scalar
        }))
  }
}

/// A curl command that sends a request.
struct CurlWriter {
  /// The longest content in an argument: Linux refuses arguments of 128 KiB.
  private static let maximumArgumentLength = 60_000

  let example: RequestExample
  /// User and password, which have an option of their own.
  let credentials: BasicCredentials?

  /// Whether the content cannot be written as an argument.
  var needsPipe: Bool {
    switch example.content {
    case .none: return false
    case .multipart(let parts):
      return example.body.count > Self.maximumArgumentLength
        || parts.contains { String(strictUTF8: $0.content)?.utf8.contains(0) ?? true }
    case .json, .graphQL, .form, .text, .bytes:
      return example.body.count > Self.maximumArgumentLength
        || String(strictUTF8: example.body)?.utf8.contains(0) ?? true
    }
  }

  /// The command, an option a line.
  var text: String {
    var lines = [(["curl"] + methodWords + [example.url.inSingleQuotes]).joined(separator: " ")]
    lines += fieldLines
    lines += contentLines
    let command = lines.joined(separator: " \\\n  ")
    guard needsPipe else { return command }
    return "printf '%s' '\(example.body.base64EncodedString())' | base64 -d | \(command)"
  }

  private var methodWords: [String] {
    var words: [String] = []
    switch example.method {
    case "GET" where example.body.isEmpty: break
    case "HEAD": words = ["--head"]
    default: words = ["-X", Self.quotedIfNeeded(example.method)]
    }
    let path = example.url.prefix { $0 != "?" }
    // Brackets and braces represent several URLs otherwise.
    if example.url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
    if path.contains("/./") || path.contains("/../") || path.hasSuffix("/.")
      || path.hasSuffix("/..")
    {
      words.append("--path-as-is")
    }
    return words
  }

  /// Header fields by name; `Name;` sends an empty one, `Name:` sends none.
  private var fieldLines: [String] {
    var lines: [String] = []
    if let credentials {
      lines.append("-u " + "\(credentials.username):\(credentials.password)".inSingleQuotes)
    }
    let isForm = usesFormOptions
    let fields = example.headers.enumerated().sorted {
      ($0.element.name.canonicalName, $0.offset) < ($1.element.name.canonicalName, $1.offset)
    }.map(\.element)
    for field in fields {
      if credentials != nil, field.name == .authorization { continue }
      if isForm, field.name == .contentType { continue }
      let text =
        field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)"
      lines.append("-H " + text.inSingleQuotes)
    }
    if !example.body.isEmpty, !isForm, example.headers[.contentType] == nil {
      lines.append("-H 'Content-Type:'")
    }
    return lines
  }

  /// Whether curl makes the content and its `Content-Type` of fields and parts.
  private var usesFormOptions: Bool {
    guard !needsPipe else { return false }
    let type = example.headers[.contentType]
    switch example.content {
    case .form(let fields):
      // Without a name curl sends no equals sign.
      return type == example.content.mediaType && !fields.isEmpty
        && !fields.contains(where: \.name.isEmpty)
    case .multipart(let parts):
      return type == example.content.mediaType && !parts.isEmpty && parts.allSatisfy(Self.isOption)
    case .none, .json, .graphQL, .text, .bytes: return false
    }
  }

  private var contentLines: [String] {
    if example.body.isEmpty { return [] }
    if needsPipe { return ["--data-binary @-"] }
    guard usesFormOptions else {
      return ["--data-raw " + String(decoding: example.body, as: UTF8.self).inSingleQuotes]
    }
    switch example.content {
    case .form(let fields):
      return fields.map { field in
        // curl encodes the value, not the name.
        "--data-urlencode "
          + "\(URLParts.encodedQuery(field.name))=\(field.value)".inSingleQuotes
      }
    case .multipart(let parts): return parts.map(Self.part)
    case .none, .json, .graphQL, .text, .bytes: return []
    }
  }

  /// Whether curl reads a part as it is written: a name ends at the first equals sign, a type at a semicolon.
  private static func isOption(_ part: RequestExample.Part) -> Bool {
    !part.name.isEmpty && !part.name.utf8.contains(UInt8(ascii: "="))
      && !part.headers.contains {
        $0.name.lowercased() == "content-type"
          && $0.value.utf8.contains { ";,\"".utf8.contains($0) }
      }
  }

  private static func part(_ part: RequestExample.Part) -> String {
    let value = String(decoding: part.content, as: UTF8.self)
    var text = "\(part.name)=\"\(escaped(value))\""
    var options = ""
    for field in part.headers {
      if field.name.lowercased() == "content-type" {
        options += ";type=\(field.value)"
      } else {
        options += ";headers=\"\(escaped("\(field.name): \(field.value)"))\""
      }
    }
    if let filename = part.filename { options += ";filename=\"\(escaped(filename))\"" }
    let isPlain = options.isEmpty
    if isPlain { text = "\(part.name)=\(value)" }
    return (isPlain ? "--form-string " : "-F ") + (text + options).inSingleQuotes
  }

  /// A text within the double quotes of `--form`.
  private static func escaped(_ text: String) -> String {
    text.replacingScalar("\\", with: "\\\\").replacingScalar("\"", with: "\\\"")
  }

  private static func quotedIfNeeded(_ text: String) -> String {
    text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } ? text : text.inSingleQuotes
  }
}
