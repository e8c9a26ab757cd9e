import Foundation
import HTTPTypes
package import StubDBJSON
import StubDBSupport

/// What a map of named patterns names.
enum DocumentNames {
  case query
  case cookie
  case pathParameter
  case form
}

extension DocumentNode {
  func namedPatterns(_ names: DocumentNames) throws(DocumentError) -> [NamedPattern] {
    var patterns: [NamedPattern] = []
    for (name, node) in try members("an object of names and patterns") {
      if !context.isTrusted {
        try node.check(name, names)
      }
      patterns.append(NamedPattern(name, try node.valuePattern()))
    }
    return NamedPattern.sorted(patterns)
  }

  func headerPatterns() throws(DocumentError) -> [HeaderPattern] {
    var patterns: [HeaderPattern] = []
    var known: Set<HTTPField.Name> = []
    for (text, node) in try members("an object of names and patterns") {
      guard let name = HTTPField.Name(text) else { throw node.headerNameFailure(text) }
      if !context.isTrusted, !known.insert(name).inserted {
        throw node.failure(
          .duplicate,
          "the header field \"\(text)\" is given twice; names are the same whatever their case")
      }
      patterns.append(HeaderPattern(name, try node.valuePattern()))
    }
    return HeaderPattern.sorted(patterns)
  }

  private func check(_ name: String, _ names: DocumentNames) throws(DocumentError) {
    switch names {
    case .query, .form: break
    case .cookie:
      if name.isEmpty || name.unicodeScalars.contains(where: \.endsCookieName) {
        throw failure(
          .invalidValue,
          "\"\(name)\" is not a cookie name (RFC 6265): it is empty or holds"
            + " a space, a control character, or one of = ; ,")
      }
    case .pathParameter:
      if name.isEmpty { throw failure(.invalidValue, "the name of the path parameter is empty") }
    }
  }

  func headerNameFailure(_ name: String) -> DocumentError {
    failure(
      .invalidValue,
      "\"\(name)\" is not a header field name (RFC 9110): it may hold letters,"
        + " digits, and !#$%&'*+-.^_`|~")
  }

  /// The one operator of an object, after checking that every other key is an option of it.
  func mainOperator(
    of members: JSONObject, _ operators: DocumentOperators, besides others: [String] = []
  ) throws(DocumentError) -> String {
    // What the encoder wrote needs no second look, and one operator alone needs no comparison.
    if context.isTrusted || members.count == 1,
      let name = members.keys.first(where: { operators.options[$0] != nil })
    {
      return name
    }
    let (names, options) = try operatorsAndOptions(of: members, operators, besides: others)
    guard let name = names.first else {
      let advice = options.first.map {
        "\"\($0)\" goes with " + Self.quoted(operators.operators(having: $0))
      }
      throw failure(
        .missingKey, "an operator is missing; \(advice ?? "write one, such as \"equalTo\"")")
    }
    if names.count > 1 {
      throw failure(
        .conflict,
        "\(Self.quoted(names)) stand in one pattern; combine patterns with \"and\"")
    }
    for option in options where operators.options[name]?.contains(option) != true {
      throw member(option, of: members).failure(
        .conflict,
        "\"\(option)\" goes with \(Self.quoted(operators.operators(having: option))),"
          + " not with \"\(name)\"")
    }
    return name
  }

  /// The keys of an object by what they are, sorted; throws for one that is neither an operator nor an option.
  private func operatorsAndOptions(
    of members: JSONObject, _ operators: DocumentOperators, besides others: [String]
  ) throws(DocumentError) -> (names: [String], options: [String]) {
    var (names, options): ([String], [String]) = ([], [])
    for key in members.count < 2 ? Array(members.keys) : members.keys.sorted()
    where !others.contains(key) {
      if operators.options[key] != nil {
        names.append(key)
      } else if operators.keys.contains(key) {
        options.append(key)
      } else {
        throw unknownOperator(key, of: members, operators)
      }
    }
    return (names, options)
  }

  private func unknownOperator(
    _ key: String, of members: JSONObject, _ operators: DocumentOperators
  ) -> DocumentError {
    let node = member(key, of: members)
    if DocumentOperators.body.keys.contains(key) {
      return node.failure(
        .unknownKey, "\"\(key)\" is for a body; the value here is a text without structure")
    }
    let advice =
      operators.keys.nearest(to: key).map { "did you mean \"\($0)\"?" }
      ?? "there are " + operators.names.map { "\"\($0)\"" }.joined(separator: ", ")
    return node.failure(.unknownKey, "unknown operator \"\(key)\"; \(advice)")
  }

  package func member(_ key: String, of members: JSONObject) -> DocumentNode {
    DocumentNode(
      value: members[key] ?? .null, place: .member(key, of: place), context: context)
  }

  func flag(_ key: String, of members: JSONObject) throws(DocumentError) -> Bool {
    members[key] == nil ? false : try member(key, of: members).bool()
  }

  private static func quoted(_ words: [String]) -> String {
    words.map { "\"\($0)\"" }.joined(separator: " and ")
  }
}

extension Unicode.Scalar {
  fileprivate var endsCookieName: Bool {
    value <= 0x20 || value == 0x7F || self == "=" || self == ";" || self == ","
  }
}
