import Foundation

/// Bytes that grow at their end.
///
/// Raw memory rather than an array, because a debug build, which every test is, spends most of its time in the
/// array's checks.
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

  /// The bytes from a place on, valid until more are added.
  func suffix(from start: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + start, count: count - start)
  }

  var data: Data { Data(bytes: bytes, count: count) }

  /// Adds a byte; false where there is no room for it.
  func append(_ byte: UInt8) -> Bool {
    guard count < capacity || makeRoom(for: 1) else { return false }
    bytes[count] = byte
    count &+= 1
    return true
  }

  /// Adds bytes from elsewhere; false where there is no room for them.
  func append(_ source: UnsafePointer<UInt8>, count added: Int) -> Bool {
    guard makeRoom(for: added) else { return false }
    memcpy(bytes + count, source, added)
    count += added
    return true
  }

  /// Adds bytes that are there already, so many back; false where there is no room.
  ///
  /// They may reach into what is added.
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
