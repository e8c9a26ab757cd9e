import Foundation
import StubDBEngine
import StubDBFormats

extension PreCommitHook {
  /// What the hook does.
  struct Actions: Equatable {
    /// The folders of the mirrors, relative to the top folder.
    var mirrors: [String] = []
    /// Whether commits that add a secret are refused.
    var scans = false
    /// Whether the hook does nothing.
    var isEmpty: Bool { mirrors.isEmpty && !scans }

    /// The options of `git pre-commit`, each with a space before it.
    var options: String {
      mirrors.map { " --mirror \(ShellWord.quoted($0))" }.joined()
        + (scans ? PreCommitHook.scanOption : "")
    }

    /// These and the others.
    func adding(_ others: Actions) -> Actions {
      Actions(
        mirrors: mirrors + others.mirrors.filter { !mirrors.contains($0) },
        scans: scans || others.scans)
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
      if word == "--mirror", index + 1 < words.count { mirrors.append(words[index + 1]) }
    }
  }
}
