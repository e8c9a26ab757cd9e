import ArgumentParser
import Foundation
import StubDBChanges
import StubDBJobs
import StubDBLock
import StubDBPublishing
import StubDBRemote
import StubDBSecrets
import StubDBSupport

/// What publishing did, as lines for people.
enum PublishingView {
  /// Prints a step.
  @Sendable static func show(_ event: PublishingEvent) throws {
    switch event {
    case .choseOlder(let name, let commit):
      Console.note("\(name) goes on from \(commit.short), the older of both commits.")
    case .settledLock(let rest): SettledLockView(rest: rest).note()
    case .merged(let merged): try show(merged)
    case .refusedMerge(let error):
      Console.note("\(Style.notes.red("Error:")) \(ErrorText.message(for: error))")
    case .isEdited(let name, let file):
      Console.note("\(name) is edited in \(TerminalText.path(file)).")
    case .wrote(let name, let file, let commit):
      Console.note("Wrote \(name) to \(TerminalText.path(file)), as of \(commit.short).")
    case .isCached(let name, let commit):
      Console.note("\(name) is in the cache, as of \(commit.short).")
    case .downloaded(let name, let entry):
      Console.note(
        "Downloaded \(name), as of \(entry.commit.short) (\(Plural.bytes(entry.bytes))).")
    case .added(let added): note(added)
    case .isNewest(let name, let commit):
      Console.note("\(name) has the newest commit, \(commit.short).")
    case .moved(let moved): try show(moved)
    case .lostIncludes(let lost, let name): note(lost, of: name)
    }
  }

  private static func show(_ merged: MergedCommit) throws {
    for note in UnplayableView.lines(ofMerged: merged.written) { Console.note(note) }
    try Console.write(DifferenceView(style: .output).text(merged.differences))
    let file = TerminalText.path(merged.file)
    let conflicts = merged.conflictCount
    Console.note(
      "Merged \(merged.commit.short) of \(merged.remote) into \(file)"
        + (conflicts == 0 ? "." : ", but for \(Plural.of(conflicts, "conflict"))."))
    note(signer: merged.signer)
    if conflicts > 0 {
      Console.note("To see them: \(FollowUp.command(["resolve"], catalog: merged.file))")
    }
  }

  private static func show(_ moved: MovedCatalog) throws {
    try Console.write(DifferenceView(style: .output).text(moved.differences))
    Console.note("\(moved.name): \(moved.before.short) → \(moved.after.short).")
    if moved.isOlder {
      Console.note(
        "\(moved.after.short) was pushed before \(moved.before.short): an older version of "
          + "\(moved.name) was put in its place, or a clock is wrong")
    }
    note(signer: moved.signer)
  }

  private static func note(_ added: AddedCatalog) {
    let place = added.file.map { " to \(TerminalText.path($0))" } ?? ""
    Console.note(
      "Pulled \(added.name)\(place), as of \(added.commit.short) (\(Plural.bytes(added.bytes))); "
        + "\(TerminalText.path(added.lockFile)) names it.")
    note(signer: added.signer)
    guard let key = added.optionalSigners.first else { return }
    let labels = added.optionalSigners.map { TerminalText.line($0.label) }
      .joined(separator: " and ")
    let trust = FollowUp.command(["key", "trust", added.name, key.description])
    Console.note("It is signed by \(labels), and nothing here requires that.")
    Console.note("If you know the key, require it: \(trust)")
  }

  private static func note(signer: PublicKey?) {
    if let signer { Console.note("It is signed by \(signer.label).") }
  }

  private static func note(_ lost: [LostInclude], of name: String) {
    let longest = 10
    var lines: [String] = []
    for (index, include) in lost.enumerated() {
      let nearest = include.nearest.map {
        "; did you mean \(TerminalText.quoted("\(name):\($0)"))?"
      }
      lines.append(
        "\(TerminalText.path(include.catalog)): \(include.scenario) includes \(include.include), which \(name) "
          + "does not have any more" + (nearest ?? ""))
      let isLast = lost.dropFirst(index + 1).first?.catalog != include.catalog
      if isLast, lines.count > longest {
        lines = Array(lines.prefix(longest))
        lines.append("To see all: \(FollowUp.command(["check"], catalog: include.catalog))")
        break
      }
    }
    for line in lines { Console.note(line) }
  }
}

