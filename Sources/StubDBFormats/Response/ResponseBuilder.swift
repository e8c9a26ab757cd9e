internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel

/// The answer of another tool on its way to a stub.
///
/// Every format adds to it what it knows. Those whose stubs are values take ``response``, those that translate to
/// documents take ``document``, whose reader checks it with the rest of the stub.
struct ResponseBuilder {
  /// The content in its most readable form.
  enum Content {
    case json(JSONValue)
    case body(ResponseBody)
    /// The pieces of an event stream.
    case events([String])
  }

  /// A header field.
  private struct Field {
    var name: String
    var value: String
    /// The field, where it is known to be one that can be sent.
    var checked: HTTPField?
  }

  /// The status code; nil for 200.
  var status: Int?
  /// The content; nil for none.
  var content: Content?
  /// The error that the client gets in place of the answer; nil for none.
  var error: ResponseError?
  /// The failure of the connection; nil for none.
  var fault: ResponseFault?
  /// How many bytes arrive before the failure; nil for none.
  var afterBytes: Int?

  /// Which texts are JSON.
  let texts: JSONTextRule
  /// Where the answer was recorded; nil for one that a person wrote.
  ///
  /// Recorded contents may be in any character encoding, damaged, or event streams.
  let recording: ReportSource?
  /// Names of header fields that are not kept, in lower case.
  private let leftOutHeaders: Set<String>
  private var fields: [Field] = []
  private var members: [String: JSONValue] = [:]

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

  /// Another member of the document, such as `delay`.
  subscript(member: String) -> JSONValue? {
    get { members[member] }
    set { members[member] = newValue }
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
        let values = member.value.elementsOrSelf
        addHeader(member.name, values.compactMap(\.text))
      }
    }
  }

  /// Adds values of a header field, but for fields that are left out.
  mutating func addHeader(_ name: String, _ values: [String]) {
    guard !leftOutHeaders.contains(name.lowercased()) else { return }
    fields += values.map { Field(name: name, value: $0) }
  }

  /// Adds a header field that a client can receive; false if it is none, or one of too many.
  mutating func addSendableHeader(_ name: String, _ value: String) -> Bool {
    guard !leftOutHeaders.contains(name.lowercased()) else { return true }
    guard let fieldName = HTTPField.Name(name), HTTPField.isValidValue(value),
      fields.count < StubResponse.maximumHeaderCount - 1
    else { return false }
    fields.append(
      Field(name: name, value: value, checked: HTTPField(name: fieldName, value: value)))
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
  /// The answer as a value, without header fields that cannot be sent, or are too many, and without members of
  /// documents.
  var response: StubResponse {
    var headers = HTTPFields()
    for field in fields.prefix(StubResponse.maximumHeaderCount) {
      if let checked = field.checked {
        headers.append(checked)
      } else if let name = HTTPField.Name(field.name), HTTPField.isValidValue(field.value) {
        headers.append(HTTPField(name: name, value: field.value))
      }
    }
    var response = StubResponse(
      status: status ?? 200, headers: headers, error: error, fault: fault, afterBytes: afterBytes)
    switch content {
    case nil: break
    case .json(let value): response.body = .json(value)
    case .body(let body): response.body = body
    case .events(let events):
      response.chunks = .pieces(events.map { ResponseChunks.Piece(.text($0)) })
    }
    return response
  }

  /// The members of a document.
  var document: [String: JSONValue] {
    var document = members
    document["status"] = document["status"] ?? status.map { .number(JSONNumber($0)) }
    document["error"] = error.flatMap { URLErrorNames.name(of: $0.code) }.map(JSONValue.string)
    document["fault"] = fault.map { .string($0.rawValue) }
    document["afterBytes"] = afterBytes.map { .number(JSONNumber($0)) }
    if !fields.isEmpty { document["headers"] = .object(headerMembers) }
    switch content {
    case nil: break
    case .json(let value): document["json"] = value
    case .body(let body): document[body.kind.rawValue] = Self.value(of: body)
    case .events(let events):
      document["chunks"] = .array(events.map { .object(["text": .string($0)]) })
    }
    return document
  }

  private var headerMembers: [String: JSONValue] {
    var order: [(name: String, values: [JSONValue])] = []
    var places: [String: Int] = [:]
    for field in fields {
      let name = field.name.lowercased()
      if let place = places[name] {
        order[place].values.append(.string(field.value))
      } else {
        places[name] = order.count
        order.append((field.name, [.string(field.value)]))
      }
    }
    return Dictionary(
      order.map { ($0.name, $0.values.count == 1 ? $0.values[0] : .array($0.values)) }
    ) { first, _ in first }
  }

  private static func value(of body: ResponseBody) -> JSONValue? {
    let bytes = body.bytes ?? Data()
    return switch body.kind {
    case .json: try? JSONValue(parsing: bytes)
    case .text: .string(String(decoding: bytes, as: UTF8.self))
    case .base64: .string(bytes.base64EncodedString())
    }
  }
}
