internal import Foundation

/// Compares bodies with their digests, two at a time, which is quicker than one by one.
struct BodyChecks {
  /// A body that waits for another one, and its digest.
  private var waiting: (bytes: Data, digest: SHA256Digest.Value)?

  /// Takes a body and its digest; false where this one or the one before it is not what its digest says.
  mutating func add(_ bytes: Data, digest: UnsafeRawBufferPointer) -> Bool {
    guard digest.count == MemoryLayout<SHA256Digest.Value>.size else { return false }
    let digest = digest.loadUnaligned(as: SHA256Digest.Value.self)
    guard let other = waiting else {
      waiting = (bytes, digest)
      return true
    }
    waiting = nil
    return Self.values(of: bytes, other.bytes) == (digest, other.digest)
  }

  /// Looks at what is left; false where it is not what its digest says.
  mutating func finish() -> Bool {
    guard let last = waiting else { return true }
    waiting = nil
    return Self.values(of: last.bytes, Data()).0 == last.digest
  }

  private static func values(
    of one: Data, _ other: Data
  ) -> (SHA256Digest.Value, SHA256Digest.Value) {
    one.withUnsafeBytes { one in other.withUnsafeBytes { SHA256Digest.values(of: one, $0) } }
  }
}
