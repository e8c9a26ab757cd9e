internal import StubDBModel

/// The errors that the words of recorders stand for.
enum FailureNames {
  private static let table: [(words: [String], error: String)] = [
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

  /// The name of the URL error; nil where the client itself gave up.
  static func urlError(_ text: String) -> String? {
    // What an export of stubdb writes.
    if URLErrorNames.code(named: text) != nil { return text }
    let text = text.lowercased()
    return table.first { $0.words.contains { text.contains($0) } }?.error
  }
}
