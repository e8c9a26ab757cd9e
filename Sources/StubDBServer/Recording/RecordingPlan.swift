#if TLS
import Foundation
package import StubDBCatalog
package import StubDBEngine
package import StubDBModel
package import StubDBPlayback
package import StubDBRecording
package import StubDBServing

/// What a recording server plays, what it records, and whose requests it looks into.
package struct RecordingPlan {
  /// Why nothing can be recorded.
  package enum Problem: Error {
    /// No stub of the scenario names a host, and nothing else does.
    case noHosts
    /// The rules of redaction beside the catalog cannot be used.
    case unusableRules(any Error)
  }

  /// What a person chooses.
  package struct Choices {
    package var mode = RecordMode.newEpisodes
    /// What requests to the server itself are for; nil for a proxy.
    package var target: Origin?
    /// The hosts whose requests are looked into, besides those of the scenario.
    package var hosts: [HostPattern] = []
    package var includesAllHosts = false

    package init() {}
  }

  /// The scenario that is played: without stubs if all is recorded, and if it is not there yet.
  package let played: LoadedScenario
  package let settings: ServerRecording.Settings
  /// Writes the draft; nil if the mode records nothing.
  package let recorder: RunRecorder?
  private let choices: Choices

  /// - Throws: `CatalogError` if the scenario is not there and the mode records nothing, and a ``Problem``.
  package init(
    _ scenario: ScenarioName, in catalog: Catalog, _ choices: Choices,
    change: (inout ServerRecording.Settings) -> Void = { _ in }
  ) throws {
    self.choices = choices
    let known: LoadedScenario?
    do throws(CatalogError) {
      known = try catalog.load(scenario.rawValue)
    } catch {
      guard error.code == .noSuchScenario, choices.mode != .none else { throw error }
      known = nil
    }
    let empty = LoadedScenario(emptyNamed: scenario)
    played = choices.mode == .all ? empty : known ?? empty
    var settings = ServerRecording.Settings(
      target: choices.target,
      hosts: RecordedHosts(
        choices.hosts, origins: known?.origins ?? [], includesAll: choices.includesAllHosts))
    guard settings.target != nil || !settings.hosts.isEmpty else { throw Problem.noHosts }
    change(&settings)
    self.settings = settings
    guard choices.mode != .none, choices.mode != .once || played.stubCount == 0 else {
      recorder = nil
      return
    }
    do {
      let writer = try DraftWriter.shared(forCatalog: catalog.url.path)
      recorder = RunRecorder(
        scenario, mode: choices.mode, catalog: catalog.url.path, writer: writer)
    } catch {
      throw Problem.unusableRules(error)
    }
  }

  /// The origins that requests to the server itself are for.
  package var origins: [OriginMap.Rule] {
    [settings.target.flatMap { OriginMap.Rule($0.description) }].compactMap(\.self)
  }

  /// The options of the server, which serves nothing but the recording.
  ///
  /// `largestBody` is the largest content of a request in bytes; with `allowsPrivateUpstreams` requests to local networks
  /// are passed on, too.
  package func options(
    _ recording: ServerRecording, largestBody: Int, allowsPrivateUpstreams: Bool
  ) -> ServerOptions {
    var options = ServerOptions()
    options.recording = recording
    options.admin = nil
    options.allowsOtherOrigins = false
    options.reloadInterval = nil
    options.isProxy = settings.target == nil
    options.passesUnmatchedOn = recording.isActive
    options.largestBody = largestBody
    options.largestContentAtOnce = max(options.largestContentAtOnce, largestBody + (1 << 20))
    options.forwarding.allowsPassthrough = true
    options.forwarding.allowsPrivateUpstreams = allowsPrivateUpstreams
    options.forwarding.namedUpstreams =
      choices.hosts + settings.hosts.onThisMachine
      + [settings.target.map(HostPattern.init)].compactMap(\.self)
    return options
  }
}
#endif
