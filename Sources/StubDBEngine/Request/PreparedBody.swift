import Foundation
import HTTPTypes
import StubDBJSON
import StubDBModel
import StubDBSupport
import StubDBXML

/// The content of a request, or of a part of it, in the forms that patterns need, each made at most once.
final class PreparedBody {
  /// A form of the content, or the reason why it does not exist.
  enum Form<Value> {
    case value(Value)
    /// The request has no content.
    case empty
    /// The content exists, but does not have this form.
    case malformed(String)
    /// The content cannot be read.
    case unknown(String)

    /// The form that is derived from this one.
    func map<Other>(_ transform: (Value) -> Form<Other>) -> Form<Other> {
      switch self {
      case .value(let value): transform(value)
      case .empty: .empty
      case .malformed(let reason): .malformed(reason)
      case .unknown(let reason): .unknown(reason)
      }
    }
  }

  /// What a pattern looks at.
  enum FormKind {
    case bytes, text, json, graphQL, form, parts, xml
    /// Nothing itself: what other patterns say of the content.
    case any
  }

  private enum Origin {
    case request(StubRequest)
    case part(Data, contentType: String?)
    case value(JSONValue, isDeep: Bool)
  }

  let context: MatchContext
  private let origin: Origin
  /// The decoded content.
  private(set) lazy var bytes: Form<Data> = makeBytes()
  private(set) lazy var text: Form<String> = makeText()
  private(set) lazy var json: Form<JSONValue> = makeJSON()
  private(set) lazy var graphQL: Form<JSONValue> = makeGraphQL()
  /// The tokens of the query in a GraphQL request; empty if it has no query.
  private(set) lazy var graphQLTokens: Form<GraphQLTokens> = makeGraphQLTokens()
  private(set) lazy var form: Form<[URLParts.QueryItem]> = text.map {
    .value(URLParts.queryItems($0))
  }
  private(set) lazy var xml: Form<XMLTree> = makeXML()
  private(set) lazy var parts: Form<[PreparedPart]> = makeParts()
  /// A number that is equal for equal JSON values.
  private(set) lazy var fingerprint: Int? =
    if case .value(let value) = json {
      context.going(deep: isDeepJSON) { JSONComparison.fingerprint(value) }
    } else {
      nil
    }
  private var isDeepJSON = false
  private var selections: [CompiledQuery<JSONPath>: Form<JSONSelection>] = [:]
  private var xPathResults: [CompiledQuery<XPath>: Form<XPathResult>] = [:]

  /// The content of a request.
  init(_ request: StubRequest, context: MatchContext) {
    origin = .request(request)
    self.context = context
  }

  /// The content of a part of multipart content.
  init(part: Data, contentType: String?, context: MatchContext) {
    origin = .part(part, contentType: contentType)
    self.context = context
  }

  /// A value in JSON content: a string as its text, other values as JSON.
  init(_ value: JSONValue, isDeep: Bool, context: MatchContext) {
    origin = .value(value, isDeep: isDeep)
    self.context = context
    isDeepJSON = isDeep
  }

  /// Whether going through a form of the content may need a larger stack.
  func isDeep(in form: FormKind) -> Bool {
    switch form {
    case .json: _ = json
    case .graphQL: _ = graphQL
    case .xml:
      if case .value(let tree) = xml, tree.depth > JSONValue.shallowDepth { return true }
    case .bytes, .text, .form, .parts, .any: break
    }
    return isDeepJSON
  }

  /// The content as it came.
  var content: RequestBody {
    switch origin {
    case .request(let request): request.body
    case .part(let data, _): .bytes(data)
    case .value(let value, _): .bytes(Data(value.selectedText.utf8))
    }
  }

  private var contentType: String? {
    switch origin {
    case .request(let request): request.headers[.contentType]
    case .part(_, let contentType): contentType
    case .value: nil
    }
  }

  private var codings: [String] {
    guard case .request(let request) = origin else { return [] }
    return ContentDecoding.codings(request.headers[values: .contentEncoding])
  }

  /// The results of a query, evaluated once.
  ///
  /// Unknown if the query visits too many values.
  func selection(of path: CompiledQuery<JSONPath>) -> Form<JSONSelection> {
    if let found = selections[path] { return found }
    let selection: Form<JSONSelection> = json.map { value in
      let found = context.visiting { limit in
        context.going(deep: isDeepJSON) { path.query.values(in: value, visiting: &limit) }
      }
      guard let values = found else {
        return .unknown("the query \(path.query) visits too many values or takes too long")
      }
      return .value(JSONSelection(values, isDeep: isDeepJSON, context: context))
    }
    selections[path] = selection
    return selection
  }

