package import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBJSON
package import StubDBModel

/// The operations that differ between two descriptions of an API.
package struct OpenAPIChanges {
  package enum Change: String, Sendable {
    case added, removed, changed

    /// The change as a predicate.
    package var phrase: String { self == .changed ? rawValue : "was \(rawValue)" }
  }

  /// An operation that is in one description only, or differs in what it takes, answers or refers to.
  package struct Operation: Hashable, Sendable {
    package let method: String
    /// As the descriptions write it.
    package let path: String
    package let change: Change
  }

  /// In the order of the newer description, then those that were removed.
  package private(set) var operations: [Operation] = []
  private let old: OpenAPIOperations
  private let new: OpenAPIOperations
  private var changes: [String: Change] = [:]

  /// Compares two files.
  ///
  /// Texts for people count as nothing: summaries and descriptions.
  /// - Throws: ``FormatError`` for what is no description, and for a reference that cannot be followed.
  package init(
    from old: URL, named oldName: String, to new: URL, named newName: String
  ) throws(FormatError) {
    self.old = try OpenAPIOperations(Self.input(old, oldName))
    self.new = try OpenAPIOperations(Self.input(new, newName))
    let before = try Self.contents(of: self.old)
    let after = try Self.contents(of: self.new)
    for operation in self.new.operations {
      let key = operation.key
      guard before[key] != after[key], changes[key] == nil else { continue }
      changes[key] = before[key] == nil ? .added : .changed
      operations.append(operation.changed(before[key] == nil ? .added : .changed))
    }
    for operation in self.old.operations where after[operation.key] == nil {
      changes[operation.key] = .removed
      operations.append(operation.changed(.removed))
    }
  }

  private static func input(_ url: URL, _ name: String) throws(FormatError) -> ImportInput {
    let inputs = try ImportFiles(log: ReportLog()).inputs(at: url, named: name)
    guard inputs.count == 1, let input = inputs.first else {
      throw FormatError(file: name, message: "--openapi takes two files")
    }
    return input
  }

  private static func contents(
    of description: OpenAPIOperations
  ) throws(FormatError) -> [String: [String: JSONValue]] {
    var contents: [String: [String: JSONValue]] = [:]
    for operation in description.operations {
      var content = OpenAPIContent(description.references, root: description.root.tree.file)
      for value in [operation.value, operation.item["parameters"], operation.item["servers"]] {
        if let value { try content.add(value) }
      }
      for name in ["servers", "security", "basePath", "host"] {
        if let value = description.root[name] { try content.add(value) }
      }
      contents[operation.key] = content.values
    }
    return contents
  }

  /// The operations that differ and that a stub answers, in one of the descriptions; all of its methods if the stub's
  /// path may be any of several.
  ///
  /// A resource answers those of its list and of its items.
  package func operations(answeredBy stub: Stub) -> [Operation] {
    var found: Set<String> = []
    for description in [old, new] {
      let host = stub.request.host?.literal?.lowercased()
      if let host, !description.hosts.isEmpty, !description.hosts.contains(host) { continue }
      let methods = stub.request.methods.map(\.rawValue)
      for (path, own) in Self.routes(of: stub) {
        let candidates =
          path.map { description.nearest(to: $0).map { description.operations[$0] } }
          ?? description.operations
        for operation in candidates
        where own?.contains(operation.method) ?? true
          && (methods.isEmpty || methods.contains(operation.method)
            || operation.method == "GET" && methods.contains("HEAD"))
        {
          found.insert(operation.key)
        }
      }
    }
    return operations.filter { found.contains($0.method + " " + $0.path) }
  }

  /// The paths of a stub, and the methods that it answers there besides those of its request, nil for any.
  private static func routes(of stub: Stub) -> [(path: [String]?, methods: Set<String>?)] {
    guard let resource = stub.resource else { return [(path(of: stub), nil)] }
    return resource.operations.map { operation in
      (operation.path, operation.method == "GET" ? ["GET", "HEAD"] : [operation.method])
    }
  }

  /// The segments of a stub's path; nil if it may be any of several.
  private static func path(of stub: Stub) -> [String]? {
    if let url = stub.request.wholeURL?.literal.flatMap({ URLParts($0) }) {
      return OpenAPIOperations.segments(url.path)
    }
    switch stub.request.path {
    case .template(let path)? where !path.split(separator: "/").contains("**"):
      return OpenAPIOperations.segments(path)
    case .value(let value)?: return value.literal.map(OpenAPIOperations.segments)
    default: return nil
    }
  }
}

extension OpenAPIOperation {
  fileprivate var key: String { method + " " + path }

  fileprivate func changed(_ change: OpenAPIChanges.Change) -> OpenAPIChanges.Operation {
    OpenAPIChanges.Operation(method: method, path: path, change: change)
  }
}

/// What an operation says, and all that it refers to.
private struct OpenAPIContent {
  private let references: OpenAPIReferences
  /// The file of the description, and the folder of it: the two descriptions have other ones.
  private let (root, folder): (String, String)
  /// The values without texts for people, by the reference that led to them.
  private(set) var values: [String: JSONValue] = [:]
  private var count = 0

  init(_ references: OpenAPIReferences, root: String) {
    (self.references, self.root) = (references, root)
    folder = root.lastIndex(of: "/").map { String(root[...$0]) } ?? ""
  }

  /// What a file is called in both descriptions.
  private func name(of file: String) -> String {
    file == root ? "" : file.hasPrefix(folder) ? String(file.dropFirst(folder.count)) : file
  }

  mutating func add(_ value: SourceValue) throws(FormatError) {
    count += 1
    try add(value, as: String(count))
  }

  private mutating func add(_ value: SourceValue, as name: String) throws(FormatError) {
    var next = [(name, value)]
    while let (name, value) = next.popLast() {
      guard values[name] == nil else { continue }
      values[name] = value.peekedJSON.withoutTexts
      for reference in value.allReferences {
        guard let target = reference["$ref"]?.peekedText else { continue }
        let place = "\(self.name(of: reference.tree.file)) \(target)"
        next.append((place, try references.resolved(reference)))
      }
    }
  }
}

extension SourceValue {
  /// The objects inside of the value that refer to others.
  fileprivate var allReferences: [SourceValue] {
    var (found, next): ([SourceValue], [SourceValue]) = ([], [self])
    while let value = next.popLast() {
      if value["$ref"]?.isString == true { found.append(value) }
      next += value.members.map(\.value) + value.elements
    }
    return found
  }
}

extension JSONValue {
  /// The value without summaries and descriptions, which are text where they are no names of properties.
  fileprivate var withoutTexts: JSONValue {
    switch self {
    case .object(let members):
      let kept = members.filter { name, value in
        guard name == "description" || name == "summary", case .string = value else { return true }
        return false
      }
      return .object(kept.mapValues(\.withoutTexts))
    case .array(let elements): return .array(elements.map(\.withoutTexts))
    default: return self
    }
  }
}
