package import Foundation
internal import StubDBCatalog
internal import StubDBCatalogEditing
package import StubDBModel
internal import StubDBSupport

/// An include that a newer version of another catalog leaves without its scenario.
///
/// The update is right all the same: what is included can be renamed, or taken out, afterwards.
package struct LostInclude: Sendable {
  /// The file whose scenario cannot be played any more.
  package let catalog: URL
  package let scenario: ScenarioName
  package let include: ScenarioReference
  /// The most similar name that the other catalog has.
  package let nearest: String?

  /// The lost includes of catalogs here; `name` is what the lock file calls the other catalog, and `file` its newer
  /// version.
  static func found(in catalogs: [URL], of name: String, _ file: URL) -> [LostInclude] {
    // A catalog that cannot be read is reported by the command that reads it.
    guard let present = try? Catalog(contentsOf: file).scenarios().map(\.name.rawValue) else {
      return []
    }
    let known = Set(present)
    let urls = Set(catalogs.map(\.standardizedFileURL)).sorted { $0.path < $1.path }
    return urls.flatMap { url in
      let scenarios = (try? Catalog(contentsOf: url).scenarios()) ?? []
      return scenarios.flatMap { scenario in
        scenario.includes.filter { include in
          include.catalog == name && !known.contains(include.name.rawValue)
        }.map {
          LostInclude(
            catalog: url, scenario: scenario.name, include: $0,
            nearest: present.nearest(to: $0.name.rawValue))
        }
      }
    }
  }
}
