internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBModel

extension PostmanRequestReader {
  /// What stands where a variable has no value.
  private static let anyValue = "value"

  /// The saved request of an example as it was sent; nil if something in it is not known.
  ///
  /// Its lines of the report are those of the pattern.
  func example(of request: SourceValue) -> StubRequest? {
    if let text = request.peekedText {
      return url(of: text).map { StubRequest(method: "GET", url: $0) }
    }
    let method = (request["method"]?.peekedText ?? "GET").uppercased()
    guard let target = request["url"].flatMap({ url(of: $0) }) else { return nil }
    var sent = StubRequest(method: method, url: target)
    let headers = PostmanHeaders.fields(request["header"], variables)
    for field in headers.fields { sent.addHeader(field.name, field.value) }
    guard let body = request["body"] ?? request["data"], !body.isNull,
      body["disabled"]?.bool != true
    else { return sent }
    guard let (type, bytes) = content(of: body) else { return nil }
    if let type, sent.headers[.contentType] == nil || type.hasPrefix("multipart/") {
      sent.headers[.contentType] = type
    }
    sent.body = .bytes(bytes)
    return sent
  }

  // MARK: URL

  private func url(of value: SourceValue) -> String? {
    if let text = value.peekedText { return url(of: text) }
    guard value["path"] != nil || value["host"] != nil else {
      return value["raw"]?.peekedText.flatMap { url(of: $0) }
    }
    var origin = variables.fill(Self.joined(value["host"], ".")).text
    if origin.hasSuffix("/") { origin.removeLast() }
    if let scheme = value["protocol"]?.peekedText, !origin.contains("://"), !origin.hasPrefix("/") {
      origin = "\(scheme)://\(origin)"
    }
    if let port = value["port"]?.peekedText { origin += ":\(variables.fill(port).text)" }
    let values = PostmanVariables.values(of: value["variable"])
    let path = variables.fill(Self.joined(value["path"], "/")).text
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      guard segment.hasPrefix(":"), segment.count > 1 else { return String(segment) }
      let given = values[String(segment.dropFirst())] ?? ""
      return given.isEmpty ? Self.anyValue : given
    }
    let place = origin + "/" + segments.joined(separator: "/")
    guard !place.contains("?") else { return nil }
    let query = value.list("query").filter { !Self.isDisabled($0) }.compactMap { parameter in
      parameter["key"]?.peekedText.map { ($0, parameter["value"]?.peekedText ?? "") }
    }
    return url(place: place, query: query)
  }

  private func url(of text: String) -> String? {
    let filled = variables.fill(text).text
    let mark = filled.firstIndex(of: "?") ?? filled.endIndex
    let query = filled[mark...].dropFirst().split(separator: "&").map { item -> (String, String) in
      let name = item.prefix { $0 != "=" }
      return (String(name), String(item.dropFirst(name.count + 1)))
    }
    return url(place: String(filled[..<mark]), query: query)
  }

  /// The URL of parts in which variables are left that have no value; without its origin if that is not known.
  private func url(place: String, query: [(String, String)]) -> String? {
    guard !place.contains("#") else { return nil }
    let start = place.range(of: "://")?.upperBound ?? place.startIndex
    let slash = place[start...].firstIndex(of: "/") ?? place.endIndex
    let isOpen = !PostmanVariables.names(in: String(place[..<slash])).isEmpty
    let hasScheme = start > place.startIndex
    let known = isOpen ? String(place[slash...]) : place
    let target = known.hasPrefix("/") || known.isEmpty || hasScheme ? known : "https://" + known
    guard let parts = URLParts(Self.closed(target.isEmpty ? "/" : target)) else { return nil }
    let items = query.filter { !$0.0.isEmpty }.map { name, value in
      let texts = [name, value].map { text in
        Self.closed(variables.fill(text.removingPercentEncoding ?? text).text)
      }
      return URLParts.QueryItem(name: texts[0], value: texts[1]).description
    }
    return parts.description + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  private static func joined(_ value: SourceValue?, _ separator: String) -> String {
    if let text = value?.peekedText { return text }
    return (value?.elements ?? []).map { $0.peekedText ?? $0["value"]?.peekedText ?? "" }
      .joined(separator: separator)
  }

  /// The text with a value in place of each variable.
  private static func closed(_ text: String) -> String {
    PostmanVariables.names(in: text).reduce(text) {
      $0.replacingOccurrences(of: "{{\($1)}}", with: anyValue)
    }
  }

  // MARK: Content

  /// The type and the bytes of a content; nil if it is not known.
  private func content(of body: SourceValue) -> (type: String?, bytes: Data)? {
    let mode = body["mode"]?.peekedText ?? "none"
    let value = body[mode] ?? body["content"]
    var content = RequestExample.Content.none
    switch mode {
    case "raw":
      let filled = variables.fill(value?.peekedText ?? "")
      let isJSON = body["options"]?["raw"]?["language"]?.peekedText == "json"
      return filled.open.isEmpty
        ? (isJSON ? "application/json" : nil, Data(filled.text.utf8)) : nil
    case "urlencoded":
      guard let fields = fields(of: value) else { return nil }
      content = .form(fields.map { .init(name: $0.name, value: $0.value) })
    case "formdata":
      guard let parts = fields(of: value) else { return nil }
      content = .multipart(
        parts.map { part in
          let type = part.type.map { RequestExample.Field(name: "Content-Type", value: $0) }
          return .init(
            name: part.name, headers: type.map { [$0] } ?? [], content: Data(part.value.utf8))
        })
    case "graphql":
      return (try? graphQL(value)).map { ("application/json", Data($0.utf8)) }
    case "none": break
    // A file may have any content.
    default: return nil
    }
    return (content.mediaType, content.bytes)
  }

  /// The fields or the parts of a content; nil if one of them is not known.
  private func fields(
    of list: SourceValue?
  ) -> [(name: String, value: String, type: String?)]? {
    var fields: [(name: String, value: String, type: String?)] = []
    for entry in list?.elements ?? [] where !Self.isDisabled(entry) {
      guard let key = entry["key"]?.peekedText else { continue }
      let (name, value) = (
        variables.fill(key), variables.fill(entry["value"]?.peekedText ?? "")
      )
      guard name.open.isEmpty, value.open.isEmpty, entry["type"]?.peekedText != "file",
        !name.text.contains("\"")
      else { return nil }
      fields.append((name.text, value.text, entry["contentType"]?.peekedText))
    }
    return fields
  }
}
