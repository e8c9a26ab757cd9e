package import Foundation
internal import StubDBSupport

/// What this process keeps of the files that it replaces.
package struct UndoSettings: Sendable {
  /// The folder below which each catalog has its own; private.
  package var root: URL
  /// The command line that replaces files, without secrets.
  package var command: String
  /// Whether anything is kept; if not, what was kept of a catalog before is removed once that is replaced.
  package var keeps: Bool

  package init(root: URL, command: String, keeps: Bool = true) {
    (self.root, self.command, self.keeps) = (root, command, keeps)
  }

  /// Not task-local, because servers write on threads of their own.
  private static let shared = Locked<(@Sendable () -> UndoSettings?)?>(nil)

  /// Keeps the file before the last write of this process to each catalog, from now on.
  ///
  /// Without it nothing is kept: a library leaves no files behind. The closure is called for each write, because most
  /// commands only read.
  package static func use(_ settings: @escaping @Sendable () -> UndoSettings?) {
    shared.withLock { $0 = settings }
  }

  /// Nil if this process keeps nothing and knows no folder.
  package static var current: UndoSettings? { shared.withLock(\.self)?() }
}
