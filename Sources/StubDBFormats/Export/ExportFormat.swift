package import Foundation
internal import StubDBJSON

/// A format of another tool that scenarios are written in.
///
/// A new format is a type of this protocol, in the folder of the format beside its reader (`HAR/HARExport.swift`), and
/// a line in ``ExportFormats``. It goes through the stubs of the content and does three things for each:
///
/// 1. It makes what its format has for the stub, of the values in ``ExportedStub/stub``. If the format has example
///    requests in place of patterns, ``ExportedStub/examples(_:)`` makes them; ``ExportedStub/played(_:)`` gives the
///    responses as a client gets them.
/// 2. It records the disposition of every member of ``ExportedStub/document``: `keep()` for what is in its files,
///    `ignore()` for what has no influence on answers there, `change(_:_:)` and `drop(_:_:)` with a line for the rest,
///    as a reader does with its input. ``SourceValue/settle(_:)`` does so by a table. What is not settled becomes a
///    line `unknown`, and a test with a stub of all features shows it.
/// 3. A stub that would answer more than it should is left out with ``ExportedStub/leaveOut(_:)``.
///
/// The same content always gives the same bytes: no times, no random ids, no order of a dictionary.
package protocol ExportFormat: Sendable {
  /// The name that `--format` takes.
  var name: String { get }
  /// What it writes, for help: `an HTTP archive (HAR)`.
  var summary: String { get }
  /// Whether it writes one file, or a folder of files.
  var layout: ExportLayout { get }

  /// The line of the report on a stub with a resource.
  var resourceLoss: (level: ReportLevel, text: String) { get }

  /// The folder below the output that holds the files of stubs, empty for the output itself; nil where the layout is a
  /// file.
  var stubFolder: String? { get }

  /// The folder below the output that holds the contents which files of stubs name, or nil.
  var contentFolder: String? { get }

  /// The files; exactly one where the layout is a file.
  func files(of content: ExportContent) -> [ExportedFile]

  /// The scenarios that a file in ``stubFolder`` was made for by an earlier export; empty if it came from elsewhere.
  func scenarios(ofFile content: Data) -> Set<String>

  /// Whether an earlier export wrote the file of this name in ``contentFolder``.
  func hasWritten(_ content: Data, as name: String) -> Bool
}

extension ExportFormat {
  package var resourceLoss: (level: ReportLevel, text: String) {
    (.changed, "A resource became a stub for its list, with the items that it begins with")
  }

  package var stubFolder: String? { nil }

  package var contentFolder: String? { nil }

  package func scenarios(ofFile content: Data) -> Set<String> { [] }

  package func hasWritten(_ content: Data, as name: String) -> Bool { false }
}

extension JSONValue {
  /// What an export of this program noted in the metadata of a file; nil for a file of another one.
  static func exportOrigin(ofFile content: Data) -> JSONObject? {
    guard case .object(let file)? = try? JSONValue(parsing: content),
      case .object(let metadata)? = file["metadata"],
      case .object(let origin)? = metadata["stubdb"]
    else { return nil }
    return origin
  }
}

package enum ExportLayout: Hashable, Sendable {
  /// One file, whose name usually ends like this.
  case file(extension: String)
  case folder
}

/// A file that an export writes.
package struct ExportedFile: Hashable, Sendable {
  /// The path below the folder, with `/`; only the name of a single file.
  package var path: String
  package var content: Data

  package init(path: String, text: String) {
    self.path = path
    content = Data(text.utf8)
  }

  package init(path: String, content: Data) {
    self.path = path
    self.content = content
  }
}

/// What a user asks of an export; the defaults are those of the command line.
package struct ExportOptions: Hashable, Sendable {
  /// Scheme and host of the example requests to stubs that answer any host; nil for one that does not exist.
  package var server: String?

  package init() {}
}

/// All formats that scenarios can be written in.
package enum ExportFormats {
  package static let all: [any ExportFormat] = [
    HARExport(), CurlExport(), PostmanExport(), WireMockExport(), PactExport(), OpenAPIExport(),
  ]

  /// Their summaries as a list in a sentence.
  package static var list: String {
    let summaries = all.map(\.summary)
    guard let last = summaries.last, summaries.count > 1 else { return summaries.first ?? "" }
    return summaries.dropLast().joined(separator: "; ") + "; or " + last
  }

  /// The format of a name, or nil.
  package static func named(_ name: String) -> (any ExportFormat)? {
    all.first { $0.name == name }
  }
}
