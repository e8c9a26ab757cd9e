extension String {
  /// Makes the text that the bytes are in UTF-8; nil where they are not valid UTF-8.
  ///
  /// Foundation's initialisers drop a byte order mark, which would change a body that has one;
  /// the standard library's own `String(validating:as:)` needs macOS 15.
  package init?<Bytes: Collection<UInt8>>(strictUTF8 bytes: Bytes) {
    let text = String(decoding: bytes, as: UTF8.self)
    // Side by side in memory where that is possible: `Data` takes long to hand out each byte.
    let isSame = bytes.withContiguousStorageIfAvailable { original in
      text.utf8.withContiguousStorageIfAvailable { $0.elementsEqual(original) }
    }
    guard (isSame ?? nil) ?? text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
