import Foundation
import Testing

@testable import StubDBRemote

struct ServiceSignatureTests {
  /// The key of the emulator, which is public.
  /// https://learn.microsoft.com/en-us/azure/storage/common/storage-configure-connection-string
  private static let emulatorKey =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
  private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  private static func request(
    _ method: String, _ fields: [String: String]
  ) -> TransferRequest {
    var request = TransferRequest(method: method, url: "https://account.test/", limit: 10)
    request.fields = fields
    return request
  }

  /// The example "Get Container Metadata" of the description, which publishes what is signed but no key.
  /// https://learn.microsoft.com/en-us/rest/api/storageservices/authorize-with-shared-key
  @Test func whatIsSignedForAzureIsThatOfTheDescription() {
    let request = Self.request(
      "GET", ["x-ms-date": "Fri, 26 Jun 2015 23:39:12 GMT", "x-ms-version": "2015-02-21"])
    let text = AzureSignature.signedText(
      request, account: "myaccount", path: "/mycontainer",
      query: [("restype", "container"), ("comp", "metadata"), ("timeout", "20")],
      contentLength: 0)
    #expect(
      text
        == "GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n/myaccount/mycontainer\ncomp:metadata\nrestype:container\ntimeout:20"
    )
  }

  /// The signatures were made with Microsoft's azure-storage-blob 12.31.1 for Python.
  @Test func signaturesForAzureAreThoseOfItsLibrary() throws {
    let key = try #require(Data(base64Encoded: Self.emulatorKey))
    let always = ["x-ms-date": "Fri, 26 Jun 2015 23:39:12 GMT", "x-ms-version": "2021-08-06"]
    let put = always.merging([
      "x-ms-blob-type": "BlockBlob", "Content-Type": "application/octet-stream",
      "If-Match": "\"0x8D4BCC2E4835CD0\"",
    ]) { $1 }
    let account = AzureSignature(account: "myaccount", key: key)
    #expect(
      account.authorization(
        of: Self.request("GET", always), path: "/stubs",
        query: [
          ("restype", "container"), ("comp", "list"), ("prefix", "team/"), ("delimiter", "/"),
        ], contentLength: 0) == "SharedKey myaccount:vLbfmj99KJXfr3Q708JZtMU6Uo6GWychqlO5FIKO6ic=")
    #expect(
      account.authorization(
        of: Self.request("PUT", put), path: "/stubs/team/shop.json", query: [], contentLength: 11)
        == "SharedKey myaccount:KbT22Hgrq9fV/linCeO3Yi6dp8C/FTrNtRyFoy+rhYY=")
    #expect(
      AzureSignature(account: "devstoreaccount1", key: key).authorization(
        of: Self.request("GET", always), path: "/devstoreaccount1/stubs/a%20b", query: [],
        contentLength: 0)
        == "SharedKey devstoreaccount1:TkuOqsl7BFtmzrZpnRXW7L5UxE+lMxk/Q00ferq1Foc=")
  }

  /// The signatures were made with `curl --aws-sigv4 goog:goog:auto:storage`, of version 7.88.1.
  @Test func signaturesForGoogleAreThoseOfCurl() {
    let fields = ["x-goog-content-sha256": Self.empty, "x-goog-date": "20130524T000000Z"]
    let put = fields.merging([
      "Content-Type": "application/octet-stream", "x-goog-if-generation-match": "0",
    ]) { $1 }
    let signature = AWSSignature(
      region: "auto", service: "storage",
      credentials: AWSCredentials(keyID: "GOOGEXAMPLE", secret: "secret"),
      timestamp: "20130524T000000Z", vendor: "goog")
    let values = [Self.request("GET", fields), Self.request("PUT", put)].map {
      signature.authorization(
        of: $0, path: "/stubs/team/shop.json", query: [], authority: "storage.googleapis.com",
        contentDigest: Self.empty)
    }
    #expect(
      values == [
        "GOOG4-HMAC-SHA256 Credential=GOOGEXAMPLE/20130524/auto/storage/goog4_request, SignedHeaders=host;x-goog-content-sha256;x-goog-date, Signature=58287d1fd2209af9ed848b496666454e5d25c728eb4d9a0a07b3374c461b4f39",
        "GOOG4-HMAC-SHA256 Credential=GOOGEXAMPLE/20130524/auto/storage/goog4_request, SignedHeaders=content-type;host;x-goog-content-sha256;x-goog-date;x-goog-if-generation-match, Signature=8aec516d2368c95665612e8f55a4559d5830a5d5f417c3481d241a7dbe7eb964",
      ])
  }
}
