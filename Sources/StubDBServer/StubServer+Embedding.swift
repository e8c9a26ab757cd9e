#if Server
public import Foundation
public import StubDBCatalog
public import StubDBEngine
public import StubDBModel
public import StubDBPlayback

extension StubServer {
  /// Plays a scenario of a catalog on a free port of this machine, which no other one reaches.
  ///
  /// The journal keeps everything, delays follow `options`, and unmatched requests get 404 with the report, or the
  /// status of the policy. The scenario is the one of this moment: later changes of the catalog are not played.
  ///
  /// With `tls`, which needs the trait `TLS`, it speaks TLS and HTTP/2 too. Its certificates come from an authority that
  /// ends with the server: ``authorityFile`` and ``authorityPEM`` are what clients have to trust.
  ///
  /// Pages that stubs answer with get a separate origin in a browser, without cookies and storage, because the admin
  /// API has the same port. With `trustsPages` they keep theirs; choose it only for pages that you trust.
  ///
  /// `allowsOtherOrigins` says whether pages of other origins, such as those of a web view, may read the answers; a
  /// stub that has `Access-Control-Allow-Origin` decides that itself.
  /// - Throws: `CatalogError` if the scenario cannot be loaded, and ``ServerError`` if the server cannot listen, or if it
  /// was built without TLS.
  public convenience init(
    _ scenario: some ScenarioNaming, in catalog: Catalog, tls: Bool = false,
    trustsPages: Bool = false, allowsOtherOrigins: Bool = true,
    options: PlaybackOptions = PlaybackOptions()
  ) async throws {
    try self.init(
      try catalog.load(scenario, overlays: options.overlays), catalog: catalog,
      playing: options.completed(besideCatalog: catalog.url.path),
      options: try .embedding(
        tls: tls, trustsPages: trustsPages, allowsOtherOrigins: allowsOtherOrigins))
  }

  /// The same for a scenario that is loaded already.
  ///
  /// - Throws: ``ServerError`` if the server cannot listen, or if it was built without TLS.
  public convenience init(
    playing scenario: LoadedScenario, tls: Bool = false, trustsPages: Bool = false,
    allowsOtherOrigins: Bool = true, options: PlaybackOptions = PlaybackOptions()
  ) async throws(ServerError) {
    try self.init(
      scenario, playing: options.withoutCatalog,
      options: try .embedding(
        tls: tls, trustsPages: trustsPages, allowsOtherOrigins: allowsOtherOrigins))
  }

  #if TLS
  /// The same with TLS, and with certificates of your choice.
  ///
  /// - Throws: `CatalogError` if the scenario cannot be loaded, and ``ServerError`` if the server cannot listen.
  public convenience init(
    _ scenario: some ScenarioNaming, in catalog: Catalog, certificates: ServerCertificates,
    trustsPages: Bool = false, allowsOtherOrigins: Bool = true,
    options: PlaybackOptions = PlaybackOptions()
  ) async throws {
    try self.init(
      try catalog.load(scenario, overlays: options.overlays), catalog: catalog,
      playing: options.completed(besideCatalog: catalog.url.path),
      options: .embedding(
        certificates, trustsPages: trustsPages, allowsOtherOrigins: allowsOtherOrigins))
  }

  /// The same with TLS, and with certificates of your choice, for a scenario that is loaded already.
  ///
  /// - Throws: ``ServerError`` if the server cannot listen.
  public convenience init(
    playing scenario: LoadedScenario, certificates: ServerCertificates, trustsPages: Bool = false,
    allowsOtherOrigins: Bool = true, options: PlaybackOptions = PlaybackOptions()
  ) async throws(ServerError) {
    try self.init(
      scenario, playing: options.withoutCatalog,
      options: .embedding(
        certificates, trustsPages: trustsPages, allowsOtherOrigins: allowsOtherOrigins))
  }
  #endif

  /// Where clients find it, such as `http://127.0.0.1:49152`; a path may be appended.
  ///
  /// The scheme is `https` if the server has certificates; it answers `http` too.
  public var baseURL: URL {
    // Never nil: it is the text of a URL.
    URL(string: "\(isSecure ? "https" : "http")://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/")
  }

  /// The certificate in the PEM format that clients have to trust, for `https` to work; nil without TLS, and for
  /// certificates that come from files.
  public var authorityPEM: String? { authority?.text }

  /// The file with ``authorityPEM``: for `curl --cacert`, or as `SSL_CERT_FILE` of a child process.
  ///
  /// It is removed when the server ends.
  public var authorityFile: URL? { authority?.url }
}

extension ServerOptions {
  /// What suits a server within a test: it forgets nothing, and plays the scenario of its beginning.
  private static func embedding(trustsPages: Bool, allowsOtherOrigins: Bool) -> ServerOptions {
    var options = ServerOptions()
    options.threadCount = 1
    options.reloadInterval = nil
    options.journalEntryCount = .max
    options.journalByteCount = .max
    options.admin?.trustsPages = trustsPages
    options.writesAuthority = true
    options.allowsOtherOrigins = allowsOtherOrigins
    return options
  }

  /// The same, with certificates of a new authority if there is TLS.
  fileprivate static func embedding(
    tls: Bool, trustsPages: Bool, allowsOtherOrigins: Bool
  ) throws(ServerError) -> ServerOptions {
    guard tls else {
      return embedding(trustsPages: trustsPages, allowsOtherOrigins: allowsOtherOrigins)
    }
    #if TLS
    return embedding(
      try ServerCertificates(), trustsPages: trustsPages, allowsOtherOrigins: allowsOtherOrigins)
    #else
    throw ServerError(
      description: "this build has no TLS: add the trait TLS to the dependency on stubdb, which "
        + "includes the trait Server")
    #endif
  }

  #if TLS
  fileprivate static func embedding(
    _ certificates: ServerCertificates, trustsPages: Bool, allowsOtherOrigins: Bool
  ) -> ServerOptions {
    var options = embedding(trustsPages: trustsPages, allowsOtherOrigins: allowsOtherOrigins)
    options.certificates = certificates
    return options
  }
  #endif
}
#endif
