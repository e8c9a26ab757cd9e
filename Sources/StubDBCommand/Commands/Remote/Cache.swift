import ArgumentParser
import Foundation
import StubDBCatalogEditing
import StubDBDocuments
import StubDBJSON
import StubDBJobs
import StubDBPublishing
import StubDBRemote
import StubDBSupport

extension RootCommand {
  struct Cache: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "cache",
      abstract: "List or prune what 'stubdb pull' keeps on this machine.",
      discussion: """
        All checkouts and processes of a user share the cache: $STUBDB_CACHE, else \
        ~/.cache/stubdb, on macOS ~/Library/Caches/stubdb. Its files are named by their digests and \
        never change.

        Examples:
          stubdb cache list
          stubdb cache prune --unused-for 30d
        """,
      subcommands: [CacheList.self, CachePrune.self])
  }
}

struct CacheList: CommonCommand {
  static let isPaged = true
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the objects of the cache: catalogs, and the commits that name them.",
    discussion: """
      Examples:
        stubdb cache list
        stubdb cache list --json
      """)

  @Flag(help: "Print a JSON array of {digest, bytes, lastUse}.")
  var json = false

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    let cache = try ObjectCache(environment: ProcessInfo.processInfo.environment)
    let entries = cache.entries()
    if json {
      let items = entries.map {
        OrderedJSON.object([
          ("digest", .string($0.digest.description)), ("bytes", .integer($0.bytes)),
          ("lastUse", .string(Timestamp.text($0.lastUse))),
        ])
      }
      return try Console.write(OrderedJSON.array(items).text)
    }
    var table = Table([.left, .right, .left])
    let columns = Terminal.current.columns
    if columns != nil { table.add(["DIGEST", "SIZE", "LAST USED"], style: Style.output.dim) }
    for entry in entries {
      table.add([
        entry.digest.description, Plural.bytes(entry.bytes), Timestamp.text(entry.lastUse),
      ])
    }
    try Console.write(table.text(fitting: columns))
    let size = entries.reduce(0) { $0 + $1.bytes }
    Console.note(
      "\(Plural.of(entries.count, "object")), \(Plural.bytes(size)), in \(cache.folder.path).")
  }
}

struct CachePrune: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Remove what was not used for some time from the cache.",
    discussion: """
      What stubdb.lock here names is kept. What is removed is downloaded again when it is needed.

      Examples:
        stubdb cache prune
        stubdb cache prune --unused-for 8w
        stubdb cache prune --unused-for 0              everything but what stubdb.lock names
      """)

  @Option(
    help: ArgumentHelp(
      "How long: days (30d), or weeks (8w); 0 for everything (default: 30d).", valueName: "time"))
  var unusedFor: RecordingAge?

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    let project = try RemoteProject.current(catalog.path)
    let kept = project.lock.catalogs.values.flatMap { [$0.commit, $0.digest] }
    let removed = project.cache.prune(
      unusedSince: Date(timeIntervalSinceNow: -Double(unusedFor?.days ?? 30) * 86_400),
      keeping: Set(kept))
    let signatures = project.cache.pruneSignatures()
    Console.note(
      "Removed \(Plural.of(removed.files + signatures.files, "file")), "
        + "\(Plural.bytes(removed.bytes + signatures.bytes)), from "
        + "\(project.cache.folder.path).")
  }
}
