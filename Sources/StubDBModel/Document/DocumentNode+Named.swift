import Foundation
import HTTPTypes
package import StubDBJSON
import StubDBSupport

/// What a map of named patterns names.
package enum DocumentNames: Sendable {
  case query
  case cookie
  case pathParameter
  case form
}

extension DocumentNode {
  func namedPatterns(_ names: DocumentNames) throws(DocumentError) -> [NamedPattern] {
    var patterns: [NamedPattern] = []
    for (name, node) in try members("an object of names and patterns") {
      if !context.isTrusted { try context.rules?.check(name, names, of: node) }
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
    guard let rules = context.rules else { throw failure(.missingKey, "an operator is missing") }
    return try rules.mainOperator(of: self, members, operators, besides: others)
  }

  package func member(_ key: String, of members: JSONObject) -> DocumentNode {
    DocumentNode(
      value: members[key] ?? .null, place: .member(key, of: place), context: context)
  }

  func flag(_ key: String, of members: JSONObject) throws(DocumentError) -> Bool {
    members[key] == nil ? false : try member(key, of: members).bool()
  }
}
