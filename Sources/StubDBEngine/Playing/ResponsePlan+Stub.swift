import HTTPTypes
import StubDBModel

extension ResponsePlan {
  /// Says what the response of a stub means.
  init(_ response: StubResponse) {
    var delay = Duration.zero
    if case .fixed(let time) = response.delay { delay = max(.zero, time) }
    if let error = response.error {
      self.init(delay: delay, action: .error(error))
      return
    }
    var headers = response.headers
    if headers[.contentType] == nil, let type = response.body?.kind.defaultContentType {
      headers[.contentType] = type
    }
    self.init(
      delay: delay,
      action: .response(status: response.status, headers: headers, body: response.body))
  }
}

extension ResponseBody.Kind {
  /// The media type of content that a stub gives no `Content-Type` for; nil for bytes of unknown meaning.
  fileprivate var defaultContentType: String? {
    switch self {
    case .json: "application/json"
    case .text: "text/plain; charset=utf-8"
    case .base64: nil
    }
  }
}
