internal import Foundation

/// The requests of a plain HTTP server: GET and PUT of the paths below a URL.
///
/// It may honour conditions or not, and it has no list of what it keeps.
struct HTTPDialect: StoreDialect {
  /// The scheme and authority.
  let place: String
  let credentials: HTTPCredentials

  var impossibleVersion: StoreVersion { StoreVersion("\"stubdb-has-no-such-version\"") }

  func request(for call: StoreCall) throws(RemoteError) -> TransferRequest {
    if case .list = call.action {
      throw RemoteError(
        .unsupported, "cannot list the catalogs at \(place): a plain HTTP server has no list",
        hints: ["Name a catalog, as in \(place)/…/shop"])
    }
    // The path is as it was written, which may be encoded already.
    let path = URLText.encoded(call.key, keeping: "/%!$&'()*+,;=:@")
    var request = call.request(url: "\(place)/\(path)", fields: credentials.fields)
    request.fields.merge(call.conditionFields) { _, condition in condition }
    // An encoded content has another length, and often a weak entity tag.
    request.fields["Accept-Encoding"] = "identity"
    return request
  }

  /// Nil for a weak entity tag, which no condition of a write is met by.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1
  func version(of answer: TransferAnswer) -> StoreVersion? {
    guard let tag = answer.fields["etag"], tag.hasPrefix("\""), tag.hasSuffix("\""), tag.count > 2
    else { return nil }
    return StoreVersion(tag)
  }

  func meaning(of answer: TransferAnswer) -> AnswerMeaning {
    switch answer.status {
    // No object is a page. Proxies and sign-in pages answer with one instead.
    case 200, 206:
      answer.isPage ? .isUnusable("the server answered with a page of HTML instead of it") : .done
    case 201, 204: .done
    case 404, 410: .isMissing
    case 412: .isRefused
    default: .isFailure
    }
  }

  /// The content of an error is for people, and may be of any kind.
  func errorCode(in answer: TransferAnswer) -> String? { nil }

  func page(_ content: Data) -> KeyPage? { nil }

  func hints(for answer: TransferAnswer) -> [String] {
    switch answer.status {
    case 200, 206: ["A proxy or a sign-in page may be between: open \(place) in a browser."]
    case 401: credentials.isEmpty ? [credentials.hint] : ["The credentials for it were refused."]
    case 403: ["The server does not allow it for these credentials."]
    case 404, 409:
      ["The server may want the folder to be there before (in nginx: create_full_put_path on)."]
    case 405, 501:
      ["The server takes no uploads (PUT); publish to another one, or to a folder that it shows."]
    case 428: ["The server wants a condition that stubdb did not send."]
    default: []
    }
  }
}

extension TransferAnswer {
  fileprivate var isPage: Bool {
    let type = fields["content-type"]?.prefix { $0 != ";" }.lowercased() ?? ""
    return ["text/html", "application/xhtml+xml"].contains(
      type.trimmingCharacters(in: .whitespaces))
  }
}
