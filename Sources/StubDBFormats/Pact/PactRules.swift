internal import Foundation
internal import StubDBJSON

/// The matching rules of one part of a request, by their paths.
struct PactRules {
  /// A rule for a place.
  struct Rule {
    /// What a rule compares.
    enum Kind: String {
      case type, min, max, minmax
      case minMax = "min-max"
      case regex, equality, include, notEmpty, integer, number, decimal, boolean, null, semver
      case date, time, timestamp, datetime
      /// A kind that is not known.
      case other
    }

    let name: String
    var arguments: JSONObject

    var kind: Kind { Kind(rawValue: name) ?? .other }

    /// The rule of its members; rules of version 2 may have only a limit or an expression.
    init(_ arguments: JSONObject) {
      let usual = arguments["regex"] != nil ? "regex" : "type"
      name = if case .string(let name) = arguments["match"] { name } else { usual }
      self.arguments = arguments
    }

    /// Whether the types of a value and of everything inside of it count, not the values.
    var isStructural: Bool { [.type, .min, .max, .minmax, .minMax].contains(kind) }
  }

  /// The rules for a place, of which all count, or any.
  struct Group {
    var rules: [Rule] = []
    var isAny = false

    var isEmpty: Bool { rules.isEmpty }
  }

  /// The rules of each path, which is split into its names; `*` represents any.
  private(set) var rules: [(path: [String], group: Group)]

  var isEmpty: Bool { rules.isEmpty }

  init(_ rules: [(path: [String], group: Group)]) { self.rules = rules }

  /// Version 2 has one list for everything (`$.body.a`), version 3 one for each part.
  ///
  /// The part is `body`, `path`, `query` or `header`.
  init(_ all: SourceValue?, part: String) {
    rules = []
    guard let all else { return }
    if let inner = all[part] {
      if inner["matchers"] != nil {
        rules.append(([], Self.matchers(inner)))
      } else {
        for member in inner.members {
          rules.append((Self.path(member.name), Self.matchers(member.value)))
        }
      }
      return
    }
    let names = part == "header" ? ["headers", "header"] : [part]
    for member in all.members {
      var path = Self.path(member.name)
      guard let first = path.first, names.contains(first) else { continue }
      path.removeFirst()
      guard case .object(let arguments) = member.value.json else { continue }
      rules.append((path, Group(rules: [Rule(arguments)])))
    }
  }

  /// The rules of a place: those of the most specific path.
  subscript(path: [String]) -> Group {
    let found = rules.filter { Self.matches($0.path, path) }
    return found.max { Self.weight($0.path) < Self.weight($1.path) }?.group ?? Group()
  }

  /// The rules of a value of a query parameter or a header field.
  func ofValue(_ name: String, at place: Int = 0) -> Group {
    [[name, String(place)], [name]].lazy.map { self[$0] }.first { !$0.isEmpty } ?? Group()
  }

  /// Whether a rule is about a place or anything inside of it.
  func concerns(_ path: [String]) -> Bool {
    rules.contains { Self.matches(Array($0.path.prefix(path.count)), path) }
  }

  private static func matchers(_ value: SourceValue) -> Group {
    let rules: [Rule] = value.list("matchers").compactMap { matcher in
      guard case .object(let arguments) = matcher.json else { return nil }
      return Rule(arguments)
    }
    return Group(rules: rules, isAny: value.text("combine")?.uppercased() == "OR")
  }

  /// The names of `$.body.items[*]['a b']`.
  static func path(_ text: String) -> [String] {
    var names: [String] = []
    var name = ""
    var quote: Character?
    func flush() {
      if !name.isEmpty { names.append(name) }
      name = ""
    }
    for character in text.hasPrefix("$") ? text.dropFirst() : text[...] {
      if let open = quote {
        if character == open { quote = nil } else { name.append(character) }
      } else {
        switch character {
        case ".", "[", "]": flush()
        case "'", "\"": quote = character
        default: name.append(character)
        }
      }
    }
    flush()
    return names
  }

  private static func matches(_ pattern: [String], _ path: [String]) -> Bool {
    pattern.count == path.count
      && zip(pattern, path).allSatisfy { $0 == $1 || $0 == "*" }
  }

  private static func weight(_ path: [String]) -> Int {
    path.reduce(0) { $0 + ($1 == "*" ? 1 : 2) }
  }
}
