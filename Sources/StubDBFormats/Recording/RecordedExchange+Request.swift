internal import Foundation
internal import HTTPTypes
package import StubDBEngine
internal import StubDBModel

extension RecordedExchange {
  /// The request as a client sends it again.
  ///
  /// What was recorded decoded is sent without a content coding. Fields that no client can send are left out.
  package var request: StubRequest {
    var request = StubRequest(method: method, url: url.trimmingCharacters(in: .whitespaces))
    if !method.isEmpty, RequestReader.isStandard(method) { request.method = method.uppercased() }
    let isRaw = if case .bytes = requestBody { true } else { false }
    for field in requestHeaders.fields {
      let isCoding = HTTPField.Name(field.name).map(Self.ofCoding.contains) ?? false
      if isRaw || !isCoding { request.addHeader(field.name, field.value) }
    }
    if let parts = URLParts(request.url), parts.fragment != nil || parts.userInformation != nil {
      request.url = parts.description
      if let user = parts.userInformation, request.headers[.authorization] == nil {
        let text = user.removingPercentEncoding ?? user
        request.headers[.authorization] = "Basic " + Data(text.utf8).base64EncodedString()
      }
    }
    addContent(to: &request)
    return request
  }

  private static let ofCoding: Set<HTTPField.Name> = [
    .contentEncoding, .contentLength, .transferEncoding,
  ]

  private func addContent(to request: inout StubRequest) {
    var content: RequestExample.Content?
    switch requestBody {
    case .none: break
    case .text(let text): request.body = .bytes(Data(text.utf8))
    case .source(let source): request.body = .bytes(Data(source.text.utf8))
    case .bytes(let data): request.body = .bytes(data)
    case .form(let fields):
      content = .form(fields.map { RequestExample.Field(name: $0.name, value: $0.value) })
    case .multipart(let parts): content = .multipart(parts.map(RequestExample.Part.init))
    case .missing: request.body = .unknown(reason: "it was not recorded")
    }
    guard let content else { return }
    request.body = .bytes(content.bytes)
    let isParts = if case .multipart = content { true } else { false }
    // The boundary is a new one.
    if isParts || request.headers[.contentType] == nil {
      request.headers[.contentType] = content.mediaType
    }
  }
}

extension StubRequest {
  /// Adds a header field, unless no client can send it.
  mutating func addHeader(_ name: String, _ value: String) {
    guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { return }
    headers.append(HTTPField(name: name, value: value))
  }
}

extension RequestExample.Part {
  fileprivate init(_ part: RecordedBody.Part) {
    self.init(
      name: part.name, filename: part.filename,
      headers: part.contentType.map { [.init(name: "Content-Type", value: $0)] } ?? [],
      content: part.content ?? Data())
  }
}
