package import Foundation

package final class ImportInput {
  package enum Content {
    /// The values of JSON or YAML.
    case tree(SourceTree)
    case text(String)
    case binary
  }

  /// The largest file that is read: its values and what is made of them take up to three times as much memory.
  package static let maximumByteCount = 1 << 30

  /// The file as it is named in reports.
  package let file: String
  /// The parts of its path below the folder that was named, without its extension.
  package let path: [String]
  /// The name of the folder that was named; nil if the file itself was.
  package let rootName: String?
  /// The bytes, without a byte order mark, in UTF-8 where they are text.
  package let bytes: Data
  /// Reads files beside it.
  package let folder: InputFolder?
  /// The path of the folder below ``folder`` that the file is in; empty if it is that one.
  let directory: String
  package let log: ReportLog
  package let content: Content
  /// Why the file was left out; nil if it was not.
  private(set) var leftOut: FormatError?

  /// - Throws: ``FormatError`` for a text that looks like JSON or YAML and is not.
  package convenience init(
    file: String, path: [String], rootName: String? = nil, bytes: Data,
    folder: InputFolder? = nil, directory: String? = nil, log: ReportLog
  ) throws(FormatError) {
    self.init(
      try ParsedInput(bytes, file: file), file: file, path: path, rootName: rootName,
      folder: folder, directory: directory, log: log)
  }

  init(
    _ parsed: ParsedInput, file: String, path: [String], rootName: String?, folder: InputFolder?,
    directory: String? = nil, log: ReportLog
  ) {
    self.directory = directory ?? path.dropLast().joined(separator: "/")
    self.rootName = rootName
    self.file = file
    self.path = path
    self.folder = folder
    self.log = log
    bytes = parsed.bytes
    content =
      switch parsed.content {
      case .values(let values): .tree(SourceTree(values, file: file, log: log))
      case .text(let text): .text(text)
      case .binary: .binary
      }
  }

  /// The values of JSON or YAML; nil for other content.
  package var tree: SourceTree? {
    if case .tree(let tree) = content { tree } else { nil }
  }

  /// Whether an import continues without this file: one of a folder, as long as it does not reach out of it.
  func canBeLeftOut(after error: FormatError) -> Bool {
    rootName != nil && error.file == file && !error.isRefusal && !error.isUsage
  }

  /// Reports the file as lost, in place of what was reported about parts of it.
  func leaveOut(_ error: FormatError, since mark: ReportLog.Mark) {
    log.forget(since: mark)
    log.item = nil
    leftOut = error
    tree?.mark(0, .dropped)
    log.add(
      .dropped, .unreadable, file: file, pointer: error.pointer, line: error.line,
      "The file was left out: \(error.message)")
  }
}
