import ArgumentParser
import HTTPTypes
import StubDBJSON
import StubDBModel

/// The options that describe a response.
struct ResponseOptions: ParsableArguments {
  @Option(help: "The status code, 200 to 999; a new response has 200.")
  var status: Int?

  @Option(
    name: .customLong("header"),
    help: ArgumentHelp("A header field of the response.", valueName: "name:value"),
    transform: HeaderArgument.init)
  var headers: [HeaderArgument] = []

  @Option(
    name: .customLong("json"), parsing: .unconditional,
    help: ArgumentHelp("A JSON body.", valueName: "json|@path"))
  var json: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("A text body.", valueName: "text|@path"))
  var text: String?

  @Option(
    name: .customLong("body-file"),
    help: ArgumentHelp("A file with the body.", valueName: "path"), completion: .file())
  var bodyFile: String?

  @Option(help: ArgumentHelp("Delay the response: 250ms, 2s.", valueName: "time"))
  var delay: String?

  @Option(
    help: ArgumentHelp(
      "Fail with a URLError instead, as timedOut, or with {\"domain\": …, \"code\": …}.",
      valueName: "name|json"),
    completion: .list(URLErrorNames.codes.keys.sorted()))
  var error: String?

  @Option(
    help: ArgumentHelp(
      "Break the connection instead: \(ResponseFault.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "name"),
    completion: .list(ResponseFault.allCases.map(\.rawValue)))
  var fault: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Fill in {{…}} in header fields and body, or send it as it is.")
  var template: Bool?

  /// Whether no option was given.
  var isEmpty: Bool {
    status == nil && headers.isEmpty && !hasBody && delay == nil && error == nil && fault == nil
      && template == nil
  }

  /// The number of options that read standard input.
  var standardInputCount: Int {
    [json, text].count(where: DataArgument.readsStandardInput)
  }

  private var hasBody: Bool { json != nil || text != nil || bodyFile != nil }

  func validate() throws {
    if [json != nil, text != nil, bodyFile != nil].count(where: { $0 }) > 1 {
      throw ValidationError("Give one of --json, --text and --body-file.")
    }
    if error != nil && fault != nil {
      throw ValidationError("Give either --error or --fault, not both.")
    }
  }

  /// Applies the options to one of the `responses` of a stub's document.
  ///
  /// An error or a fault replaces content, and the other way round.
  /// - Throws: The problem of an option's value.
  func apply(to response: inout JSONObject) throws {
    if error != nil || fault != nil {
      for part in ResponsePart.sent + [.error, .fault, .afterBytes] {
        response[part.rawValue] = nil
      }
    } else if status != nil || hasBody, response["afterBytes"] == nil {
      response["error"] = nil
      if response["fault"] != .string(ResponseFault.truncated.rawValue) { response["fault"] = nil }
    }
    // What is left of a WebSocket would have no place beside it.
    if status != nil || hasBody { response["webSocket"] = nil }
    if let status { response["status"] = .number(JSONNumber(status)) }
    if !headers.isEmpty {
      response["headers"] = NamedValues.merged(
        headers.map { ($0.name.rawName, $0.value) }, into: response["headers"], ignoringCase: true)
    }
    if hasBody { try applyBody(to: &response) }
    if let delay { response["delay"] = .string(delay) }
    if let error {
      response["error"] =
        error.hasPrefix("{") ? try DataArgument.json(error, of: "--error") : .string(error)
    }
    if let fault { response["fault"] = .string(fault) }
    if let template { response["template"] = template ? true : nil }
  }

  private func applyBody(to response: inout JSONObject) throws {
    for part in ResponsePart.contents { response[part.rawValue] = nil }
    // A list of chunks is the content; a number of chunks only splits it.
    if case .array = response["chunks"] { response["chunks"] = nil }
    if let json { response["json"] = try DataArgument.json(json, of: "--json") }
    if let text { response["text"] = .string(try DataArgument.text(text, of: "--text")) }
    if let bodyFile {
      response["file"] = .string(bodyFile)
      addContentType(of: bodyFile, to: &response)
    }
  }

  /// The file's extension determines the media type, which the decoder cannot know from the bytes.
  private func addContentType(of file: String, to response: inout JSONObject) {
    guard let type = MediaType.ofFile(named: file) else { return }
    var fields: JSONObject = [:]
    if case .object(let members) = response["headers"] { fields = members }
    guard !fields.keys.contains(where: { $0.lowercased() == "content-type" }) else { return }
    fields["Content-Type"] = .string(type)
    response["headers"] = .object(fields)
  }
}

/// Media types by file extension.
enum MediaType {
  private static let types = [
    "json": "application/json", "xml": "application/xml", "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8", "js": "text/javascript", "css": "text/css",
    "pdf": "application/pdf", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "gif": "image/gif", "webp": "image/webp", "svg": "image/svg+xml",
    "zip": "application/zip", "bin": "application/octet-stream",
  ]

  /// The type; nil for an unknown extension.
  static func ofFile(named name: String) -> String? {
    guard let dot = name.lastIndex(of: ".") else { return nil }
    return types[name[name.index(after: dot)...].lowercased()]
  }
}
