internal import Foundation
internal import StubDBFormats
internal import StubDBSupport

extension PreCommitHook {
  /// What the hook does.
  package struct Actions: Equatable, Sendable {
    /// The folders of the mirrors, relative to the top folder.
    package var mirrors: [String] = []
    /// Whether commits that add a secret are refused.
    package var scans = false
    /// Whether every commit is stopped while stubdb is not where the hook looks for it.
    ///
    /// It changes what the hook does, and is nothing that it does.
    package var failsClosed = false
    /// Whether the hook does nothing.
    package var isEmpty: Bool { mirrors.isEmpty && !scans }

    package init(mirrors: [String] = [], scans: Bool = false, failsClosed: Bool = false) {
      (self.mirrors, self.scans, self.failsClosed) = (mirrors, scans, failsClosed)
    }

    /// The options of `git pre-commit`, each with a space before it.
    package var options: String {
      mirrors.map { " --mirror \(ShellWord.quoted($0))" }.joined()
        + (failsClosed ? PreCommitHook.failClosedOption : "")
        + (scans ? PreCommitHook.scanOption : "")
    }

    /// These and the others.
    package func adding(_ others: Actions) -> Actions {
      Actions(
        mirrors: mirrors + others.mirrors.filter { !mirrors.contains($0) },
        scans: scans || others.scans, failsClosed: failsClosed || others.failsClosed)
    }
  }
}

extension PreCommitHook.Actions {
  /// Reads the line of a hook that calls stubdb.
  init(call line: String) {
    self.init()
    let call = line.range(of: PreCommitHook.callEnd).map { line[..<$0.lowerBound] } ?? line[...]
    let words = (try? ShellWords(parsing: String(call)))?.commands.first ?? []
    for (index, word) in words.enumerated() {
      if word == "--scan" { scans = true }
      if word == "--fail-closed" { failsClosed = true }
      if word == "--mirror", index + 1 < words.count { mirrors.append(words[index + 1]) }
    }
  }
}
