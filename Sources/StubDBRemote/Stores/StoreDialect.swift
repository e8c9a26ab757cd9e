internal import Foundation
internal import StubDBSupport

/// What is asked of a store, before it is a request of its service.
struct StoreCall {
  enum Action {
    case read
    /// The size of a content, without the content.
    case size
    case write(StoredSource, WriteCondition)
    /// The next page of the keys that begin with the call's key.
    case list(after: String?)
  }

  let action: Action
  /// The whole key, with the prefix of the URL.
  let key: String
  /// The first byte of the content that is asked for.
  var start = 0

  var method: String {
    switch action {
    case .write: "PUT"
    case .size: "HEAD"
    case .read, .list: "GET"
    }
  }

  /// A request with the content and the range of the call, but without a signature.
  func request(url: String, fields: [String: String] = [:]) -> TransferRequest {
    var request = TransferRequest(method: method, url: url, limit: 1 << 16)
    request.fields = fields
    if start > 0 { request.fields["Range"] = "bytes=\(start)-" }
    guard case .write(let source, _) = action else { return request }
    // Some servers take content without a type for that of a form.
    request.fields["Content-Type"] = "application/octet-stream"
    switch source {
    case .data(let data): request.content = data
    case .file(let file, _): request.contentFile = file.path
    }
    return request
  }

  /// The fields of a condition, for services that follow HTTP.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-13.1
  var conditionFields: [String: String] {
    switch action {
    case .write(_, .isAbsent): ["If-None-Match": "*"]
    case .write(_, .isVersion(let version)): ["If-Match": version.text]
    default: [:]
    }
  }

  /// The query with which a bucket in the form of S3 lists its keys; empty for other calls.
  var bucketQuery: [(String, String)] {
    guard case .list(let token) = action else { return [] }
    let query = [("list-type", "2"), ("prefix", key), ("delimiter", "/")]
    return query + (token.map { [("continuation-token", $0)] } ?? [])
  }

  /// The digest of the content that is sent.
  var contentDigest: String {
    switch action {
    case .write(.data(let data), _): SHA256Digest.hexadecimal(of: data)
    case .write(.file(_, let digest), _): digest.hexadecimal
    default: SHA256Digest.hexadecimal(of: Data())
    }
  }
}

/// What an answer of a store means.
enum AnswerMeaning {
  case done
  /// There is nothing under the key; what should hold the key is there.
  case isMissing
  /// The condition of a write was not met.
  case isRefused
  /// Another write is under way, and may still fail.
  case isContended
  /// None of these; the status says why.
  case isFailure
  /// The same, where the status does not say why.
  case isUnusable(String)
}

/// A page of the keys of a store.
struct KeyPage: Hashable {
  var keys: [String]
  /// What the next page is asked for with; nil for the last one.
  var next: String?
}

/// What requests to one kind of store look like, and what its answers mean.
protocol StoreDialect: Sendable {
  /// The scheme and authority, for messages.
  var place: String { get }

  /// The clock of signatures that have a time; nil if they have none.
  var signingClock: StoreClock? { get }

  /// A version that no content ever has.
  var impossibleVersion: StoreVersion { get }

  /// A request, signed for this moment.
  func request(for call: StoreCall) throws(RemoteError) -> TransferRequest

  func meaning(of answer: TransferAnswer) -> AnswerMeaning

  /// The version of what was read; nil if the store gives it none that a write can name.
  func version(of answer: TransferAnswer) -> StoreVersion?

  /// The size of a content, in the answer to a call for it; nil if it does not say.
  func size(in answer: TransferAnswer) -> Int?

  /// The store's own name of an error, such as `NoSuchBucket`.
  func errorCode(in answer: TransferAnswer) -> String?

  /// Nil if the content is no list of objects.
  func page(_ content: Data) -> KeyPage?

  /// What to do about an answer that is a failure.
  func hints(for answer: TransferAnswer) -> [String]
}

extension StoreDialect {
  var signingClock: StoreClock? { nil }

  func version(of answer: TransferAnswer) -> StoreVersion? {
    answer.fields["etag"].map(StoreVersion.init)
  }

  func size(in answer: TransferAnswer) -> Int? {
    answer.fields["content-length"].flatMap { Int($0) }
  }

  func meaning(of answer: TransferAnswer) -> AnswerMeaning {
    switch answer.status {
    case 200, 201, 204, 206: .done
    case 404: .isMissing
    case 409: .isContended
    case 412: .isRefused
    default: .isFailure
    }
  }

  func errorCode(in answer: TransferAnswer) -> String? {
    FlatXML.values(of: "Code", in: String(decoding: answer.content.prefix(4096), as: UTF8.self))
      .first.map { String($0.prefix(100)) }
  }
}

/// The flat elements of XML that services of storage answer with.
enum FlatXML {
  /// The texts of all elements of a name, none of which has elements or attributes.
  static func values(of name: String, in text: String) -> [String] {
    text.components(separatedBy: "<\(name)>").dropFirst().compactMap { rest in
      guard let end = rest.range(of: "</\(name)>") else { return nil }
      return decoded(String(rest[..<end.lowerBound]))
    }
  }

  private static func decoded(_ text: String) -> String {
    [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"),
      ("&amp;", "&"),
    ]
    .reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }
}

/// Text of URLs: each byte that is not unreserved is encoded.
enum URLText {
  /// A query, sorted, as signatures need it.
  static func query(_ query: [(String, String)]) -> String {
    query.map { (encoded($0), encoded($1)) }
      .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
  }

  /// A path, whose slashes stay.
  static func path(_ path: String) -> String { encoded(path, keeping: "/") }

  static func encoded(_ text: String, keeping kept: String = "") -> String {
    text.utf8.percentEncoded { $0.isUnreserved || kept.utf8.contains($0) }
  }
}
