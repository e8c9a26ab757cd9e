import Foundation
import HTTPTypes
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBRecording

extension DraftExchange {
  /// The exchange as an import reads it; nil if it is damaged.
  func recorded(log: ReportLog) -> RecordedExchange? {
    guard let stub = try? Stub(documentValue: stub), let response = stub.responses.first,
      case .string(let method)? = self.stub.value(at: JSONPointer(["request", "method"])),
      case .string(let url)? = self.stub.value(at: JSONPointer(["request", "url"]))
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
