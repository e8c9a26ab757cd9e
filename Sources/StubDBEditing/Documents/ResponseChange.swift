internal import StubDBDocuments
package import StubDBJSON
internal import StubDBModel

/// A change of one of the `responses` of a stub's document; nil leaves a member as it is.
package struct ResponseChange {
  package enum Content {
    case json(JSONValue)
    case text(String)
    /// The path of a file, as the document names it.
    case file(String)
  }

  private let status: Int?
  package var headers: [(name: String, value: String)] = []
  package var content: Content?
  private let delay: String?
  package var error: JSONValue?
  private let fault: String?
  private let isTemplate: Bool?

  package init(status: Int?, delay: String?, fault: String?, isTemplate: Bool?) {
    (self.status, self.delay, self.fault, self.isTemplate) = (status, delay, fault, isTemplate)
  }

  /// An error or a fault replaces content, and the other way round.
  func apply(to response: inout JSONObject) {
    if error != nil || fault != nil {
      for part in ResponsePart.sent + [.error, .fault, .afterBytes] {
        response[part.rawValue] = nil
      }
    } else if status != nil || content != nil, response["afterBytes"] == nil {
      response["error"] = nil
      if response["fault"] != .string(ResponseFault.truncated.rawValue) { response["fault"] = nil }
    }
    // What is left of a WebSocket would have no place beside it.
    if status != nil || content != nil { response["webSocket"] = nil }
    if let status { response["status"] = .number(JSONNumber(status)) }
    if !headers.isEmpty {
      response["headers"] = NamedValues.merged(
        headers, into: response["headers"], ignoringCase: true)
    }
    if let content { apply(content, to: &response) }
    if let delay { response["delay"] = .string(delay) }
    if let error { response["error"] = error }
    if let fault { response["fault"] = .string(fault) }
    if let isTemplate { response["template"] = isTemplate ? true : nil }
  }

  private func apply(_ content: Content, to response: inout JSONObject) {
    for part in ResponsePart.contents { response[part.rawValue] = nil }
    // A list of chunks is the content; a number of chunks only splits it.
    if case .array = response["chunks"] { response["chunks"] = nil }
    switch content {
    case .json(let value): response["json"] = value
    case .text(let text): response["text"] = .string(text)
    case .file(let path):
      response["file"] = .string(path)
      addContentType(of: path, to: &response)
    }
  }

  /// The file's extension determines the media type, which the decoder cannot know from the bytes.
  private func addContentType(of file: String, to response: inout JSONObject) {
    guard let type = MediaType.ofFile(named: file) else { return }
    var fields: JSONObject = [:]
    if case .object(let members) = response["headers"] { fields = members }
    guard !fields.keys.contains(where: { $0.lowercased() == "content-type" }) else { return }
    fields["Content-Type"] = .string(type)
    response["headers"] = .object(fields)
  }
}

/// Media types by file extension.
private enum MediaType {
  private static let types = [
    "json": "application/json", "xml": "application/xml", "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8", "js": "text/javascript", "css": "text/css",
    "pdf": "application/pdf", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "gif": "image/gif", "webp": "image/webp", "svg": "image/svg+xml",
    "zip": "application/zip", "bin": "application/octet-stream",
  ]

  /// The type; nil for an unknown extension.
  fileprivate static func ofFile(named name: String) -> String? {
    guard let dot = name.lastIndex(of: ".") else { return nil }
    return types[name[name.index(after: dot)...].lowercased()]
  }
}
