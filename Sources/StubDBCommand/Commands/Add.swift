import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEditing
import StubDBJSON
import StubDBModel
import StubDBPublishing
import StubDBSupport

extension RootCommand {
  struct Add: WritingCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add a stub from options, or stubs and scenarios from files.",
      discussion: """
        A scenario that does not exist is created. A key that exists, and a request that a stub answers \
        already, are refused, unless --replace or --then-response. Either everything is added or \
        nothing. What could not be played is refused, and so is a stub that would never answer; in the \
        document of a whole scenario it gets a warning.

        The short options are those of curl: -X, -H and -d say what the request must be. Where a \
        body is given, @PATH reads it from a file and @- from standard input; write @@ at the beginning \
        of a text that begins with @. --when takes any pattern that a document may hold.

        A file contains a scenario document (see `stubdb schema` and `stubdb show --json`), a stub, \
        or a list of either. Only a document can say events, chunks, callbacks and what else has no \
        option here.

        Examples:
          stubdb add checkout/paid --method POST \\
            --url https://api.shop.test/v1/charges --status 201 --json '{"id": "ch_1"}'
          stubdb add checkout/slow --url '/v1/**' --delay 3s --status 503 \\
            --header 'Retry-After: 1'
          stubdb add checkout/paid --key vip --method GET --url /v1/me --priority 1 \\
            --when-header 'Authorization: Bearer vip' --body-file vip.json
          stubdb add checkout/paid --method POST --url /v1/refunds --status 202 \\
            --when '{"headers": {"Authorization": {"matches": "Bearer .+"}}}'
          stubdb add checkout/paid --key vip --then-response --status 401
          pbpaste | stubdb add checkout/paid --from-curl - --status 201
          stubdb add session/offline --url '/**' --error notConnectedToInternet
          stubdb add --file card-declined.json --file offline.json
          stubdb add checkout/paid --file stub.json --replace
          generate-stubs | stubdb add checkout/paid --file -
        """)

    @Argument(
      help: "The scenario, such as checkout/paid; not needed for documents, which name it.",
      completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName?

    /// A method and a URL as other tools take them; refused with the options to use.
    @Argument(help: .hidden) var unexpected: [String] = []

    @Option(
      name: .customLong("file"),
      help: ArgumentHelp(
        "A file with a document, a stub or a list of either; - is standard input. Repeatable.",
        valueName: "path"),
      completion: .file(extensions: ["json"]))
    var files: [String] = []

    @Option(help: "The stub's key (default: made from method and path, as get-v1-charges).")
    var key: String?

    @Option(help: "What the stub is for, in a line; for the scenario: --scenario-summary.")
    var summary: String?

    @Flag(
      help: "Replace what exists: a document's scenario, a stub with the same key or request.")
    var replace = false

    @Flag(help: "Read files that a document names outside its own folder.")
    var allowOutside = false

    @Option(
      name: .customLong("from-curl"), parsing: .unconditional,
      help: ArgumentHelp(
        "The request that this curl command sends; - reads it from standard input.",
        valueName: "command|-|@path"))
    var curl: String?

    @OptionGroup(title: "Request") var request: RequestOptions
    @OptionGroup(title: "Response") var response: ResponseOptions
    @OptionGroup(title: "Stub") var stub: StubOptions
    @OptionGroup(title: "Scenario") var header: ScenarioOptions
    @OptionGroup var writing: WritingOptions

    func checkUsage() throws {
      try requireOneFileEach()
      guard unexpected.isEmpty else { throw Self.refusal(of: unexpected, scenario) }
      if files.isEmpty {
        guard scenario != nil else {
          throw ValidationError("Say which scenario to add to, such as checkout/paid.")
        }
        try validateStub()
      } else if hasStub || !header.isEmpty {
        throw ValidationError(
          "With --file, everything about a stub is in the file; leave the other options out.")
      }
      let standardInputCount =
        files.count { $0 == "-" } + request.standardInputCount + response.standardInputCount
        + (CurlArgument.readsStandardInput(curl) ? 1 : 0)
      if standardInputCount > 1 {
        throw ValidationError("Standard input can be read once only: give - or @- once.")
      }
    }

    /// Refuses further files after `--file`, which a shell makes of `--file *.json`, with the command for all of them.
    private func requireOneFileEach() throws {
      let words = [scenario?.rawValue].compactMap(\.self) + unexpected
      let further = words.filter { $0.hasSuffix(".json") }
      guard !files.isEmpty, !further.isEmpty else { return }
      let options = (files + further).flatMap { ["--file", $0] }
      let command = ["add"] + words.filter { !$0.hasSuffix(".json") } + options
      throw ValidationError("--file takes one file; give it for each: \(FollowUp.command(command))")
    }

    /// Names the options that hold what was written as further arguments, such as `GET /v1/me`.
    private static func refusal(of words: [String], _ scenario: ScenarioName?) -> ValidationError {
      let list = words.map { "'\($0)'" }.joined(separator: ", ")
      var text =
        words.count == 1
        ? "Unexpected argument \(list)" : "\(words.count) unexpected arguments: \(list)"
      let isMethod = words[0].utf8.allSatisfy { (0x41...0x5A).contains($0) }
      if isMethod || words[0].hasPrefix("/") || words[0].contains("://") {
        var command = ["add", scenario?.rawValue ?? "SCENARIO"]
        if isMethod { command += ["--method", words[0]] }
        if let url = words.dropFirst(isMethod ? 1 : 0).first { command += ["--url", url] }
        text += ". Here the method and the URL are options: " + FollowUp.command(command)
        text += ", with the others as they are"
      }
      return ValidationError(text)
    }

    /// Whether any option describes a stub.
    private var hasStub: Bool {
      key != nil || curl != nil || summary != nil || !request.isEmpty || !response.isEmpty
        || !stub.isEmpty
        || stub.isThenResponse
    }

    private var saysRequest: Bool { request.url != nil || request.when != nil || curl != nil }

    private func validateStub() throws {
      if stub.isThenResponse {
        if replace {
          throw ValidationError("Give either --replace or --then-response, not both.")
        }
        if key == nil && !saysRequest {
          throw ValidationError(
            "Say which stub gets the response: --key KEY, or its request with --url URL.")
        }
      } else if !saysRequest, hasStub || header.isEmpty {
        if let name = scenario?.rawValue, name.hasSuffix(".json") {
          throw ValidationError("To add what is in a file: --file \(ShellWord.quoted(name))")
        }
        throw ValidationError(
          "Say which request the stub answers with --url URL or --from-curl COMMAND, "
            + "or where stubs are with --file PATH."
        )
      }
    }

    func run() throws {
      let catalog = try catalog.open()
      let additions = try files.isEmpty ? fromOptions() : fromFiles()
      let (changes, secrets) = try catalog.changing { editor in
        let changes = try apply(additions, to: &editor, of: catalog)
        let written = changes.compactMap { change in
          if case .written(let written) = change { written } else { nil }
        }
        return (changes, try SecretNotes.lines(on: written, in: catalog))
      }
      let lines = AdditionReport(changes).lines(catalog: catalog)
      for line in request.notes + lines + secrets { Console.note(line) }
    }

    private func apply(
      _ additions: [Typed], to editor: inout CatalogEditor, of catalog: Catalog
    ) throws -> [AdditionChange] {
      var origin: TypedOrigin?
      do {
        var writer = AdditionEditor(
          .init(replaces: replace, refusesSecrets: false), catalog: catalog)
        for typed in additions {
          origin = typed.origin
          try writer.apply(typed.addition, to: &editor)
        }
        return try writer.finish(&editor)
      } catch let refusal as EditRefusal {
        throw refusal.rendered(of: catalog, origin)
      }
    }

    /// An addition, and where it was typed.
    private typealias Typed = (addition: Addition, origin: TypedOrigin)

    private func fromOptions() throws -> [Typed] {
      guard let scenario else { throw UsageError("Say which scenario to add to.") }
      var draft = StubDraft(key: key ?? "new")
      let headers: [Typed] =
        header.isEmpty ? [] : [(.header(header.change, scenario), .options(draft))]
      guard hasStub else { return headers }
      let curl = try curl.map(CurlArgument.init)
      for note in curl?.notes ?? [] { Console.note(note) }
      if let curl { draft.take(curl.pattern) }
      try apply(to: &draft, response: 0)
      let addition =
        try stub.isThenResponse
        ? furtherResponse(in: scenario, for: draft)
        : .stubs([draft.stub()], scenario, keyIsDerived: key == nil)
      return [(addition, .options(draft))] + headers
    }

    private func apply(to draft: inout StubDraft, response index: Int) throws {
      draft.set("summary", to: summary.map(JSONValue.string))
      try draft.apply(request)
      try draft.apply(response, toResponse: index)
      stub.apply(to: &draft)
    }

    private func furtherResponse(
      in scenario: ScenarioName, for draft: StubDraft
    ) throws -> Addition {
      let pattern = request.isEmpty && curl == nil ? nil : try draft.stub()
      if let pattern, let problem = WriteCheck.problem(of: [pattern], in: scenario) {
        throw draft.error(for: problem)
      }
      let key = key.map(Stub.Key.init(unchecked:))
      return .response(scenario, key: key, pattern?.stub.request) { existing in
        var draft = StubDraft(existing)
        if let summary { draft.set("summary", to: .string(summary)) }
        try draft.apply(response, toResponse: existing.responses.count)
        stub.apply(to: &draft)
        return try draft.stub()
      }
    }

    private func fromFiles() throws -> [Typed] {
      try files.flatMap { file in
        let (content, text) = try DocumentSource(
          file, at: file == "-" ? nil : CatalogLocator().resolve(file)
        ).content(allowsOutside: allowOutside)
        return try additions(content, text, from: file)
      }
    }

    private func additions(
      _ content: CheckedContent, _ text: DocumentText, from file: String
    ) throws -> [Typed] {
      switch content {
      case .scenarios(let documents):
        if let scenario, let other = documents.map(\.scenario.name).first(where: { $0 != scenario })
        {
          throw CommandError(
            "\(file) is a document of scenario \(other), not of \(scenario)",
            hints: [
              "To add it as what it is: \(FollowUp.program) add --file \(ShellWord.quoted(file))"
            ])
        }
        return documents.enumerated().map { (.scenario($1), .file(text, scenario: $0)) }
      case .stubs(let stubs):
        guard let scenario else {
          throw UsageError(
            "\(file) contains stubs and does not name their scenario; "
              + "type: \(FollowUp.program) add SCENARIO --file \(ShellWord.quoted(file))")
        }
        return [(.stubs(stubs, scenario), .file(text, scenario: nil))]
      }
    }
  }
}
