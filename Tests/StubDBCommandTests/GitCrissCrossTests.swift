import Foundation
import Testing

/// Branches that were merged in both directions, so that they have two latest common ancestors.
struct GitCrissCrossTests {
  /// The branches `main` and `other`, whose only difference is settled on each of them.
  private func settled(other: String) throws -> Sandbox {
    let box = try Sandbox.repository()
    try box.must("git", "install")
    try box.commit("Let git merge catalogs")
    try box.mustGit(["checkout", "-q", "-b", "other"])
    try box.must("set", "session/signed-in", "me", "--status", "401")
    try box.commit("Other")
    try box.mustGit(["checkout", "-q", "main"])
    try box.must("set", "session/signed-in", "me", "--status", "503")
    try box.commit("Main")
    try box.mustGit(["branch", "earlier"])
    #expect(try box.git("merge", "other").code == 1)
    try box.must("resolve", "--all", "--ours")
    try box.commit("Keep main's answer")
    try box.mustGit(["checkout", "-q", "other"])
    #expect(try box.git("merge", "earlier").code == 1)
    try box.must("resolve", "--all", other)
    try box.commit("Settle it on the other branch")
    try box.mustGit(["checkout", "-q", "main"])
    return box
  }

  @Test(arguments: [("main", 503, "other", 401), ("other", 401, "main", 503)])
  func whatEachBranchSettledForItselfIsAConflict(
    branch: String, ours: Int, merged: String, theirs: Int
  ) throws {
    let box = try settled(other: "--ours")
    try box.mustGit(["checkout", "-q", branch])
    let merge = try box.git("merge", merged)
    #expect(merge.code == 1, "\(merge)")
    // The common ancestors conflict too, and nobody can settle that.
    #expect(
      merge.err.contains("To see what is left of them after the merge: stubdb resolve"),
      "\(merge)")
    let list = try box.run("resolve")
    #expect(
      list.out == """
        session/signed-in me /responses/0/status
            base    200, the default
            ours    \(ours)
            theirs  \(theirs)

        """, "\(list)")
    try box.must("resolve", "--all", "--theirs")
    #expect(
      try box.run("show", "session/signed-in", "--json").out.contains("\"status\": \(theirs)"))
    #expect(try box.run("check").code == 0)
  }

  @Test func whatBothBranchesSettledAlikeIsMerged() throws {
    let box = try settled(other: "--theirs")
    let merge = try box.git("merge", "other")
    #expect(merge.code == 0, "\(merge)")
    #expect(try box.run("resolve").code == 0)
    #expect(try box.run("show", "session/signed-in", "--json").out.contains("\"status\": 503"))
  }

  @Test func aMergeThatWouldHideAnOpenConflictIsRefused() throws {
    let box = try Sandbox.repository()
    try box.must("git", "install")
    try box.commit("Let git merge catalogs")
    for (branch, status) in [("first", "401"), ("second", "403"), ("third", "503")] {
      try box.mustGit(["checkout", "-q", "-b", branch, "main"])
      try box.must("set", "session/signed-in", "me", "--status", status)
      try box.commit(branch)
    }
    #expect(try box.git("merge", "first").code == 1)
    try box.commit("Merge without a look")
    let open = try box.run("resolve")
    #expect(open.out.contains("theirs  401\n"), "\(open)")
    let refused = try box.git("merge", "second")
    #expect(
      refused.code != 0
        && refused.err.contains(
          "session/signed-in me /responses/0/status has a conflict of an earlier merge"),
      "\(refused)")
    #expect(try box.run("resolve").out == open.out)
    // Settled, it is merged, and the next version is offered.
    try box.mustGit(["reset", "-q", "--hard"])
    try box.must("resolve", "--all", "--theirs")
    try box.commit("Settle the first merge")
    #expect(try box.git("merge", "second").code == 1)
    let list = try box.run("resolve")
    #expect(list.out.contains("ours    401\n    theirs  403\n"), "\(list)")
  }
}
