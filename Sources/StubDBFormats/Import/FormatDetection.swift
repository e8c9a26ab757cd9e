internal import Foundation

/// Finds the format of an input by its content.
enum FormatDetection {
  /// Files whose formats are not documented, and what to do instead.
  private static let refused: [(extensions: [String], advice: String)] = [
    (
      ["chls", "chlz", "chlsx"],
      "this is a session of Charles; export it as HAR (File > Export Session > HTTP Archive)"
    ),
    (
      ["proxymanlogv2", "proxymansessionv2", "proxymanlog", "proxymansession"],
      "this is a session of Proxyman; export it as HAR (File > Export > HAR)"
    ),
    (
      ["saz"],
      "this is a session of Fiddler; export it as HAR (File > Export Sessions > HTTPArchive)"
    ),
  ]

  /// - Throws: ``FormatError`` for a format that cannot be read, with the way out.
  static func format(of input: ImportInput) throws(FormatError) -> any ImportFormat {
    if let advice = advice(forFile: input.file) {
      throw FormatError(file: input.file, message: advice)
    }
    if let format = ImportFormats.all.first(where: { $0.recognizes(input) }) { return format }
    throw FormatError(file: input.file, message: otherProduct(input) ?? unknown(input))
  }

  /// The format that an input is in, if it is another one than a person said; nil if it is that one, or none is found.
  static func other(
    than format: any ImportFormat, of input: ImportInput
  ) -> (any ImportFormat)? {
    guard !format.recognizes(input) else { return nil }
    return ImportFormats.all.first { $0.recognizes(input) }
  }

  /// What to do instead of importing a file of this name; nil if nothing is known against it.
  static func advice(forFile name: String) -> String? {
    let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return refused.first { $0.extensions.contains(ending) }?.advice
  }

  /// What a file is that another product with a similar name wrote; nil for others.
  static func otherProduct(_ input: ImportInput) -> String? {
    guard let root = input.tree?.root else { return nil }
    let mapping = root.isArray ? root.elements.first : root
    guard let mapping, mapping["Request"]?.isObject ?? false,
      mapping["Response"] != nil || mapping["Guid"] != nil
    else { return nil }
    return
      "this is a mapping of WireMock.Net, whose format is not that of WireMock; stubdb does not read it"
  }

  private static func unknown(_ input: ImportInput) -> String {
    let names = ImportFormats.all.map(\.name).joined(separator: ", ")
    let found: String
    switch input.content {
    case .tree(let tree):
      let keys = tree.root.members.map(\.name)
      if tree.root.isObject, keys.isEmpty {
        found = "it is an empty object"
      } else if tree.root.isObject {
        found = "it has the members \(keys.prefix(8).joined(separator: ", "))"
      } else {
        found = "it holds \(tree.root.typeName)"
      }
    case .text(let text):
      found = "it begins with \"\(text.firstLines.first?.prefix(60) ?? "")\""
    case .binary: found = "it is not text"
    }
    return "this is not a file that stubdb can import (\(names)): \(found)"
  }
}

extension String {
  /// The lines at the beginning, which show what a text is however long it is.
  var firstLines: [Substring] {
    String(decoding: utf8.prefix(1 << 16), as: UTF8.self).split(whereSeparator: \.isNewline)
  }
}
