import ArgumentParser
import StubDBCatalog
import StubDBJSON

extension RootCommand {
  /// Serves a catalog to assistants over the Model Context Protocol.
  struct MCP: CatalogCommand {
    static let configuration = CommandConfiguration(
      commandName: "mcp",
      abstract: "Let an assistant read a catalog, try requests, and write stubs if you allow it.",
      discussion: """
        Speaks the Model Context Protocol over standard input and output until the input ends; an \
        editor or assistant starts it. The catalog is opened anew for each call, so that it may \
        change meanwhile, or be made later. Nothing is written without --allow-writes, and \
        passwords and tokens in near misses are not shown.

        Most assistants read a file such as .mcp.json: \
        {"mcpServers": {"stubdb": {"command": "stubdb", "args": ["mcp", "--catalog", "shop.stubdb"]}}}

        Tools: list_scenarios, show_scenario, search, match, check, schema; with --allow-writes \
        also put_stub, put_scenario, remove_stub.

        Examples:
          stubdb mcp
          stubdb mcp --catalog Tests/Fixtures/shop.stubdb --allow-writes
        """)

    @Flag(help: "Offer the tools that change the catalog.")
    var allowWrites = false

    @OptionGroup var catalog: CatalogOptions

    func run() throws {
      let tools = MCPTool.reading + (allowWrites ? MCPTool.writing : [])
      let server = try MCPServer(tools: tools, open: catalog.open)
      var lines = LineReader()
      while let line = try lines.next() {
        if let reply = server.reply(to: line) { try Console.line(reply.canonicalText) }
      }
    }
  }
}
