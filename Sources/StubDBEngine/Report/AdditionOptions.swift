import Foundation
import HTTPTypes
import StubDBJSON
import StubDBModel
import StubDBSupport

/// The options of `add` for a stub that answers one request and no other.
///
/// What ``SecretDisplay`` hides is left free: the stub asks for the place of a secret, not for its value.
struct AdditionOptions {
  /// The words after the scenario; nil if the URL cannot be repeated.
  private(set) var words: [String]?
  /// What the request has and the stub does not ask for, because it cannot be typed; empty for most requests.
  private(set) var open: [String] = []
  /// The secrets of the request that may have any value; empty for most requests.
  private(set) var freed: [String] = []

  /// What only `--when` can say, as a part of a document's `request`.
  private var patterns: JSONObject = [:]
  /// Whether the query may have other parameters than those of the stub.
  private var isQueryOpen = false
  private let request: StubRequest

  /// - Parameters:
  ///   - request: The request that nothing answered.
  ///   - names: The header fields that decide between this request and another stub's.
  ///   - file: The argument that was typed for the content, if it names a file.
  init(for request: StubRequest, distinguishedBy names: [HTTPField.Name], file: String?) {
    self.request = request
    guard let url = takeURL() else { return }
    var words = RequestPattern.isMethod(request.method) ? ["--method", request.method] : []
    words += ["--url", url] + (isQueryOpen ? [] : ["--query-is-exact"])
    for name in names { words += takeField(name) }
    words += (hasPlaceholder ? nil : file).map { ["--data", $0] } ?? takeContent()
    if !patterns.isEmpty {
      words += ["--when", JSONValue.object(patterns).canonicalText]
    }
    self.words = words + ["--status", "200"]
  }

  // MARK: URL

  /// The URL as a pattern, without user information, fragment and the parameters that are secret.
  private mutating func takeURL() -> String? {
    let whole = request.url.prefix { $0 != "#" }
    let mark = whole.firstIndex(of: "?") ?? whole.endIndex
    var location = String(whole[..<mark])
    if let user = URLParts(location)?.userInformation,
      let range = location.firstRange(of: user + "@")
    {
      location.removeSubrange(range)
    }
    guard location.utf8.count <= FollowUpCommands.longest.url, let path = template(of: location)
    else { return nil }
    let query = takeQuery(whole[mark...].dropFirst())
    guard path.utf8.count + query.utf8.count <= FollowUpCommands.longest.url else {
      if !isQueryOpen { open.append("query") }
      isQueryOpen = true
      return path
    }
    return path + query
  }

  /// The URL with each segment that is a secret as a placeholder, and with what represents any text in a pattern as
  /// text; nil if the secret is not in the path.
  ///
  /// Alone, a placeholder would match any segment: its pattern asks for a text as long as the secret, of such characters.
  private mutating func template(of location: String) -> String? {
    let segments = location.split(separator: "/", omittingEmptySubsequences: false)
    let shown = SecretDisplay.text(location, as: .placeholder)
      .split(separator: "/", omittingEmptySubsequences: false)
    guard segments.count == shown.count else { return nil }
    let firstOfPath = location.hasPrefix("/") ? 1 : 3
    guard segments.prefix(firstOfPath).elementsEqual(shown.prefix(firstOfPath)) else { return nil }
    var shapes: JSONObject = [:]
    var isAnyText = false
    let template = zip(segments, shown).enumerated().map { index, pair -> String in
      if pair.0 == pair.1 { return URLParts.literalTemplate(pair.0) }
      if let shape = Self.shape(of: pair.0, shown: pair.1) {
        shapes["secret\(index)"] = ["matches": .string(shape)]
      } else {
        isAnyText = true
      }
      return "{secret\(index)}"
    }.joined(separator: "/")
    if segments != shown {
      freed.append("secret in the path" + (isAnyText ? "" : ", of the same length"))
    }
    if !shapes.isEmpty { patterns["pathParameters"] = .object(shapes) }
    return template
  }

