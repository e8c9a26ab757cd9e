internal import Foundation

/// Follows `$ref` inside of a description and to files beside it.
final class OpenAPIReferences {
  /// How many references may follow each other.
  private static let maximumLength = 32
  private static let maximumUnreadCount = 100

  private let input: ImportInput
  /// The references to the network that were met, each once: nothing is fetched.
  private(set) var unread: [String] = []
  /// How many values schemas of stubs have so far.
  var translatedCount = 0
  /// The trees of other files by their paths below the folder; the empty path is the description itself.
  private var trees: [String: SourceTree] = [:]
  private var paths: [ObjectIdentifier: String] = [:]
  /// The values that have anchors, by file; of the files in which one was looked for.
  private var anchors: [ObjectIdentifier: [String: Int]] = [:]

  init(_ input: ImportInput) {
    self.input = input
    guard let tree = input.tree else { return }
    let path = input.directory.isEmpty ? "" : input.directory + "/"
    trees[path] = tree
    paths[ObjectIdentifier(tree)] = path
  }

  /// The value that a value refers to, or itself; an empty object for a reference that is not followed.
  ///
  /// - Throws: ``FormatError`` for a file that is missing or outside of the folder, and for a place that does not exist.
  func resolved(_ value: SourceValue) throws(FormatError) -> SourceValue {
    var value = value
    for _ in 0..<Self.maximumLength {
      guard let reference = value.first(of: "$ref", "$dynamicRef"), let text = reference.peekedText,
        reference.isString
      else { return value }
      guard let next = try target(of: text, from: reference) else { return value }
      value = next
    }
    throw value.failure("a chain of more than \(Self.maximumLength) references")
  }

  /// Ignores everything in all files that was not read: descriptions have much that says nothing about answers.
  func ignoreRest() {
    for tree in trees.values { tree.root.ignoreUnread() }
  }

  private func target(
    of text: String, from reference: SourceValue
  ) throws(FormatError) -> SourceValue? {
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let file = String(parts[0])
    if file.contains("://") {
      reference.drop(.unknown, "\(text) is not read; an empty value stands there")
      if !unread.contains(text), unread.count < Self.maximumUnreadCount { unread.append(text) }
      return nil
    }
    let tree = file.isEmpty ? reference.tree : try tree(of: file, from: reference)
    let fragment =
      parts.count > 1 ? String(parts[1]).removingPercentEncoding ?? String(parts[1]) : ""
    if !fragment.isEmpty, !fragment.hasPrefix("/") {
      guard let found = anchor(fragment, in: tree) else {
        throw reference.failure("nothing in \(tree.file) has the anchor \(fragment)")
      }
      return found
    }
    var value = tree.root
    for token in fragment.split(separator: "/") {
      let name = token.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(
        of: "~0", with: "~")
      if let index = Int(name), let element = value.element(index) {
        value = element
      } else if let member = value[name] {
        value = member
      } else {
        throw reference.failure("\(text) refers to what is not there")
      }
    }
    return value
  }

  /// The first value with an anchor, or nil.
  private func anchor(_ name: String, in tree: SourceTree) -> SourceValue? {
    let id = ObjectIdentifier(tree)
    let found = anchors[id] ?? Self.anchors(in: tree)
    anchors[id] = found
    return found[name].map { SourceValue(tree: tree, index: $0) }
  }

  /// The values of a file that have anchors; where several have the same, the one that begins first.
  private static func anchors(in tree: SourceTree) -> [String: Int] {
    var found: [String: Int] = [:]
    for place in tree.nodes.indices where tree.nodes[place].isName {
      guard tree.isName(place, "$anchor") || tree.isName(place, "$dynamicAnchor"),
        let name = SourceValue(tree: tree, index: place + 1).peekedText
      else { continue }
      let owner = Int(tree.nodes[place].parent)
      found[name] = min(owner, found[name] ?? owner)
    }
    return found
  }

  private func tree(of file: String, from reference: SourceValue) throws(FormatError) -> SourceTree
  {
    guard let folder = input.folder else {
      throw reference.failure(
        "the file \"\(file)\" cannot be read here; import the description from a file")
    }
    let path = paths[ObjectIdentifier(reference.tree)] ?? ""
    let base = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    let name = file.removingPercentEncoding ?? file
    let key = Self.joined(base, name)
    if let tree = trees[key] { return tree }
    let bytes = try folder.read(name, from: base) { reference.failure($0) }
    let other = try ImportInput(
      file: key, path: input.path, bytes: bytes, folder: folder, log: input.log)
    guard let tree = other.tree else {
      throw reference.failure("the file \"\(file)\" is neither JSON nor YAML")
    }
    trees[key] = tree
    paths[ObjectIdentifier(tree)] = key
    return tree
  }

  /// A path without `.` and `..`.
  private static func joined(_ folder: String, _ file: String) -> String {
    var parts: [Substring] = []
    for part in (folder + "/" + file).split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }
}
