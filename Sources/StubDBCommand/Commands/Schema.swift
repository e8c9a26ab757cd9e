import ArgumentParser
import StubDBDocuments

extension RootCommand {
  /// Prints the JSON Schema of scenario documents.
  struct Schema: CommonCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "schema",
      abstract: "Print the JSON Schema of a scenario document.",
      discussion: """
        An editor that knows the schema completes and checks documents while you write them.

        Examples:
          stubdb schema > stubdb.schema.json
          stubdb show checkout/paid --json     a document to begin with
        """)

    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
      try Console.write(DocumentSchema.text)
    }
  }
}
