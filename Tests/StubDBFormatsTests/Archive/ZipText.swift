import Foundation
import StubDBEngine
import StubDBFormats

/// An archive in memory, whose parts a test can make wrong.
struct ZipText {
  struct Entry {
    var name: String
    /// The bytes as they are in the archive.
    var packed: Data
    var size: Int
    var checksum: UInt32
    var method = 0
    var flags = 0x0800
    /// What Unix says that the file is.
    var mode = 0
    /// The name and the size in front of the content; nil for those of the directory.
    var localName: String?
    var localSize: Int?
    /// How many bytes before its own place the directory says that the entry is.
    var shift = 0

    init(_ name: String, _ content: String) {
      self.init(name, Data(content.utf8))
    }

    init(_ name: String, _ content: Data) {
      self.name = name
      packed = content
      size = content.count
      checksum = ContentDecoding.checksum(of: content)
    }
  }

  var entries: [Entry]
  var comment = ""
  /// Bytes between the contents and the directory.
  var gap = 0

  init(_ entries: [Entry]) { self.entries = entries }

  init(_ contents: [String: String]) {
    entries = contents.sorted { $0.key < $1.key }.map { Entry($0.key, $0.value) }
  }

  var data: Data {
    var bytes = Data()
    var directory = Data()
    for entry in entries {
      let place = bytes.count - entry.shift
      let local = entry.localName ?? entry.name
      bytes += Self.numbers([(0x0403_4B50, 4), (20, 2)]) + Self.common(entry, entry.localSize)
      bytes += Self.numbers([(local.utf8.count, 2), (0, 2)]) + Data(local.utf8) + entry.packed
      directory += Self.numbers([(0x0201_4B50, 4), (3 << 8 | 20, 2), (20, 2)])
      directory += Self.common(entry, nil)
      directory += Self.numbers([
        (entry.name.utf8.count, 2), (0, 2), (0, 2), (0, 2), (0, 2), (entry.mode << 16, 4),
        (place, 4),
      ])
      directory += Data(entry.name.utf8)
    }
    bytes += Data(count: gap)
    let end = Self.numbers([
      (0x0605_4B50, 4), (0, 2), (0, 2), (entries.count, 2), (entries.count, 2),
      (directory.count, 4), (bytes.count, 4), (comment.utf8.count, 2),
    ])
    return bytes + directory + end + Data(comment.utf8)
  }

  private static func common(_ entry: Entry, _ size: Int?) -> Data {
    numbers([
      (entry.flags, 2), (entry.method, 2), (0, 2), (0x21, 2), (Int(entry.checksum), 4),
      (entry.packed.count, 4), (size ?? entry.size, 4),
    ])
  }

  /// Numbers of several bytes each, the lowest first.
  private static func numbers(_ list: [(value: Int, count: Int)]) -> Data {
    Data(list.flatMap { item in (0..<item.count).map { UInt8(item.value >> (8 * $0) & 0xFF) } })
  }
}
