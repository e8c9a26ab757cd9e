import Foundation
import StubDBGit
import StubDBJobs

extension UnmergedCatalog {
  /// Refuses a file that lacks what one side changed; for a merged file, only prints the next steps.
  static func report(on catalog: URL) throws {
    guard let state = try UnmergedCatalog(catalog)?.state() else { return }
    let (name, add) = (TerminalText.path(catalog), FollowUp.git("add", on: catalog))
    switch state {
    case .merged: Console.note("git lists \(name) as unmerged until you type: \(add)")
    case .removedByOne:
      throw CommandError(
        "one branch removed \(name) and the other one changed it; git waits for a decision",
        hints: ["To keep it: \(add)", "To remove it: \(FollowUp.git("rm", on: catalog))"])
    case .notMerged:
      throw CommandError(
        "git has not merged \(name): it may hold only one of the two versions, and no conflicts to settle",
        hints: [
          "To merge them by meaning, without what was changed in the file since: "
            + FollowUp.command(["git", "install"]) + " && "
            + FollowUp.git("checkout", "--merge", "--", on: catalog),
          "To commit the file as it is: \(add)",
        ])
    }
  }
}
