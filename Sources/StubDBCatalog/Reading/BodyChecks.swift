package import Foundation
internal import StubDBSupport

/// Compares bodies with their digests, two at a time, which is faster than one by one.
package struct BodyChecks {
  /// A body that waits for its partner, and its digest.
  private var waiting: (bytes: Data, digest: SHA256Digest.Value)?

  package init() {}

  /// Adds a body and its digest; false if this body or the waiting one does not match its digest.
  package mutating func add(_ bytes: Data, digest: UnsafeRawBufferPointer) -> Bool {
    guard digest.count == MemoryLayout<SHA256Digest.Value>.size else { return false }
    let digest = digest.loadUnaligned(as: SHA256Digest.Value.self)
    guard let other = waiting else {
      waiting = (bytes, digest)
      return true
    }
    waiting = nil
    return Self.values(of: bytes, other.bytes) == (digest, other.digest)
  }

  /// Checks the remaining body; false if it does not match its digest.
  package mutating func finish() -> Bool {
    guard let last = waiting else { return true }
    waiting = nil
    return last.bytes.withUnsafeBytes { SHA256Digest.value(of: $0) } == last.digest
  }

  private static func values(
    of one: Data, _ other: Data
  ) -> (SHA256Digest.Value, SHA256Digest.Value) {
    one.withUnsafeBytes { one in other.withUnsafeBytes { SHA256Digest.values(of: one, $0) } }
  }
}
