package import Foundation

/// A bucket of S3, or of a server that speaks like it.
package struct S3Store: RemoteStore {
  private let url: RemoteURL
  private let address: S3Address
  private let client: RetryingClient
  /// Nil to send requests without a signature.
  private let credentials: AWSCredentials?
  private let now: @Sendable () -> Date

  init(
    url: RemoteURL, address: S3Address, credentials: AWSCredentials?, client: RetryingClient,
    now: @escaping @Sendable () -> Date
  ) {
    self.url = url
    self.address = address
    self.credentials = credentials
    self.client = client
    self.now = now
  }

  package func impossibleVersion() -> StoreVersion {
    StoreVersion("\"00000000000000000000000000000000\"")
  }

  package func read(_ key: String, limit: Int) throws(RemoteError) -> StoredContent? {
    let answer = try send("GET", key, limit: limit)
    switch answer.status {
    case 200:
      return StoredContent(
        data: answer.content, version: answer.fields["etag"].map(StoreVersion.init))
    case 404 where !answer.isAboutBucket: return nil
    default: throw failure("read", key, answer)
    }
  }

  package func download(
    _ key: String, to file: URL, progress: @escaping (Int) -> Void
  ) throws(RemoteError) -> Bool {
    while true {
      let start = Self.size(of: file)
      let answer = try send("GET", key, limit: 1 << 16, outputFile: file, progress: progress)
      switch answer.status {
      case 200, 206: return true
      case 404 where !answer.isAboutBucket: return false
      // The file has all of it, or something else; its digest tells.
      case 416 where start > 0: return true
      default: throw failure("read", key, answer)
      }
    }
  }

  package func write(
    _ source: StoredSource, to key: String, if condition: WriteCondition
  ) throws(RemoteError) -> WriteOutcome {
    var fields = ["Content-Type": "application/octet-stream"]
    switch condition {
    case .isAbsent: fields["If-None-Match"] = "*"
    case .isVersion(let version): fields["If-Match"] = version.text
    case .none: break
    }
    for _ in 0..<5 {
      let answer = try send("PUT", key, limit: 1 << 16, fields: fields, content: source)
      switch answer.status {
      case 200, 201, 204: return .written
      case 412: return .refused
      // Another write of the key is under way, and may still fail.
      case 409: client.wait(client.random(0.5))
      // What is to be replaced is not there.
      case 404 where !answer.isAboutBucket: return .refused
      default: throw failure("write", key, answer)
      }
    }
    return .refused
  }

  package func keys(prefix: String) throws(RemoteError) -> [String] {
    var keys: [String] = []
    var token: String?
    repeat {
      var query = [("list-type", "2"), ("prefix", url.prefix + prefix), ("delimiter", "/")]
      if let token { query.append(("continuation-token", token)) }
      let answer = try send("GET", nil, query: query, limit: 4 << 20)
      guard answer.status == 200 else { throw failure("list", prefix, answer) }
      let page = try S3Listing(answer.content, at: url.description)
      keys += page.keys.map { String($0.dropFirst(url.prefix.count)) }
      token = page.next
    } while token != nil
    return keys.sorted()
  }
}

extension S3Store {
  /// Sends a signed request for a key, or for the bucket.
  private func send(
    _ method: String, _ key: String?, query: [(String, String)] = [], limit: Int,
    fields: [String: String] = [:], content: StoredSource? = nil, outputFile: URL? = nil,
    progress: (Int) -> Void = { _ in }
  ) throws(RemoteError) -> TransferAnswer {
    let path = address.path(key.map { url.prefix + $0 } ?? "")
    let text = AWSSignature.queryText(query)
    let target =
      "\(address.scheme)://\(address.authority)\(path)" + (text.isEmpty ? "" : "?\(text)")
    return try client.answer(at: "\(address.scheme)://\(address.authority)", progress: progress) {
      () throws(RemoteError) in
      var request = TransferRequest(method: method, url: target, limit: limit)
      request.fields = fields
      request.outputFile = outputFile?.path
      let start = outputFile.map(Self.size) ?? 0
      if start > 0 { request.fields["Range"] = "bytes=\(start)-" }
      switch content {
      case .data(let data): request.content = data
      case .file(let file, _): request.contentFile = file.path
      case nil: break
      }
      let signed = AWSSignature.Request(
        method: method, path: path, query: query, fields: request.fields,
        contentDigest: Self.digest(of: content))
      sign(&request, signed)
      return request
    }
  }

  private func sign(_ request: inout TransferRequest, _ signed: AWSSignature.Request) {
    guard let credentials else { return }
    let timestamp = AWSSignature.timestamp(now())
    request.fields["x-amz-content-sha256"] = signed.contentDigest
    request.fields["x-amz-date"] = timestamp
    request.fields["x-amz-security-token"] = credentials.sessionToken
    var signed = signed
    signed.fields = request.fields
    // A client may change it on the way.
    signed.fields["Range"] = nil
    signed.fields["host"] = address.authority
    let signature = AWSSignature(
      region: address.region, service: "s3", credentials: credentials, timestamp: timestamp)
    request.fields["Authorization"] = signature.authorization(of: signed)
  }

  private static func digest(of content: StoredSource?) -> String {
    switch content {
    case .data(let data): SHA256Bytes.hexadecimal(of: data)
    case .file(_, let digest): digest.hexadecimal
    case nil: SHA256Bytes.hexadecimal(of: Data())
    }
  }

  private static func size(of file: URL) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  private func failure(_ verb: String, _ key: String, _ answer: TransferAnswer) -> RemoteError {
    let status = answer.status ?? 0
    let reason = answer.errorCode.map { " (\($0))" } ?? ""
    let code: RemoteError.Code =
      switch status {
      case 401, 403: .denied
      case 404: .missing
      default: .unsupported
      }
    var hints: [String] = []
    if code == .denied {
      hints.append(
        answer.errorCode == "RequestTimeTooSkewed"
          ? "Set this machine's clock: a signature holds for fifteen minutes."
          : credentials == nil
            ? AWSCredentials.hint
            : "The credentials that were found may not do this."
      )
    }
    if status == 301 || answer.errorCode == "AuthorizationHeaderMalformed" {
      let region = answer.fields["x-amz-bucket-region"] ?? "REGION"
      hints.append("The bucket is in another region: export AWS_REGION=\(region)")
    }
    return RemoteError(
      code,
      "cannot \(verb) \(key) at \(url): the store answered with the status \(status)\(reason)",
      hints: hints)
  }
}

/// A page of the keys of a bucket.
struct S3Listing {
  let keys: [String]
  /// What the next page is asked for with; nil for the last one.
  let next: String?

  init(_ content: Data, at place: String) throws(RemoteError) {
    let text = String(decoding: content, as: UTF8.self)
    guard text.contains("ListBucketResult") else {
      throw RemoteError(.unsupported, "what \(place) answered is no list of objects")
    }
    keys = S3Text.values(of: "Key", in: text)
    next = S3Text.values(of: "NextContinuationToken", in: text).first
  }
}

/// The flat elements of S3's answers.
enum S3Text {
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

extension TransferAnswer {
  /// The code in an error of S3, such as `NoSuchKey`.
  fileprivate var errorCode: String? {
    S3Text.values(of: "Code", in: String(decoding: content.prefix(4096), as: UTF8.self)).first
  }

  /// Whether it is the bucket that is missing.
  fileprivate var isAboutBucket: Bool { errorCode == "NoSuchBucket" }
}
