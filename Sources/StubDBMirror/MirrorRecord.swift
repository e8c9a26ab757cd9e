internal import Foundation

/// The files of a mirror as they were when folder and catalog last agreed, by digest.
///
/// A file that still has the recorded bytes has not been edited since, so that overwriting it loses nothing. The record
/// describes one working copy and would cause a conflict in every merge, so its folder has git ignore it.
struct MirrorRecord: Hashable {
  /// The folder of the record, in the folder of the mirror.
  static let folder = ".stubdb-mirror-record"
  private static let path = folder + "/files"
  private static let ignorePath = folder + "/.gitignore"

  private var digests: [String: String] = [:]

  init() {}

  /// Reads the record of a folder; empty if it is missing.
  init(of files: MirrorFileSystem) throws {
    guard files.obstacle(onTheWayTo: Self.path) == nil, let bytes = try files.bytes(of: Self.path)
    else { return }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2 { digests[String(parts[1])] = String(parts[0]) }
    }
  }

  mutating func note(_ file: MirrorDocument.File) {
    // A line break would end the entry.
    if !file.path.contains("\n") { digests[file.path] = Self.digest(of: file.bytes) }
  }

  /// Whether the files have their recorded bytes.
  func contains(_ files: some Sequence<MirrorDocument.File>) -> Bool {
    files.allSatisfy { digests[$0.path] == Self.digest(of: $0.bytes) }
  }

  /// Replaces the record of a folder if it differs.
  func save(in files: MirrorFileSystem) throws {
    let lines = digests.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }
    let bytes = lines.joined().utf8Data
    if try files.bytes(of: Self.path) == bytes { return }
    try files.write("*\n".utf8Data, to: Self.ignorePath)
    try files.write(bytes, to: Self.path)
  }

  /// A digest that finds edits; it need not withstand an attack.
  private static func digest(of bytes: Data) -> String {
    // FNV-1a over words of eight bytes. https://www.rfc-editor.org/rfc/rfc9923
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset + 8 <= buffer.count {
        let word = UInt64(
          littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        hash = (hash ^ word) &* 0x0000_0100_0000_01b3
        hash ^= hash >> 32
        offset += 8
      }
      for byte in buffer[offset...] { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
    return "\(bytes.count)-\(String(hash, radix: 16))"
  }
}
