import Foundation
package import StubDBCatalog
package import StubDBEngine
import StubDBModel
package import StubDBPlayback

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A scenario to play, and what is recorded meanwhile.
package struct RecordedPlay {
  /// The scenario; without stubs if it is recorded as a whole.
  package let scenario: LoadedScenario
  package private(set) var options: PlaybackOptions
  /// Nil if nothing is recorded.
  package private(set) var recorder: (any RunTap)?

  /// Copied once, since each look at the environment copies all of it.
  private static let environment = ProcessInfo.processInfo.environment

  /// What records, if the program is linked with it.
  ///
  /// It is looked up by its name, since a module that only some link cannot be called.
  package static let linkedMaker =
    NSClassFromString("StubDBRecording.RecorderMaker") as? any RunTapMaker.Type

  private static let missingMaker = """
    This run is to record, and the program is built without what records. Add \
    .product(name: "StubDBTestingRecording", package: "stubdb") to the dependencies of the test target (in an app: \
    StubDBRecording), or unset \(RecordMode.variable) and name no mode.
    """

  /// Loads the scenario, unless the mode of the recording makes that unnecessary.
  ///
  /// A run that cannot record as it should refuses its requests with the reason.
  /// - Throws: `CatalogError` if the scenario cannot be loaded; one that does not exist is only an error if it is not
  /// recorded.
  package init(
    _ name: String, in catalog: Catalog, _ options: PlaybackOptions,
    environment: [String: String]? = nil, maker: (any RunTapMaker.Type)? = Self.linkedMaker
  ) throws(CatalogError) {
    self.options = options.completed(besideCatalog: catalog.url.path)
    self.options.check?.catalog = catalog.url.path
    let environment = environment ?? Self.environment
    guard let mode = options.record.effective(in: environment) else {
      scenario = try catalog.load(name, overlays: options.overlays)
      self.options.refusal =
        "\(RecordMode.variable) is \"\(environment[RecordMode.variable] ?? "")\"; it can be none, once, "
        + "new-episodes or all."
      return
    }
    guard mode != .none, let scenarioName = ScenarioName(name) else {
      scenario = try catalog.load(name, overlays: options.overlays)
      return
    }
    let loaded = try Self.loaded(name, in: catalog, options)
    let empty = LoadedScenario(emptyNamed: scenarioName)
    scenario = mode == .all ? empty : loaded ?? empty
    if mode == .once, scenario.stubCount > 0 { return }
    guard let maker else {
      self.options.refusal = Self.missingMaker
      return
    }
    do {
      record(with: try maker.tap(for: scenarioName, mode: mode, catalog: catalog.url.path))
    } catch {
      self.options.refusal =
        "Nothing can be recorded, because its rules of redaction cannot be used: \(error)"
    }
  }

  /// Has a tap record.
  package mutating func record(with tap: any RunTap) {
    recorder = tap
    options.unmatched = .passthrough
  }

  /// Nil if there is no such scenario.
  private static func loaded(
    _ name: String, in catalog: Catalog, _ options: PlaybackOptions
  ) throws(CatalogError) -> LoadedScenario? {
    do throws(CatalogError) {
      return try catalog.load(name, overlays: options.overlays)
    } catch {
      // An overlay that does not exist is a mistake in any mode.
      guard error.code == .noSuchScenario, options.overlays.isEmpty else { throw error }
      return nil
    }
  }
}

extension ExchangeTap {
  /// Records an event of the network's session.
  func record(_ event: ClientEvent) {
    switch event {
    case .whole(let head, let content):
      record(head)
      self.content(content)
      finish()
    case .response(let head): record(head)
    case .content(let content): self.content(content)
    case .finish: finish()
    case .failure(let error) where Self.isUnreadable(error): failUnreadably()
    case .failure: fail()
    case .redirect: break
    }
  }

  /// Whether Foundation on Linux gave an answer up that breaks no rule of HTTP, such as one with a header field that is
  /// not UTF-8.
  private static func isUnreadable(_ error: any Error) -> Bool {
    #if canImport(FoundationNetworking)
      (error as? URLError)?.code == .unknown
    #else
      false
    #endif
  }

  private func record(_ head: FoundationHead) {
    guard let response = head.response as? HTTPURLResponse else { return }
    let fields = response.allHeaderFields.compactMap {
      name, value -> (name: String, value: String)? in
      guard let name = name as? String, let value = value as? String else { return nil }
      return (name, value.trimmingCharacters(in: .whitespaces))
    }
    self.head(status: response.statusCode, headers: fields)
  }
}
