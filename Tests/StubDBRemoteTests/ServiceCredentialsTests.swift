import Foundation
import StubDBSupport
import Testing

@testable import StubDBRemote

struct ServiceCredentialsTests {
  private let folder = TemporaryFolder()

  /// The first request for a key, and what was asked before it; other services answer as told.
  private func requests(
    _ url: String, _ environment: [String: String], _ answers: [String: String] = [:]
  ) throws -> [TransferRequest] {
    let server = ServiceServer(.http) { request in
      let known = answers.first { request.url.hasPrefix($0.key) }
      return TransferAnswer(
        status: known == nil ? 404 : 200, content: Data((known?.value ?? "").utf8))
    }
    let stores = RemoteStores(
      environment: ["HOME": folder.url.path].merging(environment) { $1 },
      client: RetryingClient(transport: server, wait: { _ in }))
    _ = try stores.store(of: RemoteURL(parsing: url)).read("shop.json", limit: 100)
    return server.requests
  }

  private func failure(_ url: String, _ environment: [String: String]) -> RemoteError? {
    #expect(throws: RemoteError.self) { try requests(url, environment) }
  }

  private func write(_ text: String, _ path: String) throws -> String {
    let file = folder.url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  @Test func aFileOfGcloudIsExchangedForAToken() throws {
    let file =
      #"{"type":"authorized_user","client_id":"c","client_secret":"s+/","refresh_token":"r"}"#
    let token = ["https://oauth2.googleapis.com/token": #"{"access_token":"fresh"}"#]
    let path = try write(file, "adc.json")
    let chosen = try requests("gs://stubs/shop", ["GOOGLE_APPLICATION_CREDENTIALS": path], token)
    #expect(chosen.map(\.method) == ["POST", "GET"])
    #expect(
      chosen[0].content
        == Data("client_id=c&client_secret=s%2B%2F&grant_type=refresh_token&refresh_token=r".utf8))
    #expect(chosen[1].fields["Authorization"] == "Bearer fresh")
    _ = try write(file, ".config/gcloud/application_default_credentials.json")
    #expect(try requests("gs://stubs/shop", [:], token).count == 2)
  }

  @Test func aKeyOfAServiceAccountSaysTheWayOut() throws {
    let path = try write(
      #"{"type":"service_account","private_key":"s3cret","client_email":"x"}"#, "key.json")
    let error = failure("gs://stubs/shop", ["GOOGLE_APPLICATION_CREDENTIALS": path])
    #expect(error?.message.contains("needs a signature (RS256)") == true)
    #expect(error?.hints.first?.contains("$(gcloud auth print-access-token)") == true)
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test func aMachineOfGoogleHasAToken() throws {
    let sent = try requests(
      "gs://stubs/shop", ["GCE_METADATA_HOST": "metadata.test"],
      ["http://metadata.test/computeMetadata/v1/": #"{"access_token":"m"}"#])
    #expect(sent[0].fields == ["Metadata-Flavor": "Google"])
    #expect(sent[1].fields["Authorization"] == "Bearer m")
    let error = failure("gs://stubs/shop", [:])
    #expect(error?.message == "there are no credentials for Google Cloud Storage")
  }

  @Test func anEmulatorGetsNoToken() throws {
    let sent = try requests(
      "gs://stubs/shop",
      ["STORAGE_EMULATOR_HOST": "localhost:9023", "GOOGLE_OAUTH_ACCESS_TOKEN": "t"])
    #expect(sent.map(\.url) == ["http://localhost:9023/storage/v1/b/stubs/o/shop.json?alt=media"])
    #expect(sent[0].fields["Authorization"] == nil)
  }

  @Test func credentialsOfAzureAreFoundInOrder() throws {
    let url = "az://account1/stubs/shop"
    let connection =
      "DefaultEndpointsProtocol=https;AccountName=account1;AccountKey=c2VjcmV0;EndpointSuffix=core.test"
    let byConnection = try requests(url, ["AZURE_STORAGE_CONNECTION_STRING": connection])
    #expect(byConnection[0].url == "https://account1.blob.core.test/stubs/shop.json")
    #expect(byConnection[0].fields["Authorization"]?.hasPrefix("SharedKey account1:") == true)
    let bySignature = try requests(
      url, ["AZURE_STORAGE_SAS_TOKEN": "?sv=2021-08-06&sig=a%2Bb"])
    #expect(
      bySignature[0].url
        == "https://account1.blob.core.windows.net/stubs/shop.json?sv=2021-08-06&sig=a%2Bb")
    let emulator = try requests(
      "az://devstoreaccount1/stubs/shop",
      ["AZURE_STORAGE_CONNECTION_STRING": "UseDevelopmentStorage=true"])
    #expect(emulator[0].url == "http://127.0.0.1:10000/devstoreaccount1/stubs/shop.json")
    let assertion = try write("jwt\n", "token")
    let federated = try requests(
      url,
      [
        "AZURE_TENANT_ID": "t", "AZURE_CLIENT_ID": "c", "AZURE_FEDERATED_TOKEN_FILE": assertion,
      ], ["https://login.microsoftonline.com/t/oauth2/v2.0/token": #"{"access_token":"f"}"#])
    #expect(
      String(decoding: federated[0].content ?? Data(), as: UTF8.self)
        .hasPrefix("client_assertion=jwt&client_assertion_type=urn%3Aietf"))
    #expect(federated[1].fields["Authorization"] == "Bearer f")
    let machine = try requests(
      url, [:],
      ["http://169.254.169.254/metadata/identity/oauth2/token?": #"{"access_token":"m"}"#])
    #expect(machine[0].fields == ["Metadata": "true"])
    #expect(machine[1].fields["Authorization"] == "Bearer m")
  }

  @Test func aKeyForAnotherAccountIsNotUsed() throws {
    let error = failure(
      "az://account1/stubs/shop",
      ["AZURE_STORAGE_ACCOUNT": "account2", "AZURE_STORAGE_KEY": "c2VjcmV0"])
    #expect(error?.hints.first == "The environment has credentials for account2, not for account1.")
  }

  @Test func credentialsOfAServerAreBoundToItsHost() throws {
    _ = try write(
      """
      # comment
      machine other.test login o password p
      macdef init
      machine stubs.test login no password no

      machine Stubs.test
        login ada
        password s3cret default login any password any
      """, ".netrc")
    let ours = try requests("https://stubs.test/team/shop", [:])
    #expect(ours[0].fields["Authorization"] == "Basic YWRhOnMzY3JldA==")
    #expect(try requests("https://third.test/shop", [:])[0].fields["Authorization"] == nil)
    let headers = ["STUBDB_HTTP_HEADERS": "stubs.test:8443 X-Token: a: b\nother.test X-Token: c"]
    #expect(try requests("https://stubs.test:8443/shop", headers)[0].fields["X-Token"] == "a: b")
    #expect(try requests("https://stubs.test/shop", headers)[0].fields["X-Token"] == nil)
    let error = failure(
      "https://stubs.test/shop", ["STUBDB_HTTP_HEADERS": "Authorization: Bearer s3cret"])
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test func withoutTLSOnlyThisMachineIsAsked() throws {
    for place in ["localhost:8080", "127.0.0.1", "[::1]:80", "stubs.localhost"] {
      #expect(try requests("http://\(place)/shop", [:]).count == 1)
    }
    for place in ["stubs.lan", "127.0.0.1.test", "10.0.0.1", "localhost.test"] {
      let error = failure("http://\(place)/shop", [:])
      #expect(error?.hints.first?.hasSuffix("export STUBDB_PLAIN_HTTP=\(place)") == true)
    }
    let allowed = try requests(
      "http://stubs.lan:8080/shop",
      [
        "STUBDB_PLAIN_HTTP": "other.lan,stubs.lan",
        "STUBDB_HTTP_HEADERS": "stubs.lan Authorization: Bearer s3cret",
      ])
    #expect(allowed[0].fields["Authorization"] == nil)
  }

  @Test func urlsOfServicesAreRead() throws {
    let azure = try RemoteURL(parsing: "az://account1/stubs/team/shop")
    #expect([azure.bucket, azure.prefix, azure.name] == ["account1", "stubs/team/", "shop"])
    let server = try RemoteURL(parsing: "https://stubs.test:8443/a%20b/shop")
    #expect([server.bucket, server.prefix, server.name] == ["stubs.test:8443", "a%20b/", "shop"])
    #expect(
      try requests("https://stubs.test/a%20b/shop", [:])[0].url
        == "https://stubs.test/a%20b/shop.json")
    for wrong in [
      "az://account1/shop", "az://evil.test#/stubs/shop", "gs://a b/shop", "https:///shop",
      "https://u:p@stubs.test/shop", "https://stubs.test/shop?sig=s3cret", "gs://stubs/shop?x=y",
      "https://stubs.test#x/shop", "s3://evil.test#/shop",
    ] {
      let error = #expect(throws: RemoteError.self, "\(wrong)") { try RemoteURL(parsing: wrong) }
      #expect(error?.code == .invalid)
      #expect(error?.message.contains("s3cret") == false)
    }
    #expect(throws: RemoteError.self) { try requests("az://evil.test/stubs/shop", [:]) }
  }
}