extension PushJob {
  /// Prints how a push ended.
  ///
  /// - Throws: `ExitCode` 2 for conflicts, and `CommandError` for secrets.
  func report(_ outcome: Outcome, in project: RemoteProject) throws {
    let shown = TerminalText.path(working.url)
    switch outcome {
    case .conflicts: throw ExitCode(2)
    case .secrets(let findings): throw refusal(of: findings, in: shown)
    case .unchanged(let unchanged):
      for key in unchanged.signers {
        Console.note("Signed \(unchanged.commit.short) with \(key.label).")
      }
      Console.note("\(unchanged.remote) has all of \(shown) already (\(unchanged.commit.short)).")
      if let missing = unchanged.missingSignature {
        Console.note("\(Style.notes.yellow("Warning:")) \(missing.message)")
        Self.noteSigning()
      }
    case .pushed(let push):
      if push.parent != nil {
        PublishedChanges(changes: push.changes, name: push.name).note()
      }
      Console.note("Pushed \(shown) to \(push.remote) as \(push.commit.short).")
      noteSignatures(of: push, project)
    }
  }

  private func refusal(of findings: [SecretFinding], in name: String) -> CommandError {
    let lines = findings.map { FindingView.line($0) }.cut(to: 10)
    return CommandError(
      "\(Plural.of(findings.count, "secret")) in \(name); nothing was pushed",
      hints: lines + [
        "To take them out: \(FollowUp.command(["redact", "--findings"], catalog: working.url))",
        "To accept them, with a reason: "
          + FollowUp.command(
            ["scan", "--accept", "why they are harmless"], catalog: working.url),
      ])
  }

  /// Says who signed a pushed commit, and how it becomes a requirement.
  ///
  /// A commit without a signature after one that has some is as unusual as it would be without a word.
  private func noteSignatures(of push: Push, _ project: RemoteProject) {
    for key in push.signers { Console.note("Signed with \(key.label).") }
    guard !push.signers.isEmpty else {
      if push.isParentSigned {
        Console.note("It is not signed, and the commit before it is.")
        Self.noteSigning()
      }
      return
    }
    switch push.signatures {
    case .new: Console.note("\(project.name) requires such a signature from now on.")
    case .notRequired:
      Console.note(
        "No signature is required yet. To require one: "
          + FollowUp.command(["key", "trust", push.name]))
    case .required: break
    }
  }

  private static func noteSigning() {
    Console.note("To sign it: \(FollowUp.program) push --sign")
  }
}

/// The commands that end git's merge of a lock file, in their order.
struct SettledLockView {
  let rest: SettledLock.Rest

  func note() {
    for catalog in rest.removedByOne {
      let keep = FollowUp.git("add", on: catalog)
      Console.note("One branch removed \(TerminalText.path(catalog)). To keep it: \(keep)")
    }
    let files = [rest.lockFile] + rest.unmerged
    let add = Self.git(["add"], files)
    guard let half = rest.halves.first else {
      let end = files.count == 1 ? "is merged" : "are merged"
      let start = rest.hasConflicts ? "Then, to tell" : "To tell"
      return Console.note("\(start) git that \(Self.names(files)) \(end): \(add)")
    }
    Console.note(
      "git has not merged \(Self.names(rest.halves)): what one branch changed there, and did not push, is missing"
    )
    let commands = [
      FollowUp.command(["git", "install"]),
      Self.git(["checkout", "--merge", "--"], [rest.lockFile] + rest.halves),
      FollowUp.command(["pull", "--update"], catalog: half),
    ]
    Console.note(
      "To merge by meaning, without what was edited since: \(commands.joined(separator: " && "))")
    Console.note("To commit the files as they are: \(add)")
  }

  private static func git(_ words: [String], _ files: [URL]) -> String {
    FollowUp.git(words + files.map { CatalogLocator.relativePath($0) })
  }

  private static func names(_ files: [URL]) -> String {
    files.map { TerminalText.path($0) }.joined(separator: " and ")
  }
}

/// What a push publishes, as lines for people: what it takes away comes first, because others lose it.
struct PublishedChanges {
  /// How many lines there are of what takes nothing away.
  private static let shown = 20

  let changes: [ScenarioDifference]
  /// What the lock file calls the catalog.
  let name: String

  func note() {
    // Others may play a scenario under a name that it loses.
    let removed = changes.filter { $0.after == nil }
    let kept = changes.filter { $0.after != nil }
    let losses = removed + kept.filter { $0.isRenamed || $0.lostStubCount > 0 }
    let others = kept.filter { !$0.isRenamed && $0.lostStubCount == 0 }
    for change in losses + others.prefix(Self.shown) { Console.note(line(change)) }
    guard others.count > Self.shown else { return }
    let rest = Plural.of(others.count - Self.shown, "other scenario")
    Console.note("and \(rest): \(FollowUp.command(["remote", "show", name]))")
  }

  private func line(_ change: ScenarioDifference) -> String {
    let heading = DifferenceView(style: .notes).lines(change)[0]
    let count = change.lostStubCount
    return heading + (count == 0 ? "" : ", without \(Plural.of(count, "stub")) that it had")
  }
}
