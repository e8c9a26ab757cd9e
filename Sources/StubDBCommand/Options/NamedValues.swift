import StubDBJSON
import StubDBModel

/// Sets members of a document's object to a value, or to a list if a name occurs repeatedly.
enum NamedValues {
  /// The object with the members set; existing values of the same names are replaced.
  static func merged(
    _ values: [(name: String, value: String)], into object: JSONValue?, ignoringCase: Bool
  ) -> JSONValue {
    var members: [String: JSONValue] = [:]
    if case .object(let existing) = object { members = existing }
    func same(_ left: String, _ right: String) -> Bool {
      ignoringCase ? left.lowercased() == right.lowercased() : left == right
    }
    members = members.filter { member in !values.contains { same($0.name, member.key) } }
    for (name, value) in values {
      let name = members.keys.first { same($0, name) } ?? name
      switch members[name] {
      case nil: members[name] = .string(value)
      case .array(let earlier): members[name] = .array(earlier + [.string(value)])
      case .some(let earlier): members[name] = [earlier, .string(value)]
      }
    }
    return .object(members)
  }
}
