package import Foundation
package import StubDBEngine

/// The files of a zip archive, checked as a whole: an archive is read completely or refused.
///
/// The central directory decides what the archive holds; what stands before each file must agree with it.
/// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
struct ZipArchive {
  /// The largest file, unpacked.
  static let maximumFileSize = 64 * 1024 * 1024
  /// How many times larger than its packed form a file above 1 MiB may be.
  static let maximumExpansion = 200
  static let maximumEntryCount = 10_000

  /// A file as the central directory describes it.
  private struct Entry {
    var name: String
    var nameBytes: Data
    var flags: Int
    var method: Int
    var checksum: UInt32
    var packedSize: Int
    var size: Int
    var offset: Int
    /// What kind of file Unix says that it is; 0 if it does not.
    var kind: Int

    var isFolder: Bool { name.hasSuffix("/") }
  }

  /// The contents by their paths, without folders.
  private(set) var files: [String: Data] = [:]
  private let bytes: Data
  private let archive: String

  /// Reads an archive; errors call it `archive`, and the entry by its name.
  ///
  /// `limit` is the size that all files together may have.
  /// - Throws: ``FormatError`` for what is no sound archive, for names that leave a folder, for files that are encrypted,
  /// links, packed by another method, or larger than the limits.
  init(
    _ bytes: Data, named archive: String, limit: Int = ImportInput.maximumByteCount
  ) throws(FormatError) {
    // Offsets count from 0.
    self.bytes = bytes.startIndex == 0 ? bytes : Data(bytes)
    self.archive = archive
    let directory = try self.directory()
    let entries = try self.entries(in: directory.range, count: directory.count)
    try requireSpace(entries, limit: limit)
    var end = 0
    for entry in entries.sorted(by: { $0.offset < $1.offset }) {
      let content = try range(of: entry, before: directory.range.lowerBound)
      guard entry.offset >= end else {
        throw error("shares its bytes with another entry", entry.name)
      }
      end = content.upperBound
      if !entry.isFolder { files[entry.name] = try unpacked(entry, content) }
    }
  }

  /// Whether bytes begin as an archive does, also one without files.
  static func begins(_ bytes: Data) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }
}

// MARK: - The central directory

extension ZipArchive {
  /// Where the central directory is, and how many entries it has.
  private func directory() throws(FormatError) -> (range: Range<Int>, count: Int) {
    guard let end = endRecord() else { throw error("has no directory: it is damaged or cut off") }
    let (disk, count) = (integer(end + 4, 2), integer(end + 10, 2))
    let (size, offset) = (integer(end + 12, 4), integer(end + 16, 4))
    guard count <= Self.maximumEntryCount else {
      throw error(
        "has \(count == 0xFFFF ? "too many" : "\(count)") entries, and at most "
          + "\(Self.maximumEntryCount) are read; unpack it and import the folder")
    }
    guard size != 0xFFFF_FFFF, offset != 0xFFFF_FFFF else { throw error(Self.zip64) }
    guard disk == 0, integer(end + 6, 2) == 0, integer(end + 8, 2) == count else {
      throw error("is a part of an archive in several files")
    }
    guard offset + size <= end else { throw error("has a damaged directory") }
    return (offset..<(offset + size), count)
  }

  /// The record at the end, which may be followed by a comment only.
  private func endRecord() -> Int? {
    guard bytes.count >= 22 else { return nil }
    for place in stride(from: bytes.count - 22, through: max(0, bytes.count - 22 - 0xFFFF), by: -1)
    where integer(place, 4) == 0x0605_4B50 && place + 22 + integer(place + 20, 2) == bytes.count {
      return place
    }
    return nil
  }

  private func entries(in range: Range<Int>, count: Int) throws(FormatError) -> [Entry] {
    var entries: [Entry] = []
    var names: Set<String> = []
    var place = range.lowerBound
    for _ in 0..<count {
      guard place + 46 <= range.upperBound, integer(place, 4) == 0x0201_4B50 else {
        throw error("has a damaged directory")
      }
      let (nameLength, extraLength) = (integer(place + 28, 2), integer(place + 30, 2))
      let next = place + 46 + nameLength + extraLength + integer(place + 32, 2)
      guard next <= range.upperBound else { throw error("has a damaged directory") }
      let nameBytes = bytes[(place + 46)..<(place + 46 + nameLength)]
      let entry = Entry(
        name: String(decoding: nameBytes, as: UTF8.self), nameBytes: nameBytes,
        flags: integer(place + 8, 2), method: integer(place + 10, 2),
        checksum: UInt32(integer(place + 16, 4)), packedSize: integer(place + 20, 4),
        size: integer(place + 24, 4), offset: integer(place + 42, 4),
        kind: integer(place + 40, 2) & 0xF000)
      try check(entry)
      guard names.insert(entry.name).inserted else { throw error("is there twice", entry.name) }
      entries.append(entry)
      place = next
    }
    guard place == range.upperBound else { throw error("has a damaged directory") }
    return entries
  }

