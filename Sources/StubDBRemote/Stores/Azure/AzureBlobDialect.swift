internal import Foundation
internal import StubDBFiles
internal import StubDBSupport

/// The requests of Azure Blob Storage.
///
/// The first part of a key is the container.
struct AzureBlobDialect: StoreDialect {
  /// With a signature of the content's length and type.
  private static let apiVersion = "2021-08-06"

  let account: AzureAccount
  let credentials: AzureCredentials
  let clock: StoreClock

  var signingClock: StoreClock? { clock }

  var place: String { account.place }

  var impossibleVersion: StoreVersion { StoreVersion("\"0x8000000000000000\"") }

  func request(for call: StoreCall) -> TransferRequest {
    var path = call.key
    var query: [(String, String)] = []
    if case .list(let marker) = call.action {
      let parts = call.key.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      path = String(parts[0])
      query = [
        ("comp", "list"), ("delimiter", "/"), ("prefix", parts.dropFirst().joined()),
        ("restype", "container"),
      ]
      if let marker { query.append(("marker", marker)) }
    }
    path = account.basePath + "/" + URLText.path(path)
    var request = call.request(url: place + path, fields: call.conditionFields)
    request.fields["x-ms-version"] = Self.apiVersion
    request.fields["x-ms-date"] = DateTime(clock.date).text("EEE, dd MMM yyyy HH:mm:ss 'GMT'")
    if case .write = call.action { request.fields["x-ms-blob-type"] = "BlockBlob" }
    var text = URLText.query(query)
    switch credentials {
    case .key(let key):
      request.fields["Authorization"] = AzureSignature(account: account.name, key: key)
        .authorization(
          of: request, path: path, query: query, contentLength: call.contentLength)
    case .sharedAccess(let token): text += (text.isEmpty ? "" : "&") + token
    case .token(let token): request.fields["Authorization"] = "Bearer \(token)"
    }
    if !text.isEmpty { request.url += "?" + text }
    return request
  }

  func meaning(of answer: TransferAnswer) -> AnswerMeaning {
    switch (answer.status, errorCode(in: answer)) {
    case (200, _), (201, _), (204, _), (206, _): .done
    case (404, "ContainerNotFound"), (404, "ResourceNotFound"): .isFailure
    case (404, _): .isMissing
    // What is to be created is there.
    case (409, "BlobAlreadyExists"): .isRefused
    // Another client holds a lease, which ends when it is released.
    case (412, let code?) where code.hasPrefix("Lease"): .isFailure
    case (412, _): .isRefused
    default: .isFailure
    }
  }

  func errorCode(in answer: TransferAnswer) -> String? {
    if let code = answer.fields["x-ms-error-code"] { return String(code.prefix(100)) }
    let text = String(decoding: answer.content.prefix(4096), as: UTF8.self)
    return FlatXML.values(of: "Code", in: text).first.map { String($0.prefix(100)) }
  }

  func page(_ content: Data) -> KeyPage? {
    let text = String(decoding: content, as: UTF8.self)
    guard text.contains("<EnumerationResults"), let container = Self.container(of: text) else {
      return nil
    }
    // The folders that are in the page too end with a slash.
    let names = FlatXML.values(of: "Name", in: text).filter { !$0.hasSuffix("/") }
    return KeyPage(
      keys: names.map { "\(container)/\($0)" },
      next: FlatXML.values(of: "NextMarker", in: text).first { !$0.isEmpty })
  }

  private static func container(of text: String) -> Substring? {
    guard let start = text.range(of: "ContainerName=\"")?.upperBound,
      let end = text[start...].firstIndex(of: "\"")
    else { return nil }
    return text[start..<end].split(separator: "/").last
  }

  func hints(for answer: TransferAnswer) -> [String] {
    guard answer.status == 401 || answer.status == 403 else { return [] }
    return [
      errorCode(in: answer) == "AuthenticationFailed"
        ? "The key, the token or this machine's clock is wrong: a signature holds for fifteen minutes."
        : "The credentials that were found may not do this."
    ]
  }
}

extension StoreCall {
  /// The size of the content that is sent.
  fileprivate var contentLength: Int {
    switch action {
    case .write(.data(let data), _): return data.count
    case .write(.file(let file, _), _):
      return PathStatus(file.path, followingLinks: false)?.byteCount ?? 0
    default: return 0
    }
  }
}
