package import Foundation
internal import StubDBSupport

/// Answers requests for a store's objects and pointers from a cache, which it fills from the store.
///
/// Objects never change, so that one download is enough for ever, and all who ask at the same time share it. A pointer
/// is asked for each time, unless the store cannot be reached: then the last one known is given, with its age.
/// Safe to use from any thread.
package final class CacheService: Sendable {
  /// How long a store that cannot be reached is left alone.
  static let pause = 10.0
  /// How many bytes an object may have: no commit says it here, and an endless one must not fill the disk.
  private static let largestObject = 4 << 30

  private struct State {
    /// Who waits for what, by the key.
    var waiting: [String: [@Sendable (CachedContent) -> Void]] = [:]
    var store: (any RemoteStore)?
    /// When the store was opened: credentials may hold for an hour only.
    var opened = Date.distantPast
    /// Until when the store is not asked.
    var rest = Date.distantPast
    /// Objects that this process has verified.
    var verified: Set<ObjectDigest> = []
  }

  private let url: RemoteURL
  private let cache: ObjectCache
  private let pointers: PointerMemory
  private let open: @Sendable () throws(RemoteError) -> any RemoteStore
  private let now: @Sendable () -> Date
  /// Is told in a sentence what the people who run it should know.
  private let note: @Sendable (String) -> Void
  private let state = Locked(State())

  package init(
    of url: RemoteURL, cache: ObjectCache,
    opening open: @escaping @Sendable () throws(RemoteError) -> any RemoteStore,
    now: @escaping @Sendable () -> Date = { Date() },
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.url, self.cache, self.open, self.now, self.note) = (url, cache, open, now, note)
    pointers = PointerMemory(
      cache.folder.appendingPathComponent("pointers", isDirectory: true), of: url)
  }

  /// Answers a request, on this thread or on that of another request which asked for the same before.
  package func answer(
    _ request: CacheRequest, _ reply: @escaping @Sendable (CacheAnswer) -> Void
  ) {
    guard ["GET", "HEAD"].contains(request.method) else {
      return reply(
        .problem(
          405, "This is a cache, which is only read; push to \(url).", ["allow": "GET, HEAD"]))
    }
    switch CacheKey(path: request.path) {
    case .object(let digest, let key):
      share(key, { self.object(digest, key) }, { reply($0.answer(to: request)) })
    case .pointer(let name) where url.name.isEmpty || url.name == name:
      share(name, { self.pointer(name) }, { reply($0.answer(to: request)) })
    case .signature(let commit, let signer, let key):
      share(
        key, { self.signature(of: commit, by: signer, key) }, { reply($0.answer(to: request)) })
    case .start: reply(.text(200, "A cache of \(url): stubdb pull, with the URL of this server.\n"))
    default: reply(.problem(404, "\(url) has no such pointer or object."))
    }
  }

  /// Has one of those who ask for the same at once do the work.
  private func share(
    _ key: String, _ work: () -> CachedContent, _ reply: @escaping @Sendable (CachedContent) -> Void
  ) {
    let isFirst = state.withLock { state in
      let isFirst = state.waiting[key] == nil
      state.waiting[key, default: []].append(reply)
      return isFirst
    }
    guard isFirst else { return }
    let content = work()
    let replies = state.withLock { $0.waiting.removeValue(forKey: key) ?? [] }
    for reply in replies { reply(content) }
  }
}

extension CacheService {
  private func object(_ digest: ObjectDigest, _ key: String) -> CachedContent {
    do throws(RemoteError) {
      if state.withLock({ $0.verified.contains(digest) }), let file = cache.present(digest),
        let data = try? Data(contentsOf: file, options: .alwaysMapped)
      {
        return .object(data, digest)
      }
      let file = try cache.file(digest) { part throws(RemoteError) in
        try asking { store throws(RemoteError) in
          try store.download(key, to: part, limit: Self.largestObject) { _ in }
        }
      }
      guard let file else { return .problem(404, "\(url) has no object \(digest).") }
      guard let data = try? Data(contentsOf: file, options: .alwaysMapped) else {
        return .problem(500, "The object \(digest) cannot be read from the cache.")
      }
      state.withLock { _ = $0.verified.insert(digest) }
      return .object(data, digest)
    } catch {
      return .failure(error)
    }
  }

