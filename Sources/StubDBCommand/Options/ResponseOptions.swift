import ArgumentParser
import HTTPTypes
import StubDBModel

/// What a stub answers with, as options.
struct ResponseOptions: ParsableArguments {
  @Option(help: "The status code, 100 to 999 (default: 200).")
  var status: Int?

  @Option(
    name: .customLong("header"),
    help: ArgumentHelp("A header field of the response.", valueName: "name:value"),
    transform: HeaderArgument.init)
  var headers: [HeaderArgument] = []

  @Option(
    name: .customLong("json"), parsing: .unconditional,
    help: ArgumentHelp("A JSON body.", valueName: "json"), transform: JSONArgument.value)
  var json: JSONValue?

  @Option(parsing: .unconditional, help: "A text body.")
  var text: String?

  @Option(
    name: .customLong("body-file"),
    help: ArgumentHelp("A file that holds the body.", valueName: "path"), completion: .file())
  var bodyFile: String?

  @Option(help: ArgumentHelp("Hold the response back: 250ms, 2s.", valueName: "time"))
  var delay: String?

  @Option(
    help: ArgumentHelp(
      "Fail with a URLError instead: timedOut, notConnectedToInternet, …", valueName: "name"),
    completion: .list(URLErrorNames.codes.keys.sorted()))
  var error: String?

  @Option(
    help: ArgumentHelp(
      "Break the connection instead: \(ResponseFault.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "name"),
    completion: .list(ResponseFault.allCases.map(\.rawValue)))
  var fault: String?

  /// Whether no option was given.
  var isEmpty: Bool {
    status == nil && headers.isEmpty && !hasBody && delay == nil && error == nil && fault == nil
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

  /// Sets what was given in one of the `responses` of a stub's document.
  func apply(to response: inout [String: JSONValue]) {
    if let status { response["status"] = .number(JSONNumber(status)) }
    if !headers.isEmpty {
      response["headers"] = NamedValues.merged(
        headers.map { ($0.name.rawName, $0.value) }, into: response["headers"], ignoringCase: true)
    }
    if hasBody {
      for kind in ["json", "text", "base64", "file", "chunks"] { response[kind] = nil }
      if let json { response["json"] = json }
      if let text { response["text"] = .string(text) }
      if let bodyFile {
        response["file"] = .string(bodyFile)
        addContentType(of: bodyFile, to: &response)
      }
    }
    if let delay { response["delay"] = .string(delay) }
    if let error {
      response["fault"] = nil
      response["error"] = .string(error)
    }
    if let fault {
      response["error"] = nil
      response["fault"] = .string(fault)
    }
  }

  /// A file says by its name what it holds; the decoder only sees its bytes.
  private func addContentType(of file: String, to response: inout [String: JSONValue]) {
    guard let type = MediaType.ofFile(named: file) else { return }
    var fields: [String: JSONValue] = [:]
    if case .object(let members) = response["headers"] { fields = members }
    guard !fields.keys.contains(where: { $0.lowercased() == "content-type" }) else { return }
    fields["Content-Type"] = .string(type)
    response["headers"] = .object(fields)
  }
}