  /// A regular expression for a segment whose secret is another one of the same length; nil if the segment has escapes,
  /// or more than one secret.
  private static func shape(of segment: Substring, shown: Substring) -> String? {
    let pieces = shown.split(
      separator: SecretDisplay.placeholder, omittingEmptySubsequences: false)
    guard pieces.count == 2, segment.hasPrefix(pieces[0]), segment.hasSuffix(pieces[1]),
      segment.count > pieces[0].count + pieces[1].count,
      segment.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_.-".contains($0)) })
    else { return nil }
    let secret = segment.dropFirst(pieces[0].count).dropLast(pieces[1].count)
    // A hyphen at the end of a class means itself.
    let letters = (secret.contains(where: \.isLetter) ? "A-Za-z" : "") + "0-9"
    let characters = letters + "_.-".filter { secret.contains($0) }
    return BoundedRegex.quoted(pieces[0]) + "[\(characters)]{\(secret.count)}"
      + BoundedRegex.quoted(pieces[1])
  }

  /// The parameters that are no secrets, behind a question mark; the others become patterns.
  private mutating func takeQuery(_ query: Substring) -> String {
    let items = query.split(separator: "&").map { text in
      (text: text, parameter: URLParts.queryItems(text).first)
    }
    let secret = Set(
      items.compactMap { item in
        item.parameter.flatMap { Self.isHidden($0, as: String(item.text)) ? $0.name : nil }
      })
    let named = secret.filter { SecretDisplay.text($0) == $0 }
    let shown = items.filter { item in !secret.contains(item.parameter?.name ?? "") }
    if named.count < secret.count {
      // A pattern cannot ask for a parameter without its name.
      isQueryOpen = true
      open.append(
        named.isEmpty && shown.isEmpty
          ? "query, since the name of a parameter is a secret"
          : "query parameters but these, since the name of one is a secret")
    }
    if !named.isEmpty {
      freed += named.sorted().map(TextExcerpt.plain)
      patterns["query"] = .object(
        Dictionary(uniqueKeysWithValues: named.map { ($0, ["matches": ".+"]) }))
    }
    let text = shown.map(\.text).joined(separator: "&")
    return text.isEmpty ? "" : "?" + URLParts.encodingBraces(in: text)
  }

  /// Whether a parameter is a secret, decoded or as the URL has it.
  private static func isHidden(_ parameter: URLParts.QueryItem, as written: String) -> Bool {
    let (name, value) = (parameter.name, parameter.value)
    return SecretDisplay.value(value, of: name, as: .placeholder) != value
      || ["\(name)=\(value)", written].contains { SecretDisplay.text($0) != $0 }
  }

  // MARK: Header fields

  /// The options that ask for the values of a header field, or for its absence.
  private mutating func takeField(_ name: HTTPField.Name) -> [String] {
    let values = request.headers[values: name]
    let shown = values.map {
      SecretDisplay.value($0, of: name.rawName, as: .placeholder)
    }
    if values == shown, !values.isEmpty {
      guard values.allSatisfy(FollowUpCommands.isTypable) else {
        open.append(name.rawName)
        return []
      }
      return values.flatMap { ["--when-header", "\(name.rawName): \($0)"] }
    }
    if !values.isEmpty { freed.append(name.rawName) }
    var fields: JSONObject = [:]
    if case .object(let members) = patterns["headers"] { fields = members }
    let asked = shown.map { (text: String) -> JSONValue in
      ["matches": .string(Self.expression(of: text, without: SecretDisplay.placeholder))]
    }
    fields[name.rawName] =
      switch asked.count {
      case 0: ["absent": true]
      case 1: asked[0]
      default: .array(asked)
      }
    patterns["headers"] = .object(fields)
    return []
  }

  // MARK: Content

  /// Whether the content as expected JSON would match more than itself.
  private var hasPlaceholder: Bool {
    guard case .bytes(let data) = request.body.kind, let value = try? JSONValue(parsing: data)
    else { return false }
    return value.holdsPlaceholder
  }

  /// The methods whose requests have no content, so that a stub need not say so.
  private static let methodsWithoutContent: Set<String> = [
    "GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT",
  ]

