#if Server
import HTTPTypes
import NIOHTTP1

/// The header fields of a message that is passed on: those for the other end, in their order and spelling.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1
struct PassedOnFields {
  /// The fields that are about one connection, besides those that `Connection` names.
  private static let ofConnection: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization",
    "proxy-authentication-info", "te", "trailer", "transfer-encoding", "upgrade", "http2-settings",
  ]
  /// The fields of a request that are made anew, or that only this server understands.
  private static let ofRequest: Set<String> = [
    "host", "content-length", "expect", "stubdb-session",
  ]

  /// The fields of a request for another server.
  static func request(
    _ headers: HTTPFields, to url: UpstreamURL, contentLength: Int?, via: String?
  ) -> HTTPHeaders {
    let dropped = ofConnection.union(ofRequest).union(named(headers[values: .connection]))
    var fields = HTTPHeaders()
    fields.add(name: "Host", value: url.authority)
    for field in headers where !dropped.contains(field.name.canonicalName) {
      fields.add(name: field.name.rawName, value: field.value)
    }
    if let contentLength { fields.add(name: "Content-Length", value: String(contentLength)) }
    if let via { fields.add(name: "Via", value: via) }
    fields.add(name: "Connection", value: "close")
    return fields
  }

  /// The fields of a response for the client.
  static func response(_ headers: HTTPHeaders, via: String?) -> HTTPFields {
    let dropped = ofConnection.union(named(headers["connection"])).union(["content-length"])
    var fields = HTTPFields()
    for (name, value) in headers where !dropped.contains(name.lowercased()) {
      guard let name = HTTPField.Name(name) else { continue }
      fields.append(HTTPField(name: name, value: value))
    }
    if let via { fields.append(HTTPField(name: .via, value: via)) }
    return fields
  }

  /// The fields of a request that are recorded: those that the client sent to the other server.
  static func recorded(_ headers: HTTPFields) -> HTTPFields {
    let dropped = ofConnection.union(ofRequest).union(named(headers[values: .connection]))
    return HTTPFields(headers.filter { !dropped.contains($0.name.canonicalName) })
  }

  /// The fields of a response that are recorded, as they were spelled.
  static func recorded(_ headers: HTTPHeaders) -> [(name: String, value: String)] {
    let dropped = ofConnection.union(named(headers["connection"]))
    return headers.filter { !dropped.contains($0.name.lowercased()) }
  }

  /// Asks for no codings but those that can be undone.
  static func limitCodings(of headers: inout HTTPHeaders) {
    let values = headers["accept-encoding"]
    guard !values.isEmpty else { return }
    let known: Set<String> = ["gzip", "x-gzip", "deflate", "identity"]
    let codings = values.flatMap { $0.split(separator: ",") }
      .map { $0.filter { $0 != " " && $0 != "\t" } }
      .filter { known.contains($0.prefix { $0 != ";" }.lowercased()) }
    headers.replaceOrAdd(
      name: "Accept-Encoding",
      value: codings.isEmpty ? "identity" : codings.joined(separator: ", "))
  }

  private static func named(_ values: [String]) -> Set<String> {
    Set(
      values.flatMap { $0.split(separator: ",") }
        .map { $0.trimmingPrefix { $0 == " " }.lowercased().filter { $0 != " " && $0 != "\t" } })
  }
}
#endif
