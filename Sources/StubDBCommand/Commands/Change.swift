import ArgumentParser
import StubDBCatalog
import StubDBModel

extension RootCommand {
  /// Changes single things of a scenario or a stub; the command is `set`.
  struct Change: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Change single things of a scenario, or of one of its stubs.",
      discussion: """
        What is not named stays. A header field or query parameter replaces the one of its name; an \
        empty --summary removes it. For anything else there is `stubdb edit`.

        Examples:
          stubdb set checkout/paid --summary 'The bank accepts the card'
          stubdb set checkout/paid --include session/signed-in
          stubdb set checkout/paid charge --status 404 --delay 2s --json '{"e": 1}'
          stubdb set checkout/paid charge --response 2 --status 500
          stubdb set checkout/paid charge --priority 1 --when-header 'X-Beta: on'
        """)

    @Argument(
      help: "The scenario.", completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName

    @Argument(help: "The key of the stub to change.", completion: .stubKeys)
    var key: String?

    @Option(help: "A line that says what the scenario, or the stub, is for.")
    var summary: String?

    @OptionGroup(title: "Scenario") var includes: IncludeOptions
    @OptionGroup(title: "Stub") var stub: StubOptions
    @OptionGroup(title: "Request") var request: RequestOptions
    @OptionGroup(title: "Response") var response: ResponseOptions
    @OptionGroup var catalog: CatalogOptions

    func validate() throws {
      if key == nil {
        guard stub.isEmpty && request.isEmpty && response.isEmpty else {
          throw ValidationError(
            "These options change a stub; say which one: stubdb set \(scenario) KEY …")
        }
        if summary == nil && includes.isEmpty {
          throw ValidationError("Say what to change, such as --summary TEXT.")
        }
      } else {
        guard includes.isEmpty else {
          throw ValidationError("--include and --no-include change a scenario; leave out the key.")
        }
        if summary == nil && stub.isEmpty && request.isEmpty && response.isEmpty {
          throw ValidationError("Say what to change, such as --status 404.")
        }
      }
    }

    func run() throws {
      let catalog = try catalog.open()
      let isChanged = try catalog.edit { editor in
        let original = try editor.existing(scenario, in: catalog)
        var changed = original
        if let key {
          let index = try original.index(of: key)
          changed.stubs[index] = try self.changed(original.stubs[index])
        } else {
          if let summary { changed.summary = summary.isEmpty ? nil : summary }
          try includes.apply(to: &changed)
        }
        if changed != original { try editor.replace(changed) }
        return changed != original
      }
      let what = key.map { "stub \(Printable.line($0)) of \(scenario)" } ?? "\(scenario)"
      Console.note(isChanged ? "Changed \(what)." : "Nothing to change: \(what) is so already.")
    }

    private func changed(_ original: Stub) throws -> Stub {
      var draft = try StubDraft(original)
      if let summary { draft.set("summary", to: summary.isEmpty ? nil : .string(summary)) }
      stub.apply(to: &draft)
      draft.apply(request)
      if !response.isEmpty {
        let number = try stub.responseNumber(of: original)
        draft.apply(response, toResponse: number - 1)
      }
      return try draft.stub()
    }
  }
}
