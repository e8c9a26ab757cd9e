internal import Foundation
internal import StubDBJSON

/// What requests to Google Cloud Storage are sent with, found where Google's tools find it.
///
/// https://cloud.google.com/docs/authentication/application-default-credentials
enum GoogleCredentials {
  case token(String)
  /// A key of the XML API. https://cloud.google.com/storage/docs/authentication/hmackeys
  case key(AWSCredentials)

  private static let tokenHint =
    "export GOOGLE_OAUTH_ACCESS_TOKEN=$(gcloud auth print-access-token)"
  private static let keyHint =
    "Or use an HMAC key of the bucket's project: set GS_ACCESS_KEY_ID and GS_SECRET_ACCESS_KEY."

  static func hints(for answer: TransferAnswer) -> [String] {
    switch answer.status {
    case 401: ["The token may have expired: \(tokenHint)"]
    case 403: ["The credentials that were found may not do this."]
    default: []
    }
  }

  /// The dialect for a bucket: of an emulator, of the API for keys, or of the one for tokens.
  static func dialect(
    bucket: String, _ settings: EnvironmentSettings, client: RetryingClient,
    clock: StoreClock
  ) throws(RemoteError) -> any StoreDialect {
    if let emulator = settings["STORAGE_EMULATOR_HOST"] {
      let place = emulator.contains("://") ? emulator : "http://\(emulator)"
      return GoogleStorageDialect(
        place: place.hasSuffix("/") ? String(place.dropLast()) : place, bucket: bucket, token: nil)
    }
    switch try found(settings, client: client) {
    case .token(let token):
      return GoogleStorageDialect(
        place: GoogleStorageDialect.publicPlace, bucket: bucket, token: token)
    case .key(let key):
      return GoogleStorageXMLDialect(bucket: bucket, credentials: key, clock: clock)
    }
  }

  /// A token or key of the environment, a file of `gcloud auth application-default login`, or the machine's account.
  static func found(
    _ settings: EnvironmentSettings, client: RetryingClient
  ) throws(RemoteError) -> GoogleCredentials {
    if let token = settings["GOOGLE_OAUTH_ACCESS_TOKEN", "CLOUDSDK_AUTH_ACCESS_TOKEN"] {
      return .token(token)
    }
    if let token = try settings.file("CLOUDSDK_AUTH_ACCESS_TOKEN_FILE") { return .token(token) }
    if let keyID = settings["GS_ACCESS_KEY_ID"], let secret = settings["GS_SECRET_ACCESS_KEY"] {
      return .key(AWSCredentials(keyID: keyID, secret: secret))
    }
    let service = TokenService(client: client)
    if let text = try settings.file("GOOGLE_APPLICATION_CREDENTIALS") {
      return .token(try token(ofFile: text, "the file of GOOGLE_APPLICATION_CREDENTIALS", service))
    }
    let folder =
      settings["CLOUDSDK_CONFIG"] ?? settings["HOME"].map { $0 + "/.config/gcloud" } ?? ""
    let path = folder + "/application_default_credentials.json"
    if let text = try? String(contentsOfFile: path, encoding: .utf8) {
      return .token(try token(ofFile: text, path, service))
    }
    if let token = try tokenOfMachine(settings, service) { return .token(token) }
    throw RemoteError(
      .denied, "there are no credentials for Google Cloud Storage", hints: [tokenHint, keyHint])
  }

  /// The token for what a file of Google's tools holds.
  private static func token(
    ofFile text: String, _ name: String, _ service: TokenService
  ) throws(RemoteError) -> String {
    guard let file = try? JSONValue(parsing: Data(text.utf8)), let type = file.text("type") else {
      throw RemoteError(.denied, "\(name) is no file of credentials of Google's tools")
    }
    guard type == "authorized_user" else {
      let reason =
        type == "service_account"
        ? "needs a signature (RS256) that stubdb does not make" : "cannot be used by stubdb"
      throw RemoteError(
        .denied, "\(name) has credentials of the type \(type.prefix(40)), which \(reason)",
        hints: ["Let gcloud make a token of it: \(tokenHint)", keyHint])
    }
    guard let client = file.text("client_id"), let secret = file.text("client_secret"),
      let refresh = file.text("refresh_token")
    else { throw RemoteError(.denied, "\(name) lacks client_id, client_secret or refresh_token") }
    return try service.token(
      from: "https://oauth2.googleapis.com/token",
      for: [
        ("client_id", client), ("client_secret", secret), ("grant_type", "refresh_token"),
        ("refresh_token", refresh),
      ])
  }

  /// The token of the account that a machine of Google's runs as.
  ///
  /// https://cloud.google.com/compute/docs/metadata/querying-metadata
  private static func tokenOfMachine(
    _ settings: EnvironmentSettings, _ service: TokenService
  ) throws(RemoteError) -> String? {
    guard settings["NO_GCE_CHECK"]?.lowercased() != "true" else { return nil }
    let host = settings["GCE_METADATA_HOST"] ?? "169.254.169.254"
    let url = "http://\(host)/computeMetadata/v1/instance/service-accounts/default/token"
    return try service.localAnswer(url, ["Metadata-Flavor": "Google"])?.text("access_token")
  }
}
