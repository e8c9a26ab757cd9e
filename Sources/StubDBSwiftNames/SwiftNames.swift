package import StubDBModel

/// The scenarios of a catalog as members in Swift, `.checkout.cardDeclined` for `checkout/card-declined`.
///
/// An area is a value with the members of the area. Areas that differ only in what identifiers lack (`card-x` and
/// `card.x`) are one. Two scenarios with the same member are a clash: neither can be used, as otherwise a scenario that is
/// added could take the place of another one without notice.
package struct SwiftNames: Sendable {
  /// What a generated member is made of.
  package struct Entry: Hashable, Sendable {
    /// The name of the scenario.
    package let name: ScenarioName
    /// A description in one line, or nil.
    package let summary: String?

    /// Makes an entry.
    package init(name: ScenarioName, summary: String? = nil) {
      (self.name, self.summary) = (name, summary)
    }
  }

  /// An area, with the scenarios of the same name.
  struct Node: Sendable {
    /// The scenarios that are called so, in the order of their names; more than one is a clash.
    var entries: [Entry] = []
    /// The members of the area.
    var members: [SwiftIdentifier: Node] = [:]

    var sortedMembers: [(key: SwiftIdentifier, value: Node)] {
      members.sorted { $0.key < $1.key }
    }

    fileprivate mutating func insert(_ entry: Entry, at path: ArraySlice<SwiftIdentifier>) {
      guard let first = path.first else { return entries.append(entry) }
      members[first, default: Node()].insert(entry, at: path.dropFirst())
    }
  }

  /// The areas and scenarios at the top.
  let root: Node
  private let entries: [Entry]

  /// Makes the members of scenarios, whose names are different; the order does not matter.
  package init(_ entries: [Entry]) {
    self.entries = entries.sorted { $0.name < $1.name }
    var root = Node()
    for entry in self.entries { root.insert(entry, at: Self.path(of: entry.name)[...]) }
    self.root = root
  }

  /// The identifiers of a scenario's areas, and at last its own.
  private static func path(of name: ScenarioName) -> [SwiftIdentifier] {
    name.rawValue.split(separator: "/").map { SwiftIdentifier(segment: $0) }
  }

  /// The member of a scenario as it is written, such as `.checkout.cardDeclined`.
  package static func member(of name: ScenarioName) -> String {
    path(of: name).map { "." + $0.text }.joined()
  }

  /// The scenarios that have the same member, in the order of their names; empty if each has its own.
  package var clashes: [[ScenarioName]] {
    Dictionary(grouping: entries.map(\.name), by: Self.member)
      .values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }

  /// Says which scenarios have the same member, and what to do.
  package static func explanation(of clash: [ScenarioName]) -> String {
    let shown = clash.prefix(clash.count > 3 ? 2 : 3).map { "\($0)" }
    let others = clash.count > 3 ? "\(clash.count - 2) others" : shown.last ?? ""
    let listed = clash.count > 3 ? shown : shown.dropLast()
    return "\(listed.joined(separator: ", ")) and \(others) would have the same name in Swift, "
      + "\(clash.first.map(member) ?? ""); rename one of them, or write the name as a text"
  }
}
