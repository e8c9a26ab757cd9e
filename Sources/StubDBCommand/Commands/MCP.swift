import ArgumentParser
import Foundation
import StubDBJSON
import StubDBMCP

extension RootCommand {
  struct MCP: WritingCommand {
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
        also put_stub, put_scenario, remove_stub; with --server, which names a stubdb serve that runs, \
        also journal and start_session.

        Examples:
          stubdb mcp
          stubdb mcp --catalog Tests/Fixtures/shop.stubdb --allow-writes
          stubdb mcp --server http://127.0.0.1:8080
        """)

    @Flag(help: "Offer the tools that change the catalog.")
    var allowWrites = false

    @Option(
      help: ArgumentHelp(
        "The address of a stubdb serve that runs, on this machine unless there is a token (default: "
          + "STUBDB_SERVER).", valueName: "url"))
    var server: String?

    @Option(
      help: ArgumentHelp(
        "The token of that server's admin API (default: STUBDB_TOKEN).", valueName: "token"))
    var token: String?

    @OptionGroup var writing: WritingOptions

    func run() throws {
      let context = MCPContext(
        open: catalog.open, server: try serverClient(), shown: \.shown)
      let tools =
        MCPTool.reading + (context.server == nil ? [] : MCPTool.ofServer)
        + (allowWrites ? MCPTool.writing : [])
      let server = try MCPServer(
        tools: tools, context, version: RootCommand.configuration.version,
        missing: MCPTool.reasonAgainst, message: ErrorText.message)
      var lines = LineReader()
      while let line = try lines.next() {
        if let reply = server.reply(to: line) { try Console.line(reply.canonicalText) }
      }
    }

    /// The server that the options or the environment name; nil for none.
    private func serverClient() throws -> ServerClient? {
      let environment = ProcessInfo.processInfo.environment
      let given = [server, environment["STUBDB_SERVER"]].compactMap(\.self).first { !$0.isEmpty }
      let token = [token, environment["STUBDB_TOKEN"]].compactMap(\.self).first { !$0.isEmpty }
      return try given.map { try ServerClient($0, token: token) }
    }
  }
}
