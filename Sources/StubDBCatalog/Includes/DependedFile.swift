package import Foundation

/// A file that a scenario was loaded from besides its own catalog, in the state that it had, or a place where there was
/// none.
package struct DependedFile: Hashable, Sendable {
  /// What a file is for.
  private enum Kind {
    /// A lock file, or a place where one may appear.
    case lock
    /// Another catalog, beside which a journal may be.
    case catalog
  }

  private let path: String
  private let kind: Kind
  private let identity: FileIdentity?

  /// A lock file, or a place where one may appear.
  package init(lock path: String) {
    (self.path, kind) = (path, .lock)
    identity = FileStatus(path: path)?.identity
  }

  /// Another catalog.
  package init(_ catalog: CatalogFile) {
    (path, kind) = (catalog.path, .catalog)
    identity = catalog.identity
  }

  /// Whether there was a file.
  package var isThere: Bool { identity != nil }

  /// Whether the file is as it was, or is still missing.
  package var isUnchanged: Bool {
    let now =
      switch kind {
      case .lock: FileStatus(path: path)?.identity
      case .catalog: CatalogFile(path: path, format: .current).identity
      }
    return now == identity
  }

  /// Whether the next change will be noticed: the last one is old enough, and a catalog is not being written.
  package func isSettled(at now: Date) -> Bool {
    identity?.isSettled(at: now) ?? (kind == .lock)
  }
}
