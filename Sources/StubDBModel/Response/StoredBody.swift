public import Foundation

/// A body that is left in its catalog until it is served.
public struct StoredBody: Hashable, Sendable {
  /// The SHA-256 of the bytes; 32 bytes.
  public let digest: Data
  /// The number of bytes.
  public let byteCount: Int

  package init(digest: Data, byteCount: Int) {
    self.digest = digest
    self.byteCount = byteCount
  }
}