  /// A signature is asked for each time, because another one may take its place; the one before does as well, because
  /// who uses it verifies it.
  private func signature(
    of commit: ObjectDigest, by signer: ObjectDigest, _ key: String
  ) -> CachedContent {
    let known = cache.signature(of: commit, by: signer)
    do throws(RemoteError) {
      let stored = try asking { store throws(RemoteError) in
        try store.read(key, limit: SSHSignature.maximumSize)
      }
      if let signature = stored.flatMap({ SSHSignature(armored: $0.data) }),
        signature.key.digest == signer
      {
        // A full disk only means that it is not known later.
        try? cache.insert(signature, of: commit)
        return .signature(signature.armored)
      }
      return known.map(CachedContent.signature)
        ?? .problem(404, "\(url) has no such signature of \(commit).")
    } catch {
      guard error.code == .unreachable, let known else { return .failure(error) }
      return .signature(known)
    }
  }

  private func pointer(_ name: String) -> CachedContent {
    do throws(RemoteError) {
      let stored = try asking { store throws(RemoteError) in
        try store.read(name + ".json", limit: CatalogPointer.maximumSize)
      }
      guard let stored else {
        pointers.forget(name)
        return .problem(404, "There is no catalog \(name) at \(url).")
      }
      _ = try CatalogPointer(decoding: stored.data, at: "\(url)")
      // Another cache may be between: what it says is as old as it says.
      if stored.staleSince == nil { pointers.keep(stored.data, of: name, at: now()) }
      return .pointer(stored.data, staleSince: stored.staleSince)
    } catch {
      guard error.code == .unreachable, let (data, date) = pointers.last(of: name) else {
        return .failure(error)
      }
      return .pointer(data, staleSince: DateTime(date).text("yyyy-MM-dd'T'HH:mm:ss'Z'"))
    }
  }

  /// Asks the store, unless it could not be reached a moment ago.
  private func asking<Value>(
    _ body: (any RemoteStore) throws(RemoteError) -> Value
  ) throws(RemoteError) -> Value {
    guard state.withLock({ $0.rest <= now() }) else {
      throw RemoteError(.unreachable, "\(url) could not be reached a moment ago")
    }
    do throws(RemoteError) {
      let value = try body(openedStore())
      if state.withLock({ state in
        defer { state.rest = .distantPast }
        return state.rest != .distantPast
      }) {
        note("\(url) is reached again")
      }
      return value
    } catch {
      let wasReached = state.withLock { state in
        let wasReached = state.rest == .distantPast
        if error.code == .unreachable { state.rest = now() + Self.pause }
        // Credentials may have changed, too.
        state.store = nil
        return wasReached
      }
      if error.code != .unreachable || wasReached { note(error.message) }
      throw error
    }
  }

  private func openedStore() throws(RemoteError) -> any RemoteStore {
    let known = state.withLock { now().timeIntervalSince($0.opened) < 600 ? $0.store : nil }
    if let known { return known }
    let store = try open()
    state.withLock { ($0.store, $0.opened) = (store, now()) }
    return store
  }
}

/// What a path of a store is.
enum CacheKey: Hashable {
  case object(ObjectDigest, key: String)
  case pointer(name: String)
  /// That of a commit by the key of a digest.
  case signature(of: ObjectDigest, by: ObjectDigest, key: String)
  /// The path of the server itself.
  case start

  /// Nil for anything else.
  init?(path: String) {
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard path.hasPrefix("/") else { return nil }
    if parts.isEmpty || parts == [""] {
      self = .start
    } else if parts.count == 1, parts[0].hasSuffix(".json") {
      let name = String(parts[0].dropLast(5))
      guard LockFile.reasonAgainst(name: name) == nil else { return nil }
      self = .pointer(name: name)
    } else if parts.count == 4, parts[0] == "objects", parts[1] == "sha256" {
      let names = parts[3].split(separator: ".", omittingEmptySubsequences: false)
      guard parts[2].count == 2,
        let digest = ObjectDigest(hexadecimal: String(parts[2] + names[0]))
      else { return nil }
      let key = String(path.dropFirst())
      if names.count == 2, names[1] == "json" || names[1] == "stubdb" {
        self = .object(digest, key: key)
      } else if names.count == 3, names[2] == "sig",
        let signer = ObjectDigest(hexadecimal: String(names[1]))
      {
        self = .signature(of: digest, by: signer, key: key)
      } else {
        return nil
      }
    } else {
      return nil
    }
  }
}
