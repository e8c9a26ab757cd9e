import Foundation

/// A growing buffer of bytes.
///
/// Raw memory rather than an array, because debug builds, which tests are, spend most of their time in the checks of
/// arrays.
final class InflateOutput {
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity = 4096
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
    bytes = .allocate(capacity: capacity)
  }

  deinit { bytes.deallocate() }

  /// The bytes from an offset on, valid until more are added.
  func suffix(from start: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + start, count: count - start)
  }

  var data: Data { Data(bytes: bytes, count: count) }

  /// Adds a byte; false if the limit is reached.
  func append(_ byte: UInt8) -> Bool {
    guard count < capacity || makeRoom(for: 1) else { return false }
    bytes[count] = byte
    count &+= 1
    return true
  }

  /// Adds bytes; false if the limit is reached.
  func append(_ source: UnsafePointer<UInt8>, count added: Int) -> Bool {
    guard makeRoom(for: added) else { return false }
    memcpy(bytes + count, source, added)
    count += added
    return true
  }

  /// Copies earlier bytes from a distance back; false if the limit is reached.
  ///
  /// The range may overlap with the copy.
  func repeatBytes(distance: Int, count added: Int) -> Bool {
    guard makeRoom(for: added) else { return false }
    let (target, source) = (bytes + count, bytes + (count &- distance))
    if distance == 1 {
      memset(target, Int32(source[0]), added)
    } else if distance >= added {
      memcpy(target, source, added)
    } else {
      var place = 0
      while place < added {
        target[place] = source[place]
        place &+= 1
      }
    }
    count &+= added
    return true
  }

  private func makeRoom(for added: Int) -> Bool {
    guard count + added <= limit else { return false }
    guard count + added > capacity else { return true }
    let larger = max(capacity * 2, count + added)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    memcpy(moved, bytes, count)
    bytes.deallocate()
    (bytes, capacity) = (moved, larger)
    return true
  }
}
