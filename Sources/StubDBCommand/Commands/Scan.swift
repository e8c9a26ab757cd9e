import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBJSON
import StubDBJobs
import StubDBPublishing
import StubDBSecrets
import StubDBSupport
import StubDBTransfer

extension RootCommand {
  struct Scan: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "scan",
      abstract: "Look for secrets in a catalog, before they are committed.",
      discussion: """
        Finds tokens by their format (bearer and basic credentials, JWT, AWS, GitHub, GitLab, \
        Slack, Stripe, Google, OpenAI, npm, PyPI, private keys, URLs with a password) and random \
        values whose name marks them as secret, in every part of every stub. Prints the place and \
        the kind, never a secret. Exits with 2 if there is one.

        Accepted findings go into .stubdb-scan.json beside the catalog, with the reason; check that \
        file in.

        Examples:
          stubdb scan
          stubdb scan --json
          stubdb scan --format sarif > scan.sarif
          stubdb scan --accept 'keys of the public sandbox'
          stubdb redact --findings                 take them out
        """)

    @Flag(help: "Print a JSON array of {scenario, key, pointer, kind, length}.")
    var json = false

    @OptionGroup var output: FindingOptions

    @Option(
      help: ArgumentHelp(
        "Add every finding to the exceptions, with this reason.", valueName: "reason"))
    var accept: String?

    @Option(
      name: .customLong("exceptions"),
      help: ArgumentHelp(
        "The file of exceptions (default: .stubdb-scan.json beside the catalog).",
        valueName: "path"),
      completion: .file(extensions: ["json"]))
    var exceptionsPath: String?

    @OptionGroup var catalog: CatalogOptions

    func checkUsage() throws {
      try output.checkUsage(json: json)
      if let accept, !accept.contains(where: { !$0.isWhitespace }) {
        throw ValidationError("Give the reason: --accept 'REASON'.")
      }
    }

    func run() throws {
      // Exceptions without a given path go beside the catalog.
      let isWriting = accept != nil && exceptionsPath == nil
      let (catalog, all) = try output.opening(self.catalog, for: "scan") {
        let catalog = try isWriting ? self.catalog.open() : self.catalog.openForReading()
        let snapshot = try CatalogSnapshot(contentsOf: catalog.url)
        return (catalog, try CatalogScan.shown(in: snapshot, of: catalog.url))
      }
      let file = try output.preparing(self.catalog, for: "scan") {
        try exceptions(to: all, beside: catalog.url)
      }
      let (findings, stale) = file.sort(all)
      for entry in stale {
        Console.note(
          "\(Style.notes.yellow("Warning:")) the exception \(entry) in \(file.name) no longer "
            + "matches a finding; remove it")
      }
      try report(findings, exceptedCount: all.count - findings.count, file, catalog)
    }

    /// The exceptions, with all findings if they are to be accepted.
    private func exceptions(
      to all: [SecretFinding], beside catalog: URL
    ) throws -> ExceptionsFile {
      var file = try ExceptionsFile(
        at: exceptionsPath.map { CatalogLocator().resolve($0) }
          ?? ExceptionsFile.url(beside: catalog))
      guard let accept else { return file }
      let count = try file.accept(all, reason: accept)
      Console.note(
        count == 0
          ? "There was nothing to add."
          : "Added \(Plural.of(count, "exception")) to \(file.name); check that file in.")
      return file
    }

    private func report(
      _ findings: [SecretFinding], exceptedCount: Int, _ file: ExceptionsFile, _ catalog: Catalog
    ) throws {
      let isPrinted = try output.print(
        "scan", findings.map { .init($0) }, rules: FindingReport.Finding.secretRules, of: catalog)
      if json {
        try Console.write(
          OrderedJSON.array(findings.map { $0.json(fingerprint: file.fingerprint(of: $0)) }).text)
      } else if !isPrinted {
        for finding in findings { try Console.line(FindingView.line(finding)) }
      }
      let name = TerminalText.path(catalog.url)
      let excepted =
        exceptedCount == 0
        ? "" : " (\(Plural.of(exceptedCount, "finding")) excepted in \(file.name))"
      guard findings.isEmpty else {
        Console.note("\(Plural.of(findings.count, "secret")) in \(name)\(excepted).")
        if let name = PublishedCatalog.name(of: catalog.url) {
          Console.note(PublishedCatalog.wayToEdit(name).shown)
          throw ExitCode(2)
        }
        Console.note(
          "To take them out: \(FollowUp.command("redact", "--findings", in: catalog))")
        Console.note(
          "To accept them, with a reason: "
            + FollowUp.command("scan", "--accept", "why they are harmless", in: catalog))
        throw ExitCode(2)
      }
      if !json { Console.note("No secrets in \(name)\(excepted).") }
    }
  }
}
