extension String {
  /// Decodes bytes as UTF-8; nil if they are not valid.
  ///
  /// Foundation's initialisers drop a byte order mark, which would change a body that has one, and the standard
  /// library's `String(validating:as:)` needs macOS 15.
  package init?<Bytes: Collection<UInt8>>(strictUTF8 bytes: Bytes) {
    let text = String(decoding: bytes, as: UTF8.self)
    // Uses contiguous memory if possible, because `Data` iterates slowly.
    let isSame = bytes.withContiguousStorageIfAvailable { original in
      text.utf8.withContiguousStorageIfAvailable { $0.elementsEqual(original) }
    }
    guard (isSame ?? nil) ?? text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
