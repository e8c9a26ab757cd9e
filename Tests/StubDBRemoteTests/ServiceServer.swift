import Foundation
import StubDBSupport

@testable import StubDBRemote

/// A server of one of the services other than S3, as a transport that needs no socket.
///
/// It understands requests by the services' descriptions, apart from the code that makes them.
final class ServiceServer: HTTPTransport {
  enum Service: String, CaseIterable, Sendable {
    case google
    case googleWithKey
    case azure
    case http

    var url: String {
      switch self {
      case .google, .googleWithKey: "gs://stubs/team/shop"
      case .azure: "az://account1/stubs/team/shop"
      case .http: "https://stubs.test/stubs/team/shop"
      }
    }

    /// What a client needs to find it.
    var environment: [String: String] {
      let home = ["HOME": "/nonexistent"]
      return switch self {
      case .google: home.merging(["GOOGLE_OAUTH_ACCESS_TOKEN": "token"]) { $1 }
      case .googleWithKey:
        home.merging(["GS_ACCESS_KEY_ID": "key", "GS_SECRET_ACCESS_KEY": "secret"]) { $1 }
      case .azure:
        home.merging(["AZURE_STORAGE_ACCOUNT": "account1", "AZURE_STORAGE_KEY": "c2VjcmV0"]) { $1 }
      case .http:
        home.merging(["STUBDB_HTTP_HEADERS": "stubs.test Authorization: Bearer token"]) { $1 }
      }
    }

    /// What the value of the field `Authorization` begins with.
    fileprivate var authorization: String {
      switch self {
      case .google, .http: "Bearer token"
      case .googleWithKey:
        "GOOG4-HMAC-SHA256 Credential=key/20130524/auto/storage/goog4_request, SignedHeaders="
      case .azure: "SharedKey account1:"
      }
    }
  }

  private struct State {
    var contents: [String: (data: Data, generation: Int)] = [:]
    var requests: [TransferRequest] = []
    var torn: Set<String> = []
  }

  private let service: Service
  /// Answers in place of the server; nil to let the server answer.
  private let override: @Sendable (TransferRequest) -> TransferAnswer?
  private let state = Locked(State())

  init(
    _ service: Service,
    override: @escaping @Sendable (TransferRequest) -> TransferAnswer? = { _ in nil }
  ) {
    (self.service, self.override) = (service, override)
  }

  var requests: [TransferRequest] { state.withLock { $0.requests } }

  func store() throws -> any RemoteStore {
    let stores = RemoteStores(
      environment: service.environment, client: RetryingClient(transport: self, wait: { _ in }),
      now: { Date(timeIntervalSince1970: 1_369_353_600) })
    return try stores.store(of: RemoteURL(parsing: service.url))
  }

