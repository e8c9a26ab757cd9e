import ArgumentParser
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBSupport

extension RootCommand {
  struct SetCommand: WritingCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Change details of a scenario, or of one of its stubs.",
      discussion: """
        What is not named stays. A header field or query parameter replaces the one of its name; an \
        empty --summary removes it. An error or a fault replaces the previous response, and a status or a \
        body replaces an error. The short options are those of curl and say what the request must \
        be; @PATH reads a body from a file. --when takes any pattern of a document. For anything else \
        use `stubdb edit`.

        Examples:
          stubdb set checkout/paid --summary 'The bank accepts the card'
          stubdb set checkout/paid --include session/signed-in --tag smoke
          stubdb set checkout/paid charge --status 404 --delay 2s --json '{"e": 1}'
          stubdb set checkout/paid charge --response 2 --status 500
          stubdb set checkout/paid charge --then-response --json @paid.json
          stubdb set checkout/paid charge --priority 1 --when-header 'X-Beta: on'
          stubdb set checkout/paid charge --when '{"query": {"page": {"absent": true}}}'
        """)

    @Argument(
      help: "The scenario.", completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName

    @Argument(help: "The key of the stub to change.", completion: .stubKeys)
    var key: String?

    @Option(help: "A line that says what the scenario, or the stub, is for.")
    var summary: String?

    @Option(
      help: ArgumentHelp(
        "Which response to change, from 1; needed if there are several.", valueName: "number"))
    var response: Int?

    @OptionGroup(title: "Scenario") var header: ScenarioOptions
    @OptionGroup(title: "Scenario") var removal: ScenarioRemovalOptions
    @OptionGroup(title: "Stub") var stub: StubOptions
    @OptionGroup(title: "Request") var request: RequestOptions
    @OptionGroup(title: "Response") var responseOptions: ResponseOptions
    @OptionGroup var writing: WritingOptions

    func checkUsage() throws {
      if key == nil {
        guard stub.isEmpty && request.isEmpty && !hasResponse else {
          let option = catalog.path.map { " --catalog \(ShellWord.quoted($0))" } ?? ""
          throw ValidationError(
            "These options change a stub; name it: \(FollowUp.program) set \(scenario)\(option) KEY …"
          )
        }
        if summary != nil && header.summary != nil {
          throw ValidationError("Give either --summary or --scenario-summary, not both.")
        }
        if summary == nil && header.isEmpty && removal.isEmpty {
          throw ValidationError("Say what to change, such as --summary TEXT.")
        }
      } else {
        guard header.isEmpty && removal.isEmpty else {
          throw ValidationError(
            "--include, --no-include, --tag and --scenario-summary change a scenario; "
              + "leave out the key.")
        }
        try validateStub()
      }
      if request.standardInputCount + responseOptions.standardInputCount > 1 {
        throw ValidationError("Standard input can be read once only: give @- once.")
      }
    }

    private var hasResponse: Bool {
      response != nil || stub.isThenResponse || !responseOptions.isEmpty
    }

    private func validateStub() throws {
      if response != nil && stub.isThenResponse {
        throw ValidationError("Give either --response or --then-response, not both.")
      }
      if response != nil && responseOptions.isEmpty {
        throw ValidationError(
          "--response selects a response; also say what to change, such as --status 404.")
      }
      if summary == nil && stub.isEmpty && request.isEmpty && !hasResponse {
        throw ValidationError("Say what to change, such as --status 404.")
      }
    }

    func run() throws {
      let catalog = try catalog.open()
      var draft = StubDraft(key: "new")
      let (written, secrets) = try catalog.edit { editor in
        do {
          let written = try change(&editor, of: catalog, &draft)
          let list = [written].compactMap(\.self)
          return (written, try SecretNotes.lines(on: list, in: catalog))
        } catch let refusal as EditRefusal {
          throw refusal.rendered(of: catalog, .options(draft))
        }
      }
      let what = key.map { "stub \(TerminalText.line($0)) of \(scenario)" } ?? "\(scenario)"
      Console.note(written == nil ? "Nothing to change in \(what)." : "Changed \(what).")
      let hidden = written.map { HiddenStubs.problems(in: $0.after, before: $0.before) } ?? []
      for note in HiddenStubView.lines(hidden) + secrets + request.notes { Console.note(note) }
    }

    private func change(
      _ editor: inout CatalogEditor, of catalog: Catalog, _ draft: inout StubDraft
    ) throws -> WrittenScenario? {
      if let key {
        return try editor.change(stub: Stub.Key(unchecked: key), of: scenario) {
          draft = try changed($0)
          return try draft.stub()
        }
      }
      var change = header.change
      if let summary { change.summary = summary }
      change.removedIncludes = removal.includes
      return try editor.change(scenario, by: change, of: catalog)
    }

    private func changed(_ original: Stub) throws -> StubDraft {
      var draft = StubDraft(original)
      if let summary { draft.set("summary", to: summary.isEmpty ? nil : .string(summary)) }
      stub.apply(to: &draft)
      try draft.apply(request)
      if stub.isThenResponse {
        try draft.apply(responseOptions, toResponse: original.responses.count)
      } else if !responseOptions.isEmpty {
        try draft.apply(responseOptions, toResponse: responseNumber(of: original) - 1)
      }
      return draft
    }

    /// The number of the response to change, from 1.
    ///
    /// - Throws: ``UsageError`` if the response does not exist, or none is chosen and there are several.
    private func responseNumber(of stub: Stub) throws -> Int {
      let count = stub.responses.count
      let has = "Stub \(TerminalText.line(stub.key.rawValue)) has \(Plural.of(count, "response"))"
      guard let response else {
        if count == 1 { return 1 }
        throw UsageError(
          "\(has); choose one with --response 1 to \(count), "
            + "or append one with --then-response.")
      }
      guard (1...count).contains(response) else {
        throw UsageError(
          "\(has), so there is no --response \(response); to append one, give --then-response.")
      }
      return response
    }
  }
}
