internal import Foundation
internal import StubDBSupport

/// The signature of a request to Azure Blob Storage with the key of an account.
///
/// https://learn.microsoft.com/en-us/rest/api/storageservices/authorize-with-shared-key
struct AzureSignature {
  let account: String
  let key: Data

  /// The value of the field `Authorization`.
  ///
  /// `path` is that of the URL, as it is sent, and `query` has names and values that are not encoded.
  func authorization(
    of request: TransferRequest, path: String, query: [(String, String)], contentLength: Int
  ) -> String {
    let text = Self.signedText(
      request, account: account, path: path, query: query, contentLength: contentLength)
    let signature = SHA256Digest.hmac(key: key, Data(text.utf8))
    return "SharedKey \(account):\(signature.base64EncodedString())"
  }

  /// What is signed.
  static func signedText(
    _ request: TransferRequest, account: String, path: String, query: [(String, String)],
    contentLength: Int
  ) -> String {
    var fields: [String: String] = [:]
    for (name, value) in request.fields { fields[name.lowercased()] = value }
    // Since the version 2015-02-21 an empty content has no length here.
    fields["content-length"] = contentLength == 0 ? nil : "\(contentLength)"
    let standard = [
      "content-encoding", "content-language", "content-length", "content-md5", "content-type",
      "date", "if-modified-since", "if-match", "if-none-match", "if-unmodified-since", "range",
    ]
    let own = fields.filter { $0.key.hasPrefix("x-ms-") }.sorted { $0.key < $1.key }
    let parameters = query.sorted { $0.0 < $1.0 }.map { "\n\($0.lowercased()):\($1)" }.joined()
    return ([request.method] + standard.map { fields[$0] ?? "" }).joined(separator: "\n") + "\n"
      + own.map { "\($0.key):\($0.value)\n" }.joined() + "/\(account)\(path)\(parameters)"
  }
}
