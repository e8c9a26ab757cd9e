internal import Foundation

extension String {
  /// Whether these bytes are the UTF-8 form of the text.
  func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { own in
      guard own.count == bytes.count else { return false }
      guard let left = own.baseAddress, let right = bytes.baseAddress else { return true }
      return memcmp(left, right, bytes.count) == 0
    }
    return isSame ?? utf8.elementsEqual(bytes)
  }
}
