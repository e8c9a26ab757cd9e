import Foundation
import StubDBDocuments
import StubDBFormats
import StubDBJSON
import StubDBModel

/// An import in a test: inputs as texts, and what becomes of them.
struct ImportRun {
  let result: ImportResult
  let inputs: [ImportInput]

  /// Imports texts, each named; with a folder for the files that they name.
  init(
    _ texts: [String: Data], options: ImportOptions = ImportOptions(), format: String? = nil,
    folder: URL? = nil, listsIgnored: Bool = false
  ) throws(FormatError) {
    let log = ReportLog()
    log.listsIgnored = listsIgnored
    var inputs: [ImportInput] = []
    for (name, bytes) in texts.sorted(by: { $0.key < $1.key }) {
      let path = name.split(separator: "/").map { String($0.prefix { $0 != "." }) }
      inputs.append(
        try ImportInput(
          file: name, path: path, bytes: bytes, folder: folder.map { InputFolder($0) }, log: log))
    }
    self.inputs = inputs
    result = try Importer(options: options, log: log).scenarios(
      of: inputs, format: format.flatMap(ImportFormats.named))
  }

  init(
    _ name: String, _ text: String, options: ImportOptions = ImportOptions(), folder: URL? = nil,
    listsIgnored: Bool = false
  ) throws(FormatError) {
    try self.init(
      [name: Data(text.utf8)], options: options, folder: folder, listsIgnored: listsIgnored)
  }

  /// Imports all files of a folder.
  init(folder: URL, options: ImportOptions = ImportOptions()) throws(FormatError) {
    try self.init(paths: [folder], options: options)
  }

  /// Imports files and folders.
  init(paths: [URL], options: ImportOptions = ImportOptions()) throws(FormatError) {
    let log = ReportLog()
    var inputs: [ImportInput] = []
    for path in paths {
      inputs += try ImportFiles(log: log).inputs(at: path, named: path.lastPathComponent)
    }
    self.inputs = inputs
    result = try Importer(options: options, log: log).scenarios(of: inputs)
  }

  /// The canonical documents, one after another.
  var documents: String { result.scenarios.map(ScenarioDocument.encode).joined() }

  /// The stubs of the first scenario.
  var stubs: [Stub] { result.scenarios.first?.stubs ?? [] }

  /// The ids of the lines of a level, sorted.
  func ids(_ level: ReportLevel) -> [String] {
    result.report.lines.filter { $0.level == level }.map(\.id.rawValue).sorted()
  }

  /// The pointers of which the importer knows nothing.
  var unknown: [String] {
    result.report.lines.filter { $0.id == .unknown }.compactMap(\.pointer)
  }
}

/// A HAR of entries that are written as short as a test needs them.
enum HARText {
  static func archive(_ entries: [String], creator: String = "Test") -> String {
    """
    {"log": {"version": "1.2", "creator": {"name": "\(creator)", "version": "1"}, "pages": [],
      "entries": [\(entries.joined(separator: ",\n"))]}}
    """
  }

  static func entry(
    _ method: String = "GET", _ url: String = "https://api.shop.test/v1/items",
    request: String = "", status: Int = 200, headers: String = "[]",
    content: String = #"{"size": 2, "mimeType": "application/json", "text": "{}"}"#,
    response: String = "", entry: String = ""
  ) -> String {
    """
    {"startedDateTime": "2026-01-01T10:00:00.000Z", "time": 12, "timings": {}, "cache": {},
     "request": {"method": "\(method)", "url": "\(url)", "httpVersion": "HTTP/1.1",
       "cookies": [], "queryString": [], "headersSize": -1, "bodySize": -1\(request)},
     "response": {"status": \(status), "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [],
       "redirectURL": "", "headersSize": -1, "bodySize": -1, "headers": \(headers),
       "content": \(content)\(response)}\(entry)}
    """
  }

  static func content(_ text: String, type: String = "text/plain", more: String = "") -> String {
    let text = JSONValue.string(text).canonicalText
    return #"{"size": 1, "mimeType": "\#(type)", "text": \#(text)\#(more)}"#
  }
}
