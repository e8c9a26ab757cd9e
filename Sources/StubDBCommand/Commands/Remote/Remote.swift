import ArgumentParser
import Foundation
import StubDBChanges
import StubDBDocuments
import StubDBJSON
import StubDBJobs
import StubDBPublishing
import StubDBRemote
import StubDBSupport
import StubDBTransfer

extension RootCommand {
  struct Remote: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remote",
      abstract:
        "Look at published catalogs: which there are, their commits, what a commit changed.",
      discussion: """
        Examples:
          stubdb remote list                           those of stubdb.lock
          stubdb remote list s3://stubs/team/          those of a store
          stubdb remote log shop
          stubdb remote show shop 3f2a9c1b04
        """,
      subcommands: [RemoteList.self, RemoteLog.self, RemoteShow.self])
  }
}

struct RemoteList: CatalogCommand {
  static let isPaged = true
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the catalogs of stubdb.lock, or those of a store.",
    discussion: """
      Without a URL no store is asked.

      Examples:
        stubdb remote list
        stubdb remote list s3://stubs/team/
      """)

  @Argument(
    help: ArgumentHelp(
      "A URL that ends with a slash; its catalogs are listed (default: those of stubdb.lock).",
      valueName: "url"))
  var url: String?

  @Flag(help: "Print a JSON array of {name, url, commit, digest, bytes, path, file}.")
  var json = false

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    let project = try RemoteProject.current(catalog.path)
    if let url { return try listStore(RemoteURL(parsing: url), project) }
    let entries = project.lock.catalogs.sorted { $0.key < $1.key }
    if json {
      return try Console.write(
        OrderedJSON.array(entries.map { Self.json($0.key, $0.value, project) }).text)
    }
    var table = Table([.left, .left, .right, .left, .left])
    let columns = Terminal.current.columns
    if columns != nil {
      table.add(["NAME", "COMMIT", "SIZE", "WHERE", "URL"], style: Style.output.dim)
    }
    for (name, entry) in entries {
      let place =
        entry.path.map(TerminalText.line)
        ?? (project.cache.has(entry.digest) ? "in the cache" : "not here")
      table.add([
        name, entry.commit.short, Plural.bytes(entry.bytes), place, TerminalText.line(entry.url),
      ])
    }
    try Console.write(table.text(fitting: columns))
    if entries.isEmpty { Console.note("There is no \(LockFile.fileName) that names a catalog.") }
  }

  private static func json(
    _ name: String, _ entry: LockFile.Entry, _ project: RemoteProject
  ) -> OrderedJSON {
    let cached = try? project.cache.file(entry.digest)
    return .object([
      ("name", .string(name)), ("url", .string(entry.url)),
      ("commit", .string(entry.commit.description)),
      ("digest", .string(entry.digest.description)), ("bytes", .integer(entry.bytes)),
      ("path", .string(entry.path)),
      ("file", .string(project.working(entry)?.path ?? cached?.path)),
    ])
  }

  private func listStore(_ url: RemoteURL, _ project: RemoteProject) throws {
    guard url.name.isEmpty else {
      throw UsageError(
        "\(url) names one catalog; end the URL with a slash to list those of a store.")
    }
    let names = try project.store(of: url).catalogNames()
    if json {
      let items = names.map {
        OrderedJSON.object([("name", .string($0)), ("url", .string(url.appending($0)))])
      }
      return try Console.write(OrderedJSON.array(items).text)
    }
    for name in names {
      try Console.line("\(TerminalText.line(name))  \(TerminalText.line(url.appending(name)))")
    }
    if names.isEmpty { Console.note("There are no catalogs at \(url).") }
  }
}

