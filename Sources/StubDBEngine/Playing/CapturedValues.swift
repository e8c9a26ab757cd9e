import StubDBJSON
import StubDBSupport

/// The values that a run keeps, by name.
struct CapturedValues: Sendable {
  /// The largest number of names and values; only a loop would need more, not a test.
  static let limit = 100_000

  private var values: [ByteText: (value: JSONValue, number: Int)] = [:]
  /// The number of changes so far.
  private(set) var revision = 0

  var count: Int { values.count }

  subscript(name: String) -> JSONValue? { values[ByteText(name)]?.value }

  /// Whether one more name can be kept.
  func hasRoom(for name: String) -> Bool {
    values.count < Self.limit || values[ByteText(name)] != nil
  }

  /// Keeps a value; a new value for a name takes the old one's place in the order.
  mutating func keep(_ value: JSONValue, as name: String) {
    revision += 1
    let name = ByteText(name)
    values[name] = (value, values[name]?.number ?? revision)
  }

  mutating func forget(_ name: String) {
    revision += 1
    values[ByteText(name)] = nil
  }

  mutating func forgetAll() {
    revision += 1
    values = [:]
  }

  /// The values under names with this prefix, in the order in which the names were first kept.
  func values(beginningWith prefix: String) -> [JSONValue] {
    values.filter { $0.key.string.utf8.starts(with: prefix.utf8) }
      .sorted { $0.value.number < $1.value.number }
      .map(\.value.value)
  }
}
