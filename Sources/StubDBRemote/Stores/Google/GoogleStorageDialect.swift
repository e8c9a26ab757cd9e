internal import Foundation
internal import StubDBJSON

/// The requests of Google Cloud Storage's JSON API, with a token.
///
/// Writes are guarded by generations: entity tags guard only reads there.
/// https://cloud.google.com/storage/docs/request-preconditions
struct GoogleStorageDialect: StoreDialect {
  static let publicPlace = "https://storage.googleapis.com"

  let place: String
  let bucket: String
  /// Nil for an emulator, which takes none.
  let token: String?

  var impossibleVersion: StoreVersion { StoreVersion("1") }

  private var bucketPath: String { "storage/v1/b/\(URLText.encoded(bucket))/o" }

  func request(for call: StoreCall) -> TransferRequest {
    var request = request(unsigned: call)
    if let token { request.fields["Authorization"] = "Bearer \(token)" }
    return request
  }

  private func request(unsigned call: StoreCall) -> TransferRequest {
    switch call.action {
    case .read:
      return call.request(url: "\(place)/\(bucketPath)/\(URLText.encoded(call.key))?alt=media")
    case .size:
      // The API has no HEAD: the metadata of an object is a separate resource.
      var request = call.request(
        url: "\(place)/\(bucketPath)/\(URLText.encoded(call.key))?fields=size")
      request.method = "GET"
      return request
    case .list(let token):
      var query = [
        ("prefix", call.key), ("delimiter", "/"), ("fields", "kind,nextPageToken,items(name)"),
      ]
      if let token { query.append(("pageToken", token)) }
      return call.request(url: "\(place)/\(bucketPath)?\(URLText.query(query))")
    case .write(_, let condition):
      var query = [("uploadType", "media"), ("name", call.key)]
      if let generation = condition.generation { query.append(("ifGenerationMatch", generation)) }
      var request = call.request(url: "\(place)/upload/\(bucketPath)?\(URLText.query(query))")
      request.method = "POST"
      return request
    }
  }

  func version(of answer: TransferAnswer) -> StoreVersion? {
    answer.fields["x-goog-generation"].map(StoreVersion.init)
  }

  func size(in answer: TransferAnswer) -> Int? {
    (try? JSONValue(parsing: answer.content))?.text("size").flatMap { Int($0) }
  }

  func meaning(of answer: TransferAnswer) -> AnswerMeaning {
    switch answer.status {
    case 200, 201, 204, 206: .done
    case 404: isAboutBucket(answer) ? .isFailure : .isMissing
    case 412: .isRefused
    default: .isFailure
    }
  }

  /// The code is the same for a bucket and an object that are missing; only the text differs.
  private func isAboutBucket(_ answer: TransferAnswer) -> Bool {
    String(decoding: answer.content.prefix(4096), as: UTF8.self)
      .range(of: "bucket does not exist", options: .caseInsensitive) != nil
  }

  func errorCode(in answer: TransferAnswer) -> String? {
    guard case .object(let members) = try? JSONValue(parsing: answer.content),
      case .object(let error) = members["error"], case .array(let errors) = error["errors"]
    else { return nil }
    return errors.first?.text("reason").map { String($0.prefix(100)) }
  }

  func page(_ content: Data) -> KeyPage? {
    guard let value = try? JSONValue(parsing: content), case .object(let members) = value,
      value.text("kind") == "storage#objects"
    else { return nil }
    guard case .array(let items) = members["items"] ?? [] else { return nil }
    return KeyPage(
      keys: items.compactMap { $0.text("name") }, next: value.text("nextPageToken"))
  }

  func hints(for answer: TransferAnswer) -> [String] { GoogleCredentials.hints(for: answer) }
}

/// The requests of Google Cloud Storage's XML API, signed with an HMAC key.
///
/// It takes the fields of S3 under its own names, and never both kinds in one request.
/// https://cloud.google.com/storage/docs/authentication/signatures
struct GoogleStorageXMLDialect: StoreDialect {
  let bucket: String
  let credentials: AWSCredentials
  let clock: StoreClock

  var signingClock: StoreClock? { clock }

  var place: String { GoogleStorageDialect.publicPlace }

  var impossibleVersion: StoreVersion { StoreVersion("1") }

  func request(for call: StoreCall) -> TransferRequest {
    let query = call.bucketQuery
    let path = URLText.path("/\(bucket)/\(query.isEmpty ? call.key : "")")
    let text = query.isEmpty ? "" : "?" + URLText.query(query)
    var request = call.request(url: place + path + text)
    if case .write(_, let condition) = call.action {
      request.fields["x-goog-if-generation-match"] = condition.generation
    }
    request.fields["x-goog-content-sha256"] = call.contentDigest
    request.fields["x-goog-date"] = AWSSignature.timestamp(clock.date)
    let signature = AWSSignature(
      region: "auto", service: "storage", credentials: credentials,
      timestamp: request.fields["x-goog-date"] ?? "", vendor: "goog")
    request.fields["Authorization"] = signature.authorization(
      of: request, path: path, query: query,
      authority: String(place.dropFirst("https://".count)), contentDigest: call.contentDigest)
    return request
  }

  func version(of answer: TransferAnswer) -> StoreVersion? {
    answer.fields["x-goog-generation"].map(StoreVersion.init)
  }

  func meaning(of answer: TransferAnswer) -> AnswerMeaning {
    switch answer.status {
    case 200, 201, 204, 206: .done
    case 404: errorCode(in: answer) == "NoSuchBucket" ? .isFailure : .isMissing
    case 412: .isRefused
    default: .isFailure
    }
  }

  func page(_ content: Data) -> KeyPage? { KeyPage(listOfBucket: content) }

  func hints(for answer: TransferAnswer) -> [String] { GoogleCredentials.hints(for: answer) }
}

extension WriteCondition {
  /// The generation that what is there must have; 0 means that nothing is there.
  fileprivate var generation: String? {
    switch self {
    case .isAbsent: "0"
    case .isVersion(let version): version.text
    case .none: nil
    }
  }
}
