import ArgumentParser

extension RootCommand {
  struct CA: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ca",
      abstract: "Keep the certificate authority of 'stubdb serve --tls'.",
      discussion: """
        Clients talk TLS to a server only if they trust its certificate. With --tls, stubdb serve \
        makes one for each name that a client asks for, issued by an authority of yours that is \
        made once, and that you let your clients trust.

        Whoever has its key can pretend to be any server to those clients. Therefore it is made on \
        your machine, only you can read it, and it belongs neither into a catalog nor into a \
        repository. Let simulators, tests and single programs trust it rather than the whole \
        system, where you can.

        Examples:
          stubdb ca create
          stubdb ca path
          stubdb ca export ca.pem
          stubdb ca trust --dry-run
        """,
      subcommands: [
        CACreate.self, CAShow.self, CAPath.self, CAExport.self, CATrust.self, CAUntrust.self,
      ])
  }
}

struct CACreate: CommonCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Make the certificate authority.",
    discussion: "stubdb serve --tls makes one if it is missing.")

  @Flag(help: "Replace an existing one; clients have to trust the new one.")
  var replace = false

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    #if TLS
      try AuthorityJob().create(replacing: replace)
    #else
      throw CommandError.withoutTLS
    #endif
  }
}

struct CAShow: CommonCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the certificate of the authority, and how clients can trust it.",
    discussion: "Exits with 2 if there is none.")

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    #if TLS
      try AuthorityJob().show()
    #else
      throw CommandError.withoutTLS
    #endif
  }
}

struct CAPath: CommonCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Print the path of the certificate of the authority, made or not.")

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    #if TLS
      try AuthorityJob().printPath()
    #else
      throw CommandError.withoutTLS
    #endif
  }
}

struct CAExport: CommonCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the certificate of the authority, for clients to trust; never its key.",
    discussion: "Makes the authority if there is none.")

  @Argument(
    help: "The file to write; without one, standard output.", completion: .file())
  var file: String?

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    #if TLS
      try AuthorityJob().export(to: file)
    #else
      throw CommandError.withoutTLS
    #endif
  }
}

struct CATrust: CommonCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust",
    abstract: "Have this machine, or an iOS simulator, trust the authority.",
    discussion: """
      Makes the authority if there is none, and runs the system's own commands. With --dry-run \
      both is left out, and the commands are printed.
      """)

  @Flag(help: "Have the booted iOS simulators trust it, and not this machine.")
  var simulator = false

  @Flag(help: "Print the commands, and run none.")
  var dryRun = false

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    #if TLS
      try AuthorityJob().trust(inSimulator: simulator, dryRun: dryRun)
    #else
      throw CommandError.withoutTLS
    #endif
  }
}

struct CAUntrust: CommonCommand {
  static let configuration = CommandConfiguration(
    commandName: "untrust",
    abstract: "Have this machine no longer trust the authority.",
    discussion: """
      Runs the system's own commands, which --dry-run prints. The authority is kept; to remove it, \
      delete its folder.
      """)

  @Flag(help: "Print the commands, and run none.")
  var dryRun = false

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    #if TLS
      try AuthorityJob().untrust(dryRun: dryRun)
    #else
      throw CommandError.withoutTLS
    #endif
  }
}

extension CommandError {
  /// Says what a build without the trait `Server` lacks.
  static var withoutServer: CommandError { without("its server, which needs SwiftNIO") }

  /// Says what a build without the trait `TLS` lacks.
  static var withoutTLS: CommandError {
    without("TLS, which needs swift-nio-ssl and swift-certificates")
  }

  private static func without(_ part: String) -> CommandError {
    CommandError(
      "this stubdb was built without \(part)",
      hints: [
        "This builds and installs a stubdb with its server and TLS, from a checkout of it:",
        "  scripts/install ~/.local",
      ])
  }
}
