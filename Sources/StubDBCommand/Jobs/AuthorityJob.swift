#if TLS
  import ArgumentParser
  import Foundation
  import StubDBJobs
  import StubDBServer
  import StubDBTransfer

  /// Works on the certificate authority of the person who runs the command.
  struct AuthorityJob {
    private let folder = AuthorityFolder.ofUser(ProcessInfo.processInfo.environment)

    private var path: String { folder.certificateFile.path }

    /// The authority; says so if it makes one.
    func loadOrCreate() throws -> CertificateAuthority {
      guard !folder.exists, let authority = try folder.create(replacing: false) else {
        return try folder.load()
      }
      Console.note("Made a certificate authority: \(path)")
      return authority
    }

    func create(replacing: Bool) throws {
      guard try folder.create(replacing: replacing) != nil else {
        throw CommandError(
          "there is a certificate authority already: \(TerminalText.quoted(path))",
          hints: ["To make a new one, which clients have to trust anew: stubdb ca create --replace"]
        )
      }
      try Console.line(path)
      Console.note("Only you can read its key. How clients trust it: \(FollowUp.program) ca show")
    }

    func printPath() throws {
      try Console.line(path)
      if !folder.exists { Console.note("It is not made yet: \(FollowUp.program) ca create") }
    }

    func show() throws {
      guard folder.exists else {
        Console.note(
          "There is no certificate authority. To make one: \(FollowUp.program) ca create")
        throw ExitCode(2)
      }
      let authority = try folder.load()
      let end = authority.end.formatted(.iso8601.year().month().day())
      try Console.write(
        """
        \(authority.name)
          certificate  \(path)
          SHA-256      \(try authority.fingerprint())
          valid until  \(end)

        How clients trust it:
          this machine    \(FollowUp.program) ca trust
          iOS simulators  \(FollowUp.program) ca trust --simulator
          Android         copy it to res/raw, and name it in network_security_config
          curl            curl --cacert FILE
          Node.js         NODE_EXTRA_CA_CERTS=FILE
          Python          SSL_CERT_FILE=FILE, and REQUESTS_CA_BUNDLE=FILE for requests
          Java            keytool -importcert -alias stubdb -file FILE -keystore STORE

        """)
    }

    func export(to file: String?) throws {
      let authority = try loadOrCreate()
      guard let file else { return try Console.write(authority.certificatePEM) }
      try OutputFile(file).write(Data(authority.certificatePEM.utf8))
    }

    func trust(inSimulator: Bool, dryRun: Bool) throws {
      if !dryRun {
        _ = try loadOrCreate()
      } else if !folder.exists {
        Console.note("There is no certificate authority yet; without --dry-run it is made first.")
      }
      try run(inSimulator ? TrustStore.simulator : .ofSystem, \.adding, dryRun)
    }

    func untrust(dryRun: Bool) throws {
      guard dryRun || folder.exists else {
        throw CommandError("there is no certificate authority in \(TerminalText.quoted(path))")
      }
      try run(.ofSystem, \.removing, dryRun)
    }

    private func run(
      _ store: TrustStore, _ action: KeyPath<TrustStore, [String]>, _ dryRun: Bool
    ) throws {
      let lines = store.commands(action, path)
      if dryRun { return try Console.write(lines.joined(separator: "\n") + "\n") }
      guard !store.needsRoot || geteuid() == 0 else {
        throw CommandError(
          "only the system's administrator can change what this machine trusts",
          hints: lines.map { "  sudo \($0)" })
      }
      for line in lines {
        Console.note(line)
        guard try Program(["/bin/sh", "-c", line]).runOnTerminal() == 0 else {
          throw CommandError("the command failed: \(line)")
        }
      }
    }
  }
#endif
