package import Foundation
internal import StubDBSupport

/// Opens the stores of URLs.
package struct RemoteStores: Sendable {
  private let environment: [String: String]
  private let client: RetryingClient
  private let now: @Sendable () -> Date

  package init(
    environment: [String: String], client: RetryingClient,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    (self.environment, self.client, self.now) = (environment, client, now)
  }

  /// A store that is opened when it is first used: what the cache has needs no credentials.
  package func lazily(_ url: RemoteURL) -> any RemoteStore {
    LazyStore { () throws(RemoteError) in try store(of: url) }
  }

  /// The store of a URL, whose keys are below the URL's prefix.
  ///
  /// - Throws: ``RemoteError`` if settings or credentials are wrong or missing.
  package func store(of url: RemoteURL) throws(RemoteError) -> any RemoteStore {
    switch url.scheme {
    case .file:
      return FolderStore(URL(fileURLWithPath: url.prefix, isDirectory: true))
    case .s3:
      let settings = AWSSettings(environment: environment)
      let address = try S3Address(
        bucket: url.bucket, options: url.options, setting: settings.value)
      try requireAllowed(address, of: url)
      return stored(
        url,
        S3Dialect(
          address: address,
          credentials: try AWSCredentials.found(settings, transport: client.transport),
          clock: StoreClock(now)))
    case .gs:
      return stored(
        url,
        try GoogleCredentials.dialect(
          bucket: url.bucket, settings, client: client, clock: StoreClock(now)))
    case .az:
      return stored(
        url,
        try AzureCredentials.dialect(
          account: url.bucket, settings, client: client, clock: StoreClock(now)))
    case .http, .https:
      return stored(url, try serverDialect(url))
    }
  }

  private var settings: EnvironmentSettings { EnvironmentSettings(environment: environment) }

  /// - Throws: ``RemoteError`` if a URL, which may come from anyone through a lock file, has the requests go to another
  /// machine without TLS: the key's name and the token of a session are in them.
  private func requireAllowed(_ address: S3Address, of url: RemoteURL) throws(RemoteError) {
    guard let endpoint = url.options["endpoint"], address.scheme == "http",
      endpoint != settings["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]
    else { return }
    try HTTPCredentials.requirePlainAllowed(address.authority, settings)
  }

  private func stored(_ url: RemoteURL, _ dialect: any StoreDialect) -> ObjectStore {
    ObjectStore(url: url, dialect: dialect, client: client)
  }

  private func serverDialect(_ url: RemoteURL) throws(RemoteError) -> HTTPDialect {
    let isPlain = url.scheme == .http
    if isPlain { try HTTPCredentials.requirePlainAllowed(url.bucket, settings) }
    // Without TLS credentials go no further than this machine.
    let isReadable =
      isPlain && !HTTPCredentials.isLoopback(HTTPCredentials.host(of: url.bucket))
    return HTTPDialect(
      place: "\(url.scheme.rawValue)://\(url.bucket)",
      credentials: try HTTPCredentials(
        authority: url.bucket, isReadable ? EnvironmentSettings(environment: [:]) : settings))
  }
}

/// A store that is opened when it is first used.
private final class LazyStore: RemoteStore {
  private let open: @Sendable () throws(RemoteError) -> any RemoteStore
  private let opened = Locked<(any RemoteStore)?>(nil)

  init(open: @escaping @Sendable () throws(RemoteError) -> any RemoteStore) {
    self.open = open
  }

  private func store() throws(RemoteError) -> any RemoteStore {
    if let store = opened.withLock({ $0 }) { return store }
    let store = try open()
    opened.withLock { $0 = store }
    return store
  }

  func impossibleVersion() throws(RemoteError) -> StoreVersion {
    try store().impossibleVersion()
  }

  func read(_ key: String, limit: Int) throws(RemoteError) -> StoredContent? {
    try store().read(key, limit: limit)
  }

  func download(
    _ key: String, to file: URL, limit: Int, progress: @escaping (Int) -> Void
  ) throws(RemoteError) -> Bool {
    try store().download(key, to: file, limit: limit, progress: progress)
  }

  func write(
    _ source: StoredSource, to key: String, if condition: WriteCondition
  ) throws(RemoteError) -> WriteOutcome {
    try store().write(source, to: key, if: condition)
  }

  func size(of key: String) throws(RemoteError) -> StoredSize {
    try store().size(of: key)
  }

  func keys(prefix: String) throws(RemoteError) -> [String] {
    try store().keys(prefix: prefix)
  }
}
