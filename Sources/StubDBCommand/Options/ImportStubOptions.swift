import ArgumentParser
import Foundation
import StubDBFormats
import StubDBJobs
import StubDBModel
import StubDBSupport

/// How requests and answers become stubs.
struct ImportStubOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Header fields of answers to keep although they differ each time, by commas; all for every one.",
      valueName: "names"))
  var keepHeaders: String?

  @Option(
    help: ArgumentHelp(
      "Header fields of requests that stubs match, by commas (default: none but those that tell answers apart).",
      valueName: "names"))
  var matchHeaders: String?

  @Option(
    help: ArgumentHelp(
      "Query parameters, form fields and JSON members not to match, by commas.", valueName: "names")
  )
  var ignoreQuery: String?

  @Flag(help: "Match every parameter, also those that look like a time or a random value.")
  var exact = false

  @Flag(help: "Match any host, for one client against several environments.")
  var anyHost = false

  @Flag(
    help: "Let writes decide between the answers to a request, with a flow in place of a sequence.")
  var flows = false

  @Flag(help: "Fail requests beyond the recorded ones.")
  var strictOrder = false

  @Flag(help: "Keep the recorded times as delays.")
  var timing = false

  @Option(
    help: ArgumentHelp(
      "Whether {{…}} in contents is filled in: auto, on or off (default: auto, where all of it is known).",
      valueName: "when"))
  var templates: TemplateChoice = .auto

  @Option(
    name: .customLong("var"),
    help: ArgumentHelp("The value of a variable of the input. Repeatable.", valueName: "name=value")
  )
  var variables: [String] = []

  @Option(
    name: .customLong("env"),
    help: ArgumentHelp(
      "A file with values of variables: an environment of Postman. Repeatable.", valueName: "path"),
    completion: .file(extensions: ["json"]))
  var environments: [String] = []

  @Option(
    help: ArgumentHelp(
      "The URL of an answer that is recorded without its request.", valueName: "url"))
  var url: String?

  @Option(help: ArgumentHelp("The method of such an answer (default: GET).", valueName: "method"))
  var method: String?

  @Option(
    help: ArgumentHelp(
      "The server of a description (default: its first one).", valueName: "url"))
  var server: String?

  @Option(
    help: ArgumentHelp(
      "What of a description requests must satisfy: required (parameters), body or security. Repeatable.",
      valueName: "what"))
  var require: [ImportOptions.Requirement] = []

  @Option(
    help: ArgumentHelp(
      "Which answers of a description become stubs: usual, examples (others that have an example, too) or all.",
      valueName: "which"))
  var answers: ImportOptions.Answers = .examples

  @Flag(help: "Make stubs of requests without an answer, too; they answer 200 without content.")
  var empty = false

  @Flag(help: "Keep stubs that answer more than the original, with a line in the report.")
  var lenient = false

  func validate() throws {
    guard let server else { return }
    let parts = URLParts(server)
    guard parts?.scheme != nil, parts?.host != nil, parts?.query == [] else {
      throw ValidationError(
        "--server takes a URL, such as https://api.shop.test/v1, not \(TerminalText.quoted(server))."
      )
    }
  }

  func apply(to options: inout ImportOptions) throws {
    options.keptHeaders = Self.names(keepHeaders)
    options.matchedHeaders = Self.names(matchHeaders)
    options.ignoredQuery = Self.names(ignoreQuery)
    options.matchesAnyHost = anyHost
    options.usesTemplates = templates.value
    options.url = url
    options.method = method
    options.server = server
    options.requirements = Set(require)
    options.answers = answers
    options.set([
      .exact: exact, .flows: flows, .strictOrder: strictOrder, .timing: timing, .empty: empty,
      .lenient: lenient,
    ])
    for variable in variables {
      guard let (name, value) = variable.cut(at: "="), !name.isEmpty else {
        throw UsageError("--var takes NAME=VALUE, not \(TerminalText.quoted(variable))")
      }
      options.variables[String(name)] = String(value)
    }
  }

  private static func names(_ list: String?) -> [String] {
    (list ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }
}

extension ImportOptions.Requirement: ExpressibleByArgument {}
extension ImportOptions.Answers: ExpressibleByArgument {}

/// The values of `--templates`.
enum TemplateChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, on, off

  var value: Bool? {
    switch self {
    case .auto: nil
    case .on: true
    case .off: false
    }
  }
}
