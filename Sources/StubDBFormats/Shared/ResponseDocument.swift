internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// A response on its way to a document.
struct ResponseDocument {
  /// Fields of one connection, which are written anew for each answer.
  private static let connectionFields: Set<String> = [
    "content-length", "transfer-encoding", "connection", "keep-alive",
  ]
  /// A year, in milliseconds.
  static let longestTime = 365.0 * 86_400_000

  private(set) var members: [String: JSONValue] = [:]
  private var headers: [(name: String, values: [String])] = []

  /// The members of the document.
  var document: [String: JSONValue] {
    var document = members
    if !headers.isEmpty {
      document["headers"] = .object(
        Dictionary(
          headers.map { name, values in
            (
              name,
              values.count == 1 ? JSONValue.string(values[0]) : .array(values.map(JSONValue.string))
            )
          }
        ) { first, _ in first })
    }
    return document
  }

  subscript(name: String) -> JSONValue? {
    get { members[name] }
    set { members[name] = newValue }
  }

  /// The first value of a header field, ignoring case.
  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.values.first
  }

  /// Adds values of a header field, but for fields of one connection.
  mutating func addHeader(_ name: String, _ values: [String]) {
    guard !Self.connectionFields.contains(name.lowercased()), !values.isEmpty else { return }
    if let place = headers.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
      headers[place].values += values
    } else {
      headers.append((name, values))
    }
  }

  mutating func removeHeader(_ name: String) {
    headers.removeAll { $0.name.lowercased() == name.lowercased() }
  }

  /// Sets a text as content: as JSON, where the answer says so and it is.
  mutating func setText(_ text: String) {
    guard !text.isEmpty else { return }
    let type = header("Content-Type")?.lowercased() ?? ""
    let maybeJSON = type.isEmpty || type.contains("json")
    if maybeJSON, let json = try? JSONValue(parsing: text), json.isContainer {
      members["json"] = json
    } else {
      members["text"] = .string(text)
    }
  }

  /// Sets bytes as content, without their coding.
  mutating func setBytes(_ bytes: Data) {
    var fields = HTTPFields()
    var bytes = bytes
    if let coding = header("Content-Encoding") {
      fields[.contentEncoding] = coding
      if let decoded = try? ContentDecoding.content(bytes, headers: fields) {
        bytes = decoded
        removeHeader("Content-Encoding")
      }
    }
    if let text = String(strictUTF8: bytes), text.isPlainText {
      setText(text)
    } else if !bytes.isEmpty {
      members["base64"] = .string(bytes.base64EncodedString())
    }
  }

  /// Sets a file beside the input as content.
  mutating func setFile(
    _ name: String, at value: SourceValue, of folder: InputFolder?
  ) throws(ImportError) {
    guard let folder else {
      throw value.failure("the file \"\(name)\" cannot be read here; import from a file")
    }
    setBytes(try folder.read(name) { value.failure($0) })
  }

  /// A time as documents write it.
  ///
  /// - Throws: ``Untranslatable`` for a negative time, and one of more than a year.
  static func time(milliseconds: Double) throws -> JSONValue {
    guard (0...longestTime).contains(milliseconds) else { throw Untranslatable("the delay") }
    let micros = Int((milliseconds * 1000).rounded())
    return .string(micros.isMultiple(of: 1000) ? "\(micros / 1000)ms" : "\(micros)us")
  }
}
