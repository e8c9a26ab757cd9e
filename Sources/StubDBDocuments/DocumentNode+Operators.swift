internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

extension DocumentNode {
  /// The one operator of an object, after checking that every other key is an option of it.
  func checkedOperator(
    of members: JSONObject, _ operators: DocumentOperators, besides others: [String]
  ) throws(DocumentError) -> String {
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

  private static func quoted(_ words: [String]) -> String {
    words.map { "\"\($0)\"" }.joined(separator: " and ")
  }
}
