package import Foundation
internal import StubDBSupport

/// Row ids derived from content: the first 63 bits of a SHA-256.
package enum RowID {
  package static func scenario(_ name: String) -> Int64 { id(name) }
  package static func body(_ digest: Data) -> Int64 { first63Bits(digest) }

  private static func id(_ text: String) -> Int64 {
    var hash = SHA256Digest()
    hash.update(text)
    return first63Bits(hash.finalized())
  }

  private static func first63Bits(_ digest: Data) -> Int64 {
    Int64(digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1)
  }
}
