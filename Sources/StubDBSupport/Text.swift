internal import Foundation

extension Sequence<String> {
  /// The name that was most likely meant; nil if none is close.
  ///
  /// A name is close if it is equal but for case, or if at most a third of the letters are inserted, missing, replaced
  /// or swapped with their neighbour. The first of equally close names wins.
  package func nearest(to name: String) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars.prefix(200))
    var best: (name: String, distance: Int)?
    for candidate in self {
      let letters = Array(candidate.lowercased().unicodeScalars.prefix(200))
      let limit = Swift.max(1, Swift.max(wanted.count, letters.count) / 3)
      guard abs(wanted.count - letters.count) <= limit else { continue }
      let distance = wanted.editDistance(to: letters)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }
}

extension String {
  /// Decodes bytes as UTF-8; nil if they are not valid.
  ///
  /// Foundation's initialisers drop a byte order mark, which would change a body that has one, and the standard
  /// library's `String(validating:as:)` needs macOS 15.
  package init?<Bytes: Collection<UInt8>>(strictUTF8 bytes: Bytes) {
    let text = String(decoding: bytes, as: UTF8.self)
    // Uses contiguous memory if possible, because `Data` iterates slowly.
    let isSame = bytes.withContiguousStorageIfAvailable { original in
      text.utf8.withContiguousStorageIfAvailable { own in
        guard own.count == original.count else { return false }
        guard let left = own.baseAddress, let right = original.baseAddress else { return true }
        return memcmp(left, right, own.count) == 0
      }
    }
    guard (isSame ?? nil) ?? text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}

extension String {
  /// Whether the bytes of the text come before those of another one.
  ///
  /// Much faster than `utf8.lexicographicallyPrecedes`, which asks for one byte at a time.
  package func precedesByBytes(_ other: String) -> Bool {
    let result = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        let count = min(bytes.count, others.count)
        var place = 0
        while place < count, bytes[place] == others[place] { place += 1 }
        return place < count ? bytes[place] < others[place] : bytes.count < others.count
      }
    }
    return (result ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// The text in single quotes, in which a POSIX shell reads everything but their end as it is.
  ///
  /// Unicode scalars are looked at, because a quotation mark with a combining mark after it is a character of its own,
  /// and still ends the quotes.
  package var inSingleQuotes: String {
    "'" + replacingScalar("'", with: "'\\''") + "'"
  }

  /// The text with every occurrence of a scalar replaced, also of one that is a part of a character.
  package func replacingScalar(_ scalar: Unicode.Scalar, with replacement: String) -> String {
    unicodeScalars.split(separator: scalar, omittingEmptySubsequences: false).map { String($0) }
      .joined(separator: replacement)
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The names in a path, also those that begin with a combining mark, which hides a slash among characters.
  package var pathSegments: [Substring] {
    utf8.split(separator: UInt8(ascii: "/")).map { self[$0.startIndex..<$0.endIndex] }
  }

  /// What stands before and after a scalar, also where a combining mark follows it; nil if it is not there.
  package func cut(at separator: Unicode.Scalar) -> (before: Substring, after: Substring)? {
    guard let place = unicodeScalars.firstIndex(of: separator) else { return nil }
    return (self[..<place], self[unicodeScalars.index(after: place)...])
  }
}

extension Array where Element: Equatable {
  /// The number of elements to insert, leave out, replace or swap with a neighbour, so that others result.
  ///
  /// The optimal string alignment distance. Takes the product of both lengths.
  @inlinable
  package func editDistance(to others: [Element]) -> Int {
    guard !isEmpty, !others.isEmpty else { return count + others.count }
    var (beforeLast, last) = ([Int](), [Int](0...others.count))
    var current = last
    for row in 1...count {
      current[0] = row
      for column in 1...others.count {
        let isSame = self[row - 1] == others[column - 1]
        var cost = Swift.min(
          last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, self[row - 1] == others[column - 2],
          self[row - 2] == others[column - 1]
        {
          cost = Swift.min(cost, beforeLast[column - 2] + 1)
        }
        current[column] = cost
      }
      (beforeLast, last, current) = (last, current, row == 1 ? current : beforeLast)
    }
    return last[others.count]
  }
}
