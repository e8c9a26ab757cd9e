import ArgumentParser

extension RootCommand {
  struct Git: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "git",
      abstract: "Let git show and merge catalogs by meaning.",
      discussion: """
        `stubdb git install` writes a line to .gitattributes, to be committed, and the path of this \
        stubdb to the configuration of this clone. From then on git diff, log -p, show and blame \
        show the text of catalogs, and git merge, rebase, cherry-pick and stash pop merge them.

        Each clone installs it once. In a clone without it git says "Binary files differ", and two \
        branches that changed one catalog conflict as a whole; nothing is damaged.

        Examples:
          stubdb git install
          stubdb git status
          stubdb git uninstall
        """,
      subcommands: [
        GitInstall.self, GitUninstall.self, GitStatus.self, GitTextconv.self,
        GitMergeDriver.self, GitPreCommit.self,
      ])
  }
}
