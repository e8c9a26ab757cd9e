internal import StubDBDocuments
internal import StubDBModel

/// What errors and faults of other tools are here, and what ours are there.
enum FailureTable {
  /// The errors that the words of recorders represent.
  private static let recorded: [(words: [String], error: String)] = [
    (
      ["err_internet_disconnected", "err_network_changed", "ns_error_offline"],
      "notConnectedToInternet"
    ),
    (
      ["err_name_not_resolved", "ns_error_unknown_host", "getaddrinfo", "enotfound"],
      "cannotFindHost"
    ),
    (
      [
        "err_connection_refused", "ns_error_connection_refused", "econnrefused",
        "connect call failed",
      ],
      "cannotConnectToHost"
    ),
    (
      [
        "err_timed_out", "err_connection_timed_out", "ns_error_net_timeout", "etimedout",
        "timed out",
      ],
      "timedOut"
    ),
    (
      [
        "err_connection_reset", "err_empty_response", "err_connection_closed", "ns_error_net_reset",
        "econnreset", "recv failure",
      ],
      "networkConnectionLost"
    ),
    (["err_cert_date_invalid"], "serverCertificateHasBadDate"),
    (["err_cert_authority_invalid"], "serverCertificateHasUnknownRoot"),
    (["err_cert_", "err_ssl_", "sec_error_"], "secureConnectionFailed"),
    (["err_too_many_redirects", "ns_error_redirect_loop"], "httpTooManyRedirects"),
  ]

  /// WireMock's faults; `isSame` unless the answer breaks off elsewhere.
  private static let wireMock: [(name: String, fault: ResponseFault, isSame: Bool)] = [
    ("EMPTY_RESPONSE", .emptyResponse, true), (wireMockReset, .connectionReset, true),
    ("RANDOM_DATA_THEN_CLOSE", .garbage, true), (wireMockBreak, .truncated, false),
  ]

  /// WireMock's fault after the header fields.
  static let wireMockBreak = "MALFORMED_RESPONSE_CHUNK"
  /// WireMock's fault that comes nearest to an error of the connection.
  static let wireMockReset = "CONNECTION_RESET_BY_PEER"

  /// The name of the URL error that a recorder's text represents; nil where the client itself gave up.
  static func urlError(recordedAs text: String) -> String? {
    // What an export of stubdb writes.
    if URLErrorNames.code(named: text) != nil { return text }
    let text = text.lowercased()
    return recorded.first { $0.words.contains { text.contains($0) } }?.error
  }

  /// The fault that a name of WireMock represents; nil for an unknown one.
  static func fault(ofWireMock name: String) -> (fault: ResponseFault, isSame: Bool)? {
    wireMock.first { $0.name == name }.map { ($0.fault, $0.isSame) }
  }

  /// WireMock's name of a fault before anything is sent; nil if it has none that is the same.
  static func wireMockName(of fault: ResponseFault) -> String? {
    wireMock.first { $0.fault == fault && $0.isSame }?.name
  }

  /// The fault that MockServer's `httpError` represents: it sends bytes that are no answer, or none.
  static func fault(ofMockServerSendingBytes sendsBytes: Bool) -> ResponseFault {
    sendsBytes ? .garbage : .connectionReset
  }

  /// The name of a URL error; nil for errors of other domains, and those without a name.
  static func urlErrorName(of error: ResponseError) -> String? {
    error.domain == URLErrorNames.domain ? URLErrorNames.name(of: error.code) : nil
  }

  /// The name of an error for people, or its domain and number.
  static func words(for error: ResponseError) -> String {
    urlErrorName(of: error) ?? "\(error.domain) \(error.code)"
  }
}