struct RemoteLog: CatalogCommand {
  static let isPaged = true
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "List the commits of a published catalog, newest first.",
    discussion: """
      The commit of stubdb.lock is marked with an asterisk. Who signed a commit is verified; the keys \
      that stubdb.lock has for the catalog are trusted. Who pushed it is what they say.

      Examples:
        stubdb remote log
        stubdb remote log shop --limit 5
        stubdb remote log s3://stubs/team/shop --json
      """)

  @Argument(
    help: ArgumentHelp(
      "A name in stubdb.lock, or a URL (default: the only one that stubdb.lock names).",
      valueName: "catalog"))
  var target: String?

  @Option(name: .shortAndLong, help: "At most this many commits.")
  var limit = 50

  @Flag(help: "Print a JSON array of {commit, parent, at, by, message, catalog, bytes, signedBy}.")
  var json = false

  @OptionGroup var catalog: CatalogOptions

  func checkUsage() throws {
    if limit < 1 { throw ValidationError("--limit needs a number from 1.") }
  }

  func run() throws {
    let project = try RemoteProject.current(catalog.path)
    let target = try project.only(target)
    let remote = project.remote(target.url)
    var items: [OrderedJSON] = []
    var next: ObjectDigest? = try remote.existingHead().digest
    // One by one: where the store has lost an old commit, those after it are shown.
    for _ in 0..<limit {
      guard let digest = next else { break }
      let commit = try remote.commit(digest)
      let signers = try project.signers(of: digest, of: target)
      if json {
        items.append(.object(commit.jsonMembers(digest, signedBy: signers)))
      } else {
        let mark = digest == target.entry?.commit ? "* " : "  "
        try Console.line(mark + CommitView.line(digest, commit, signers))
      }
      next = commit.parent
    }
    if json { try Console.write(OrderedJSON.array(items).text) }
  }
}

struct RemoteShow: CatalogCommand {
  static let isPaged = true
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a commit of a published catalog: who pushed it, and what it changed.",
    discussion: """
      With --output the catalog of the commit is written to a file; one with other content is \
      never replaced.

      Examples:
        stubdb remote show shop                      the newest commit
        stubdb remote show shop 3f2a9c1b04
        stubdb remote show shop 3f2a9c1b04 --output before.stubdb
      """)

  @Argument(
    help: ArgumentHelp(
      "A name in stubdb.lock, or a URL (default: the only one that stubdb.lock names).",
      valueName: "catalog"))
  var target: String?

  @Argument(
    help: ArgumentHelp(
      "The commit: its digest, or how it begins (default: the newest).", valueName: "commit"))
  var commit: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the catalog of the commit here.", valueName: "path"),
    completion: .file(extensions: ["stubdb"]))
  var output: String?

  @Flag(
    help:
      "Print a JSON object of {commit, parent, at, by, message, catalog, bytes, signedBy, changes}."
  )
  var json = false

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    let project = try RemoteProject.current(catalog.path)
    let target = try project.only(target)
    let remote = project.remote(target.url)
    let (digest, shown) = try remote.commit(beginning: commit)
    let file = try remote.download(shown)
    let before = try shown.parent.map { try remote.download(remote.commit($0)) }
    let changes = try WorkingCatalog.differences(from: before, to: file)
    if let output {
      let (bytes, place) = (try Data(contentsOf: file), OutputFile(output))
      try place.requireNoOther(than: bytes)
      try place.write(bytes)
    }
    if json {
      let members = shown.jsonMembers(
        digest, signedBy: try project.signers(of: digest, of: target))
      return try Console.write(
        OrderedJSON.object(members + [("changes", .differences(changes))]).text)
    }
    let signers = try project.signers(of: digest, of: target)
    try Console.line(CommitView.line(digest, shown, signers))
    try Console.write(DifferenceView(style: .output).text(changes))
  }
}

/// Commits as text for a terminal.
enum CommitView {
  /// A commit on a line: its digest, its day, who signed it, who pushed it as they say, and what it is for.
  static func line(
    _ digest: ObjectDigest, _ commit: RemoteCommit, _ signers: CommitSigners
  ) -> String {
    let message = commit.message.split(separator: "\n").first.map(String.init) ?? ""
    return [
      Style.output.yellow(digest.short), TerminalText.line(String(commit.at.prefix(10))),
      text(signers), TerminalText.line(commit.by), TerminalText.line(message),
    ].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private static func text(_ signers: CommitSigners) -> String {
    func list(_ keys: [PublicKey]) -> String {
      keys.map { TerminalText.line($0.name.isEmpty ? $0.fingerprint : $0.name) }
        .joined(separator: " and ")
    }
    switch signers {
    case .trusted(let keys): return "signed by \(list(keys))"
    case .others(let keys): return "signed by \(list(keys)) (not trusted)"
    case .unsigned: return "unsigned"
    case .unknown: return "not signed by a trusted key"
    }
  }
}
