import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBModel
import StubDBRemote
import StubDBSupport

/// Includes of the catalogs here that a newer version of another catalog leaves without what they name.
struct LostIncludes {
  private static let shown = 10

  let project: RemoteProject
  /// What the lock file calls the other catalog.
  let name: String
  /// Its newer version.
  let file: URL

  /// Says which scenarios cannot be played any more.
  ///
  /// The update is right all the same: what is included can be renamed, or taken out, afterwards.
  func warn() {
    // A catalog that cannot be read is reported by the command that reads it.
    guard let present = try? Catalog(contentsOf: file).scenarios().map(\.name.rawValue) else {
      return
    }
    let known = Set(present)
    var lines: [String] = []
    for url in catalogs() {
      let lost = includes(of: url).filter { !known.contains($0.include.name.rawValue) }
      let shown = CatalogLocator.display(url)
      lines += lost.map { scenario, include in
        let nearest = present.nearest(to: include.name.rawValue)
          .map { "; did you mean \(TerminalText.quoted("\(name):\($0)"))?" }
        return "\(shown): \(scenario) includes \(include), which \(name) does not have any more"
          + (nearest ?? "")
      }
      if !lost.isEmpty, lines.count > Self.shown {
        lines =
          lines.prefix(Self.shown) + ["To see all: \(FollowUp.command(["check"], catalog: url))"]
        break
      }
    }
    for line in lines { Console.note(line) }
  }

  private func includes(of url: URL) -> [(scenario: ScenarioName, include: ScenarioReference)] {
    let scenarios = (try? Catalog(contentsOf: url).scenarios()) ?? []
    return scenarios.flatMap { scenario in
      scenario.includes.filter { $0.catalog == name }.map { (scenario.name, $0) }
    }
  }

  /// The catalogs to which the lock file belongs: those that are edited here, those beside it, and the one that commands
  /// would use.
  private func catalogs() -> [URL] {
    let folder = project.file.deletingLastPathComponent()
    let beside = (try? CatalogLocator.catalogNames(in: folder)) ?? []
    let urls =
      project.lock.catalogs.values.compactMap(project.working)
      + beside.map { folder.appendingPathComponent($0) }
      + [try? CatalogLocator().locate(nil)].compactMap { $0 }
    return Set(urls.map { $0.standardizedFileURL }).sorted { $0.path < $1.path }
  }
}
