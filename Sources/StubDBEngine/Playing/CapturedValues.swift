import StubDBJSON
import StubDBSupport

/// The values that a run keeps, by name.
struct CapturedValues: Sendable {
  /// The largest number of names and values; only a loop would need more, not a test.
  static let limit = 100_000

  private var places: [ByteText: Int] = [:]
  /// The values in the order in which their names were first kept; nil in place of one that was forgotten.
  private var slots: [(name: ByteText, value: JSONValue)?] = []
  /// The number of changes so far.
  private(set) var revision = 0

  var count: Int { places.count }

  subscript(name: String) -> JSONValue? { places[ByteText(name)].flatMap { slots[$0]?.value } }

  /// Whether one more name can be kept.
  func hasRoom(for name: String) -> Bool {
    places.count < Self.limit || places[ByteText(name)] != nil
  }

  /// Keeps a value; a new value for a name takes the old one's place in the order.
  mutating func keep(_ value: JSONValue, as name: String) {
    revision += 1
    let name = ByteText(name)
    let place = places[name] ?? slots.count
    if place == slots.count { slots.append(nil) }
    (places[name], slots[place]) = (place, (name, value))
  }

  mutating func forget(_ name: String) {
    revision += 1
    if let place = places.removeValue(forKey: ByteText(name)) { slots[place] = nil }
    // Places are given up once most are empty, which costs little for each of many names.
    guard slots.count > 2 * places.count else { return }
    slots.removeAll { $0 == nil }
    for case (let place, let slot?) in slots.enumerated() { places[slot.name] = place }
  }

  mutating func forgetAll() {
    revision += 1
    (places, slots) = ([:], [])
  }

  /// The values under names with this prefix, in the order in which the names were first kept.
  func values(beginningWith prefix: String) -> [JSONValue] {
    slots.compactMap { slot in
      slot?.name.string.utf8.starts(with: prefix.utf8) == true ? slot?.value : nil
    }
  }
}
