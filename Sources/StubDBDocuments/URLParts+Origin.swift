package import StubDBModel

extension URLParts {
  /// The scheme of an origin: the requests of a WebSocket begin as those of HTTP, to the same origin.
  package static func originScheme(of scheme: String) -> String {
    switch scheme {
    case "ws": "http"
    case "wss": "https"
    default: scheme
    }
  }

  /// Whether a URL has a colon after its host and no port, which is what `http://127.0.0.1:$PORT` leaves without a value.
  ///
  /// Its parts are those of a URL without the colon, which names another server.
  package static func hasEmptyPort(_ text: String) -> Bool {
    var rest = text[...]
    guard takeScheme(from: &rest) != nil, rest.utf8.starts(with: "//".utf8) else { return false }
    return splitAuthority(from: &rest).port == ""
  }
}
