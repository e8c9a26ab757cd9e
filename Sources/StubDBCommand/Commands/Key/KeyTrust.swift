import ArgumentParser
import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBJobs
import StubDBLock
import StubDBPublishing
import StubDBRemote

struct KeyTrust: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust",
    abstract: "Let stubdb.lock require that a catalog is signed by one of these keys.",
    discussion: """
      The keys are added to those that are trusted already. What they sign decides what your tests \
      believe: get a public key from its owner, not from the store.

      Examples:
        stubdb key create && stubdb key trust shop     your own key
        stubdb key trust shop ada.pub
        stubdb key trust shop "$(cat ada.pub)"         the line that its owner sent you
      """)

  @Argument(help: ArgumentHelp("The name of the catalog in stubdb.lock.", valueName: "catalog"))
  var name: String

  @Argument(
    help: ArgumentHelp(
      "Public keys: files, or a line of one in quotes (default: your own key).", valueName: "key"))
  var keys: [String] = []

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    let known = SigningKeys.ofThisUser
    let added = keys.isEmpty ? [try known.ownPublicKey()] : try keys.map(known.publicKey)
    let isEdited = try RemoteProject.current(catalog.path).changing { project in
      let isEdited = try project.trust(added, toSign: name)
      for key in added { Console.note("\(project.name) trusts \(key.label) to sign \(name).") }
      return isEdited
    }
    Console.note(
      isEdited
        ? "To sign what is published: \(FollowUp.command(["push", name, "--sign"]))"
        : "stubdb pull refuses \(name) from now on unless one of its trusted keys signed it.")
  }
}

struct KeyDistrust: CatalogCommand {
  static let configuration = CommandConfiguration(
    commandName: "distrust",
    abstract: "Let stubdb.lock no longer trust keys to sign a catalog.",
    discussion: """
      What is signed by none of the remaining keys is refused from then on, also if it was used \
      before. The last key is removed only with --all: then no signature is required any more.

      Examples:
        stubdb key distrust shop ada@example.test
        stubdb key distrust shop ada.pub
        stubdb key distrust shop --all
      """)

  @Argument(help: ArgumentHelp("The name of the catalog in stubdb.lock.", valueName: "catalog"))
  var name: String

  @Argument(
    help: ArgumentHelp(
      "Keys: their names or fingerprints, files, or lines of public keys.", valueName: "key"))
  var keys: [String] = []

  @Flag(help: "Trust none, and require no signature any more.")
  var all = false

  @OptionGroup var catalog: CatalogOptions

  func checkUsage() throws {
    guard keys.isEmpty == all else { throw ValidationError("Give keys, or --all.") }
  }

  func run() throws {
    try RemoteProject.current(catalog.path).changing { project in
      let (removed, requiresSignature) = try project.distrust(
        all ? nil : keys, toSign: name, .ofThisUser)
      for key in removed { Console.note("\(project.name) no longer trusts \(key.label).") }
      if !requiresSignature { Console.note("\(name) requires no signature.") }
    }
  }
}

struct KeyList: CatalogCommand {
  static let isPaged = true
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the keys that stubdb.lock trusts to sign catalogs.",
    discussion: """
      With a name, exits with 2 if that catalog requires no signature.

      Examples:
        stubdb key list
        stubdb key list shop --json
      """)

  @Argument(
    help: ArgumentHelp("The name of a catalog in stubdb.lock (default: all).", valueName: "catalog")
  )
  var name: String?

  @Flag(help: "Print a JSON array of {catalog, name, fingerprint, key}.")
  var json = false

  @OptionGroup var catalog: CatalogOptions

  func run() throws {
    let project = try RemoteProject.current(catalog.path)
    let entries =
      try name.map { [($0, try project.lockedEntry($0))] }
      ?? project.lock.catalogs.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let rows = entries.flatMap { name, entry in entry.keys.map { (name, $0) } }
    if json {
      let items = rows.map { name, key in
        OrderedJSON.object([
          ("catalog", .string(name)), ("name", .string(key.name)),
          ("fingerprint", .string(key.fingerprint)), ("key", .string(key.description)),
        ])
      }
      try Console.write(OrderedJSON.array(items).text)
    } else {
      var table = Table([.left, .left, .left])
      let columns = Terminal.current.columns
      if columns != nil { table.add(["CATALOG", "FINGERPRINT", "KEY"], style: Style.output.dim) }
      for (name, key) in rows { table.add([name, key.fingerprint, key.name]) }
      try Console.write(table.text(fitting: columns))
    }
    guard rows.isEmpty else { return }
    Console.note(
      "\(name ?? "No catalog of \(project.name)") requires \(name == nil ? "a" : "no") signature.")
    if name != nil { throw ExitCode(2) }
  }
}
