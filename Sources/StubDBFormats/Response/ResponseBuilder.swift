internal import Foundation
internal import HTTPTypes
import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// The answer of another tool on its way to a stub.
///
/// Every format adds to it what it knows. Recordings and descriptions take ``response``, those that translate stubs take
/// ``checked()``, which leaves out nothing.
struct ResponseBuilder {
  /// The content in its most readable form.
  enum Content {
    case json(JSONValue)
    case body(ResponseBody)
    /// The pieces of an event stream.
    case events([String])
  }

  private struct Field {
    var name: String
    var value: String
    /// The field, where it is known to be one that can be sent.
    var checked: HTTPField?

    /// The field; nil if it cannot be sent.
    var sendable: HTTPField? {
      if let checked { return checked }
      guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { return nil }
      return HTTPField(name: name, value: value)
    }
  }

  /// The status code; nil for 200.
  var status: Int?
  var content: Content?
  /// The error that the client gets in place of the answer; nil for none.
  var error: ResponseError?
  /// The failure of the connection; nil for none.
  var fault: ResponseFault?
  /// How many bytes arrive before the failure; nil for none.
  var afterBytes: Int?
  var delay: ResponseDelay?
  /// How the content arrives; nil for at once.
  var chunks: ResponseChunks?

  /// Which texts are JSON.
  let texts: JSONTextRule
  /// Where the answer was recorded; nil for one that a person wrote.
  ///
  /// Recorded contents may be in any character encoding, damaged, or event streams.
  let recording: ReportSource?
  /// Names of header fields that are not kept, in lower case.
  private let leftOutHeaders: Set<String>
  private var fields: [Field] = []

  /// An answer without anything; the rule says which texts are JSON.
  init(
    texts: JSONTextRule = .stubFiles, leavingOut headers: Set<String> = HeaderPolicy.connection
  ) {
    self.texts = texts
    leftOutHeaders = headers
    recording = nil
  }

  /// A recorded answer, of which a policy has chosen the header fields.
  init(status: Int, headers: [HTTPField], recordedAt source: ReportSource) {
    self.status = status
    texts = .recordings
    leftOutHeaders = []
    recording = source
    fields = headers.map { Field(name: $0.name.rawName, value: $0.value, checked: $0) }
  }
}

// MARK: - Header fields

extension ResponseBuilder {
  /// The first value of a header field, ignoring case.
  func header(_ name: String) -> String? {
    fields.first { Self.isSame($0.name, name) }?.value
  }

  /// The names of the header fields, in lower case.
  var headerNames: Set<String> { Set(fields.map { $0.name.lowercased() }) }

  /// Adds the header fields of an object: texts, or lists of them.
  mutating func addHeaders(_ value: SourceValue?) {
    for member in value?.members ?? [] {
      if leftOutHeaders.contains(member.name.lowercased()) {
        member.value.ignore()
      } else {
        addHeader(member.name, member.value.elementsOrSelf.compactMap(\.text))
      }
    }
  }

  /// Adds values of a header field, but for fields that are left out.
  mutating func addHeader(_ name: String, _ values: [String]) {
    guard !leftOutHeaders.contains(name.lowercased()) else { return }
    fields += values.map { Field(name: name, value: $0) }
  }

  /// Adds a Content-Type, unless there is one.
  mutating func addContentType(_ type: String) {
    if header("Content-Type") == nil { addHeader("Content-Type", [type]) }
  }

  /// Adds a header field that a client can receive; false if it is invalid, or one of too many.
  mutating func addSendableHeader(_ name: String, _ value: String) -> Bool {
    guard !leftOutHeaders.contains(name.lowercased()) else { return true }
    let field = Field(name: name, value: value)
    guard let sendable = field.sendable, fields.count < StubResponse.maximumHeaderCount - 1 else {
      return false
    }
    fields.append(Field(name: name, value: value, checked: sendable))
    return true
  }

  mutating func removeHeader(_ name: String) {
    fields.removeAll { Self.isSame($0.name, name) }
  }

  /// Gives a header field one value in place of those that it has.
  mutating func replaceHeader(_ name: String, _ value: String) {
    removeHeader(name)
    addHeader(name, [value])
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && one.lowercased() == other.lowercased()
  }
}

// MARK: - Results

extension ResponseBuilder {
  /// The answer, without header fields that cannot be sent, or are too many.
  var response: StubResponse {
    var headers = HTTPFields()
    for field in fields.prefix(StubResponse.maximumHeaderCount) {
      if let field = field.sendable { headers.append(field) }
    }
    var response = StubResponse(
      status: status ?? 200, headers: headers, delay: delay, error: error, fault: fault,
      afterBytes: afterBytes)
    switch content {
    case nil: break
    case .json(let value): response.body = .json(value)
    case .body(let body): response.body = body
    case .events(let events):
      response.chunks = .pieces(events.map { ResponseChunks.Piece(.text($0)) })
    }
    if let chunks { response.chunks = chunks }
    return response
  }

  /// The answer with all that was added to it.
  ///
  /// - Throws: `DocumentError` for an invalid status and for header fields that cannot be sent, ``Unanswerable`` for
  /// too many of them.
  func checked() throws -> StubResponse {
    var refused: JSONObject = [:]
    if let status, StubResponse.validStatus(status) != status {
      refused["status"] = .number(JSONNumber(status))
    }
    for field in fields where field.sendable == nil {
      refused["headers"] = .object([field.name: .string(field.value)])
    }
    if !refused.isEmpty {
      _ = try StubResponse(jsonObject: refused, at: JSONPointer(["responses", "0"]))
    }
    guard fields.count <= StubResponse.maximumHeaderCount else {
      throw Unanswerable("it has more than \(StubResponse.maximumHeaderCount) header fields")
    }
    return response
  }
}
