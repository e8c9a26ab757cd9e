package import Foundation

/// A lock file in which git left both versions, between the marks of a merge.
package struct LockConflict: Hashable, Sendable {
  /// What the current branch has.
  package let ours: LockFile
  /// What the branch has that is merged.
  package let theirs: LockFile

  /// Reads a file; nil if it is missing, or if it has no marks.
  ///
  /// - Throws: ``RemoteError`` if a version is not a lock file.
  package init?(contentsOf file: URL) throws(RemoteError) {
    // A file that cannot be read is an error of reading it as a lock file.
    guard let data = try? Data(contentsOf: file), LockFile.isMarked(data) else { return nil }
    let sides = Self.sides(of: String(decoding: data, as: UTF8.self))
    ours = try LockFile(decoding: Data(sides.ours.utf8), what: "our version of \(file.path)")
    theirs = try LockFile(decoding: Data(sides.theirs.utf8), what: "their version of \(file.path)")
  }

  private enum Part {
    case both, ours, base, theirs
  }

  /// The two files of which git made one.
  private static func sides(of text: String) -> (ours: String, theirs: String) {
    var sides = (ours: "", theirs: "")
    var part = Part.both
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      switch line.prefix(7) {
      case "<<<<<<<": part = .ours
      case "|||||||" where part == .ours: part = .base
      case "=======" where part == .ours || part == .base: part = .theirs
      case ">>>>>>>" where part == .theirs: part = .both
      default:
        if part == .both || part == .ours { sides.ours += line + "\n" }
        if part == .both || part == .theirs { sides.theirs += line + "\n" }
      }
    }
    return sides
  }
}

extension LockConflict {
  /// A catalog that the two versions have at different commits.
  package struct Choice: Hashable, Sendable {
    package let name: String
    package let ours: LockFile.Entry
    package let theirs: LockFile.Entry
  }

  /// What both have, and what only one has; with the entries between which is to be chosen.
  ///
  /// - Throws: ``RemoteError`` where they differ in more than the commit: nothing says which one is right.
  package func merged() throws(RemoteError) -> (lock: LockFile, choices: [Choice]) {
    var lock = LockFile(catalogs: theirs.catalogs.merging(ours.catalogs) { $1 })
    var choices: [Choice] = []
    for (name, own) in ours.catalogs.sorted(by: { $0.key < $1.key }) {
      guard let other = theirs.catalogs[name], other != own else { continue }
      guard own.url == other.url, own.path == other.path, own.keys == other.keys else {
        throw RemoteError(
          .invalid,
          "the two versions of \(LockFile.fileName) differ in where \(name) is, in its file or in its keys; "
            + "settle that in an editor",
          hints: ["Of two commits take the older one: a merge that begins with it loses nothing."])
      }
      lock.catalogs[name] = nil
      choices.append(Choice(name: name, ours: own, theirs: other))
    }
    return (lock, choices)
  }
}

extension RemoteCatalog {
  /// The entry with the older commit of two.
  ///
  /// The catalog here may be that of either branch, or both merged. A merge that begins with the older commit takes in
  /// what the other branch pushed, if it is not there; one that begins with the newer commit would take it for removed.
  package func older(_ choice: LockConflict.Choice) throws(RemoteError) -> LockFile.Entry {
    if try history.contains(choice.ours.commit, before: choice.theirs.commit) { return choice.ours }
    if try history.contains(choice.theirs.commit, before: choice.ours.commit) {
      return choice.theirs
    }
    throw RemoteError(
      .invalid,
      "the commits \(choice.ours.commit.short) and \(choice.theirs.commit.short) of \(url), which the two versions of "
        + "\(LockFile.fileName) name, have no order: one of them is not of this catalog's history")
  }
}
