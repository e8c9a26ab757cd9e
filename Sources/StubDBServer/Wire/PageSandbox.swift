#if Server
import HTTPTypes
import NIOHTTP1

/// Keeps pages that a scenario answers with away from the admin API of the same origin.
///
/// No header field distinguishes the requests of a page's scripts to their own origin from those of the admin API's
/// page. So browsers give such a page a separate origin, from which the admin API refuses everything.
/// https://www.w3.org/TR/CSP3/#directive-sandbox
enum PageSandbox {
  /// What pages may still do; without `allow-same-origin` they have no storage and no cookies.
  static let policy =
    "sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts"

  /// Whether a browser may have sent the request.
  ///
  /// Pages can change neither the fields that begin with `Sec-`, nor, in most browsers, what the browser calls itself.
  static func isFromBrowser(_ headers: HTTPHeaders) -> Bool {
    headers.contains(name: "sec-fetch-dest") || headers.contains(name: "sec-fetch-site")
      || headers.first(name: "user-agent")?.hasPrefix("Mozilla/") == true
  }

  /// Whether a browser may show the response as a page that runs scripts.
  ///
  /// It looks at the content itself if the type is missing or says nothing.
  /// https://mimesniff.spec.whatwg.org
  static func mayBePage(_ headers: HTTPFields) -> Bool {
    guard let type = headers[.contentType]?.lowercased(), type.contains("/") else { return true }
    return ["html", "xml", "x-mixed-replace", "unknown", "*/*"].contains { type.contains($0) }
  }
}
#endif
