import Foundation
import StubDBSupport
import Testing

@testable import StubDBRemote

/// Stores of Google, of Azure and of plain HTTP servers.
struct ServiceStoreTests {
  private static let folder = TemporaryFolder()

  @Test(arguments: ServiceServer.Service.allCases)
  func conditionsOfWritesAreHonoured(service: ServiceServer.Service) throws {
    let store = try ServiceServer(service).store()
    #expect(try store.read("shop.json", limit: 10) == nil)
    #expect(try store.write(.data(Data("one".utf8)), to: "shop.json", if: .isAbsent) == .written)
    #expect(try store.write(.data(Data("two".utf8)), to: "shop.json", if: .isAbsent) == .refused)
    #expect(try store.size(of: "shop.json") == .bytes(3))
    #expect(try store.size(of: "none.json") == .missing)
    let version = try #require(try store.read("shop.json", limit: 10)?.version)
    let two = StoredSource.data(Data("two".utf8))
    #expect(try store.write(two, to: "shop.json", if: .isVersion(version)) == .written)
    #expect(try store.write(two, to: "shop.json", if: .isVersion(version)) == .refused)
    #expect(try store.write(two, to: "none.json", if: .isVersion(version)) == .refused)
    #expect(try store.read("shop.json", limit: 10)?.data == Data("two".utf8))
    let impossible = try store.impossibleVersion()
    for condition in [WriteCondition.isAbsent, .isVersion(impossible)] {
      #expect(
        try store.keepProbing(
          Data("a commit".utf8), at: "objects/a.json", probing: condition))
    }
    #expect(throws: RemoteError.self) { try store.read("shop.json", limit: 2) }
  }

  @Test(arguments: ServiceServer.Service.allCases)
  func allPagesOfNamesAreRead(service: ServiceServer.Service) throws {
    let store = try ServiceServer(service).store()
    for name in ["b.json", "a.json", "objects/sha256/aa/bb.json", "c.txt", "d.json"] {
      _ = try store.write(.data(Data(name.utf8)), to: name, if: .isAbsent)
    }
    if service == .http {
      let error = #expect(throws: RemoteError.self) { try store.catalogNames() }
      #expect(error?.code == .unsupported)
      #expect(error?.message.hasSuffix("a plain HTTP server has no list") == true)
    } else {
      #expect(try store.catalogNames() == ["a", "b", "d"])
    }
  }

  @Test(arguments: ServiceServer.Service.allCases)
  func aTornDownloadGoesOnWhereItStopped(service: ServiceServer.Service) throws {
    let server = ServiceServer(service)
    let store = try server.store()
    let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let source = Self.folder.url.appendingPathComponent(UUID().uuidString)
    try content.write(to: source)
    let digest = ObjectDigest(of: content)
    _ = try store.write(.file(source, digest), to: "objects/a", if: .isAbsent)
    let file = Self.folder.url.appendingPathComponent(UUID().uuidString)
    #expect(try store.download("objects/a", to: file, limit: 100_000) { _ in })
    #expect(try Data(contentsOf: file) == content)
    #expect(server.requests.last?.fields["Range"] == "bytes=50000-")
    #expect(try !store.download("objects/none", to: file, limit: 100_000) { _ in })
  }

  @Test(arguments: ServiceServer.Service.allCases)
  func credentialsAreInNoMessageAndNoURL(service: ServiceServer.Service) throws {
    let server = ServiceServer(service) { _ in TransferAnswer(status: 403) }
    let store = try server.store()
    let error = #expect(throws: RemoteError.self) { try store.read("shop.json", limit: 10) }
    #expect(error?.code == .denied)
    for secret in ["token", "secret", "c2VjcmV0"] {
      #expect(error?.description.contains(secret) == false)
      #expect(server.requests.allSatisfy { !$0.url.contains(secret) })
    }
  }

  @Test func aPageOfHTMLIsNoPointerAndNoObject() throws {
    let server = ServiceServer(.http) { request in
      if let file = request.outputFile {
        try? Data("<html>".utf8).write(to: URL(fileURLWithPath: file))
      }
      return TransferAnswer(
        status: 200, fields: ["content-type": "Text/HTML; charset=utf-8"],
        content: Data("<html>".utf8))
    }
    let store = try server.store()
    let error = #expect(throws: RemoteError.self) { try store.read("shop.json", limit: 100) }
    #expect(
      error?.message
        == "cannot read shop.json at https://stubs.test/stubs/team/shop: the server answered with a page of HTML instead of it"
    )
    let file = Self.folder.url.appendingPathComponent(UUID().uuidString)
    #expect(throws: RemoteError.self) {
      try store.download("objects/a", to: file, limit: 100_000) { _ in }
    }
    #expect(try Data(contentsOf: file).isEmpty)
  }

  @Test func aRedirectIsNamedAndNotFollowed() throws {
    for (location, isNamed) in [
      ("https://other.test/x?sig=s3cret", true), ("https://u:s3cret@other.test/x", false),
    ] {
      let server = ServiceServer(.http) { _ in
        TransferAnswer(status: 301, fields: ["location": location])
      }
      let store = try server.store()
      let error = #expect(throws: RemoteError.self) { try store.read("shop.json", limit: 10) }
      #expect(error?.description.contains("https://other.test/x;") == isNamed)
      #expect(error?.description.contains("s3cret") == false)
      #expect(server.requests.count == 1)
      #expect(!server.requests[0].followsRedirects)
    }
  }

  @Test func aServerThatKeepsNothingIsNoticed() throws {
    let server = ServiceServer(.http) { request in
      request.method == "PUT" ? TransferAnswer(status: 204) : nil
    }
    let error = #expect(throws: RemoteError.self) {
      try server.store().keepProbing(
        Data("a commit".utf8), at: "objects/a.json", probing: .isAbsent)
    }
    #expect(error?.message.contains("and does not have it") == true)
  }

  @Test func aWeakEntityTagIsNoVersion() throws {
    for (tag, version) in [("W/\"1\"", nil), ("\"1\"", "\"1\""), ("1", nil)] as [(String, String?)]
    {
      let server = ServiceServer(.http) { _ in
        TransferAnswer(status: 200, fields: ["etag": tag], content: Data("x".utf8))
      }
      #expect(try server.store().read("shop.json", limit: 10)?.version?.text == version)
    }
  }

  @Test func aMissingBucketOrContainerIsNoMissingObject() throws {
    let google =
      #"{"error":{"code":404,"message":"The specified bucket does not exist.","errors":[{"reason":"notFound"}]}}"#
    let answers: [(ServiceServer.Service, TransferAnswer)] = [
      (.google, TransferAnswer(status: 404, content: Data(google.utf8))),
      (
        .googleWithKey,
        TransferAnswer(
          status: 404, content: Data("<Error><Code>NoSuchBucket</Code></Error>".utf8))
      ),
      (.azure, TransferAnswer(status: 404, fields: ["x-ms-error-code": "ContainerNotFound"])),
    ]
    for (service, answer) in answers {
      let store = try ServiceServer(service) { _ in answer }.store()
      let error = #expect(throws: RemoteError.self) { try store.read("shop.json", limit: 10) }
      #expect(error?.code == .missing)
      #expect(error?.description.contains("bucket or container may be missing") == true)
    }
  }

  @Test func aLeaseIsNoLostRace() throws {
    let store = try ServiceServer(.azure) { _ in
      TransferAnswer(status: 412, fields: ["x-ms-error-code": "LeaseIdMissing"])
    }.store()
    let error = #expect(throws: RemoteError.self) {
      try store.write(.data(Data()), to: "shop.json", if: .isAbsent)
    }
    #expect(
      error?.message.hasSuffix("the store answered with the status 412 (LeaseIdMissing)") == true)
  }
}
