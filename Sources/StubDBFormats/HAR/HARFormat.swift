internal import Foundation

/// HTTP archives: recordings of browsers, proxies and other tools.
///
/// http://www.softwareishard.com/blog/har-12-spec/
struct HARFormat: ImportFormat {
  let name = "har"
  let summary = "HTTP archives (HAR) of browsers, proxies and Playwright"
  let ownOptions: Set<ImportOption> = ImportOption.recording.union([
    .all, .by, .timing, .allowFiles,
  ])

  func recognizes(_ input: ImportInput) -> Bool {
    input.tree?.root["log"]?["entries"] != nil
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    guard let root = input.tree?.root, let log = root["log"] else {
      throw FormatError(file: input.file, message: "the archive has no member \"log\"")
    }
    let producer = HARProducer(log)
    let pages = HARPages(log)
    var reader = HAREntryReader(
      producer: producer, pages: pages, input: input)
    var exchanges: [RecordedExchange] = []
    let entries = log.list("entries")
    if entries.isEmpty {
      input.log.add(
        .dropped, .noAnswer, file: input.file, pointer: "/log/entries", "The archive has no entries"
      )
      log["entries"]?.keep()
    }
    var known: [SourceValue] = []
    for entry in entries {
      guard let exchange = try reader.exchange(entry) else { continue }
      exchanges.append(exchange)
      known.append(entry)
    }
    // A file of such entries only is no archive.
    if exchanges.isEmpty, let first = entries.first {
      throw first.failure("an entry needs \"request\" with a \"url\"")
    }
    var name = input.path
    if producer.isPolly {
      PollyRecording.sort(&exchanges, of: known)
      name = PollyRecording.name(log) ?? name
    }
    log.ignore("version", "creator", "browser", "pages", "comment")
    log.ignoreUnread { $0.hasPrefix("_") }
    root.ignoreUnread { $0.hasPrefix("_") || $0.hasPrefix("$") || $0 == "comment" }
    return .recording(exchanges, name: name)
  }
}

/// The tool that wrote an archive, which decides how to read what the specification leaves open.
struct HARProducer {
  let name: String
  /// Whether the archive is of a browser, which also asks for images and scripts.
  let isBrowser: Bool
  /// Whether it is Polly.JS, which writes some contents in pieces.
  let isPolly: Bool

  private static let browsers = [
    "webinspector", "firefox", "webkit web inspector", "browsertime", "chrome", "firebug",
    "webpagetest",
  ]

  init(_ log: SourceValue) {
    let creator = log["creator"]
    let name = (creator?["name"]?.peekedText ?? creator?.peekedText ?? "").lowercased()
    self.name = name
    isPolly = name.contains("polly") || log["_recordingName"] != nil
    isBrowser = Self.browsers.contains(where: name.contains) || log["browser"]?.isObject == true
  }
}

/// The titles of the pages of an archive.
struct HARPages {
  private var titles: [String: String] = [:]

  init(_ log: SourceValue) {
    for page in log["pages"]?.elements ?? [] {
      guard let id = page["id"]?.peekedText else { continue }
      titles[id] = page["title"]?.peekedText ?? id
    }
  }

  func title(of reference: String?) -> String? {
    reference.map { titles[$0] ?? $0 }
  }
}
