import ArgumentParser
import Foundation
import StubDBJobs
import StubDBPublishing
import StubDBRemote
import StubDBSupport

extension RootCommand {
  struct Key: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "key",
      abstract: "Keep the keys that sign published catalogs, and those that are trusted.",
      discussion: """
        A catalog decides what tests believe. Signed with 'stubdb push --sign', it cannot be replaced \
        by those who can only write to its store: stubdb.lock names the keys that are trusted, and \
        pull, push and sync refuse what none of them has signed.

        Keys are Ed25519, of OpenSSH's format; ssh-keygen signs and verifies. A key of yours is made \
        here, or is one that you have for ssh.

        Examples:
          stubdb key create
          stubdb key show
          stubdb key trust shop ada.pub
          stubdb key list
        """,
      subcommands: [
        KeyCreate.self, KeyShow.self, KeyTrust.self, KeyDistrust.self, KeyList.self,
      ])
  }
}

struct KeyCreate: CommonCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Make a key of yours that signs catalogs.",
    discussion: """
      It is kept in your folder for settings, readable for you alone, and is never in a repository \
      or in a catalog. The public half is printed, for others to trust.

      With --replace the key that was there is kept beside the new one, and its path is printed: \
      until all lock files trust the new one, sign with both.

      Examples:
        stubdb key create
        stubdb key create --passphrase --name 'Ada Lovelace'
      """)

  @Option(
    help: ArgumentHelp("What others see the key as (default: user@host).", valueName: "name"))
  var name: String?

  @Flag(help: "Ask for a passphrase, without which the key cannot be used.")
  var passphrase = false

  @Flag(help: "Make a new key if there is one.")
  var replace = false

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func checkUsage() throws {
    if let name, name.isEmpty || name.utf8.count > 100 {
      throw ValidationError("A name has 1 to 100 bytes.")
    }
  }

  func run() throws {
    let folder = try SigningKeys.ofThisUser.folder()
    guard replace || !folder.exists else {
      throw CommandError(
        "there is a key of yours already: \(TerminalText.quoted(folder.privateFile.path))",
        hints: [
          "To see its public half: \(FollowUp.program) key show",
          "To make a new one, which has to be trusted anew: \(FollowUp.program) key create --replace",
        ])
    }
    guard !passphrase || Terminal.canAsk else {
      throw CommandError("there is no terminal to ask for the passphrase of the key on")
    }
    let before = try folder.create(
      named: name ?? Self.userAndHost, asksForPassphrase: passphrase,
      by: KeygenProgram.ofThisProcess())
    try Console.line(folder.publicKey().description)
    Console.note(
      "Only you can read the private half: \(TerminalText.line(folder.privateFile.path))")
    if let before {
      Console.note(
        "The key before it is kept: --sign-with \(ShellWord.quoted(before.path)) signs with it.")
    }
    Console.note("To have a catalog require it: \(FollowUp.program) key trust CATALOG")
  }

  private static var userAndHost: String {
    let environment = ProcessInfo.processInfo.environment
    let user = ["USER", "LOGNAME"].compactMap { environment[$0] }.first { !$0.isEmpty }
    return String("\(user ?? "stubdb")@\(ProcessInfo.processInfo.hostName)".prefix(60))
  }
}

struct KeyShow: CommonCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the public half of your key, for others to trust.",
    discussion: """
      Exits with 2 if there is none.

      Examples:
        stubdb key show
      """)

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    let folder = try SigningKeys.ofThisUser.folder()
    guard folder.exists else {
      Console.note("There is no key of yours. To make one: \(FollowUp.program) key create")
      throw ExitCode(2)
    }
    let key = try folder.publicKey()
    try Console.line(key.description)
    Console.note("\(key.fingerprint)  \(TerminalText.line(folder.privateFile.path))")
  }
}
