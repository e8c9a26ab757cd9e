internal import Foundation
internal import StubDBJSON

extension JSONCanonicalizer {
  /// Puts the members of the innermost object into their order; false if a name is there twice.
  mutating func sortMembers(from first: Int) -> Bool {
    let count = members.count - first
    guard count > 1 else { return true }
    var isSorted = true
    for index in first + 1..<members.count {
      let order = compare(members[index - 1], members[index])
      if order == 0 { return false }
      if order > 0 {
        isSorted = false
        break
      }
    }
    guard hasDistinctNames(from: first) else { return false }
    if isSorted { return true }
    let start = members[first].start
    let sorted = members[first...].sorted { compare($0, $1) < 0 }
    for (one, other) in zip(sorted, sorted.dropFirst()) where compare(one, other) == 0 {
      return false
    }
    scratch.removeAll(keepingCapacity: true)
    for (index, member) in sorted.enumerated() {
      if index > 0 { scratch.append(UInt8(ascii: ",")) }
      scratch.append(contentsOf: output[member.start..<member.end])
    }
    output.replaceSubrange(start..., with: scratch)
    return true
  }

  /// Whether no two names that are not ASCII are the same text in different forms, as `é` in one scalar or in two.
  private func hasDistinctNames(from first: Int) -> Bool {
    let isASCII = output.withUnsafeBytes { output in
      members[first...].allSatisfy { member in
        UTF8Bytes.endOfASCII(
          UnsafeRawBufferPointer(rebasing: output[..<member.nameEnd]), from: member.start)
          == member.nameEnd
      }
    }
    if isASCII { return true }
    let names = members[first...].map { output[$0.start + 1..<$0.nameEnd - 1] }
    var seen: Set<String> = []
    return names.allSatisfy { name in
      name.withUnsafeBytes { seen.insert(JSONEscapes.decoded($0)).inserted }
    }
  }

  /// Compares the names as UTF-8: negative if the first one comes first, 0 if they are equal.
  private func compare(_ one: Member, _ other: Member) -> Int {
    // Without the quotation marks.
    let (one, other) = (one.start + 1..<one.nameEnd - 1, other.start + 1..<other.nameEnd - 1)
    return output.withUnsafeBytes { output in
      let (one, other) = (
        UnsafeRawBufferPointer(rebasing: output[one]),
        UnsafeRawBufferPointer(rebasing: output[other])
      )
      // An escape does not sort as what it stands for.
      if one.contains(UInt8(ascii: "\\")) || other.contains(UInt8(ascii: "\\")) {
        let (one, other) = (JSONEscapes.decodedBytes(one), JSONEscapes.decodedBytes(other))
        return one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
      }
      let length = min(one.count, other.count)
      if length > 0, let left = one.baseAddress, let right = other.baseAddress {
        let order = memcmp(left, right, length)
        if order != 0 { return Int(order) }
      }
      return one.count - other.count
    }
  }
}
