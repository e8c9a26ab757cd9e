internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The end of an expression that represents a query with these parameters and no others.
struct WireMockExactQuery {
  /// The end for parameters of any values, in any order, some of which come once: WireMock matches one of several values.
  static func tail(names: [String], once: [String]) -> String {
    guard !names.isEmpty else { return #"(?:\?&*)?"# }
    return once.map(notTwice).joined() + #"(?:\?(?:&|(?:"#
      + names.map(word).joined(separator: "|") + #")(?:=[^&]*)?(?=&|$))*)?"#
  }

  private static func word(_ name: String) -> String {
    WireMockURLWriter.escaped(URLParts.encodedQuery(name))
      .replacingOccurrences(of: "%20", with: #"(?:%20|\+)"#)
  }

  private static func notTwice(_ name: String) -> String {
    let word = word(name)
    return #"(?!\?(?:[^&]*&)*"# + word + #"(?:=[^&]*)?&(?:[^&]*&)*"# + word + #"(?:=|&|$))"#
  }

  /// What stands before the end.
  let path: String
  /// The parameters that may be there.
  let names: [String]

  /// Nil for an expression without such an end.
  init?(_ expression: String) {
    let empty = Self.tail(names: [], once: [])
    if expression.hasSuffix(empty) {
      path = String(expression.dropLast(empty.count))
      names = []
      return
    }
    let (open, close) = (#"(?:\?(?:&|(?:"#, #")(?:=[^&]*)?(?=&|$))*)?"#)
    guard expression.hasSuffix(close), let start = expression.range(of: open, options: .backwards)
    else { return nil }
    let list = expression[start.upperBound...].dropLast(close.count)
      .replacingOccurrences(of: #"(?:%20|\+)"#, with: "%20")
    var names: [String] = []
    for word in list.split(separator: "|") {
      guard let text = Self.literal(String(word)), let name = text.removingPercentEncoding else {
        return nil
      }
      names.append(name)
    }
    guard Self.tail(names: names, once: []) == expression[start.lowerBound...] else { return nil }
    var path = expression[..<start.lowerBound]
    for name in names.reversed() {
      let end = Self.notTwice(name)
      if path.hasSuffix(end) { path = path.dropLast(end.count) }
    }
    (self.path, self.names) = (String(path), names)
  }

  /// The expression for the path, without the parentheses around it.
  var pathExpression: String {
    path.hasPrefix("(?:") && path.hasSuffix(")") && WireMockURLExpression.isOneGroup(path)
      ? String(path.dropFirst(3).dropLast()) : path
  }

  /// The text that an expression represents, if it is one that ``WireMockURLWriter/escaped(_:)`` gives.
  static func literal(_ expression: String) -> String? {
    ForeignExpression.literal(expression, escapedBy: WireMockURLWriter.escaped)
  }
}

/// An expression for a whole URL, taken apart into scheme, host, and the rest.
struct WireMockURLExpression {
  private(set) var members: JSONObject = [:]

  private static let freeSchemes = [
    "[a-z]+://", "https?://", "(http|https)://", "(?:http|https)://", ".*://", "[a-z]*://",
  ]
  /// The longer one of two that begin alike comes first.
  private static let freeHosts = [
    "[^/?]*+", "[^/?]*", "[^/]*", "[^/]+", "[^/?]+", "[^/?#]+",
  ]

  /// Nil if it cannot be taken apart without doubt.
  init?(_ expression: String) {
    var rest = expression[...]
    if rest.hasPrefix("^") { rest.removeFirst() }
    if rest.hasPrefix(TargetExpression.origin) {
      rest = rest.dropFirst(TargetExpression.origin.count)
      guard rest.hasPrefix("(?:"), rest.hasSuffix(")"), Self.isOneGroup(String(rest)) else {
        return nil
      }
      members["urlPattern"] = .string(String(rest.dropFirst(3).dropLast()))
      return
    }
    if let free = Self.freeSchemes.first(where: rest.hasPrefix) {
      rest = rest.dropFirst(free.count)
    } else if let scheme = ["https", "http"].first(where: { rest.hasPrefix("\($0)://") }) {
      members["scheme"] = .string(scheme)
      members["port"] = scheme == "https" ? 443 : 80
      rest = rest.dropFirst(scheme.count + 3)
    } else {
      return nil
    }
    if let free = Self.freeHosts.first(where: rest.hasPrefix) {
      // The port is part of what is free.
      members["port"] = nil
      rest = rest.dropFirst(free.count)
    } else {
      let host = rest.prefix { $0 != "/" && $0 != "(" }
      guard let name = WireMockExactQuery.literal(String(host)),
        URLParts.canonicalHost(name) == name
      else { return nil }
      // A free scheme leaves the port as it usually is.
      guard members["scheme"] != nil else { return nil }
      members["host"] = ["equalTo": .string(name)]
      rest = rest.dropFirst(host.count)
    }
    var path = String(rest)
    if path.hasPrefix("(?:"), path.hasSuffix(")"), Self.isOneGroup(path) {
      path = String(path.dropFirst(3).dropLast())
    } else if !path.hasPrefix("/") || Self.isChoice(path) {
      return nil
    }
    members["urlPattern"] = .string(path)
  }

  /// Whether the parentheses around a text belong together.
  static func isOneGroup(_ text: String) -> Bool {
    !depths(of: text).dropLast().dropFirst().contains(0)
  }

  private static func isChoice(_ text: String) -> Bool {
    zip(text, depths(of: text)).contains { $0 == "|" && $1 == 0 }
  }

  /// How many groups and classes are open after each character.
  private static func depths(of text: String) -> [Int] {
    var depth = 0
    var isEscaped = false
    return text.map { character in
      defer { isEscaped = !isEscaped && character == "\\" }
      guard !isEscaped else { return depth }
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      return depth
    }
  }
}
