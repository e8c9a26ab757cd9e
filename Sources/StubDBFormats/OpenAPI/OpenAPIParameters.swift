internal import Foundation
internal import HTTPTypes
internal import StubDBModel

/// The parameters of an operation, which stubs match only where that is asked for.
struct OpenAPIParameters {
  /// A parameter: where it is, and what it is called.
  struct Parameter {
    var place: String
    var name: String
    var value: SourceValue
    /// Its schema; in Swagger 2 the parameter itself.
    var schema: SourceValue
    /// Patterns by the names of examples; the one without a name has an empty one.
    var examples: [String: ValuePattern] = [:]
  }

  private(set) var parameters: [Parameter] = []

  /// The parameters of the path, and those of the operation, which come in the place of equal ones.
  init(
    _ item: SourceValue, _ operation: SourceValue, _ references: OpenAPIReferences
  ) throws(FormatError) {
    for list in [item, operation] {
      for reference in list.list("parameters") {
        let value = try references.resolved(reference)
        guard let place = value.text("in"), let name = value.text("name") else { continue }
        parameters.removeAll { $0.place == place && $0.name == name }
        let schema = try references.resolved(value["schema"] ?? value)
        var parameter = Parameter(place: place, name: name, value: value, schema: schema)
        if let example = value["example"] {
          parameter.examples[""] = Self.pattern(of: example, in: place)
        }
        for example in value["examples"]?.members ?? [] {
          let given = try references.resolved(example.value).first(
            of: "serializedValue", "dataValue", "value")
          parameter.examples[example.name] = given.flatMap { Self.pattern(of: $0, in: place) }
        }
        parameters.append(parameter)
      }
    }
  }

  /// What Swagger 2 has in place of the content of a request.
  var body: SourceValue? { parameters.first { $0.place == "body" }?.value }

  /// The fields of a form in Swagger 2, and which of them a request must have.
  var form: [(name: String, isRequired: Bool)] {
    parameters.filter { $0.place == "formData" }.map { ($0.name, $0.value.flag("required")) }
  }

  /// Adds the parameters that have an example of this name.
  ///
  /// - Returns: Whether there is any.
  func addExamples(named name: String, to pattern: inout RequestPattern) -> Bool {
    var isAdded = false
    for parameter in parameters {
      guard let example = parameter.examples[name] else { continue }
      isAdded = Self.add(example, for: parameter, to: &pattern) || isAdded
    }
    return isAdded
  }

  /// Adds the parameter that stands behind a path, with the value that stands there, or any that it may have.
  ///
  /// What is not described is a parameter of the query if `isQuery` says so.
  func add(_ item: URLParts.QueryItem, isQuery: Bool, to pattern: inout RequestPattern) {
    let described = parameters.first {
      $0.name.lowercased() == item.name.lowercased() && ["query", "header"].contains($0.place)
    }
    let value: ValuePattern? = item.value.isEmpty ? nil : .equalTo(item.value)
    if let described {
      _ = Self.add(
        value ?? Self.condition(described) ?? .matches("[\\s\\S]*"), for: described, to: &pattern)
    } else if isQuery {
      pattern.query.append(NamedPattern(item.name, value ?? .matches("[\\s\\S]*")))
    }
  }

  /// Adds the parameters that a request must have, but those that the pattern has already.
  func addRequired(to pattern: inout RequestPattern) {
    for parameter in parameters {
      guard parameter.place == "path" || parameter.value.flag("required"),
        let value = Self.condition(parameter)
      else { continue }
      _ = Self.add(value, for: parameter, to: &pattern)
    }
  }

  /// What is known of a value that is sent; nil if that is nothing.
  private static func condition(_ parameter: Parameter) -> ValuePattern? {
    let isPath = parameter.place == "path"
    let values = (parameter.schema["enum"]?.elements ?? []).compactMap(\.text)
    if !values.isEmpty {
      let patterns = values.map { ValuePattern.equalTo($0) }
      return patterns.count == 1 ? patterns[0] : .or(patterns)
    }
    switch parameter.schema.text("type") {
    // The members of an object are parameters by themselves.
    case "object": return nil
    case "integer" where isPath: return .matches("[+-]?[0-9]+")
    case "number" where isPath: return .matches(#"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?"#)
    case "boolean" where isPath: return .matches("true|false")
    default: break
    }
    if isPath, let pattern = parameter.schema.text("pattern"),
      (try? NSRegularExpression(pattern: pattern)) != nil
    {
      return .matches("[\\s\\S]*(?:\(pattern))[\\s\\S]*")
    }
    if isPath { return nil }
    return .matches(parameter.value.flag("allowEmptyValue") ? ".*" : ".+")
  }

  /// What an example's text is; a list is sent as several values in a query, elsewhere with commas.
  private static func pattern(of value: SourceValue, in place: String) -> ValuePattern? {
    if let text = value.text { return .equalTo(text) }
    let texts = value.elements.compactMap(\.text)
    guard !texts.isEmpty else { return nil }
    if place == "query", texts.count > 1 { return .hasExactly(texts.map { .equalTo($0) }) }
    return .equalTo(texts.joined(separator: ","))
  }

  private static func add(
    _ value: ValuePattern, for parameter: Parameter, to pattern: inout RequestPattern
  ) -> Bool {
    let named = NamedPattern(parameter.name, value)
    func isNew(_ list: [NamedPattern]) -> Bool { !list.contains { $0.name == named.name } }
    switch parameter.place {
    case "query" where isNew(pattern.query): pattern.query.append(named)
    case "cookie" where isNew(pattern.cookies): pattern.cookies.append(named)
    case "header":
      // The specification gives these three no meaning as parameters.
      guard let name = HTTPField.Name(parameter.name),
        ![.accept, .contentType, .authorization].contains(name),
        !pattern.headers.contains(where: { $0.name == name })
      else { return false }
      pattern.headers.append(HeaderPattern(name, value))
    case "path":
      let placeholder = OpenAPIPath.placeholder(parameter.name)
      guard case .template(let path)? = pattern.path, path.contains("{\(placeholder)}"),
        !pattern.pathParameters.contains(where: { $0.name == placeholder })
      else { return false }
      pattern.pathParameters.append(NamedPattern(placeholder, value))
    default: return false
    }
    return true
  }
}
