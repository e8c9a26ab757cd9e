package import Foundation

/// Objects that this machine has, by digest; all checkouts and processes share them.
///
/// A file is complete and read-only once it has its name. Downloads that are not finished are beside the objects, and
/// go on where they stopped.
package struct ObjectCache: Sendable {
  /// The variable that says where the cache is.
  package static let variable = "STUBDB_CACHE"

  /// The folder of the cache.
  package let folder: URL

  package init(_ folder: URL) {
    self.folder = folder
  }

  /// The cache of the user: `$STUBDB_CACHE`, else the platform's folder for caches.
  ///
  /// - Throws: ``RemoteError`` if there is neither that variable nor a home folder, or if the variable has a relative path:
  /// each folder would have its own cache, and a test, which runs in another one, would not find it.
  package init(environment: [String: String]) throws(RemoteError) {
    func path(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let chosen = path(Self.variable) {
      guard chosen.hasPrefix("/") else {
        throw RemoteError(
          .invalid,
          "$\(Self.variable) is a relative path, which would be another folder in each folder",
          hints: ["To use one below this folder: export \(Self.variable)=\"$PWD/cache\""])
      }
      self.init(URL(fileURLWithPath: chosen, isDirectory: true))
      return
    }
    #if os(macOS)
      let caches = path("HOME").map { $0 + "/Library/Caches" }
    #else
      // Relative paths are to be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
      let caches =
        path("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        ?? path("HOME").map { $0 + "/.cache" }
    #endif
    guard let caches else {
      throw RemoteError(
        .invalid, "there is no folder for the cache: neither $\(Self.variable) nor $HOME is set",
        hints: ["To choose one: export \(Self.variable)=PATH"])
    }
    self.init(URL(fileURLWithPath: caches + "/stubdb", isDirectory: true))
  }

  /// The folder of the objects.
  package var objects: URL { folder.appendingPathComponent("sha256", isDirectory: true) }

  /// Where an object is, or would be.
  package func url(_ digest: ObjectDigest) -> URL {
    objects.appendingPathComponent(String(digest.hexadecimal.prefix(2)))
      .appendingPathComponent(String(digest.hexadecimal.dropFirst(2)))
  }

  /// Whether an object is in the cache, without reading it.
  package func has(_ digest: ObjectDigest) -> Bool { Self.isFile(url(digest)) == true }

  /// Whether there is a file under a name, and not a link to one; nil if nothing is there.
  package static func isFile(_ url: URL) -> Bool? {
    var status = stat()
    guard lstat(url.path, &status) == 0 else { return nil }
    return mode_t(status.st_mode) & S_IFMT == S_IFREG
  }
}

extension ObjectCache {
  /// Notes that an object is used now, if that was noted longer ago than an age in seconds.
  ///
  /// A cache of another user stays as it is.
  package func noteUse(of digest: ObjectDigest, ifOlderThan age: TimeInterval) {
    let path = url(digest).path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let date = attributes[.modificationDate] as? Date, date.timeIntervalSinceNow < -age
    else { return }
    utimes(path, nil)
  }
}
