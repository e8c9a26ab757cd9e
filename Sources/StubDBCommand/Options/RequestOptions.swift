import ArgumentParser
import HTTPTypes
import StubDBModel

/// What a request must satisfy, as options.
struct RequestOptions: ParsableArguments {
  @Option(help: "The method, such as POST; any method unless given.")
  var method: String?

  @Option(
    help: "An absolute URL, or a path for any host: /v1/charges/{id}, /v1/**, /v1/list?page=2.")
  var url: String?

  @Option(
    name: .customLong("when-header"),
    help: ArgumentHelp("A header field the request must have.", valueName: "name:value"),
    transform: HeaderArgument.init)
  var headers: [HeaderArgument] = []

  @Option(
    name: .customLong("when-query"),
    help: ArgumentHelp("A query parameter the request must have.", valueName: "name=value"),
    transform: QueryArgument.init)
  var query: [QueryArgument] = []

  @Option(
    name: .customLong("when-body-json"), parsing: .unconditional,
    help: ArgumentHelp("The JSON that the request's body must equal.", valueName: "json"),
    transform: JSONArgument.value)
  var bodyJSON: JSONValue?

  @Option(
    name: .customLong("when-body"), parsing: .unconditional,
    help: ArgumentHelp("The text that the request's body must equal.", valueName: "text"))
  var body: String?

  /// Whether no option was given.
  var isEmpty: Bool {
    method == nil && url == nil && headers.isEmpty && query.isEmpty && bodyJSON == nil
      && body == nil
  }

  func validate() throws {
    if bodyJSON != nil && body != nil {
      throw ValidationError("Give either --when-body-json or --when-body, not both.")
    }
  }

  /// Sets what was given in the `request` of a stub's document.
  func apply(to request: inout [String: JSONValue]) {
    if let method { request["method"] = .string(method) }
    if let url {
      for part in ["scheme", "host", "port", "path"] { request[part] = nil }
      request["url"] = .string(url)
    }
    if !headers.isEmpty {
      request["headers"] = NamedValues.merged(
        headers.map { ($0.name.rawName, $0.value) }, into: request["headers"], ignoringCase: true)
    }
    if !query.isEmpty {
      request["query"] = NamedValues.merged(
        query.map { ($0.name, $0.value) }, into: request["query"], ignoringCase: false)
    }
    if let bodyJSON { request["body"] = ["equalToJson": bodyJSON] }
    if let body { request["body"] = ["equalTo": .string(body)] }
  }
}