  /// The options that ask for the content.
  private mutating func takeContent() -> [String] {
    if request.content?.isEmpty == true {
      if !Self.methodsWithoutContent.contains(request.method) {
        patterns["body"] = ["absent": true]
      }
      return []
    }
    if let parts = multipart() {
      patterns["body"] = ["multipart": .array(parts), "isExact": true]
      return []
    }
    guard let text = FollowUpCommands.text(of: request) else {
      open.append("content")
      return []
    }
    let shown = SecretDisplay.text(text, as: .placeholder)
    if text != shown { freed.append("secrets in the content") }
    if let json = Self.expectedJSON(text, shown: shown) { return ["--when-body-json", json] }
    if text == shown {
      if FollowUpCommands.isTypable(text) {
        return ["--when-body", text.hasPrefix("@") ? "@" + text : text]
      }
      patterns["body"] = ["equalTo": .string(text)]
      return []
    }
    patterns["body"] = [
      "matches": .string(Self.expression(of: shown, without: SecretDisplay.placeholder))
    ]
    return []
  }

  /// The JSON that a content must equal, with what is not shown left free; nil for text, and for what JSON cannot ask for.
  private static func expectedJSON(_ text: String, shown: String) -> String? {
    guard let value = try? JSONValue(parsing: Data(text.utf8)), value.isContainer,
      !value.holdsPlaceholder
    else { return nil }
    if text == shown { return text.utf8.allSatisfy { $0 >= 0x20 } ? text : value.canonicalText }
    return (try? JSONValue(parsing: Data(shown.utf8)))
      .map { value.leavingFree(whereUnlike: $0).canonicalText }
  }

  /// The parts of multipart content, since a client makes a new boundary for each request; nil for other content.
  private mutating func multipart() -> [JSONValue]? {
    guard let type = request.headers[.contentType], let content = request.content,
      let parts = MultipartContent(content, contentType: type)?.parts
    else { return nil }
    return parts.map { part in
      var pattern: JSONObject = [:]
      pattern["name"] = Self.shown(part.name)
      pattern["filename"] = Self.shown(part.filename)
      if [part.name, part.filename].contains(where: { $0 != nil && Self.shown($0) == nil }) {
        freed.append("secrets in the names of parts")
      }
      let text = String(validating: part.content, as: UTF8.self)
      if let text, text.utf8.count <= FollowUpCommands.longest.text,
        text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
        SecretDisplay.value(text, of: part.name ?? "", as: .placeholder) == text
      {
        pattern["body"] = ["equalTo": .string(text)]
      } else {
        open.append("part \(TextExcerpt.plain(SecretDisplay.text(part.name ?? "")))")
      }
      return .object(pattern)
    }
  }

  /// The name of a part or a file; nil if it is or contains a secret.
  private static func shown(_ name: String?) -> JSONValue? {
    name.flatMap { SecretDisplay.text($0) == $0 ? .string($0) : nil }
  }

  /// A regular expression for the text in which any text stands in the place of another one.
  private static func expression(of text: String, without placeholder: String) -> String {
    text.split(separator: placeholder, omittingEmptySubsequences: false)
      .map { BoundedRegex.quoted($0) }.joined(separator: ".+")
  }
}

extension RequestPattern {
  /// Whether a stub can ask for the method.
  static func isMethod(_ method: String) -> Bool {
    // Only whether it can be read matters.
    (try? RequestPattern(methodText: method, url: "/")) != nil
  }
}

extension JSONValue {
  /// The value with a placeholder of `equalToJson` for each text or number that another value has not.
  fileprivate func leavingFree(whereUnlike other: JSONValue) -> JSONValue {
    switch (self, other) {
    case (.object(let members), .object(let others)) where Set(members.names) == Set(others.names):
      .object(
        Dictionary(
          uniqueKeysWithValues: members.map { name, value in
            (name, others[name].map { value.leavingFree(whereUnlike: $0) } ?? JSONPlaceholder.any)
          }))
    case (.array(let elements), .array(let others)) where elements.count == others.count:
      .array(zip(elements, others).map { $0.leavingFree(whereUnlike: $1) })
    case (.string(let text), .string(let shown)):
      text == shown ? self : "${json-unit.any-string}"
    default: self == other ? self : JSONPlaceholder.any
    }
  }
}