  /// The value of an XPath, evaluated once if stubs share it.
  ///
  /// Unknown if it visits too many nodes.
  func selection(of path: CompiledQuery<XPath>) -> Form<XPathResult> {
    if path.isShared, let found = xPathResults[path] { return found }
    let result: Form<XPathResult> = xml.map { tree in
      context.visiting { path.query.evaluate(in: tree, visiting: &$0) }.map { .value($0) }
        ?? .unknown("the expression \(path.query.text) visits too many nodes")
    }
    if path.isShared { xPathResults[path] = result }
    return result
  }

  /// What a form is that was not made, because there is no memory for it or the client has gone.
  private static func notMade<Value>() -> Form<Value> {
    .unknown("there is no memory for it at present")
  }

  private func makeXML() -> Form<XMLTree> {
    text.map { text in
      let byteCount = FormMemory.byteCount(ofXML: text)
      guard context.take(byteCount: byteCount) else { return Self.notMade() }
      do throws(XMLSyntaxError) {
        return .value(try XMLTree(parsing: text))
      } catch {
        context.giveBack(byteCount: byteCount)
        return .malformed("not XML: \(error.message) (line \(error.line), column \(error.column))")
      }
    }
  }

  private func makeBytes() -> Form<Data> {
    switch content.kind {
    case .unknown(let reason): return .unknown(reason)
    case .bytes(let data) where data.isEmpty: return .empty
    case .bytes(let data):
      let codings = self.codings
      guard !codings.isEmpty else {
        context.allow(byteCount: data.count)
        return .value(data)
      }
      do throws(InflateError) {
        let decoded = try ContentDecoding.decoded(data, codings, context)
        context.allow(byteCount: decoded.count)
        return decoded.isEmpty ? .empty : .value(decoded)
      } catch {
        let names = codings.joined(separator: ", ")
        return .unknown("its Content-Encoding \(names) cannot be undone: \(error.reason)")
      }
    }
  }

  private func makeText() -> Form<String> {
    if case .value(let value, _) = origin { return .value(value.selectedText) }
    return bytes.map { data in
      // Decoding replaces invalid bytes, so the result is compared; Foundation's strict decoding would drop a byte
      // order mark.
      guard context.take(byteCount: data.count) else { return Self.notMade() }
      let text = String(decoding: data, as: UTF8.self)
      return ByteText.isEqual(data, text) ? .value(text) : .malformed("not UTF-8 text")
    }
  }

  private func makeJSON() -> Form<JSONValue> {
    if case .value(let value, _) = origin { return .value(value) }
    return bytes.map { parseJSON($0) }
  }

  private func parseJSON(_ data: Data) -> Form<JSONValue> {
    let byteCount = FormMemory.byteCount(ofJSON: data)
    guard context.take(byteCount: byteCount) else { return Self.notMade() }
    do throws(JSONSyntaxError) {
      let (value, isDeep) = try JSONValue.parse(
        data, maximumValues: JSONValue.maximumContentValues)
      isDeepJSON = isDeepJSON || isDeep
      return .value(value)
    } catch {
      context.giveBack(byteCount: byteCount)
      return .malformed("not JSON: \(error.message) (line \(error.line), column \(error.column))")
    }
  }

  /// The content as JSON; for a `GET` without content, the query parameters of the URL as JSON.
  ///
  /// https://graphql.github.io/graphql-over-http/draft/#sec-GET
  private func makeGraphQL() -> Form<JSONValue> {
    guard case .empty = json, case .request(let request) = origin, request.method == "GET" else {
      return json
    }
    var members: JSONObject = [:]
    for item in URLParts(request.url)?.query ?? [] where members[item.name] == nil {
      switch item.name {
      case "query", "operationName":
        context.allow(byteCount: item.value.utf8.count)
        members[item.name] = .string(item.value)
      case "variables", "extensions":
        context.allow(byteCount: item.value.utf8.count)
        switch parseJSON(Data(item.value.utf8)) {
        case .value(let value): members[item.name] = value
        case .malformed(let reason): return .malformed("\(item.name) in the URL is \(reason)")
        case .empty, .unknown: break
        }
      default: break
      }
    }
    return members.isEmpty ? .empty : .value(.object(members))
  }

  private func makeGraphQLTokens() -> Form<GraphQLTokens> {
    graphQL.map { json in
      guard case .object(let members) = json, case .string(let text)? = members["query"] else {
        return .empty
      }
      return context.visiting { limit -> Form<GraphQLTokens> in
        do throws(GraphQLTokens.SyntaxError) {
          let tokens = try GraphQLTokens(text, visiting: &limit)
          return tokens.map { .value($0) } ?? .unknown("the query has too many tokens")
        } catch {
          return .malformed("not GraphQL: \(error.message)")
        }
      }
    }
  }

  private func makeParts() -> Form<[PreparedPart]> {
    bytes.map { data in
      do throws(MultipartReader.SyntaxError) {
        return .value(try MultipartReader(data, contentType: contentType).parts(context))
      } catch {
        return .malformed(error.reason)
      }
    }
  }
}
