package import Foundation
internal import StubDBCatalog
internal import StubDBCatalogEditing
internal import StubDBFiles
internal import StubDBJobs
internal import StubDBSupport

/// Our part of a repository's pre-commit hook: a marked block in the existing hook, or a hook of our own that runs the
/// existing one.
///
/// https://git-scm.com/docs/githooks#_pre_commit
package struct PreCommitHook {
  private static let opening = "# >>> stubdb: taken away by 'stubdb git uninstall' >>>"
  private static let closing = "# <<< stubdb <<<"
  private static let call = " git pre-commit"
  /// What ends the line that calls stubdb.
  static let callEnd = " || exit $?"
  static let scanOption = " --scan"
  static let failClosedOption = " --fail-closed"
  private static let configuredOption = " --configured"
  /// What git is asked for the paths whose content a commit changes.
  ///
  /// A file that was renamed counts as a new one: git would list it as neither added nor modified.
  package static let stagedPaths = [
    "diff", "--cached", "--name-only", "--no-renames", "--diff-filter=ACMT",
  ]
  private static let ownStart = "#!/bin/sh\n"
  /// The new name of an existing hook that is not a shell script.
  private static let keptName = "pre-commit.before-stubdb"
  private static let callOfKept = "exec \"$(dirname \"$0\")/\(keptName)\" \"$@\"\n"
  private static let shells: Set<String> = ["sh", "bash", "dash", "zsh", "ksh"]

  /// The path of the hook.
  package let file: URL
  /// Whether other repositories run the hook too, because `core.hooksPath` names a shared folder.
  package let isShared: Bool
  private let settings: HookSettings

  /// Finds the hook of a repository, according to `core.hooksPath`.
  package init(repository: GitRepository) throws {
    let git = GitCommand(in: repository.root)
    let path = try git.line("rev-parse", "--git-path", "hooks/pre-commit")
    file =
      URL(fileURLWithPath: path, relativeTo: repository.root.appendingPathComponent(""))
      .standardizedFileURL
    isShared = try Self.isShared(file.deletingLastPathComponent(), of: repository.root, git)
    settings = HookSettings(git: git)
  }

  /// Whether a folder of hooks does not belong to this repository.
  private static func isShared(_ folder: URL, of root: URL, _ git: GitCommand) throws -> Bool {
    let own = try git.line("rev-parse", "--git-common-dir")
    let folders = [root, URL(fileURLWithPath: own, relativeTo: root.appendingPathComponent(""))]
    let place = folder.resolvingSymlinksInPath().path
    let isInside = folders.contains { place.hasPrefix($0.resolvingSymlinksInPath().path + "/") }
    guard isInside else { return true }
    // Set for all repositories as an absolute path that happens to be in this one.
    let setting = try git.outcome(of: ["config", "--show-scope", "--get", "core.hooksPath"])
    let words = String(decoding: setting.output, as: UTF8.self).split(separator: "\t")
    guard setting.code == 0, words.count == 2 else { return false }
    return (words[0] == "global" || words[0] == "system")
      && (words[1].first == "/" || words[1].first == "~")
  }

  /// Throws if other repositories run the hook too.
  ///
  /// - Throws: `JobError` that names the folder and the alternatives.
  package func requireOwn(_ options: [String]) throws {
    guard isShared else { return }
    let call = (["stubdb", "git", "install"] + options + ["--shared"]).map(ShellWord.quoted)
    throw JobError(
      .refused,
      """
      the hooks of this repository are in \(file.deletingLastPathComponent().path), which core.hooksPath \
      names and other repositories run too; nothing was installed
      """,
      hints: [
        """
        To put the hook there, where it does nothing for repositories that have not installed it: \
        \(call.joined(separator: " "))
        """,
        """
        To give this repository hooks of its own: git config core.hooksPath \
        "$(git rev-parse --absolute-git-dir)/hooks"
        """,
      ])
  }

  private var kept: URL {
    file.deletingLastPathComponent().appendingPathComponent(Self.keptName)
  }

  /// What our part of the hook does; nothing if there is no such part.
  package func actions() throws -> Actions {
    if isShared { return try isInstalled() ? settings.actions() : Actions() }
    return try status().map(Actions.init(call:)) ?? Actions()
  }

  /// What our part of the hook calls; nil if there is no such part, or it does nothing in this repository.
  package func status() throws -> String? {
    guard let text = try text(), let block = Self.block(in: text) else { return nil }
    if isShared {
      let actions = try settings.actions()
      if actions.isEmpty { return nil }
      return "\(file.path), shared:\(actions.options)"
    }
    return text[block].split(separator: "\n").first { $0.contains(" git pre-commit") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Adds our part to the hook, or replaces it.
  package func install(_ actions: Actions, program: String) throws {
    if isShared { try settings.write(actions) }
    let block =
      isShared
      ? Self.sharedBlock(program) : Self.block(options: actions.options, program: program)
    guard exists else { return try write(Self.ownStart + block) }
    guard FileManager.default.isExecutableFile(atPath: file.path) else {
      throw JobError(
        .refused,
        "\(file.path) is there and not executable, so git does not run it",
        hints: ["Remove it, or make it executable if it is to run; then try again"])
    }
    if let text = try text(), Self.isShellScript(text) {
      return try write(Self.inserting(block, into: text))
    }
    try move(file, to: kept)
    do {
      try write(Self.ownStart + block + Self.callOfKept)
    } catch {
      try? FileManager.default.moveItem(at: kept, to: file)
      throw error
    }
  }

  /// Writes our part anew, with the path of the program and with what this version does, if there is one.
  package func refresh(program: String) throws {
    if isShared, try settings.actions().isEmpty { return }
    guard let text = try text(), let range = Self.block(in: text),
      let options = Self.options(inBlock: text[range])
    else { return }
    let block =
      options == Self.configuredOption
      ? Self.sharedBlock(program) : Self.block(options: options, program: program)
    if block != text[range] { try write(text.replacingCharacters(in: range, with: block)) }
  }

  /// Whether the hook contains our part, for any repository.
  package func isInstalled() throws -> Bool {
    try text().map { Self.block(in: $0) != nil } ?? false
  }

  /// Disables our part of a shared hook for this repository.
  ///
  /// - Returns: Whether it was enabled.
  package func disable() throws -> Bool { try settings.remove() }

  /// Removes our part and restores the original hook.
  ///
  /// - Returns: Whether there was anything to remove.
  package func uninstall() throws -> Bool {
    guard let text = try text(), let block = Self.block(in: text) else { return false }
    var rest = text
    rest.removeSubrange(block)
    if rest == Self.ownStart + Self.callOfKept, FileManager.default.fileExists(atPath: kept.path) {
      try remove()
      try move(kept, to: file)
    } else if rest == Self.ownStart {
      try remove()
    } else {
      try write(rest)
    }
    return true
  }

  private var exists: Bool {
    PathStatus(file.path, followingLinks: false) != nil
  }

  /// The text of the hook; nil if it does not exist or is not a text file.
  private func text() throws -> String? {
    guard PathStatus(file.path, followingLinks: false)?.isFile == true else { return nil }
    do {
      return String(data: try Data(contentsOf: file), encoding: .utf8)
    } catch {
      throw JobError(.inputOutput, "cannot read \(file.path): \(FileFailure.reading(error))")
    }
  }

  private func write(_ text: String) throws {
    let manager = FileManager.default
    do {
      try manager.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let attributes = exists ? try manager.attributesOfItem(atPath: file.path) : [:]
      let mode = (attributes[.posixPermissions] as? NSNumber)?.uint16Value ?? 0o755
      try TemporaryFile.replace(file.path, with: Data(text.utf8), permissions: mode_t(mode))
    } catch let error as FileWriteError {
      throw JobError(.inputOutput, "cannot write \(file.path): \(error.reason)")
    } catch {
      throw JobError(.inputOutput, "cannot write \(file.path): \(FileFailure.writing(error))")
    }
  }

  private func remove() throws {
    guard unlink(file.path) == 0 else {
      throw JobError(
        .inputOutput, "cannot remove \(file.path): \(String(cString: strerror(errno)))")
    }
  }

  private func move(_ source: URL, to target: URL) throws {
    guard PathStatus(target.path, followingLinks: false) == nil else {
      throw JobError(.refused, "\(target.path) is in the way", hints: ["Move it, then try again"])
    }
    guard rename(source.path, target.path) == 0 else {
      throw JobError(
        .inputOutput, "cannot move \(source.path): \(String(cString: strerror(errno)))")
    }
  }

  private static func block(options: String, program: String) -> String {
    let stubdb = ShellWord.quoted(program)
    return """
      \(opening)
      if [ -x \(stubdb) ]; then
        \(stubdb)\(call)\(options)\(callEnd)
      \(options.hasSuffix(scanOption) ? Self.refusal("") : "")else
      \(options.contains(failClosedOption) ? Self.stopping : Self.passing)fi
      \(closing)

      """
  }

  /// What is said where a commit is not checked, and made.
  private static let passing = """
      echo "stubdb has moved, so this commit is not checked; run: stubdb git install" >&2

    """

  /// What stops every commit.
  private static let stopping = """
      echo "stubdb has moved, so nothing checks this commit, which was stopped" >&2
      echo "To check it again: stubdb git install; to commit all the same: git commit --no-verify" >&2
      exit 1

    """

  /// The options of the call in our part, as they are written there.
  private static func options(inBlock block: Substring) -> String? {
    guard let start = block.firstRange(of: call),
      let end = block[start.upperBound...].firstRange(of: callEnd)
    else { return nil }
    return String(block[start.upperBound..<end.lowerBound])
  }

  /// What the hook does without stubdb if it is to refuse secrets.
  ///
  /// It stops commits of catalogs, because nothing looks for secrets in them, and those of which git does not say what is
  /// in them. `condition` is the beginning of the condition.
  private static func refusal(_ condition: String) -> String {
    let paths = "git \(stagedPaths.joined(separator: " ")) -- '*.\(Catalog.fileExtension)'"
    return """
      elif \(condition)[ -n "$(\(paths) || echo unknown)" ]; then
        echo "stubdb has moved, so nothing looks for secrets in the catalogs of this commit, which was stopped" >&2
        echo "To look for them again: stubdb git install; to commit all the same: git commit --no-verify" >&2
        exit 1

      """
  }

  /// The block of a shared hook; each repository configures what it does there.
  private static func sharedBlock(_ program: String) -> String {
    let stubdb = ShellWord.quoted(program)
    return """
      \(opening)
      if ! git config --local --get-regexp '^stubdb[.]hook' >/dev/null 2>&1; then
        : # not installed in this repository
      elif [ -x \(stubdb) ]; then
        \(stubdb)\(call)\(configuredOption)\(callEnd)
      \(Self.refusal("[ \"$(git config --local --get stubdb.hookScan)\" = true ] && "))elif [ "$(git config --local --get \(HookSettings.failClosed))" = true ]; then
      \(Self.stopping)else
      \(Self.passing)fi
      \(closing)

      """
  }

  /// The text with our block after the first line, so that nothing can end the script before it.
  private static func inserting(_ block: String, into text: String) -> String {
    var text = text
    if let old = self.block(in: text) {
      text.replaceSubrange(old, with: block)
      return text
    }
    guard let lineEnd = text.firstIndex(of: "\n") else { return text + "\n" + block }
    text.insert(contentsOf: block, at: text.index(after: lineEnd))
    return text
  }

  /// Our block with its line ends.
  private static func block(in text: String) -> Range<String.Index>? {
    guard let start = text.range(of: opening + "\n"),
      let end = text.range(of: closing + "\n", range: start.upperBound..<text.endIndex)
    else { return nil }
    return start.lowerBound..<end.upperBound
  }

  private static func isShellScript(_ text: String) -> Bool {
    guard text.hasPrefix("#!"), !text.contains("\r") else { return false }
    let words = text.prefix { $0 != "\n" }.dropFirst(2).split(separator: " ")
    return words.prefix(2).contains { word in
      shells.contains(String(word.split(separator: "/").last ?? ""))
    }
  }
}
