import ArgumentParser

/// The command `stubdb`: its subcommands, and nothing of its own.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stubdb",
    abstract: "Keep HTTP stubs as scenarios in one file, for tests to load by name.",
    discussion: """
      A catalog is one file, such as shop.stubdb, that you commit like source code. \
      It contains scenarios (checkout/paid), and a scenario contains stubs: a request and \
      its responses.

      Begin with:
        stubdb demo                  the whole story on a temporary catalog
        stubdb init shop.stubdb      make a catalog
        stubdb add checkout/paid --method POST \\
          --url https://api.shop.test/v1/charges --status 201 --json '{"id": "ch_1"}'
        stubdb match checkout/paid POST https://api.shop.test/v1/charges

      The catalog is the file given with --catalog, else the one in $STUBDB_CATALOG, \
      else the one *.stubdb in this folder or the nearest folder above that has one, up to \
      the top of the git repository.

      Data goes to standard output, everything else to standard error. Exit codes:
      0 done, 1 failed, 2 a negative answer, such as match without a stub or check with \
      problems (the help of a command says which), 64 usage.

      Before or after the command: -C FOLDER works in another folder, --color always, never \
      or auto decides on colors (else NO_COLOR, then CLICOLOR_FORCE, then the terminal), and \
      --no-pager writes long output straight to the terminal, not through $STUBDB_PAGER, \
      $PAGER or less.

      stubdb help COMMAND explains a command, and stubdb help TOPIC more, such as matching, documents, \
      templates, recording or sharing; stubdb help topics lists them. stubdb help WORD lists what mentions the word.

      Completion of commands, scenarios and keys in your shell (zsh, bash, fish):
        stubdb --generate-completion-script zsh > ~/.zfunc/_stubdb
      """,
    version: programVersion,
    groupedSubcommands: [
      CommandGroup(name: "Begin", subcommands: [Demo.self, Init.self, Add.self]),
      CommandGroup(
        name: "Look",
        subcommands: [
          List.self, Show.self, Search.self, Match.self, Play.self, Log.self, Diff.self,
          Coverage.self, Affected.self, Sweep.self, Check.self, Evolve.self, Names.self,
          Schema.self,
        ]),
      CommandGroup(
        name: "Change",
        subcommands: [
          Edit.self, SetCommand.self, Rewrite.self, Tag.self, Rename.self, Copy.self, Remove.self,
          Undo.self, Restore.self, Prune.self, Redact.self, Upgrade.self,
        ]),
      CommandGroup(
        name: "Record and import",
        subcommands: [Record.self, Review.self, Import.self, Export.self, Verify.self]),
      CommandGroup(
        name: "Share",
        subcommands: [
          Git.self, Merge.self, Resolve.self, Mirror.self, Scan.self, Push.self, Pull.self,
          Sync.self, Remote.self, Cache.self, Key.self,
        ]),
      CommandGroup(name: "Serve", subcommands: [Serve.self, CA.self, MCP.self]),
    ])
}
