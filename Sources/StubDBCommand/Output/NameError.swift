import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBModel
import StubDBPublishing
import StubDBSupport

/// Errors about names that do not exist, with the nearest names.
enum NameError {
  static func scenario(
    _ name: ScenarioName, in catalog: Catalog, among names: [ScenarioName]
  ) -> CommandError {
    scenario(name, in: TerminalText.path(catalog.url), of: catalog.url, among: names)
  }

  /// An error about a place without such a scenario, such as a revision of a catalog.
  ///
  /// The commands to type next work on `catalog`; nil if that is found without an option.
  static func scenario(
    _ name: ScenarioName, in place: String, of catalog: URL? = nil, among names: [ScenarioName]
  ) -> CommandError {
    let all = names.map(\.rawValue)
    var hints: [String] = []
    if name.rawValue.hasSuffix(".\(CatalogLocator.fileExtension)") {
      hints.append("To name the catalog: --catalog \(name)")
    } else if let nearest = nearest(to: name.rawValue, among: all) {
      hints.append("Did you mean \(nearest)?")
    } else if all.isEmpty {
      hints.append(
        "It has no scenarios yet; to put one in: "
          + FollowUp.command("add", on: [name.rawValue], ["--url", "URL"], catalog: catalog))
    } else {
      hints.append(
        "To see the \(all.count == 1 ? "scenario" : "\(all.count) scenarios") it has: "
          + FollowUp.command(["list"], catalog: catalog))
    }
    return CommandError("there is no scenario \(name) in \(place)", hints: hints)
  }

  /// An error about a name that another scenario has.
  static func taken(_ name: ScenarioName, in catalog: Catalog) -> CommandError {
    let place = TerminalText.path(catalog.url)
    var hints = [
      "To see it: " + FollowUp.command("show", on: [name.rawValue], catalog: catalog.url)
    ]
    // What others include cannot be removed.
    if let scenarios = try? catalog.scenarios(),
      !scenarios.contains(where: { $0.includes.contains(name) })
    {
      hints.append(
        "To remove it first: "
          + FollowUp.command("rm", on: [name.rawValue], catalog: catalog.url))
    }
    return CommandError("\(place) already has a scenario \(name)", hints: hints)
  }

  /// An error about a scenario that a revision of the catalog does not have.
  ///
  /// It refers to the history, which shows the revisions that have the scenario, not to the current catalog.
  static func scenario(
    _ name: ScenarioName, at revision: String, of catalog: Catalog, among names: [ScenarioName],
    consequence: String = ""
  ) throws -> CommandError {
    var hints: [String] = []
    if try !catalog.scenarios().contains(where: { $0.name == name }),
      let nearest = nearest(to: name.rawValue, among: names.map(\.rawValue))
    {
      hints.append("Did you mean \(nearest)?")
    }
    let log = FollowUp.command("log", on: [name.rawValue], catalog: catalog.url)
    return CommandError(
      "there is no scenario \(name) in \(TerminalText.line(revision)) of "
        + TerminalText.path(catalog.url) + consequence,
      hints: hints + ["If an earlier commit had it, this shows which: \(log)"])
  }

  static func stub(_ key: String, in scenario: Scenario) -> CommandError {
    let keys = scenario.stubs.map(\.key.rawValue)
    var hints: [String] = []
    if let nearest = nearest(to: key, among: keys) {
      hints.append("Did you mean \(TerminalText.line(nearest))?")
    } else if keys.isEmpty {
      hints.append("It has no stubs of its own.")
    } else {
      let shown = keys.prefix(8).map(TerminalText.line).joined(separator: ", ")
      hints.append("It has: \(shown)\(keys.count > 8 ? ", …" : "")")
    }
    return CommandError(
      "there is no stub \(TerminalText.quoted(key)) in scenario \(scenario.name)", hints: hints)
  }

  /// The nearest name, or the only one that has a segment like the given one.
  static func nearest(to name: String, among names: [String]) -> String? {
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
  func existing(_ name: ScenarioName) throws -> Scenario {
    do throws(CatalogError) {
      return try scenario(named: name)
    } catch {
      guard error.code == .noSuchScenario else { throw error }
      throw NameError.scenario(name, in: self, among: try scenarios().map(\.name))
    }
  }

  /// The loaded scenario; throws an error with the nearest name if it does not exist.
  func loadExisting(
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
  func existing(_ key: String) throws(CommandError) -> Stub {
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
  /// - Throws: ``CommandError`` with the command that settles them.
  func requireNoConflicts(_ reason: String, in catalog: URL?) throws {
    guard !conflicts.isEmpty else { return }
    let file = TerminalText.path(URL(fileURLWithPath: name))
    throw CommandError(
      "\(file) has \(Plural.of(conflicts.count, "conflict")) of a merge, \(reason)",
      hints: ["To see and settle them first: \(FollowUp.command(["resolve"], catalog: catalog))"])
  }
}
