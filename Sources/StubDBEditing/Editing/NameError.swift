package import Foundation
package import StubDBCatalog
package import StubDBCatalogEditing
package import StubDBEngine
package import StubDBJobs
package import StubDBModel
internal import StubDBSupport

/// Errors about names that do not exist, with the nearest names.
package enum NameError {
  /// How many scenarios or stubs a hint names.
  private static let mostNamed = 8

  package static func scenario(
    _ name: ScenarioName, in catalog: Catalog, among names: [ScenarioName]
  ) -> JobError {
    scenario(name, in: catalog.url, of: catalog.url, among: names)
  }

  /// An error about a place without such a scenario, such as a revision of a catalog.
  ///
  /// The commands to type next work on `catalog`; nil if that is found without an option.
  package static func scenario(
    _ name: ScenarioName, in file: URL, of catalog: URL? = nil, among names: [ScenarioName]
  ) -> JobError {
    let all = names.map(\.rawValue)
    var hints: [JobText] = []
    if name.rawValue.hasSuffix(".\(Catalog.fileExtension)") {
      hints.append("To name the catalog: --catalog \(name)")
    } else if all.contains(where: { $0.hasPrefix("\(name)/") }) {
      let below = all.filter { $0.hasPrefix("\(name)/") }
      let shown = below.prefix(mostNamed).joined(separator: ", ")
      hints.append(
        "Below it: \(shown)\(below.count > mostNamed ? ", …" : ""); show, check and others take \(name)/ for all of them"
      )
      hints.append(
        "To see those below it: \(command: "list", on: ["\(name)/"], catalog: catalog)")
    } else if let nearest = nearest(to: name.rawValue, among: all) {
      hints.append("Did you mean \(nearest)?")
    } else if all.isEmpty {
      hints.append(
        "It has no scenarios yet; to put one in: \(command: "add", on: [name.rawValue], ["--url", "URL"], catalog: catalog)"
      )
    } else {
      hints.append(
        "To see the \(all.count == 1 ? "scenario" : "\(all.count) scenarios") it has: \(command: ["list"], catalog: catalog)"
      )
    }
    return JobError(.notFound, "there is no scenario \(name) in \(file: file)", hints: hints)
  }

  /// An error about a name that another scenario has.
  package static func taken(_ name: ScenarioName, in catalog: Catalog) -> JobError {
    var hints: [JobText] = [
      "To see it: \(command: "show", on: [name.rawValue], catalog: catalog.url)"
    ]
    // What others include cannot be removed.
    if let scenarios = try? catalog.scenarios(),
      !scenarios.contains(where: { $0.includes.contains(name) })
    {
      hints.append(
        "To remove it first: \(command: "rm", on: [name.rawValue], catalog: catalog.url)")
    }
    return JobError(
      .refused, "\(file: catalog.url) already has a scenario \(name)", hints: hints)
  }

  /// An error about a scenario that a revision of the catalog does not have.
  ///
  /// It refers to the history, which shows the revisions that have the scenario, not to the current catalog.
  package static func scenario(
    _ name: ScenarioName, at revision: String, of catalog: Catalog, among names: [ScenarioName],
    consequence: String = ""
  ) throws -> JobError {
    var hints: [JobText] = []
    if try !catalog.scenarios().contains(where: { $0.name == name }),
      let nearest = nearest(to: name.rawValue, among: names.map(\.rawValue))
    {
      hints.append("Did you mean \(nearest)?")
    }
    hints.append(
      "If an earlier commit had it, this shows which: \(command: "log", on: [name.rawValue], catalog: catalog.url)"
    )
    return JobError(
      .notFound,
      "there is no scenario \(name) in \(revision) of \(file: catalog.url)\(consequence)",
      hints: hints)
  }

  package static func stub(_ key: String, in scenario: Scenario) -> JobError {
    let keys = scenario.stubs.map(\.key.rawValue)
    var hints: [JobText] = []
    if let nearest = nearest(to: key, among: keys) {
      hints.append("Did you mean \(nearest)?")
    } else if keys.isEmpty {
      hints.append("It has no stubs of its own.")
    } else {
      let shown = keys.prefix(mostNamed).joined(separator: ", ")
      hints.append("It has: \(shown)\(keys.count > mostNamed ? ", …" : "")")
    }
    return JobError(
      .notFound, "there is no stub \(quoted: key) in scenario \(scenario.name)", hints: hints)
  }

  /// The nearest name, or the only one that has a segment like the given one.
  package static func nearest(to name: String, among names: [String]) -> String? {
    if let near = names.nearest(to: name) { return near }
    func only(_ isMeant: ([Substring]) -> Bool) -> String? {
      let meant = names.filter { isMeant($0.split(separator: "/")) }
      return meant.count == 1 ? meant[0] : nil
    }
    return only { $0.last.map { $0 == name } ?? false }
      ?? only { $0.map(String.init).nearest(to: name) != nil }
  }
}

extension Catalog {
  /// The scenario; throws an error with the nearest name if it does not exist.
  package func existing(_ name: ScenarioName) throws -> Scenario {
    do throws(CatalogError) {
      return try scenario(named: name)
    } catch {
      guard error.code == .noSuchScenario else { throw error }
      throw NameError.scenario(name, in: self, among: try scenarios().map(\.name))
    }
  }

  /// The loaded scenario; throws an error with the nearest name if it does not exist.
  package func loadExisting(
    _ name: ScenarioName, overlays: [ScenarioName] = []
  ) throws -> LoadedScenario {
    do throws(CatalogError) {
      return try load(name.rawValue, overlays: overlays.map(\.rawValue))
    } catch {
      guard error.code == .noSuchScenario else { throw error }
      let names = try scenarios().map(\.name)
      // An included scenario may be the missing one.
      guard let missing = ([name] + overlays).first(where: { !names.contains($0) }) else {
        throw error
      }
      throw NameError.scenario(missing, in: self, among: names)
    }
  }
}

extension Scenario {
  /// The stub; throws an error with the nearest key if it does not exist.
  package func existing(_ key: String) throws(JobError) -> Stub {
    if let stub = stubs.first(where: { $0.key == Stub.Key(unchecked: key) }) { return stub }
    throw NameError.stub(key, in: self)
  }
}

extension CatalogSnapshot {
  /// Throws if a merge left conflicts in the catalog.
  ///
  /// - Parameters:
  ///   - reason: The end of the sentence, which says why the command cannot continue.
  ///   - catalog: The file with the conflicts; nil for bytes that are not from a file.
  /// - Throws: `JobError` with the command that settles them.
  package func requireNoConflicts(_ reason: String, in catalog: URL?) throws {
    guard !conflicts.isEmpty else { return }
    throw JobError(
      .refused,
      "\(file: URL(fileURLWithPath: name)) has \(Plural.of(conflicts.count, "conflict")) of a merge, \(reason)",
      hints: ["To see and settle them first: \(command: ["resolve"], catalog: catalog)"])
  }
}

extension CatalogEditor {
  /// The scenario.
  ///
  /// - Throws: ``EditRefusal`` if it does not exist.
  package func existing(_ name: ScenarioName) throws -> CheckedScenario {
    if let scenario = try checked(named: name) { return scenario }
    throw EditRefusal.noSuchScenario(name, among: try scenarioNames())
  }
}

extension Scenario {
  package func index(of key: Stub.Key) throws(EditRefusal) -> Int {
    if let index = stubs.firstIndex(where: { $0.key == key }) { return index }
    throw .noSuchStub(key.rawValue, in: self)
  }

  package func existing(_ key: Stub.Key) throws(EditRefusal) -> Stub { stubs[try index(of: key)] }
}
