#if Server
public import Foundation
public import StubDBCatalog
public import StubDBEngine
public import StubDBPlayback

extension StubServer {
  /// Plays a scenario of a catalog on a free port of this machine, which no other one reaches.
  ///
  /// The journal keeps everything, delays follow `options`, and unmatched requests get 404 with the report, or the
  /// status of the policy. The scenario is the one of this moment: later changes of the catalog are not played.
  /// - Throws: `CatalogError` if the scenario cannot be loaded, and ``ServerError`` if the server cannot listen.
  public convenience init(
    _ scenario: String, in catalog: Catalog, options: PlaybackOptions = PlaybackOptions()
  ) async throws {
    try self.init(
      embedding: try catalog.load(scenario, overlays: options.overlays), catalog, options)
  }

  /// The same for a scenario that is loaded already.
  ///
  /// - Throws: ``ServerError`` if the server cannot listen.
  public convenience init(
    playing scenario: LoadedScenario, options: PlaybackOptions = PlaybackOptions()
  ) async throws(ServerError) {
    try self.init(embedding: scenario, nil, options)
  }

  private convenience init(
    embedding scenario: LoadedScenario, _ catalog: Catalog?, _ playing: PlaybackOptions
  ) throws(ServerError) {
    var options = ServerOptions()
    options.threadCount = 1
    options.reloadInterval = nil
    options.journalEntryCount = .max
    options.journalByteCount = .max
    try self.init(scenario, catalog: catalog, playing: playing, options: options)
  }

  /// Where clients find it, such as `http://127.0.0.1:49152`; a path may be appended.
  public var baseURL: URL {
    // Never nil: it is the text of a URL.
    URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/")
  }
}
#endif