  private func check(_ entry: Entry) throws(FormatError) {
    if let problem = Self.problem(ofName: entry.name) { throw error(problem, entry.name) }
    // Bits for encryption, strong encryption, and a directory that is encrypted.
    guard entry.flags & 0x2041 == 0 else {
      throw error("is encrypted; unpack the archive and import the folder", entry.name)
    }
    guard ![entry.packedSize, entry.size, entry.offset].contains(0xFFFF_FFFF) else {
      throw error(Self.zip64, entry.name)
    }
    guard entry.method == 0 || entry.method == 8 else {
      throw error(
        "is packed by method \(entry.method), and only deflate is read; unpack the archive and import the folder",
        entry.name)
    }
    if entry.kind == 0xA000 { throw error("is a symbolic link, which is not followed", entry.name) }
    guard [0, entry.isFolder ? 0x4000 : 0x8000].contains(entry.kind) else {
      throw error("is no regular file", entry.name)
    }
    if entry.isFolder, entry.size > 0 { throw error("is a folder with content", entry.name) }
    let expansion = entry.size / max(entry.packedSize, 1)
    guard entry.size <= Self.maximumFileSize,
      entry.size <= 1 << 20 || expansion <= Self.maximumExpansion
    else {
      throw error(
        "has \(entry.size) bytes, \(expansion) times as many as packed; at most \(Self.maximumFileSize) and "
          + "\(Self.maximumExpansion) times are read; unpack the archive and import the folder",
        entry.name)
    }
  }

  /// Why a path is not taken; nil if it stays below the folder.
  private static func problem(ofName name: String) -> String? {
    if name.isEmpty { return "has no name" }
    if name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "has control characters in its name"
    }
    if name.contains("\\") { return "has a backslash in its path" }
    if name.hasPrefix("/") || name.dropFirst().first == ":" { return "has an absolute path" }
    let parts = (name.hasSuffix("/") ? name.dropLast() : name[...]).split(
      separator: "/", omittingEmptySubsequences: false)
    if parts.contains("..") { return "has a path that leaves the archive" }
    return parts.contains { $0.isEmpty || $0 == "." } ? "has a path that is not plain" : nil
  }

  private func requireSpace(_ entries: [Entry], limit: Int) throws(FormatError) {
    let size = entries.reduce(0) { $0 + $1.size }
    guard size > limit else { return }
    throw error(
      "has \(size) bytes unpacked, and at most \(limit) can be read; import a part of it at a time")
  }
}

// MARK: - Files

extension ZipArchive {
  /// The bytes of a file, after the header that repeats what the directory says.
  private func range(of entry: Entry, before end: Int) throws(FormatError) -> Range<Int> {
    let place = entry.offset
    guard place + 30 <= end, integer(place, 4) == 0x0403_4B50 else {
      throw error("is not where the directory says", entry.name)
    }
    let nameLength = integer(place + 26, 2)
    let start = place + 30 + nameLength + integer(place + 28, 2)
    guard start + entry.packedSize <= end else {
      throw error("is larger than the archive", entry.name)
    }
    guard bytes[(place + 30)..<(place + 30 + nameLength)] == entry.nameBytes,
      integer(place + 8, 2) == entry.method,
      isSame(integer(place + 18, 4), entry.packedSize, entry),
      isSame(integer(place + 22, 4), entry.size, entry)
    else { throw error("has another name, method or size than the directory says", entry.name) }
    return start..<(start + entry.packedSize)
  }

  /// Sizes may follow the content, or stand in a field for large files.
  private func isSame(_ size: Int, _ wanted: Int, _ entry: Entry) -> Bool {
    size == wanted || size == 0xFFFF_FFFF || entry.flags & 0x8 != 0 && size == 0
  }

  private func unpacked(_ entry: Entry, _ range: Range<Int>) throws(FormatError) -> Data {
    var content = Data(bytes[range])
    if entry.method == 8 {
      do {
        content = try ContentDecoding.rawDeflate(content, limit: entry.size)
      } catch {
        throw self.error(
          error.isTooLarge
            ? "has more bytes than the directory says" : "cannot be unpacked: \(error)",
          entry.name)
      }
    }
    guard content.count == entry.size else {
      throw error("has \(content.count) bytes, and the directory says \(entry.size)", entry.name)
    }
    guard ContentDecoding.checksum(of: content) == entry.checksum else {
      throw error("is damaged: its checksum is wrong", entry.name)
    }
    return content
  }
}

// MARK: - Reading

extension ZipArchive {
  private static let zip64 =
    "is in the format for archives above 4 GiB (zip64), which is not read; unpack it and import the folder"

  /// A number of several bytes, the lowest first.
  private func integer(_ place: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  private func error(_ problem: String, _ entry: String? = nil) -> FormatError {
    FormatError(
      file: archive,
      message: entry.map { "the entry \($0.debugDescription) \(problem)" }
        ?? "the archive \(problem)")
  }
}

extension ContentDecoding {
  /// The content of a raw deflate stream, as archives have it, of at most `limit` bytes.
  ///
  /// - Throws: An error with a message if it is damaged, ends before the data does, or is larger.
  package static func rawDeflate(
    _ data: Data, limit: Int
  ) throws(ContentDecodingError) -> Data {
    do {
      return try Inflate.raw(data, limit: limit)
    } catch {
      throw ContentDecodingError(description: error.reason, isTooLarge: error == .tooLarge)
    }
  }

  /// The checksum of gzip and of archives, CRC-32.
  package static func checksum(of data: Data) -> UInt32 {
    data.withUnsafeBytes { CRC32.checksum($0.bindMemory(to: UInt8.self)) }
  }
}
