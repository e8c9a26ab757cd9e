internal import Foundation
internal import StubDBSupport

/// What a request to a service of AWS, or to one that speaks like it, is signed with.
package struct AWSCredentials: Hashable, Sendable {
  package var keyID: String
  package var secret: String
  /// Of credentials that pass.
  package var sessionToken: String?

  package init(keyID: String, secret: String, sessionToken: String? = nil) {
    (self.keyID, self.secret, self.sessionToken) = (keyID, secret, sessionToken)
  }
}

/// The signature of a request, version 4.
///
/// https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
struct AWSSignature {
  var region: String
  var service: String
  var credentials: AWSCredentials
  /// The moment, as `20130524T000000Z`.
  var timestamp: String
  /// What the names of the algorithm begin with: `aws`, or `goog` for Google's.
  var vendor = "aws"

  /// The moment of a date in the form that a signature needs.
  static func timestamp(_ date: Date) -> String {
    DateTime(date).text("yyyyMMdd'T'HHmmss'Z'")
  }

  /// What a request is made of.
  struct Request {
    var method: String
    /// The path as it is sent.
    var path: String
    /// Names and values, not encoded yet.
    var query: [(String, String)]
    /// All fields that are signed, `host` among them.
    var fields: [String: String]
    /// The digest of the content, or `UNSIGNED-PAYLOAD`.
    var contentDigest: String
  }

  /// The value of the field `Authorization`.
  func authorization(of request: Request) -> String {
    let fields = canonicalFields(request)
    let names = fields.map(\.name).joined(separator: ";")
    let canonical = [
      request.method, request.path, URLText.query(request.query),
      fields.map { "\($0.name):\($0.value)\n" }.joined(), names, request.contentDigest,
    ].joined(separator: "\n")
    let text = [
      algorithm, timestamp, scope, SHA256Digest.hexadecimal(of: Data(canonical.utf8)),
    ].joined(separator: "\n")
    let signature = SHA256Digest.hmac(key: key, Data(text.utf8)).hexadecimal
    return "\(algorithm) Credential=\(credentials.keyID)/\(scope), SignedHeaders=\(names), "
      + "Signature=\(signature)"
  }

  private var day: String { String(timestamp.prefix(8)) }

  private var algorithm: String { "\(vendor.uppercased())4-HMAC-SHA256" }

  private var scope: String { "\(day)/\(region)/\(service)/\(vendor)4_request" }

  private var key: Data {
    [day, region, service, "\(vendor)4_request"].reduce(
      Data("\(vendor.uppercased())4\(credentials.secret)".utf8)
    ) {
      SHA256Digest.hmac(key: $0, Data($1.utf8))
    }
  }

  private func canonicalFields(_ request: Request) -> [(name: String, value: String)] {
    request.fields.map { name, value in
      let words = value.split(whereSeparator: { $0 == " " }).joined(separator: " ")
      return (name.lowercased(), words)
    }.sorted { $0.name < $1.name }
  }

  /// The value of the field `Authorization` of a request that is otherwise complete.
  func authorization(
    of request: TransferRequest, path: String, query: [(String, String)], authority: String,
    contentDigest: String
  ) -> String {
    var fields = request.fields
    // A client may change it on the way.
    fields["Range"] = nil
    fields["host"] = authority
    return authorization(
      of: Request(
        method: request.method, path: path, query: query, fields: fields,
        contentDigest: contentDigest))
  }
}
