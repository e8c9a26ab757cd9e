import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBEditing
import StubDBJobs
import StubDBModel
import StubDBPlayback

/// The options that lay scenarios on top of another, and decide what is random.
struct OverlayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A scenario on top, whose stubs answer first; repeatable, the last one on top.",
      valueName: "scenario"),
    completion: .scenarioNames, transform: ScenarioName.argument)
  var overlay: [ScenarioName] = []

  @Option(
    help: ArgumentHelp(
      "A number that decides everything random, such as delays and templates (default: 0).",
      valueName: "number"))
  var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "What day it is: now, recorded, or a date; answers are moved from the day of their recording (default: as .stubdb-settings.json says).",
      valueName: "day"),
    transform: PlaybackOptions.Today.argument)
  var today: PlaybackOptions.Today?

  /// How a scenario of a catalog is played; which day it is, the settings beside the catalog say unless an option does.
  ///
  /// - Throws: ``CommandError`` if the settings cannot be read.
  func playback(pace: Pace, of catalog: Catalog) throws -> PlaybackOptions {
    let settings: PlaybackDefaults
    do {
      settings = try CatalogSettings.defaults(besideCatalog: catalog.url.path).get()
    } catch {
      throw CommandError("the settings of the catalog cannot be used: \(error)")
    }
    return PlaybackOptions(
      pace: pace, seed: seed ?? 0, overlays: overlay.map(\.rawValue),
      today: today ?? settings.today)
  }
}

extension PlaybackOptions.Today {
  /// Parses a day.
  ///
  /// - Throws: ``ArgumentError`` for another text.
  static func argument(_ text: String) throws -> Self {
    if let today = Self(text) { return today }
    throw ArgumentError(
      "write it as now, recorded, a day such as 2027-02-28, or a moment such as 2027-02-28T23:59:30Z"
    )
  }
}

extension Pace {
  /// Parses a pace: `real`, `instant` or a factor.
  ///
  /// - Throws: ``ArgumentError`` for anything else.
  static func argument(_ text: String) throws -> Pace {
    if let pace = Pace(text) { return pace }
    throw ArgumentError("write it as real, instant, or a factor such as 0.1")
  }
}
