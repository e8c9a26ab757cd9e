import ArgumentParser
import StubDBJobs
import StubDBServer

/// The options of a server that stands behind another one, beside others of its kind.
struct ReplicaOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The name of this server among several behind a balancer; ids of sessions begin with it.",
      valueName: "name"))
  var replica: String?

  @Option(
    help: ArgumentHelp(
      "Where clients reach the server, if that is not where it listens, such as "
        + "https://stubs.example.com.",
      valueName: "url"))
  var publicUrl: String?

  #if Server
    /// - Throws: ``UsageError`` for what is no name or no URL, or if clients elsewhere would need no token.
    func apply(to options: inout ServerOptions, token: String?) throws {
      if let replica, !SessionIDs.isName(replica) {
        throw UsageError(
          "--replica \(TerminalText.quoted(replica)) is not a name: it has at most 40 lower-case "
            + "letters, digits and hyphens, as it becomes a part of hosts.")
      }
      options.replica = replica
      guard let publicUrl else { return }
      guard let url = PublicURL(publicUrl) else {
        throw UsageError(
          "--public-url \(TerminalText.quoted(publicUrl)) is not a URL such as "
            + "https://stubs.example.com.")
      }
      if replica != nil, options.admin != nil, token == nil, !url.isLoopback {
        throw UsageError(
          "Clients of \(publicUrl) may be on other machines, and use the admin API of every replica; "
            + "give all replicas the same --token.")
      }
      options.publicURL = url
    }
  #endif
}
