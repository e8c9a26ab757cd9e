package import Foundation
import HTTPTypes
import StubDBDocuments
package import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBServing
import StubDBSupport

/// A request and its answer as a document: a scenario of one stub that matches the request exactly.
///
/// In this form it can be searched for secrets like any other scenario. `stubdb review` makes it a stub that matches
/// more than this one request.
struct ExchangeDocument {
  /// Reports an exchange that no document can hold.
  struct Failure: Error {
    /// The end of a sentence.
    let reason: String
  }

  enum NetworkFailure {
    /// Before an answer began, with the name of an error of `URLSession`.
    case error(String)
    /// Within the content.
    case truncated
  }

  /// Header fields of one connection, and of the coding that the network layer has undone.
  private static let dropped: Set<String> = [
    "connection", "content-encoding", "content-length", "keep-alive", "proxy-authenticate",
    "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  let request: StubRequest
  let status: Int
  /// In the order in which they came, as far as that is known.
  let headers: [(name: String, value: String)]
  let content: Data
  var failure: NetworkFailure?

  /// The scenario; its only stub has the key `recorded`.
  func scenario(
    named name: String, on day: String, _ limits: RecordingLimits
  ) throws(Failure) -> Scenario {
    let sent = try Self.sent(request, limits)
    var recorded: JSONObject = ["at": .string(day)]
    if let origin { recorded["from"] = .string(origin) }
    let stub: JSONValue = .object([
      "key": "recorded", "recorded": .object(recorded),
      "request": .object(requestMembers(sent.content, sent.headers)),
      "responses": .array([.object(responseMembers)]),
    ])
    do throws(DocumentError) {
      return try Scenario(
        documentValue: .object(["scenario": .string(name), "stubs": .array([stub])]))
    } catch {
      throw Failure(reason: "no stub can hold it: \(error.message)")
    }
  }

  /// The content of the request and its header fields, without a coding that can be undone: secrets are searched for
  /// in what was coded, and patterns are compared with it.
  static func sent(
    _ request: StubRequest, _ limits: RecordingLimits
  ) throws(Failure) -> (content: Data, headers: HTTPFields) {
    guard let content = request.content else {
      throw Failure(reason: "the content of the request is not known")
    }
    let tooLarge = Failure(reason: "its content has more than \(limits.inMemory >> 20) MiB")
    guard content.count <= limits.inMemory else { throw tooLarge }
    var headers = request.headers
    let codings = headers[values: .contentEncoding].joined(separator: ", ")
    guard !codings.isEmpty, !content.isEmpty else { return (content, headers) }
    do {
      let decoded = try ContentDecoding.strictlyDecoded(content, codings, limit: limits.inMemory)
      headers[.contentEncoding] = nil
      headers[.contentLength] = nil
      return (decoded, headers)
    } catch {
      guard !error.isTooLarge else { throw tooLarge }
      return (content, headers)
    }
  }

  /// Scheme, host and port of the URL; nil if it has none.
  private var origin: String? {
    guard let url = URLComponents(string: request.url), let scheme = url.scheme,
      let host = url.host
    else { return nil }
    return "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")"
  }

  private func requestMembers(_ content: Data, _ headers: HTTPFields) -> JSONObject {
    // A fragment is not sent.
    let url = Self.literalURL(request.url.prefix { $0 != "#" })
    var members: JSONObject = ["method": .string(request.method), "url": .string(url)]
    let fields = headers.map { (name: $0.name.rawName, value: $0.value) }
    if !fields.isEmpty { members["headers"] = Self.members(of: fields) }
    guard !content.isEmpty else { return members }
    let type = headers[.contentType]
    if let json = Self.json(content, type) {
      members["body"] = .object(["equalToJson": json])
    } else if let text = Self.text(content) {
      members["body"] = .object(["equalTo": .string(text)])
    } else {
      members["body"] = .object(["binaryEqualTo": .string(content.base64EncodedString())])
    }
    return members
  }

