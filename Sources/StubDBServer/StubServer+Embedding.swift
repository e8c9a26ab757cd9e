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

  #if TLS
  /// The same with TLS, HTTP/1.1 and HTTP/2 among it, for clients that trust the certificates.
  ///
  /// - Throws: `CatalogError` if the scenario cannot be loaded, and ``ServerError`` if the server cannot listen.
  public convenience init(
    _ scenario: String, in catalog: Catalog, certificates: ServerCertificates,
    options: PlaybackOptions = PlaybackOptions()
  ) async throws {
    var settings = ServerOptions.embedding
    settings.certificates = certificates
    try self.init(
      try catalog.load(scenario, overlays: options.overlays), catalog: catalog, playing: options,
      options: settings)
  }

  /// The same with TLS for a scenario that is loaded already.
  ///
  /// - Throws: ``ServerError`` if the server cannot listen.
  public convenience init(
    playing scenario: LoadedScenario, certificates: ServerCertificates,
    options: PlaybackOptions = PlaybackOptions()
  ) async throws(ServerError) {
    var settings = ServerOptions.embedding
    settings.certificates = certificates
    try self.init(scenario, playing: options, options: settings)
  }
  #endif

  private convenience init(
    embedding scenario: LoadedScenario, _ catalog: Catalog?, _ playing: PlaybackOptions
  ) throws(ServerError) {
    try self.init(scenario, catalog: catalog, playing: playing, options: .embedding)
  }

  /// Where clients find it, such as `http://127.0.0.1:49152`; a path may be appended.
  ///
  /// The scheme is `https` if the server has certificates; it answers `http` too.
  public var baseURL: URL {
    // Never nil: it is the text of a URL.
    URL(string: "\(isSecure ? "https" : "http")://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/")
  }
}

extension ServerOptions {
  /// What suits a server within a test: it forgets nothing, and plays the scenario of its beginning.
  fileprivate static var embedding: ServerOptions {
    var options = ServerOptions()
    options.threadCount = 1
    options.reloadInterval = nil
    options.journalEntryCount = .max
    options.journalByteCount = .max
    return options
  }
}
#endif
