#if Server
/// What a server allows its clients.
package struct ServerOptions: Sendable {
  /// The largest content of a request, in bytes; more is answered with 413.
  package var largestBody = 64 << 20
  /// The largest content of all requests that are received or answered at once, in bytes; more is answered with 503.
  package var largestContentAtOnce = 512 << 20
  /// The largest message of a WebSocket, in bytes; more is answered with the code 1009.
  package var largestMessage = 1 << 20
  /// The longest request target, in bytes; a longer one is answered with 414.
  package var longestTarget = 64 << 10
  /// How long the head of a request may take from its first byte on; then it is answered with 408.
  package var headerTimeout = Duration.seconds(10)
  /// How long a connection may be silent between requests, or within the content of one.
  package var idleTimeout = Duration.seconds(60)
  /// How long answers in progress may take once the server ends.
  package var endTimeout = Duration.seconds(5)
  /// How long a connection that the server has closed is read, so that its last answer arrives.
  package var lingerTime = Duration.seconds(2)
  /// The status for requests that no stub answers.
  package var unmatchedStatus = 404
  /// Whether pages of other origins may read answers of stubs, unless a session says otherwise.
  package var allowsOtherOrigins = true
  /// Whether absolute request targets are taken as they are, as the clients of a proxy send them.
  ///
  /// Otherwise only those of the scenario's hosts are.
  package var takesAbsoluteTargets = false
  /// Whether answers say in header fields which stub they come from.
  package var explainsAnswers = false
  /// How much of each response's content the log gets, in bytes; at most what the journal keeps.
  package var loggedContentSize = 0
  /// The name of this server among several behind one address, with which the ids of its sessions begin; nil for none.
  package var replica: String?
  /// Where clients reach it if something stands before it; nil for where it listens.
  package var publicURL: PublicURL?
  /// Whether clients may use it as their proxy.
  ///
  /// It answers for the scenario's hosts, and refuses or passes on what goes to others.
  package var isProxy = false
  /// Whether requests that no stub answers are passed on, if that is allowed.
  package var passesUnmatchedOn = false
  /// What may be sent to other servers; by default nothing.
  package var forwarding = ForwardingOptions()
  /// What is recorded of the answers of other servers; nil for nothing.
  package var recording: ServerRecording?
  /// The limits of each session's journal.
  package var journalEntryCount = 10_000
  package var journalByteCount = 64 << 20
  /// How often the catalog is looked at for changes; nil to play it as it was at the start.
  package var reloadInterval: Duration? = .milliseconds(250)
  /// The admin API; nil for none.
  package var admin: AdminOptions? = AdminOptions()
  #if TLS
  /// What it shows to clients that begin with TLS, on the same ports; nil to refuse them.
  package var certificates: ServerCertificates?
  #endif
  /// Whether what clients have to trust is written to a file, for clients that take one.
  package var writesAuthority = false
  /// The number of threads; nil for one per core, at most four.
  package var threadCount: Int?

  package init() {}

  /// Whether clients may speak TLS.
  var isSecure: Bool {
    #if TLS
    certificates != nil
    #else
    false
    #endif
  }

  /// The certificate that clients have to trust; nil if there is no authority.
  var authorityPEM: String? {
    #if TLS
    certificates?.authority?.certificatePEM
    #else
    nil
    #endif
  }
}

/// The admin API of a server.
package struct AdminOptions: Sendable {
  /// A separate port; nil for that of the scenarios.
  package var port: Int?
  /// What clients must send; nil for no token on loopback, and for one that is made elsewhere.
  package var token: String?
  /// Names besides those of loopback by which clients may call the server.
  package var hosts: Set<String> = []
  /// Whether catalogs cannot be changed; nil for yes unless the server listens on loopback only.
  package var isReadOnly: Bool?
  /// Whether pages that scenarios answer with may use it, because they are trusted.
  package var trustsPages = false
  package var version = ""

  package init() {}
}
#endif
