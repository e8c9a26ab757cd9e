internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel

extension PactRequestReader {
  /// The request of an interaction as a consumer sends it, with the values of the contract in place of its rules.
  ///
  /// A contract names no server, so the URL is a path. Reads without noting what was read.
  static func example(of request: SourceValue, _ version: PactVersion) -> StubRequest {
    let method = request["method"]?.peekedText ?? "GET"
    let path = URLParts.canonicalPath(request["path"]?.peekedText ?? "/")
    let query = query(of: request["query"])
    var sent = StubRequest(
      method: method.uppercased(), url: path + (query.isEmpty ? "" : "?" + query))
    for member in request["headers"]?.members ?? [] {
      for text in member.value.elementsOrSelf.compactMap(\.peekedText) {
        sent.addHeader(member.name, text)
      }
    }
    if let body = request["body"],
      let content = try? PactContent(body, version: version, headers: request["headers"])
    {
      sent.body = .bytes(content.bytes)
      if sent.headers[.contentType] == nil, !content.type.isEmpty {
        sent.headers[.contentType] = content.type
      }
    }
    return sent
  }

  private static func query(of value: SourceValue?) -> String {
    guard let value, value.isObject else { return value?.peekedText ?? "" }
    return value.members.flatMap { member in
      member.value.elementsOrSelf.map { element in
        URLParts.QueryItem(name: member.name, value: element.peekedText ?? "").description
      }
    }.joined(separator: "&")
  }
}

extension PactContent {
  /// The bytes that are sent.
  fileprivate var bytes: Data {
    switch form {
    case .none, .empty: Data()
    case .json(let value): Data(value.canonicalText.utf8)
    case .text(let text): Data(text.utf8)
    case .bytes(let data): data
    }
  }
}
