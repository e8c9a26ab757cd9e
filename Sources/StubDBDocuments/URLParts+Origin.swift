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
}