  func answer(
    to request: TransferRequest, progress: (Int) -> Void
  ) throws(RemoteError) -> TransferAnswer {
    state.withLock { $0.requests.append(request) }
    if let answer = override(request) { return answer }
    guard request.fields["Authorization"]?.hasPrefix(service.authorization) == true,
      let url = URLComponents(string: request.url)
    else { return TransferAnswer(status: 401) }
    let query = Dictionary(
      (url.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    return state.withLock { state in
      guard let key = key(url, query) else { return list(query, state) }
      if request.method == (service == .google ? "GET" : "HEAD"), query["alt"] == nil {
        return size(of: key, state)
      }
      if request.method == "GET" { return get(key, request, &state) }
      let isUpload = request.method == (service == .google ? "POST" : "PUT")
      return isUpload ? put(key, request, query, &state) : TransferAnswer(status: 405)
    }
  }

  private func size(of key: String, _ state: State) -> TransferAnswer {
    guard let count = state.contents[key]?.data.count else { return TransferAnswer(status: 404) }
    return service == .google
      ? TransferAnswer(status: 200, content: Data(#"{"size":"\#(count)"}"#.utf8))
      : TransferAnswer(status: 200, fields: ["content-length": "\(count)"])
  }

  /// Nil for a list.
  private func key(_ url: URLComponents, _ query: [String: String]) -> String? {
    switch service {
    case .google:
      if let name = query["name"], url.path == "/upload/storage/v1/b/stubs/o" { return name }
      let base = "/storage/v1/b/stubs/o/"
      // A slash of a name is encoded there.
      let isOne = url.percentEncodedPath.filter { $0 == "/" }.count == 6
      return url.path.hasPrefix(base) && isOne ? String(url.path.dropFirst(base.count)) : nil
    case .googleWithKey, .azure, .http:
      let path = url.path.dropFirst("/stubs/".count)
      return path.isEmpty ? nil : String(path)
    }
  }

  private func list(_ query: [String: String], _ state: State) -> TransferAnswer {
    let prefix = query["prefix"] ?? ""
    let all = state.contents.keys.filter {
      $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/")
    }.sorted()
    // One key a page.
    let parameter = ["google": "pageToken", "azure": "marker"][service.rawValue]
    let token = query[parameter ?? "continuation-token"]
    let rest = all.filter { $0 > token ?? "" }
    let next = rest.count > 1 ? rest[0] : ""
    let text: String =
      switch service {
      case .google:
        #"{"kind":"storage#objects","items":[\#(rest.prefix(1).map { #"{"name":"\#($0)"}"# }.joined())]"#
          + (next.isEmpty ? "}" : #","nextPageToken":"\#(next)"}"#)
      case .azure:
        #"<EnumerationResults ContainerName="stubs"><Blobs><BlobPrefix><Name>team/objects/</Name></BlobPrefix>"#
          + rest.prefix(1).map { "<Blob><Name>\($0)</Name></Blob>" }.joined()
          + "</Blobs><NextMarker>\(next)</NextMarker></EnumerationResults>"
      case .googleWithKey, .http:
        "<ListBucketResult>" + rest.prefix(1).map { "<Key>\($0)</Key>" }.joined()
          + (next.isEmpty ? "" : "<NextContinuationToken>\(next)</NextContinuationToken>")
          + "</ListBucketResult>"
      }
    return TransferAnswer(status: 200, content: Data(text.utf8))
  }

  private func get(
    _ key: String, _ request: TransferRequest, _ state: inout State
  ) -> TransferAnswer {
    guard let (data, generation) = state.contents[key] else { return TransferAnswer(status: 404) }
    guard let file = request.outputFile else {
      guard data.count <= request.limit else {
        return TransferAnswer(failure: "too long", isPassing: false)
      }
      return TransferAnswer(status: 200, fields: version(generation), content: data)
    }
    let range = request.fields["Range"]
    let old = range == nil ? Data() : (try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data()
    guard range == nil || range == "bytes=\(old.count)-" else { return TransferAnswer(status: 400) }
    let isTorn = state.torn.insert(key).inserted
    let rest = data[old.count...].prefix(isTorn ? (data.count - old.count) / 2 : .max)
    try? (old + rest).write(to: URL(fileURLWithPath: file))
    if isTorn { return TransferAnswer(failure: "the connection was lost", isPassing: true) }
    return TransferAnswer(status: range == nil ? 200 : 206)
  }

  private func version(_ generation: Int) -> [String: String] {
    switch service {
    // Its entity tags guard no writes.
    case .google, .googleWithKey: ["etag": "\"x\"", "x-goog-generation": "\(generation)"]
    case .azure, .http: ["etag": "\"\(generation)\""]
    }
  }

  private func put(
    _ key: String, _ request: TransferRequest, _ query: [String: String], _ state: inout State
  ) -> TransferAnswer {
    if service == .azure, request.fields["x-ms-blob-type"] != "BlockBlob" {
      return TransferAnswer(status: 400)
    }
    let present = state.contents[key]?.generation
    let isMet: Bool
    switch service {
    case .google, .googleWithKey:
      let expected =
        query["ifGenerationMatch"] ?? request.fields["x-goog-if-generation-match"]
      isMet = expected.map { $0 == "\(present ?? 0)" } ?? true
    case .azure, .http:
      isMet =
        (request.fields["If-None-Match"] != "*" || present == nil)
        && (request.fields["If-Match"].map { $0 == present.map { "\"\($0)\"" } } ?? true)
    }
    guard isMet else {
      let isConflict = service == .azure && request.fields["If-None-Match"] == "*"
      return TransferAnswer(
        status: isConflict ? 409 : 412,
        fields: isConflict ? ["x-ms-error-code": "BlobAlreadyExists"] : [:])
    }
    let file = request.contentFile.map { URL(fileURLWithPath: $0) }
    let data = request.content ?? file.flatMap { try? Data(contentsOf: $0) } ?? Data()
    // A number that no answer before had.
    state.contents[key] = (data, state.requests.count + 1_700_000_000_000_000)
    return TransferAnswer(status: service == .google ? 200 : 201)
  }
}
