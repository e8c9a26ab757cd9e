import Foundation
import StubDBSecrets

/// What a recording takes out besides the findings of a scan.
enum RecordingSecrets {
  /// The file of rules that a recording reads, in the form of those for `stubdb redact --rules`.
  static let fileName = ".stubdb-redact.json"

  /// Header fields whose values are credentials.
  private static let headers = [
    "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "Api-Key",
    "X-Auth-Token", "X-Access-Token", "X-CSRF-Token", "X-XSRF-Token", "X-Amz-Security-Token",
  ]

  /// Query parameters whose values are credentials or signatures.
  private static let query = [
    "access_token", "api_key", "apikey", "auth", "token", "key", "sig", "signature", "code",
    "state", "code_challenge", "code_verifier", "oauth_token", "oauth_signature", "oauth_nonce",
    "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "X-Goog-Signature",
    "X-Goog-Credential", "AWSAccessKeyId", "client_secret", "password",
  ]

  /// Parts of the names of environment variables that hold secrets.
  private static let variables = ["TOKEN", "SECRET", "KEY", "PASSWORD", "PASSWD", "CREDENTIAL"]

  /// Shorter values of variables may occur anywhere by chance.
  private static let shortestValue = 8

  /// The rules: those of every recording, and those of the file beside the catalog, if there is one.
  ///
  /// - Throws: `RedactionRules.Problem`, or an error of reading the file.
  static func rules(besideCatalog path: String) throws -> [RedactionRule] {
    let common =
      headers.map(RedactionRule.header) + query.map(RedactionRule.query)
    let file = URL(fileURLWithPath: path).deletingLastPathComponent()
      .appendingPathComponent(fileName)
    guard FileManager.default.fileExists(atPath: file.path) else { return common }
    return common
      + (try RedactionRules(parsing: Data(contentsOf: file), file: file.path).rules)
  }

  /// The values of variables that look like secrets by their names, which no rule needs to know.
  static func values(in environment: [String: String]) -> [String] {
    environment.filter { name, value in
      value.utf8.count >= shortestValue && !value.hasPrefix("/")
        && variables.contains { name.uppercased().contains($0) }
    }.sorted { $0.key < $1.key }.map(\.value)
  }
}
