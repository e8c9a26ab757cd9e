internal import Foundation
package import StubDBJSON

/// Where values are in a text: by names and positions, as lines and pointers.
extension SourceTree {
  /// The value of a member of an object; nil if there is no such member.
  func member(_ name: String, of object: Int) -> Int? {
    var place = object + 1
    let end = Int(nodes[object].next)
    for _ in 0..<Self.comparedMemberCount {
      guard place < end else { return nil }
      if isName(place, name) { return place + 1 }
      place = Int(nodes[place + 1].next)
    }
    return (members[object] ?? findMembers(of: object))[name].map { Int($0) }
  }

  /// Lists the members of an object once: descriptions have thousands, and refer to each of them.
  private func findMembers(of object: Int) -> [String: UInt32] {
    var found: [String: UInt32] = [:]
    var place = object + 1
    while place < Int(nodes[object].next) {
      let name = text(place)
      if found[name] == nil { found[name] = UInt32(place + 1) }
      place = Int(nodes[place + 1].next)
    }
    members[object] = found
    return found
  }

  /// An element of an array; nil if there are not so many.
  func element(_ position: Int, of array: Int) -> Int? {
    let places = elements[array] ?? findElements(of: array)
    return places.indices.contains(position) ? Int(places[position]) : nil
  }

  /// The line of a value, from 1.
  package func line(of index: Int) -> Int {
    let node = nodes[index]
    guard case .bytes = texts else { return Int(node.end) }
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= node.start { low = middle } else { high = middle }
    }
    return low + 1
  }

  func findLineStarts() -> [UInt32] {
    guard case .bytes(let data) = texts else { return [0] }
    var starts: [UInt32] = [0]
    data.withUnsafeBytes { bytes in
      for place in bytes.indices where bytes[place] == 0x0A { starts.append(UInt32(place + 1)) }
    }
    return starts
  }

  /// The path of a value from the root.
  package func pointer(of index: Int) -> JSONPointer {
    var tokens: [String] = []
    var index = index
    while index > 0 {
      let parent = Int(nodes[index].parent)
      tokens.append(
        nodes[parent].kind == .object ? text(index - 1) : String(position(of: index, in: parent)))
      index = parent
    }
    return JSONPointer(tokens.reversed())
  }

  private func position(of index: Int, in array: Int) -> Int {
    let places = elements[array] ?? findElements(of: array)
    var (low, high) = (0, places.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if places[middle] <= index { low = middle } else { high = middle }
    }
    return low
  }

  /// Lists the elements of an array once: a report may have a line about each of them.
  private func findElements(of array: Int) -> [UInt32] {
    var places: [UInt32] = []
    var place = array + 1
    while place < Int(nodes[array].next) {
      places.append(UInt32(place))
      place = Int(nodes[place].next)
    }
    elements[array] = places
    return places
  }
}