  /// The URL of a pattern that has no placeholders, although its path looks as if it had some.
  private static func literalURL(_ url: Substring) -> String {
    let end = url.firstIndex(of: "?") ?? url.endIndex
    return URLParts.literalTemplate(url[..<end]) + url[end...]
  }

  private var responseMembers: JSONObject {
    if case .error(let name)? = failure { return ["error": .string(name)] }
    var members = answerMembers
    if case .truncated? = failure {
      members["fault"] = "truncated"
      // One byte less than came: a server that plays all of the content has nothing left to break off.
      members["afterBytes"] = .number(JSONNumber(content.count - 1))
    }
    return members
  }

  private var answerMembers: JSONObject {
    let kept = headers.filter { !Self.dropped.contains($0.name.lowercased()) }
    var members: JSONObject = ["status": .number(JSONNumber(status))]
    if !kept.isEmpty { members["headers"] = Self.members(of: kept) }
    guard !content.isEmpty else { return members }
    let type = kept.first { $0.name.lowercased() == "content-type" }?.value
    if let json = Self.json(content, type) {
      members["json"] = json
    } else if let text = Self.text(content) {
      members["text"] = .string(text)
    } else {
      members["base64"] = .string(content.base64EncodedString())
    }
    return members
  }

  /// Repeated fields become a list.
  private static func members(of fields: [(name: String, value: String)]) -> JSONValue {
    var names: [String: String] = [:]
    var values: [String: [String]] = [:]
    for field in fields {
      let name = names[field.name.lowercased()] ?? field.name
      names[field.name.lowercased()] = name
      values[name, default: []].append(field.value)
    }
    return .object(
      values.mapValues { values in
        values.count == 1 ? .string(values[0]) : .array(values.map(JSONValue.string))
      })
  }

  static func json(_ content: Data, _ type: String?) -> JSONValue? {
    guard let type = type?.prefix(while: { $0 != ";" }).lowercased(),
      type.hasSuffix("/json") || type.hasSuffix("+json")
    else { return nil }
    // What is not JSON after all is kept as text.
    return try? JSONValue(parsing: content)
  }

  static func text(_ content: Data) -> String? {
    content.contains(0) ? nil : String(strictUTF8: content)
  }
}

/// Separates the cookies that Foundation has joined to one field.
enum CookieFields {
  /// The values of several `Set-Cookie` fields.
  ///
  /// A comma begins the next cookie if a name and `=` follow it, and if it is not the one in a date (`Expires=Wed, 21
  /// Oct …`). A comma inside a value that looks like that is not recognized.
  static func separate(_ joined: String) -> [String] {
    var cookies: [String] = []
    var current = ""
    for piece in joined.components(separatedBy: ", ") {
      if cookies.isEmpty, current.isEmpty {
        current = piece
      } else if beginsCookie(piece), !endsInDate(current) {
        cookies.append(current)
        current = piece
      } else {
        current += ", " + piece
      }
    }
    return cookies + [current]
  }

  private static func beginsCookie(_ piece: String) -> Bool {
    guard let equals = piece.firstIndex(of: "="), equals != piece.startIndex else { return false }
    return piece[..<equals].utf8.allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains(byte)
    }
  }

  private static func endsInDate(_ text: String) -> Bool {
    let last = text.split(separator: ";").last?.trimmingCharacters(in: .whitespaces) ?? ""
    return last.lowercased().hasPrefix("expires=") && !last.dropFirst(8).contains(" ")
      && last.count <= 8 + "Wednesday".count
  }
}

extension ContentDecoding {
  /// The content without the codings of a `Content-Encoding`, which it must have; empty content has none.
  ///
  /// - Throws: An error with a message for an unknown coding, and for content that does not have it.
  package static func strictlyDecoded(
    _ content: Data, _ field: String, limit: Int
  ) throws(ContentDecodingError) -> Data {
    let codings = codings([field])
    guard !content.isEmpty, !codings.isEmpty else { return content }
    return try decoded(content, codings, limit, of: "its")
  }
}
