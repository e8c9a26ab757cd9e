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
      return S3Store(
        url: url,
        address: try S3Address(bucket: url.bucket, options: url.options, setting: settings.value),
        credentials: try AWSCredentials.found(settings, transport: client.transport),
        client: client, now: now)
    }
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
    _ key: String, to file: URL, progress: @escaping (Int) -> Void
  ) throws(RemoteError) -> Bool {
    try store().download(key, to: file, progress: progress)
  }

  func write(
    _ source: StoredSource, to key: String, if condition: WriteCondition
  ) throws(RemoteError) -> WriteOutcome {
    try store().write(source, to: key, if: condition)
  }

  func keys(prefix: String) throws(RemoteError) -> [String] {
    try store().keys(prefix: prefix)
  }
}
