internal import Foundation

/// What requests to Azure Blob Storage are sent with, found where Azure's tools find it.
enum AzureCredentials: Sendable {
  /// The key of the account.
  case key(Data)
  /// A shared access signature, which is the end of a query.
  case sharedAccess(String)
  case token(String)

  private static let hint =
    "Set AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_STORAGE_CONNECTION_STRING."
  private static let scope = "https://storage.azure.com/.default"

  static func dialect(
    account name: String, _ settings: EnvironmentSettings, client: RetryingClient,
    clock: StoreClock
  ) throws(RemoteError) -> AzureBlobDialect {
    let connection = settings["AZURE_STORAGE_CONNECTION_STRING"].map(AzureConnection.init(parsing:))
    return AzureBlobDialect(
      account: try AzureAccount(name, connection: connection),
      credentials: try found(
        account: name, settings, connection, service: TokenService(client: client)),
      clock: clock)
  }

  /// A key or signature of the environment, else a token for the application or the machine.
  ///
  /// A key that is for another account is never used, and a signature never sent.
  private static func found(
    account: String, _ settings: EnvironmentSettings, _ connection: AzureConnection?,
    service: TokenService
  ) throws(RemoteError) -> AzureCredentials {
    if let connection, connection.account == nil || connection.account == account {
      if let text = connection.key {
        return .key(try key(text, "the AccountKey of AZURE_STORAGE_CONNECTION_STRING"))
      }
      if let token = connection.sharedAccess { return .sharedAccess(signature(token)) }
    }
    let named = settings["AZURE_STORAGE_ACCOUNT"]
    if named == nil || named == account {
      if let text = settings["AZURE_STORAGE_KEY"] {
        return .key(try key(text, "AZURE_STORAGE_KEY"))
      }
      if let token = settings["AZURE_STORAGE_SAS_TOKEN"] { return .sharedAccess(signature(token)) }
    }
    if let token = try tokenOfApplication(settings, service) { return .token(token) }
    if let token = try tokenOfMachine(settings, service) { return .token(token) }
    var hints = [hint]
    if let other = connection?.account ?? named, other != account {
      hints.insert("The environment has credentials for \(other), not for \(account).", at: 0)
    }
    throw RemoteError(
      .denied, "there are no credentials for the storage account \(account)", hints: hints)
  }

  private static func key(_ text: String, _ name: String) throws(RemoteError) -> Data {
    if let key = Data(base64Encoded: text), !key.isEmpty { return key }
    throw RemoteError(.invalid, "\(name) is not the base64 text of a key")
  }

  private static func signature(_ text: String) -> String {
    text.hasPrefix("?") ? String(text.dropFirst()) : text
  }

  /// The token of an application with a secret, or with a token of the cluster or job that it runs in.
  ///
  /// https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow
  private static func tokenOfApplication(
    _ settings: EnvironmentSettings, _ service: TokenService
  ) throws(RemoteError) -> String? {
    guard let tenant = settings["AZURE_TENANT_ID"], let client = settings["AZURE_CLIENT_ID"] else {
      return nil
    }
    var form = [
      ("client_id", client), ("grant_type", "client_credentials"), ("scope", scope),
    ]
    if let secret = settings["AZURE_CLIENT_SECRET"] {
      form.append(("client_secret", secret))
    } else if let assertion = try settings.file("AZURE_FEDERATED_TOKEN_FILE") {
      form.append(("client_assertion", assertion))
      form.append(
        ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"))
    } else {
      return nil
    }
    let host = settings["AZURE_AUTHORITY_HOST"] ?? "https://login.microsoftonline.com/"
    let base = host.hasSuffix("/") ? host : host + "/"
    return try service.token(
      from: "\(base)\(URLText.encoded(tenant))/oauth2/v2.0/token", for: form)
  }

  /// The token of the identity that a machine or an app service runs as.
  ///
  /// https://learn.microsoft.com/en-us/entra/identity/managed-identities-azure-resources/how-to-use-vm-token
  private static func tokenOfMachine(
    _ settings: EnvironmentSettings, _ service: TokenService
  ) throws(RemoteError) -> String? {
    var query = [("resource", "https://storage.azure.com/")]
    if let client = settings["AZURE_CLIENT_ID"] { query.append(("client_id", client)) }
    if let endpoint = settings["IDENTITY_ENDPOINT"], let secret = settings["IDENTITY_HEADER"] {
      query.append(("api-version", "2019-08-01"))
      return try service.localAnswer(
        "\(endpoint)?\(URLText.query(query))", ["X-IDENTITY-HEADER": secret]
      )?.text("access_token")
    }
    query.append(("api-version", "2018-02-01"))
    return try service.localAnswer(
      "http://169.254.169.254/metadata/identity/oauth2/token?\(URLText.query(query))",
      ["Metadata": "true"]
    )?.text("access_token")
  }
}
