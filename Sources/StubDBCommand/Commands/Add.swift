import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBModel

extension RootCommand {
  /// Puts stubs and scenarios into a catalog.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add a stub from options, or stubs and scenarios from files.",
      discussion: """
        A scenario that does not exist is made. A key that exists is refused, unless --replace. \
        Either everything is added or nothing.

        A file holds a scenario document (see `stubdb schema` and `stubdb show --json`), a stub, \
        or a list of either.

        Examples:
          stubdb add checkout/paid --method POST \\
            --url https://api.shop.test/v1/charges --status 201 --json '{"id": "ch_1"}'
          stubdb add checkout/slow --url '/v1/**' --delay 3s --status 503 \\
            --header 'Retry-After: 1'
          stubdb add checkout/paid --key vip --method GET --url /v1/me --priority 1 \\
            --when-header 'Authorization: Bearer vip' --body-file vip.json
          stubdb add session/offline --url '/**' --error notConnectedToInternet
          stubdb add --file card-declined.json --file offline.json
          stubdb add checkout/paid --file stub.json --replace
          generate-stubs | stubdb add checkout/paid --file -
        """)

    @Argument(
      help: "The scenario, such as checkout/paid; not needed for documents, which say it.",
      completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName?

    @Option(
      name: .customLong("file"),
      help: ArgumentHelp(
        "A file with a document, a stub or a list of either; - is standard input. Repeatable.",
        valueName: "path"),
      completion: .file(extensions: ["json"]))
    var files: [String] = []

    @Option(help: "The stub's key (default: made from method and path, as get-v1-charges).")
    var key: String?

    @Option(help: "A line that says what the stub is for.")
    var summary: String?

    @Option(help: "Among stubs that match, the lowest number answers (default: 5).")
    var priority: Int?

    @Flag(help: "Replace what exists: a document its scenario, a stub the stub with its key.")
    var replace = false

    @OptionGroup(title: "Request") var request: RequestOptions
    @OptionGroup(title: "Response") var response: ResponseOptions
    @OptionGroup var catalog: CatalogOptions

    func validate() throws {
      if files.isEmpty {
        guard scenario != nil else {
          throw ValidationError("Say which scenario to add to, such as checkout/paid.")
        }
        guard request.url != nil else {
          throw ValidationError(
            "Say which request the stub answers with --url URL, or where stubs are with --file PATH."
          )
        }
      } else if key != nil || summary != nil || priority != nil || !request.isEmpty
        || !response.isEmpty
      {
        throw ValidationError(
          "With --file, everything about a stub is in the file; leave the other options out.")
      }
      if files.filter({ $0 == "-" }).count > 1 {
        throw ValidationError("Standard input can be read once only: give --file - once.")
      }
    }

    func run() throws {
      let catalog = try catalog.open()
      let additions = try files.isEmpty ? [draft()] : fromFiles()
      let report = try catalog.edit { editor in
        var additionEditor = AdditionEditor(replacing: replace)
        for addition in additions { try additionEditor.apply(addition, to: &editor) }
        try additionEditor.finish(&editor)
        return additionEditor.report
      }
      for line in report.lines(catalog: catalog) { Console.note(line) }
    }

    private func draft() throws -> Addition {
      var draft = StubDraft(key: key ?? "new")
      draft.set("summary", to: summary.map(JSONValue.string))
      draft.set("priority", to: priority.map { .number(JSONNumber($0)) })
      draft.apply(request)
      draft.apply(response, toResponse: 0)
      var stub = try draft.stub()
      if key == nil { stub.key = StubKey.derived(from: stub.request) }
      guard let scenario else { throw UsageFailure("Say which scenario to add to.") }
      return .stub(stub, scenario, keyIsDerived: key == nil)
    }

    private func fromFiles() throws -> [Addition] {
      try files.flatMap { try additions(DocumentSource($0).content(), from: $0) }
    }

    private func additions(_ content: DocumentContent, from file: String) throws -> [Addition] {
      switch content {
      case .scenarios(let documents):
        if let scenario, let other = documents.first(where: { $0.name != scenario }) {
          throw CommandFailure(
            "\(file) is a document of scenario \(other.name), not of \(scenario)",
            hints: ["To add it as what it is: stubdb add --file \(ShellQuoting.quote(file))"])
        }
        return documents.map(Addition.scenario)
      case .stubs(let stubs):
        guard let scenario else {
          throw UsageFailure(
            "\(file) holds stubs and does not say of which scenario; "
              + "type: stubdb add SCENARIO --file \(ShellQuoting.quote(file))")
        }
        return stubs.map { .stub($0, scenario, keyIsDerived: false) }
      }
    }
  }
}
