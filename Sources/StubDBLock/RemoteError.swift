/// A failure of a remote catalog, of its store, of the lock file or of the cache.
package struct RemoteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  package struct Code: Hashable, Sendable {
    let name: String

    /// The store did not answer, or only with errors that pass, in all tries.
    package static let unreachable = Code(name: "unreachable")
    /// The store refuses the credentials, or there are none.
    package static let denied = Code(name: "denied")
    /// There is no such catalog, commit, object or entry.
    package static let missing = Code(name: "missing")
    /// The bytes are not what their name or their format promises.
    package static let damaged = Code(name: "damaged")
    /// The store, or an answer of it, is of a kind that cannot be used.
    package static let unsupported = Code(name: "unsupported")
    /// A URL, a setting or a file has a mistake.
    package static let invalid = Code(name: "invalid")
    /// A file of this machine cannot be read or written.
    package static let inputOutput = Code(name: "inputOutput")
    /// What is to be used is not signed by a key that is trusted.
    package static let untrusted = Code(name: "untrusted")
    /// Others kept changing the pointer in all tries.
    package static let contended = Code(name: "contended")
  }

  package var code: Code
  /// One sentence that says what failed, on what, and why.
  package var message: String
  /// What to do next; one per line.
  package var hints: [String]

  package init(_ code: Code, _ message: String, hints: [String] = []) {
    self.code = code
    self.message = message
    self.hints = hints
  }

  package var description: String { ([message] + hints).joined(separator: "\n") }
}
