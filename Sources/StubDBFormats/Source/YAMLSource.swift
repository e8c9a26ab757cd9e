internal import Foundation
internal import StubDBJSON
internal import Yams

/// Makes a ``SourceTree`` of a YAML text.
///
/// Scalars keep their text; only what YAML 1.2's core schema reads as null, a truth value or a number in JSON's form has
/// that type. Aliases are followed within a limit, because a few lines can represent billions of values.
/// https://yaml.org/spec/1.2.2/#103-core-schema
struct YAMLSource {
  /// How many values a text may represent.
  static let maximumValueCount = 2_000_000

  /// How many members `<<` may merge, those that are merged again counted each time.
  private static let maximumMergedCount = 200_000

  private let file: String
  private var nodes: ContiguousArray<SourceTree.Node> = []
  private var texts: [String] = []
  /// How many members `<<` has merged.
  private var mergedCount = 0

  /// The values of a text.
  ///
  /// - Throws: ``FormatError`` with the line and column.
  static func values(_ text: String, file: String) throws(FormatError) -> SourceTree.Values {
    var source = YAMLSource(file: file)
    if let root = try source.compose(text) {
      try source.append(root, parent: 0, depth: 0)
    } else {
      source.appendScalar("", .null, line: 1, parent: 0)
    }
    return SourceTree.Values(nodes: source.nodes, texts: .list(source.texts))
  }

  private func compose(_ text: String) throws(FormatError) -> Node? {
    // Yams hashes names to find duplicates, and a name that is an alias may represent billions of values.
    if let line = Self.lineOfAliasedName(text) {
      throw failure("a name must be a scalar, not an alias", line)
    }
    do {
      // Yams would look up the default encoding in the environment for each text.
      return try Yams.compose(yaml: text, .basic, .default, .utf8)
    } catch let error as YamlError {
      throw FormatError(error, file: file)
    } catch {
      throw FormatError(file: file, message: "\(error)")
    }
  }

  /// The line on which an alias, or a list or map with one, is the name of a member, or nil.
  private static func lineOfAliasedName(_ text: String) -> Int? {
    guard text.utf8.contains(UInt8(ascii: "&")), text.utf8.contains(UInt8(ascii: "*")) else {
      return nil
    }
    let alias = #"(^|[{,])[ \t-]*\*[0-9A-Za-z_-]+[ \t]*:([ \t]|$)"#
    let complex = #"(^|[{,])[ \t-]*\?[ \t]+[*\[{&]"#
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where line.contains("*") || line.contains("?") {
      if line.range(of: complex, options: .regularExpression) != nil { return number + 1 }
      // A line of a text may look so, too: the name is one if it is that of an anchor.
      guard let range = line.range(of: alias, options: .regularExpression) else { continue }
      let name = line[range].drop { $0 != "*" }.dropFirst()
        .prefix { $0 == "_" || $0 == "-" || $0.isLetter || $0.isNumber }
      if text.contains("&\(name)") { return number + 1 }
    }
    return nil
  }

  private mutating func append(_ node: Node, parent: Int, depth: Int) throws(FormatError) {
    let line = node.mark?.line ?? 1
    guard depth <= JSONSource.maximumDepth else {
      throw failure("more than \(JSONSource.maximumDepth) lists and maps inside each other", line)
    }
    guard nodes.count < Self.maximumValueCount else {
      throw failure(
        "its aliases expand to more than \(Self.maximumValueCount) values; write them out", line)
    }
    switch node {
    case .scalar(let scalar):
      appendScalar(scalar.string, Self.kind(of: scalar), line: line, parent: parent)
    case .sequence(let sequence):
      let index = appendContainer(.array, line: line, parent: parent)
      for element in sequence { try append(element, parent: index, depth: depth + 1) }
      nodes[index].next = UInt32(nodes.count)
    case .mapping(let mapping):
      let index = appendContainer(.object, line: line, parent: parent)
      for (name, value) in try members(of: mapping, depth: depth) {
        appendScalar(name, .name, line: line, parent: index)
        try append(value, parent: index, depth: depth + 1)
      }
      nodes[index].next = UInt32(nodes.count)
    case .alias:
      throw failure("an alias that has no anchor", line)
    }
  }

  /// The members of a mapping, with those that `<<` merges into it.
  private mutating func members(
    of mapping: Node.Mapping, depth: Int
  ) throws(FormatError) -> [(String, Node)] {
    guard depth <= JSONSource.maximumDepth else { return [] }
    var members: [(String, Node)] = []
    var merged: [(String, Node)] = []
    for (key, value) in mapping {
      guard case .scalar(let scalar) = key else {
        throw failure("a name must be a scalar", key.mark?.line ?? 1)
      }
      if scalar.string == "<<", scalar.style == .plain {
        for case .mapping(let other) in value.sequence.map(Array.init) ?? [value] {
          merged += try self.members(of: other, depth: depth + 1)
          mergedCount += merged.count
          guard mergedCount < Self.maximumMergedCount else {
            throw failure("its merged maps have too many members; write them out", 1)
          }
        }
      } else {
        members.append((scalar.string, value))
      }
    }
    guard !merged.isEmpty else { return members }
    var names = Set(members.map(\.0))
    return members + merged.filter { names.insert($0.0).inserted }
  }

  private mutating func appendContainer(
    _ kind: SourceTree.Kind, line: Int, parent: Int
  ) -> Int {
    nodes.append(
      SourceTree.Node(kind: kind, start: 0, end: UInt32(clamping: line), parent: UInt32(parent)))
    return nodes.count - 1
  }

  private mutating func appendScalar(
    _ text: String, _ kind: SourceTree.Kind, line: Int, parent: Int
  ) {
    nodes.append(
      SourceTree.Node(
        kind: kind, start: UInt32(texts.count), end: UInt32(clamping: line),
        next: UInt32(nodes.count + 1), parent: UInt32(parent)))
    texts.append(text)
  }

  private static func kind(of scalar: Node.Scalar) -> SourceTree.Kind {
    let tag = scalar.tag.rawValue
    if tag == "!binary" || tag == "tag:yaml.org,2002:binary" { return .binary }
    guard scalar.style == .plain, tag.isEmpty else { return .string }
    switch scalar.string {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .yes
    case "false", "False", "FALSE": return .no
    case let text: return isNumber(text) ? .number : .string
    }
  }

  /// Whether the text is a number as JSON writes it.
  private static func isNumber(_ text: String) -> Bool {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first)
    else { return false }
    guard case .number = try? JSONValue(parsing: text) else { return false }
    return true
  }

  private func failure(_ message: String, _ line: Int) -> FormatError {
    FormatError(file: file, line: line, message: message)
  }
}

extension FormatError {
  /// The place and the problem of a text that is not YAML.
  fileprivate init(_ error: YamlError, file: String) {
    switch error {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let during = context.map { " (\($0.text) in line \($0.mark.line))" } ?? ""
      self.init(
        file: file, line: mark.line, column: mark.column, message: "not YAML: \(problem)\(during)")
    case .duplicatedKeysInMapping(let duplicates, let context):
      self.init(
        file: file, line: context.mark.line, column: context.mark.column,
        message: "the name \"\(duplicates.first ?? "")\" is given twice")
    case .reader(let problem, _, _, _):
      self.init(file: file, message: "not YAML: \(problem)")
    case .dataCouldNotBeDecoded:
      self.init(file: file, message: "not YAML: the text is not UTF-8")
    default:
      self.init(file: file, message: "not YAML")
    }
  }
}
