internal import Foundation

/// The requests of S3, and of servers that speak like it.
struct S3Dialect: StoreDialect {
  let address: S3Address
  let credentials: AWSCredentials
  let clock: StoreClock

  var signingClock: StoreClock? { clock }

  var place: String { "\(address.scheme)://\(address.authority)" }

  var impossibleVersion: StoreVersion { StoreVersion("\"00000000000000000000000000000000\"") }

  func request(for call: StoreCall) -> TransferRequest {
    let query = call.bucketQuery
    let path = address.path(query.isEmpty ? call.key : "")
    let text = query.isEmpty ? "" : "?" + URLText.query(query)
    var request = call.request(url: place + path + text, fields: call.conditionFields)
    request.fields["x-amz-content-sha256"] = call.contentDigest
    request.fields["x-amz-date"] = AWSSignature.timestamp(clock.date)
    request.fields["x-amz-security-token"] = credentials.sessionToken
    let signature = AWSSignature(
      region: address.region, service: "s3", credentials: credentials,
      timestamp: request.fields["x-amz-date"] ?? "")
    request.fields["Authorization"] = signature.authorization(
      of: request, path: path, query: query, authority: address.authority,
      contentDigest: call.contentDigest)
    return request
  }

  func meaning(of answer: TransferAnswer) -> AnswerMeaning {
    switch answer.status {
    case 200, 201, 204, 206: .done
    case 404: errorCode(in: answer) == "NoSuchBucket" ? .isFailure : .isMissing
    case 409: .isContended
    case 412: .isRefused
    default: .isFailure
    }
  }

  func page(_ content: Data) -> KeyPage? { KeyPage(listOfBucket: content) }

  func hints(for answer: TransferAnswer) -> [String] {
    var hints: [String] = []
    let code = errorCode(in: answer)
    if answer.status == 401 || answer.status == 403 {
      hints.append(
        code == "RequestTimeTooSkewed"
          ? "Set this machine's clock: a signature holds for fifteen minutes."
          : "The credentials that were found may not do this.")
    }
    if answer.status == 301 || code == "AuthorizationHeaderMalformed" {
      // What is typed into a shell next must not be what a server likes.
      let named = answer.fields["x-amz-bucket-region"] ?? ""
      let isPlain = named.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
      let region = named.isEmpty || !isPlain ? "REGION" : named
      hints.append("The bucket is in another region: export AWS_REGION=\(region)")
    }
    return hints
  }
}

extension KeyPage {
  /// A page of a bucket's keys, in the form of S3; nil for anything else.
  init?(listOfBucket content: Data) {
    let text = String(decoding: content, as: UTF8.self)
    guard text.contains("ListBucketResult") else { return nil }
    self.init(
      keys: FlatXML.values(of: "Key", in: text),
      next: FlatXML.values(of: "NextContinuationToken", in: text).first)
  }
}
