package import Foundation
package import StubDBJobs
package import StubDBMirror
internal import StubDBSupport

extension MirrorProblem {
  /// The problem with what to do next, for a folder that was to become or to be a mirror of a catalog.
  package func error(for owner: MirrorOwner, of catalog: URL) -> JobError {
    let folder = owner.mirror.name
    func command(_ option: String? = nil, in other: String? = nil) -> JobText {
      let words = ["mirror", other ?? folder] + [option].compactMap(\.self)
      return "\(command: words, catalog: catalog)"
    }
    let ownFolder = catalog.deletingPathExtension().lastPathComponent + "-stubs"
    switch self {
    case .notAMirror: return Self.notAMirror(folder, of: catalog, instead: ownFolder)
    case .otherCatalog(let marker):
      return Self.otherCatalog(marker, owner, instead: catalog, reading: false)
    case .edits(let edits, let isReadable):
      return JobError(
        .refused, "nothing was written: \(lines: "\(edits)")",
        hints: ["To see what they say: \(command("--check"))"]
          + (isReadable ? ["To take them into the catalog: \(command("--from-text"))"] : [])
          + ["To write over them: \(command("--force"))"])
    case .otherFiles(let paths, let haveDocuments):
      let others = paths.count > 1 ? " and \(Plural.of(paths.count - 1, "other file"))" : ""
      return JobError(
        .refused,
        "nothing was written: \(folder) is not a mirror, and contains \(paths[0])\(others)",
        hints: ["Give the mirror a folder of its own, such as: \(command(in: ownFolder))"]
          + (haveDocuments ? [] : ["To write beside them: \(command("--force"))"]))
    case .emptyCatalog(let count):
      let what = count == 1 ? "the only document" : "all \(Plural.of(count, "document"))"
      return JobError(
        .refused,
        "nothing was written: \(file: catalog) has no scenarios, and \(what) of \(folder) would be removed",
        hints: [
          "To have the documents in the catalog: \(command("--from-text"))",
          "To remove them: \(command("--force"))",
        ])
    case .noDocuments:
      return JobError(
        .refused,
        "\(folder) contains no documents of scenarios, so the catalog was not changed")
    case .unplayable(let path, let problem):
      return JobError(
        .refused, "\(folder)/\(path): \(problem)", hints: ["The catalog was not changed."])
    }
  }

  /// The error for a folder without a marker; names a mirror of this name in a folder above.
  private static func notAMirror(
    _ folder: String, of catalog: URL, instead own: String
  ) -> JobError {
    let files = FileManager.default
    let current = URL(fileURLWithPath: files.currentDirectoryPath, isDirectory: true)
    var (above, path) = (current.standardizedFileURL, folder)
    while !folder.hasPrefix("/"), above.path != "/" {
      above.deleteLastPathComponent()
      path = "../" + path
      let marker = above.appendingPathComponent(folder + "/" + MirrorMarker.fileName)
      if files.fileExists(atPath: marker.path) {
        let check = ["mirror", path, "--check"]
        return JobError(
          .notFound, "there is no mirror \(folder) in this folder",
          hints: ["There is one above it: \(command: check, catalog: catalog)"])
      }
    }
    // A mirror is not made among other files.
    let here = URL(fileURLWithPath: folder, relativeTo: current).path
    let isFree = (try? files.contentsOfDirectory(atPath: here))?.isEmpty ?? true
    return JobError(
      .notFound, "\(folder) is not a mirror of a catalog",
      hints: [
        isFree
          ? "To make it one: \(command: ["mirror", folder], catalog: catalog)"
          : "To make one: \(command: ["mirror", own], catalog: catalog)"
      ])
  }

  /// The error for a folder that is the mirror of another catalog; `reading` says whether its documents were to be taken.
  package static func otherCatalog(
    _ marker: String, _ owner: MirrorOwner, instead catalog: URL, reading: Bool
  ) -> JobError {
    let folder = owner.mirror.name
    func command(_ option: String, _ catalog: URL) -> JobText {
      "\(command: ["mirror", folder, option, "--catalog"], file: catalog)"
    }
    let problem: JobText =
      "\(folder) is a mirror of \(marker) (seen from the folder), not of \(file: catalog)"
    guard reading, let own = owner.catalog else {
      return JobError(
        .refused, problem,
        hints: [
          "To make it one of \(file: catalog): \(command("--force", catalog))",
          "To mirror both: give each a folder of its own",
        ])
    }
    let marker = owner.url.appendingPathComponent(MirrorMarker.fileName)
    let isThere = FileManager.default.fileExists(atPath: own.path)
    return JobError(
      .refused,
      "\(problem); the scenarios of \(file: catalog) would be lost, so it was not changed",
      hints: [
        isThere
          ? "To take the documents into their own catalog: \(command("--from-text", own))"
          : """
          If \(file: catalog) has another name since: \(shell: "rm", file: marker) && \
          \(command("--from-text", catalog))
          """,
        "To write the documents of \(file: catalog) there: \(command("--force", catalog))",
      ])
  }
}
