internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// A response on its way to a document.
struct ResponseDocument {
  /// A year, in milliseconds.
  static let longestTime = 365.0 * 86_400_000

  /// Names of header fields that are not kept, in lower case.
  private let leftOutHeaders: Set<String>
  private let texts: JSONTextRule
  private(set) var members: [String: JSONValue] = [:]
  private var headers: [(name: String, values: [String])] = []

  /// A response without anything; the rule says which texts are JSON.
  init(
    texts: JSONTextRule = .stubFiles, leavingOut headers: Set<String> = HeaderPolicy.connection
  ) {
    self.texts = texts
    leftOutHeaders = headers
  }

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

  /// Adds the header fields of an object: texts, or lists of them.
  mutating func addHeaders(_ value: SourceValue?) {
    for member in value?.members ?? [] {
      if leftOutHeaders.contains(member.name.lowercased()) {
        member.value.ignore()
      } else {
        let values = member.value.isArray ? member.value.elements : [member.value]
        addHeader(member.name, values.compactMap(\.text))
      }
    }
  }

  /// Adds values of a header field, but for fields that are left out.
  mutating func addHeader(_ name: String, _ values: [String]) {
    guard !leftOutHeaders.contains(name.lowercased()), !values.isEmpty else { return }
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
    if let json = texts.json(text, type: header("Content-Type")) {
      members["json"] = json
    } else {
      members["text"] = .string(text)
    }
  }

  /// Sets content that is written in base64.
  ///
  /// - Throws: ``Unanswerable`` for a text that is not base64.
  mutating func setBase64(_ text: String) throws {
    guard let bytes = Base64Text.decoded(text) else {
      throw Unanswerable("its content is not base64")
    }
    setBytes(bytes)
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
    _ name: String, at value: SourceValue, of input: ImportInput
  ) throws(ImportError) {
    guard let folder = input.folder else {
      throw value.failure("the file \"\(name)\" cannot be read here; import from a file")
    }
    setBytes(try folder.read(name, from: input.directory) { value.failure($0) })
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
