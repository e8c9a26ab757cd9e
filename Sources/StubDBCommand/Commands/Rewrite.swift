import ArgumentParser
import StubDBCatalog
import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBSupport

extension RootCommand {
  struct Rewrite: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "rewrite",
      abstract: "Change the JSON of many stubs at once, or their host.",
      discussion: """
        --where names the documents and a JSONPath: response is the JSON of the answers, request the JSON \
        that equalToJson asks for. Prints what would change; with --yes writes it in one step, which \
        stubdb undo takes back. A scenario is a name, checkout/ for those below it, or a pattern: \
        * is a part of a segment, ** any segments, '**' the whole catalog.

        Templates, texts, bytes, chunks, callbacks and other patterns of requests are left as they are; a \
        note says where they may have what is to be changed. Included scenarios that are not named, \
        other catalogs and drafts are left, too. A member is never renamed over another one.

        Exits with 2 if nothing is to be changed.

        Examples:
          stubdb rewrite checkout/ --where 'response $.user.email' --rename email=mail
          stubdb rewrite '**' --where 'response $.items[*].price' --remove --yes
          stubdb rewrite '**' --where 'response $.user' --add plan='"free"'
          stubdb rewrite checkout/paid --where 'request $.currency' --set '"EUR"'
          stubdb rewrite '**' --where 'response $' --wrap '{"data": …}'
          stubdb rewrite '**' --host api.shop.test=api.shop.example
        """)

    @Argument(
      help: "The scenarios: a name, checkout/ or a pattern.", completion: .scenarioNames,
      transform: ScenarioGlob.init(argument:))
    var scenarios: [ScenarioGlob]

    @Option(
      name: .customLong("where"),
      help: ArgumentHelp(
        "What is changed: response or request, and a JSONPath.", valueName: "query"),
      transform: RewriteQuery.init(argument:))
    var query: RewriteQuery?

    @Option(
      help: ArgumentHelp("Give selected members another name.", valueName: "old=new"),
      transform: ValueRewrite.init(renaming:))
    var rename: ValueRewrite?

    @Option(
      help: ArgumentHelp("Replace what is selected.", valueName: "json"),
      transform: ValueRewrite.init(setting:))
    var set: ValueRewrite?

    @Option(
      help: ArgumentHelp(
        "Add a member to selected objects that lack it.", valueName: "name=json"),
      transform: ValueRewrite.init(adding:))
    var add: ValueRewrite?

    @Option(
      help: ArgumentHelp(
        "Put what is selected in the place of … in this JSON.", valueName: "json"),
      transform: ValueRewrite.init(wrapping:))
    var wrap: ValueRewrite?

    @Flag(help: "Remove what is selected.")
    var remove = false

    @Option(
      help: ArgumentHelp(
        "Give requests, and URLs in them and in header fields and JSON of answers, another host.",
        valueName: "old=new"),
      transform: HostRewrite.init(argument:))
    var host: HostRewrite?

    @Flag(help: "Write the changes.")
    var yes = false

    @Flag(help: "Print JSON: {stubs, scenarios, written, changes, left, outside}.")
    var json = false

    @OptionGroup var catalog: CatalogOptions

    /// How many stubs that never answer are listed one by one.
    private static let mostWarnings = 20

    private var values: [ValueRewrite] {
      [rename, set, add, wrap, remove ? .remove : nil].compactMap(\.self)
    }

    func checkUsage() throws {
      guard values.count + (host == nil ? 0 : 1) == 1 else {
        throw ValidationError(
          "Give one of --rename, --set, --add, --remove, --wrap and --host.")
      }
      if (query == nil) != (host != nil) {
        throw ValidationError(
          host == nil
            ? "Say what to change, such as --where 'response $.user.email'."
            : "--where does not go with --host.")
      }
    }

    func run() throws {
      let catalog = try catalog.open()
      let change = host.map(CatalogRewrite.Change.host)
      guard let change = change ?? query.map({ .values(values[0], $0) }) else { return }
      let progress = ProgressLine("Looking")
      defer { progress.end() }
      let rewrite = CatalogRewrite(catalog, scenarios, change) {
        progress.show($0, of: $1, "scenario")
      }
      let plan = try yes ? rewrite.run() : rewrite.plan()
      progress.end()
      if json {
        try Console.write(plan.json(isWritten: yes).text)
      } else {
        let view = DifferenceView(style: .output)
        for difference in plan.differences { try Console.write(view.text([difference])) }
      }
      for line in plan.notes { Console.note(TerminalText.line(line)) }
      try report(plan, catalog)
    }

    private func report(_ plan: CatalogRewrite.Plan, _ catalog: Catalog) throws {
      guard plan.stubCount > 0 else {
        Console.note("Nothing to change.")
        throw ExitCode(2)
      }
      let what =
        "\(Plural.of(plan.stubCount, "stub")) in \(Plural.of(plan.changes.count, "scenario"))"
      Console.note("\(yes ? "Changed" : "Would change") \(what).")
      let hidden = HiddenStubView.lines(plan.hidden)
      for line in hidden.prefix(Self.mostWarnings) { Console.note(line) }
      for line in CutList.end(hidden.count - Self.mostWarnings) { Console.note(line) }
      guard yes else {
        return Console.note(FollowUp.again("To write it", adding: "--yes"))
      }
      for line in try SecretNotes.lines(
        on: plan.changes.map { ($0.after, $0.before) }, in: catalog)
      { Console.note(line) }
    }
  }
}
