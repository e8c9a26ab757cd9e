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
      request.method, request.path, Self.queryText(request.query),
      fields.map { "\($0.name):\($0.value)\n" }.joined(), names, request.contentDigest,
    ].joined(separator: "\n")
    let text = [
      "AWS4-HMAC-SHA256", timestamp, scope, SHA256Bytes.hexadecimal(of: Data(canonical.utf8)),
    ].joined(separator: "\n")
    let signature = SHA256Bytes.hexadecimal(SHA256Bytes.hmac(key: key, Data(text.utf8)))
    return "AWS4-HMAC-SHA256 Credential=\(credentials.keyID)/\(scope), SignedHeaders=\(names), "
      + "Signature=\(signature)"
  }

  private var day: String { String(timestamp.prefix(8)) }

  private var scope: String { "\(day)/\(region)/\(service)/aws4_request" }

  private var key: [UInt8] {
    [day, region, service, "aws4_request"].reduce(Array("AWS4\(credentials.secret)".utf8)) {
      SHA256Bytes.hmac(key: $0, Data($1.utf8))
    }
  }

  private func canonicalFields(_ request: Request) -> [(name: String, value: String)] {
    request.fields.map { name, value in
      let words = value.split(whereSeparator: { $0 == " " }).joined(separator: " ")
      return (name.lowercased(), words)
    }.sorted { $0.name < $1.name }
  }

  /// The query as it is signed and sent: sorted and encoded.
  static func queryText(_ query: [(String, String)]) -> String {
    query.map { (encoded($0, keeping: ""), encoded($1, keeping: "")) }
      .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
  }

  /// A path as it is signed and sent: each byte that is not unreserved is encoded, once.
  static func pathText(_ path: String) -> String { encoded(path, keeping: "/") }

  private static func encoded(_ text: String, keeping kept: String) -> String {
    let plain = Set(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~\(kept)".utf8)
    return text.utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte))
        : "%" + SHA256Bytes.hexadecimal([byte]).uppercased()
    }.joined()
  }
}
