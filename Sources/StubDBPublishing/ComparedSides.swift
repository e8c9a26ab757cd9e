internal import Foundation
internal import StubDBCatalogEditing
package import StubDBChanges
internal import StubDBEditing
internal import StubDBFiles
internal import StubDBGit
internal import StubDBJobs
package import StubDBModel

/// The two sides of a comparison.
package enum ComparedSides {
  /// Two catalogs, or one scenario of them.
  case catalogs(any ScenarioSource, any ScenarioSource, only: ScenarioName?)
  case scenarios(Scenario, Scenario)

  /// Two catalogs, two scenarios of one, or without a second word, a catalog or a scenario and its earlier version.
  ///
  /// - Parameters:
  ///   - first: A file or the name of a scenario; nil for the whole catalog.
  ///   - second: A word of the same kind.
  ///   - revision: A git revision, or two as `A..B`; nil for the last commit.
  ///   - catalog: The catalog that an option names.
  /// - Throws: ``JobError`` if the words do not go together, or if something is missing.
  package init(
    _ first: String?, _ second: String?, revision: String?, of catalog: String?
  ) throws {
    let sides = try CatalogLocator().finding {
      try Self.sides(first.map(Word.init), second.map(Word.init), revision, catalog)
    }
    self = sides
  }

  /// The scenarios that differ.
  package func differences() throws -> [ScenarioDifference] {
    switch self {
    case .scenarios(let old, let new):
      let difference = ScenarioDifference(from: old, to: new)
      return difference.isEmpty ? [] : [difference]
    case .catalogs(let old, let new, let name):
      let all = try JobProgress.during(.comparing) { progress in
        try CatalogDifferences.between(old, new, progress: progress)
      }
      return all.filter { name == nil || $0.before == name || $0.after == name }
    }
  }

  /// A file, or what should be the name of a scenario.
  private enum Word {
    case catalog(String, URL)
    case scenario(String)

    init(_ word: String) {
      let url = CatalogLocator().resolve(word)
      let isFile =
        word.hasSuffix(".\(CatalogLocator.fileExtension)")
        || PathStatus(url.path)?.isFolder == false
      self = isFile ? .catalog(word, url) : .scenario(word)
    }
  }

  private static func sides(
    _ first: Word?, _ second: Word?, _ revision: String?, _ catalog: String?
  ) throws -> ComparedSides {
    switch (first, second) {
    case (nil, _):
      return try versions(of: CatalogLocator().locateForGit(catalog), revision, only: nil)
    case (.catalog(_, let url), nil): return try versions(of: url, revision, only: nil)
    case (.scenario(let word), nil):
      try refuseRevision(inPlaceOfScenario: word, of: catalog)
      return try versions(
        of: CatalogLocator().locateForGit(catalog), revision, only: name(word))
    case (.catalog(_, let old), .catalog(_, let new)):
      try refuse(revision, besides: "two catalogs")
      return .catalogs(
        try ComparedCatalog.file(old).scenarios(), try ComparedCatalog.file(new).scenarios(),
        only: nil)
    case (.scenario(let old), .scenario(let new)):
      let name = try name(old)
      try refuse(revision, besides: "two scenarios")
      let catalog = try CatalogLocator().open(catalog, isReading: true)
      return .scenarios(try catalog.existing(name), try catalog.existing(Self.name(new)))
    case (.catalog(let file, _), .scenario(let word)): throw mixed(file, word)
    case (.scenario(let word), .catalog(let file, _)):
      _ = try name(word)
      throw mixed(file, word)
    }
  }

  /// The catalog and the given revision of it, or two revisions.
  private static func versions(
    of url: URL, _ revision: String?, only name: ScenarioName?
  ) throws -> ComparedSides {
    let revisions = (revision ?? "HEAD").components(separatedBy: "..")
    guard revisions.count <= 2, revisions.allSatisfy({ !$0.hasPrefix(".") }) else {
      throw JobError(.invalidArgument, "--rev takes a revision, or two as A..B.")
    }
    let ends = revisions.map { $0.isEmpty ? "HEAD" : $0 }
    let old = try ComparedCatalog.revision(ends[0], of: url).scenarios()
    let later = ends.count == 2 ? ComparedCatalog.revision(ends[1], of: url) : .file(url)
    let new = try later.scenarios()
    if let name, try !(old.entries + new.entries).contains(where: { $0.name == name }) {
      throw NameError.scenario(name, in: url, among: try new.entries.map(\.name))
    }
    return .catalogs(old, new, only: name)
  }

  /// Git takes a revision without an option; here a word is a scenario.
  private static func refuseRevision(
    inPlaceOfScenario word: String, of catalog: String?
  ) throws {
    let locator = CatalogLocator()
    let folder = try locator.locateForGit(catalog).deletingLastPathComponent()
    let scenarios = try locator.open(catalog, isReading: true).scenarios()
    guard !scenarios.contains(where: { $0.name.rawValue == word }),
      let repository = try? GitRepository(containing: folder),
      try repository.has(word, as: "commit")
    else { return }
    throw JobError(
      .notFound, "there is no scenario \(quoted: word), but a git revision",
      hints: ["To compare with it: \(command: ["diff", "--rev", word])"])
  }

  private static func refuse(_ revision: String?, besides what: String) throws {
    if revision != nil { throw JobError(.invalidArgument, "--rev does not go with \(what).") }
  }

  private static func mixed(_ catalog: String, _ scenario: String) -> JobError {
    JobError(
      .invalidArgument,
      "\(quoted: catalog) is a catalog and \(quoted: scenario) is not; compare two catalogs or two scenarios."
    )
  }

  private static func name(_ word: String) throws -> ScenarioName {
    guard let reason = ScenarioName.reasonAgainst(word) else {
      return ScenarioName(unchecked: word)
    }
    throw JobError(
      .invalidArgument, "\(quoted: word) is neither a file nor a scenario name: \(reason).")
  }
}
