internal import Foundation

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

  func variables(of input: ImportInput) -> Set<String> {
    let root = input.tree?.root
    let declared = [root?["values"], (root?["collection"] ?? root)?["variable"]].flatMap {
      $0?.elements.compactMap { ($0["key"] ?? $0["id"])?.peekedText } ?? []
    }
    let text = String(decoding: input.bytes, as: UTF8.self)
    return Set(declared + PostmanVariables.names(in: text))
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    .scenarios(try read([input], options: options).flatMap(\.scenarios))
  }

  func read(
    _ inputs: [ImportInput], options: ImportOptions
  ) throws(FormatError) -> [ImportedContent] {
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
      return try each(of: collections) { input throws(FormatError) in
        guard let root = input.tree?.root else { return .scenarios([]) }
        return .scenarios(try collection(root, input, variables, options))
      }.map(\.value)
    }
    return try each(of: inputs) { input throws(FormatError) -> ImportedContent in
      throw FormatError(
        file: input.file,
        message: "this is an environment; give the collection that it is for, too")
    }.map(\.value)
  }

  private func collection(
    _ root: SourceValue, _ input: ImportInput, _ variables: [String: String],
    _ options: ImportOptions
  ) throws(FormatError) -> [ImportedScenario] {
    let collection = root["collection"] ?? root
    guard collection["requests"] == nil else {
      throw FormatError(
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
  /// The longest value, in bytes; a longer one counts as none.
  private static let maximumByteCount = 64 * 1024

  /// The values, each with the variables in it filled in.
  private let values: [String: String]

  init(values: [String: String]) {
    var filled: [String: String] = [:]
    for name in values.keys.sorted() { Self.fill(name, of: values, into: &filled, within: []) }
    self.values = filled
  }

  /// Fills in a value once, whatever names it; in a circle, what refers to itself stays as it is.
  private static func fill(
    _ name: String, of values: [String: String], into filled: inout [String: String],
    within outer: Set<String>
  ) {
    guard filled[name] == nil, !outer.contains(name), let value = values[name],
      outer.count < 100
    else { return }
    for inner in Set(names(in: value)) {
      fill(inner, of: values, into: &filled, within: outer.union([name]))
    }
    let text = replaced(value, by: filled)
    if text.utf8.count <= maximumByteCount { filled[name] = text }
  }

  /// The text with values in place of names, in one pass.
  private static func replaced(_ text: String, by values: [String: String]) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.range(of: "{{"), let end = rest[start.upperBound...].range(of: "}}") {
      let name = String(rest[start.upperBound..<end.lowerBound])
      result += rest[..<start.lowerBound]
      result += values[name] ?? String(rest[start.lowerBound..<end.upperBound])
      rest = rest[end.upperBound...]
      if result.utf8.count > 1 << 22 { break }
    }
    return result + rest
  }

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

  /// The text with every variable that has a value.
  func fill(_ text: String) -> Filled {
    guard text.contains("{{") else { return Filled(text: text, open: []) }
    let text = Self.replaced(text, by: values)
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
