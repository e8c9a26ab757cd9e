import ArgumentParser
import HTTPTypes
import StubDBEditing
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

  /// What the options ask for.
  ///
  /// - Throws: The problem of an option's value.
  func change() throws -> ResponseChange {
    var change = ResponseChange(status: status, delay: delay, fault: fault, isTemplate: template)
    change.headers = headers.map { ($0.name.rawName, $0.value) }
    if let json { change.content = .json(try DataArgument.json(json, of: "--json")) }
    if let text { change.content = .text(try DataArgument.text(text, of: "--text")) }
    if let bodyFile { change.content = .file(bodyFile) }
    change.error = try error.map {
      $0.hasPrefix("{") ? try DataArgument.json($0, of: "--error") : .string($0)
    }
    return change
  }
}
