internal import Foundation
internal import HTTPTypes
import StubDBDocuments
package import StubDBFormats
internal import StubDBJSON
internal import StubDBModel
package import StubDBRecording

extension DraftExchange {
  /// The exchange as an import reads it; nil if it is damaged.
  package func recorded(log: ReportLog) -> RecordedExchange? {
    guard let stub = try? Stub(documentValue: stub), let response = stub.responses.first,
      let method = stub.request.methods.first?.rawValue, let url = stub.request.recordedURL
    else { return nil }
    var answer = RecordedAnswer(status: response.status)
    answer.keptByteCount = response.fault == .truncated ? response.afterBytes : nil
    answer.headers = RecordedHeaders(
      response.headers.map { RecordedHeaders.Field($0.name.rawName, $0.value) })
    answer.body = Self.body(of: self.stub.value(at: JSONPointer(["responses", "0"])))
    var error: String?
    if case .string(let name)? = self.stub.value(at: JSONPointer(["responses", "0", "error"])) {
      error = name
    }
    var exchange = RecordedExchange(
      method: method, url: url, outcome: error.map { .failure($0) } ?? .answer(answer),
      source: ReportSource(file: process, log: log))
    exchange.requestHeaders = RecordedHeaders(
      Self.fields(self.stub.value(at: JSONPointer(["request", "headers"]))))
    exchange.requestBody = Self.requestBody(self.stub.value(at: JSONPointer(["request", "body"])))
    exchange.recordedDay = stub.recorded?.at
    return exchange
  }

  private static func fields(_ value: JSONValue?) -> [RecordedHeaders.Field] {
    guard case .object(let members)? = value else { return [] }
    return members.sorted { $0.key < $1.key }.flatMap { name, value -> [RecordedHeaders.Field] in
      switch value {
      case .string(let text): [RecordedHeaders.Field(name, text)]
      case .array(let list):
        list.compactMap { element in
          if case .string(let text) = element { RecordedHeaders.Field(name, text) } else { nil }
        }
      default: []
      }
    }
  }

  private static func requestBody(_ value: JSONValue?) -> RecordedBody {
    guard case .object(let members)? = value else { return .none }
    if let json = members["equalToJson"] { return .text(json.canonicalText) }
    if case .string(let text)? = members["equalTo"] { return .text(text) }
    if case .string(let text)? = members["binaryEqualTo"], let bytes = Data(base64Encoded: text) {
      return .bytes(bytes)
    }
    return .none
  }

  private static func body(of response: JSONValue?) -> RecordedBody {
    guard case .object(let members)? = response else { return .none }
    if let json = members["json"] { return .text(json.canonicalText) }
    if case .string(let text)? = members["text"] { return .text(text) }
    if case .string(let text)? = members["base64"], let bytes = Data(base64Encoded: text) {
      return .bytes(bytes)
    }
    return .none
  }
}

extension RequestPattern {
  /// The URL of the one request that a recorder wrote as a pattern, whose parts a document has apart from each other; nil
  /// for a pattern of anything else.
  fileprivate var recordedURL: String? {
    guard wholeURL == nil, case .template(let path)? = path else { return nil }
    var origin = ""
    if let scheme {
      guard let host = host?.literal else { return nil }
      origin = "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "")
    }
    guard var parts = URLParts(origin + "/") else { return nil }
    parts.path = path
    for parameter in query {
      let values =
        parameter.pattern.operator == .hasExactly
        ? parameter.pattern.patterns : [parameter.pattern]
      for value in values {
        guard let text = value.literal else { return nil }
        parts.query.append(URLParts.QueryItem(name: parameter.name, value: text))
      }
    }
    // A nameless parameter without a value is empty in a URL, and would be none.
    let items = parts.query.map { $0.name.isEmpty && $0.value.isEmpty ? "=" : $0.description }
    parts.query = []
    return parts.description + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }
}
