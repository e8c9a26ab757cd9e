package import StubDBSupport

/// The members of a JSON object, in no order.
///
/// Names are compared by their UTF-8 bytes: names that compose a letter differently are two members.
public struct JSONObject: Hashable, Sendable {
  private var members: [ByteText: JSONValue]

  /// Makes an object without members.
  public init() { members = [:] }

  /// Takes over the members of a dictionary.
  public init(_ members: [String: JSONValue]) {
    self.init(members.map { ($0.key, $0.value) })
  }

  /// Makes an object; the last of several equal names counts.
  package init(_ members: some Sequence<(String, JSONValue)>) {
    self.members = Dictionary(members.lazy.map { (ByteText($0), $1) }) { $1 }
  }

  package init(minimumCapacity: Int) {
    members = Dictionary(minimumCapacity: minimumCapacity)
  }

  private init(members: [ByteText: JSONValue]) { self.members = members }

  /// The number of members.
  public var count: Int { members.count }

  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }

  /// The names, in no order.
  public var keys: some Collection<String> { members.keys.lazy.map(\.string) }

  /// The names, compared by their bytes.
  package var names: some Collection<ByteText> { members.keys }

  /// The values, in no order.
  public var values: some Collection<JSONValue> { members.values }

  /// The member of a name, or nil.
  public subscript(name: String) -> JSONValue? {
    get { members[ByteText(name)] }
    _modify { yield &members[ByteText(name)] }
  }

  /// The member of a name, or another value if there is none.
  public subscript(name: String, default value: @autoclosure () -> JSONValue) -> JSONValue {
    get { members[ByteText(name)] ?? value() }
    _modify { yield &members[ByteText(name), default: value()] }
  }

  /// Sets a member, and returns the value that it had.
  @discardableResult
  package mutating func updateValue(_ value: JSONValue, forKey name: String) -> JSONValue? {
    members.updateValue(value, forKey: ByteText(name))
  }

  /// Removes a member, and returns the value that it had.
  @discardableResult
  package mutating func removeValue(forKey name: String) -> JSONValue? {
    members.removeValue(forKey: ByteText(name))
  }

  package func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> JSONObject {
    JSONObject(members: try members.filter { try isIncluded(($0.key.string, $0.value)) })
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Makes an object; the last of several equal names counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

extension JSONObject: Collection {
  /// A member.
  public typealias Element = (key: String, value: JSONValue)

  /// The place of a member.
  public struct Index: Comparable {
    fileprivate var base: [ByteText: JSONValue].Index

    /// Whether one place comes before the other.
    public static func < (left: Index, right: Index) -> Bool { left.base < right.base }
  }

  /// An iterator over the members.
  public struct Iterator: IteratorProtocol {
    fileprivate var base: [ByteText: JSONValue].Iterator

    /// The next member; nil at the end.
    public mutating func next() -> Element? { base.next().map { ($0.key.string, $0.value) } }
  }

  /// Makes an iterator over the members, in no order.
  public func makeIterator() -> Iterator { Iterator(base: members.makeIterator()) }

  /// The place of the first member.
  public var startIndex: Index { Index(base: members.startIndex) }

  /// The place after the last member.
  public var endIndex: Index { Index(base: members.endIndex) }

  /// The place after another one.
  public func index(after index: Index) -> Index { Index(base: members.index(after: index.base)) }

  /// The member at a place.
  public subscript(index: Index) -> Element {
    (members[index.base].key.string, members[index.base].value)
  }
}
