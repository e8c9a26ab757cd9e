internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Writes a request as collections have it.
struct PostmanRequestWriter {
  let stub: Stub
  let example: RequestExample

  /// The request; a saved one belongs to an example, and leaves the variables of its path open.
  func request(isSaved: Bool) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = []
    if let credentials = stub.request.basicAuth {
      members.append(("auth", Self.basic(credentials)))
    }
    var headers = example.headers
    if stub.request.basicAuth != nil { headers[.authorization] = nil }
    if usesFormMode { headers[.contentType] = nil }
    members += [("method", .string(example.method)), ("header", Self.pairs(headers))]
    if let body { members.append(("body", body)) }
    members.append(("url", url(isSaved: isSaved)))
    if !isSaved { members += PostmanExport.description(stub.summary) }
    return .object(members)
  }

  static func pairs(_ fields: HTTPFields) -> OrderedJSON {
    .array(
      fields.map { .object([("key", .string($0.name.rawName)), ("value", .string($0.value))]) })
  }

  private static func basic(_ credentials: BasicCredentials) -> OrderedJSON {
    func attribute(_ key: String, _ value: String) -> OrderedJSON {
      .object([("key", .string(key)), ("value", .string(value)), ("type", .string("string"))])
    }
    return .object([
      ("type", .string("basic")),
      (
        "basic",
        .array([
          attribute("username", credentials.username), attribute("password", credentials.password),
        ])
      ),
    ])
  }
}

// MARK: - URL

extension PostmanRequestWriter {
  private func url(isSaved: Bool) -> OrderedJSON {
    guard let parts = URLParts(example.url), let scheme = parts.scheme, let host = parts.host else {
      return .string(example.url)
    }
    let (segments, names) = path(parts)
    let items = parts.query.map(\.description)
    let base: String
    var members: [(String, OrderedJSON)] = []
    if example.isAnyHost {
      base = "{{\(PostmanExport.baseVariable)}}"
      members.append(("host", .array([.string(base)])))
    } else {
      base = "\(scheme)://\(host)\(parts.port.map { ":\($0)" } ?? "")"
      members.append(("protocol", .string(scheme)))
      // The parts of an IPv6 address are not divided by dots.
      let labels = host.split(separator: ".").map(String.init)
      members.append(("host", .words(labels)))
      if let port = parts.port { members.append(("port", .string(String(port)))) }
    }
    members.append(("path", .words(segments)))
    if !parts.query.isEmpty {
      members.append(
        (
          "query",
          .array(
            parts.query.map {
              .object([
                ("key", .string(URLParts.encodedQuery($0.name))),
                ("value", .string(URLParts.encodedQuery($0.value))),
              ])
            })
        ))
    }
    if !names.isEmpty { members.append(("variable", variables(names, isSaved: isSaved))) }
    let raw =
      base + "/" + segments.joined(separator: "/")
      + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    return .object([("raw", .string(raw))] + members)
  }

  /// The segments of the path, with `:name` for a placeholder, and the names.
  private func path(_ parts: URLParts) -> (segments: [String], names: [String]) {
    let literal = parts.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let template =
      example.pathTemplate?.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      ?? []
    // A wildcard represents several segments, so that places differ after it.
    let isAligned = literal.count == template.count
    var names: [String] = []
    let segments = zip(literal, isAligned ? template : literal).map { segment, pattern in
      if isAligned, URLParts.isPlaceholder(pattern) {
        let name = String(pattern.dropFirst().dropLast())
        names.append(name)
        return ":" + name
      }
      // A colon in front would make it a variable.
      return segment.hasPrefix(":") ? "%3A" + segment.dropFirst() : String(segment)
    }
    return (segments, names)
  }

  /// The values to send; a saved request has only those that the stub asks for.
  private func variables(_ names: [String], isSaved: Bool) -> OrderedJSON {
    .array(
      names.map { name in
        let value = example.pathParameters.first { $0.name == name }?.value ?? ""
        let isAsked = stub.request.pathParameters.contains { $0.name == name }
        return .object([
          ("key", .string(name)), ("value", .string(isSaved && !isAsked ? "" : value)),
        ])
      })
  }
}

// MARK: - Content

extension PostmanRequestWriter {
  /// Whether Postman makes the `Content-Type` itself.
  private var usesFormMode: Bool {
    switch example.content {
    case .form, .multipart: example.headers[.contentType] == example.content.mediaType
    case .none, .json, .graphQL, .text, .bytes: false
    }
  }

  private var body: OrderedJSON? {
    switch example.content {
    case .none: nil
    case .json(let value): raw(value.canonicalText, language: "json")
    case .text(let text): raw(text, language: text.hasPrefix("<") ? "xml" : "text")
    case .bytes(let data): String(strictUTF8: data).map { raw($0, language: "text") }
    case .form(let fields):
      .object([
        ("mode", .string("urlencoded")),
        (
          "urlencoded",
          .array(
            fields.map { .object([("key", .string($0.name)), ("value", .string($0.value))]) })
        ),
      ])
    case .multipart(let parts):
      .object([("mode", .string("formdata")), ("formdata", .array(parts.map(Self.part)))])
    case .graphQL(let value): graphQL(value)
    }
  }

  private func raw(_ text: String, language: String) -> OrderedJSON {
    .object([
      ("mode", .string("raw")), ("raw", .string(text)),
      ("options", .object([("raw", .object([("language", .string(language))]))])),
    ])
  }

  private func graphQL(_ value: JSONValue) -> OrderedJSON {
    guard case .object(let members) = value else {
      return raw(value.canonicalText, language: "json")
    }
    var operation: [(String, OrderedJSON)] = []
    if case .string(let query)? = members["query"] { operation.append(("query", .string(query))) }
    if case .string(let name)? = members["operationName"] {
      operation.append(("operationName", .string(name)))
    }
    operation.append(
      ("variables", .string(members["variables"].map(\.canonicalText) ?? "")))
    return .object([("mode", .string("graphql")), ("graphql", .object(operation))])
  }

  private static func part(_ part: RequestExample.Part) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = [("key", .string(part.name))]
    if let filename = part.filename {
      members += [("type", .string("file")), ("src", .string(filename))]
    } else {
      members += [
        ("type", .string("text")),
        ("value", .string(String(decoding: part.content, as: UTF8.self))),
      ]
    }
    if let type = part.headers.first(where: { $0.name.lowercased() == "content-type" }) {
      members.append(("contentType", .string(type.value)))
    }
    return .object(members)
  }
}
