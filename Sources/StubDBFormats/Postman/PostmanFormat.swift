internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Collections of Postman, versions 2.0 and 2.1: their saved examples become stubs.
///
/// https://schema.postman.com
struct PostmanFormat: ImportFormat {
  let name = "postman"
  let summary = "collections of Postman with saved examples"
  let ownOptions: Set<ImportOption> = [.variables, .empty, .lenient]

  func recognizes(_ input: ImportInput) -> Bool {
    guard let root = input.tree?.root else { return false }
    return Self.isCollection(root) || root["collection"].map(Self.isCollection) ?? false
      || Self.isEnvironment(root)
  }

  private static func isCollection(_ value: SourceValue) -> Bool {
    if value["info"]?["schema"]?.peekedText?.contains("postman.com/json/collection") ?? false {
      return true
    }
    return value["item"]?.isArray == true && value["info"] != nil
      || value["requests"]?.isArray == true && value["order"] != nil
  }

  /// Environments and globals give values to variables.
  static func isEnvironment(_ value: SourceValue) -> Bool {
    value["values"]?.isArray == true
      && (value["_postman_variable_scope"] != nil || value["name"] != nil)
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(ImportError) -> ImportedContent {
    .scenarios(try read([input], options: options).flatMap(\.scenarios))
  }

  func read(
    _ inputs: [ImportInput], options: ImportOptions
  ) throws(ImportError) -> [ImportedContent] {
    var variables: [String: String] = [:]
    for input in inputs {
      guard let root = input.tree?.root, Self.isEnvironment(root) else { continue }
      variables.merge(PostmanVariables.values(of: root["values"])) { _, last in last }
      root.ignoreUnread()
    }
    variables.merge(options.variables) { _, last in last }
    let collections = inputs.filter { input in
      input.tree.map { !Self.isEnvironment($0.root) } ?? false
    }
    guard collections.isEmpty else {
      return try each(of: collections) { input throws(ImportError) in
        guard let root = input.tree?.root else { return .scenarios([]) }
        return .scenarios(try collection(root, input, variables, options))
      }.map(\.value)
    }
    return try each(of: inputs) { input throws(ImportError) -> ImportedContent in
      throw ImportError(
        file: input.file,
        message: "this is an environment; give the collection that it is for, too")
    }.map(\.value)
  }

  private func collection(
    _ root: SourceValue, _ input: ImportInput, _ variables: [String: String],
    _ options: ImportOptions
  ) throws(ImportError) -> [ImportedScenario] {
    let collection = root["collection"] ?? root
    guard collection["requests"] == nil else {
      throw ImportError(
        file: input.file, message: "this is a collection of version 1; export it as version 2.1")
    }
    var all = PostmanVariables.values(of: collection["variable"])
    all.merge(variables) { _, last in last }
    let info = collection["info"]
    let name = info?.text("name") ?? input.path.last ?? "collection"
    var reader = PostmanItemReader(
      variables: PostmanVariables(values: all), options: options, log: input.log)
    try reader.read(collection, path: [name])
    info?.ignoreUnread()
    collection.ignore("auth", "event", "protocolProfileBehavior")
    root.ignoreUnread { _ in true }
    noteUnanswered(reader.unanswered, input)
    return reader.scenarios
  }

  /// One line for all requests without an example, which may be most of a collection.
  private func noteUnanswered(_ names: [String], _ input: ImportInput) {
    guard let first = names.first else { return }
    let shown = names.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
    let rest = names.count > 3 ? ", …" : ""
    input.log.add(
      .dropped, .noAnswer, file: input.file, item: nil,
      names.count == 1
        ? "1 request has no saved response: \"\(first)\"; --empty makes it 200 without content"
        : "\(names.count) requests have no saved response: \(shown)\(rest); --empty makes them 200 without content"
    )
  }
}

extension ImportedContent {
  fileprivate var scenarios: [ImportedScenario] {
    if case .scenarios(let scenarios) = self { scenarios } else { [] }
  }
}

/// The values of `{{names}}`.
struct PostmanVariables {
  let values: [String: String]

  /// What is left in a text after its variables are filled in.
  struct Filled {
    var text: String
    /// The names that have no value.
    var open: [String]
  }

  /// The values of a list of `{key, value}`; disabled ones do not count.
  static func values(of list: SourceValue?) -> [String: String] {
    var values: [String: String] = [:]
    for variable in list?.elements ?? [] {
      defer { variable.ignoreUnread() }
      guard variable["disabled"]?.bool != true, variable["enabled"]?.bool != false,
        let name = variable.first(of: "key", "id", "name")?.text,
        let value = variable["value"]?.text, !value.isEmpty
      else { continue }
      values[name] = value
    }
    return values
  }

  /// The text with every variable that has a value; a value may have variables itself.
  func fill(_ text: String) -> Filled {
    var text = text
    for _ in 0..<8 where text.contains("{{") {
      let before = text
      for name in Self.names(in: text) {
        guard let value = values[name] else { continue }
        text = text.replacingOccurrences(of: "{{\(name)}}", with: value)
      }
      if text == before || text.utf8.count > 1 << 20 { break }
    }
    return Filled(text: text, open: Self.names(in: text))
  }

  /// The names in `{{…}}`, in order.
  static func names(in text: String) -> [String] {
    var names: [String] = []
    var rest = text[...]
    while let start = rest.range(of: "{{"), let end = rest[start.upperBound...].range(of: "}}") {
      names.append(String(rest[start.upperBound..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    return names
  }
}
