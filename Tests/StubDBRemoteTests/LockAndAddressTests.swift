import Foundation
import Testing

@testable import StubDBRemote

struct LockAndAddressTests {
  private static let digest = ObjectDigest(of: Data("abc".utf8))

  @Test func theLockIsWrittenInOrderAndReadStrictly() throws {
    let entry = LockFile.Entry(
      url: "s3://stubs/shop", commit: Self.digest, digest: Self.digest, bytes: 3,
      path: "shop.stubdb")
    var read = entry
    (read.url, read.path) = ("s3://stubs/payments", nil)
    let lock = LockFile(catalogs: ["shop": entry, "payments": read])
    let text = String(decoding: lock.encoded, as: UTF8.self)
    #expect(
      text == """
        {
          "catalogs": {
            "payments": {
              "bytes": 3,
              "commit": "\(Self.digest)",
              "digest": "\(Self.digest)",
              "url": "s3://stubs/payments"
            },
            "shop": {
              "bytes": 3,
              "commit": "\(Self.digest)",
              "digest": "\(Self.digest)",
              "path": "shop.stubdb",
              "url": "s3://stubs/shop"
            }
          },
          "version": 1
        }

        """)
    #expect(try LockFile(decoding: lock.encoded, what: "stubdb.lock") == lock)
    for (part, other) in [
      (#""shop.stubdb""#, #""../shop.stubdb""#), (#""shop.stubdb""#, #""/etc/passwd""#),
      (#""shop.stubdb""#, #""..\/\u0301x.stubdb""#),
      (#""shop.stubdb""#, #"".git\/\u0301x.stubdb""#),
      (#""version": 1"#, #""version": 2"#), (#""bytes""#, #""Bytes""#),
      (#""shop": {"#, #""a/b": {"#),
    ] {
      let wrong = text.replacingOccurrences(of: part, with: other)
      #expect(throws: RemoteError.self, "\(other)") {
        try LockFile(decoding: Data(wrong.utf8), what: "stubdb.lock")
      }
    }
  }

  @Test(arguments: [
    (
      #""bytes": 3"#, #""bytes": "3""#,
      ":4: /catalogs/shop/bytes: expected a number, found a string"
    ),
    (
      #""bytes""#, #""Bytes""#,
      #":4: /catalogs/shop/Bytes: unknown key "Bytes"; did you mean "bytes"?"#
    ),
    (#""shop": {"#, #""a/b": {"#, ":3: /catalogs/a~1b: it is no name of a catalog: "),
    (
      #""version": 1"#, #""version": 2, "new": 1"#,
      ": it is not of version 1, the only one that this stubdb reads"
    ),
    (
      #""url""#, #""keys": [], "url""#, ":7: /catalogs/shop/keys: it must have 1 to 100 public keys"
    ),
  ])
  func aMistakeInTheLockHasItsLine(part: String, other: String, problem: String) throws {
    let entry = LockFile.Entry(
      url: "s3://stubs/shop", commit: Self.digest, digest: Self.digest, bytes: 3)
    let text = String(decoding: LockFile(catalogs: ["shop": entry]).encoded, as: UTF8.self)
      .replacingOccurrences(of: part, with: other)
    let error = #expect(throws: RemoteError.self) {
      try LockFile(decoding: Data(text.utf8), what: "stubdb.lock")
    }
    #expect(error?.message.hasPrefix("stubdb.lock") == true)
    #expect(error?.message.contains(problem) == true, "\(String(describing: error))")
    #expect(error?.code == (problem.contains("version") ? .unsupported : .damaged))
  }

  @Test func conflictMarksOfGitAreNamed() throws {
    let folder = TemporaryFolder()
    let file = folder.url.appendingPathComponent(LockFile.fileName)
    #expect(try LockFile(contentsOf: file) == nil)
    try Data("{\n<<<<<<< HEAD\n".utf8).write(to: file)
    let error = #expect(throws: RemoteError.self) { try LockFile(contentsOf: file) }
    #expect(error?.hints.first?.hasPrefix("git left both versions in it") == true)
  }

  @Test func theLockIsLookedForInFoldersOfTheUserOnly() throws {
    let manager = FileManager.default
    let box = TemporaryFolder()
    let top = box.url.standardizedFileURL
    let inner = top.appendingPathComponent("a/b/c", isDirectory: true)
    try manager.createDirectory(at: inner, withIntermediateDirectories: true)
    /// The folders that are searched, relative to the top one; those above it are `..`.
    func searched(home: String = "/nonexistent") -> [String] {
      LockFile.candidates(for: inner, home: home).map { url in
        let path = url.deletingLastPathComponent().standardizedFileURL.path
        return path == top.path
          ? "." : path.hasPrefix(top.path) ? String(path.dropFirst(top.path.count + 1)) : ".."
      }
    }
    #expect(Array(searched().prefix(4)) == ["a/b/c", "a/b", "a", "."])
    // The folder of all temporary files is anybody's.
    let shared = top.deletingLastPathComponent().path
    #expect(!searched().contains("..") || shared != "/tmp")
    #expect(searched(home: top.path + "/a") == ["a/b/c", "a/b", "a"])
    try manager.setAttributes(
      [.posixPermissions: 0o1777], ofItemAtPath: top.appendingPathComponent("a").path)
    #expect(searched() == ["a/b/c", "a/b"])
    // One that a team shares has the bit too, but is not for all.
    try manager.setAttributes(
      [.posixPermissions: 0o1770], ofItemAtPath: top.appendingPathComponent("a").path)
    #expect(Array(searched().prefix(3)) == ["a/b/c", "a/b", "a"])
    try manager.setAttributes(
      [.posixPermissions: 0o777], ofItemAtPath: top.appendingPathComponent("a").path)
    try manager.createDirectory(
      at: top.appendingPathComponent(".git"), withIntermediateDirectories: true)
    #expect(searched() == ["a/b/c", "a/b", "a", "."])
    guard geteuid() == 0 else { return }
    try manager.setAttributes(
      [.ownerAccountID: 12_345], ofItemAtPath: top.appendingPathComponent("a").path)
    #expect(searched() == ["a/b/c", "a/b"])
    // What belongs to the owner of the folder that one is in may be searched, as in a container.
    for path in ["a/b", "a/b/c"] {
      try manager.setAttributes(
        [.ownerAccountID: 12_345], ofItemAtPath: top.appendingPathComponent(path).path)
    }
    #expect(searched() == ["a/b/c", "a/b", "a", "."])
  }

  @Test func theEndpointOfAURLIsNotAskedWithoutTLS() throws {
    func open(_ endpoint: String, _ environment: [String: String] = [:]) throws {
      let environment = BucketServer.environment.merging(environment) { _, new in new }
      let stores = RemoteStores(environment: environment, client: BucketServer().client)
      _ = try stores.store(of: RemoteURL(parsing: "s3://stubs/shop?\(endpoint)"))
    }
    let error = #expect(throws: RemoteError.self) {
      try open("endpoint=http://minio.test:9000")
    }
    #expect(
      error?.message
        == "http://minio.test:9000 is not asked: without TLS any machine between could answer")
    #expect(error?.hints.first?.hasSuffix("export STUBDB_PLAIN_HTTP=minio.test") == true)
    try open("endpoint=https://minio.test:9000")
    try open("endpoint=http://127.0.0.1:9000")
    try open("endpoint=http://minio.test:9000", ["STUBDB_PLAIN_HTTP": "minio.test"])
    try open("endpoint=http://bucket.test")
    // A region is a part of the host.
    for region in ["minio.test/", "eu@minio.test", "a.b"] {
      #expect(throws: RemoteError.self, "\(region)") {
        try S3Address(bucket: "stubs", options: ["region": region]) { _ in nil }
      }
    }
  }

  @Test func urlsAreRead() throws {
    let url = try RemoteURL(parsing: "s3://stubs/team/shop?region=eu-west-1&style=path")
    #expect(
      [url.bucket, url.prefix, url.name, url.description] == [
        "stubs", "team/", "shop", "s3://stubs/team/shop?region=eu-west-1&style=path",
      ])
    #expect(try RemoteURL(parsing: "file:/srv/shop").description == "file:///srv/shop")
    #expect(try RemoteURL(parsing: "s3://stubs/team/").name == "")
    for wrong in [
      "shop", "ftp://stubs/shop", "s3:///shop", "s3://stubs/a/../shop",
      "s3://key:secret@stubs/shop",
      "s3://stubs/sh op", "s3://stubs/shop?x=1", "file://srv/shop",
    ] {
      let error = #expect(throws: RemoteError.self, "\(wrong)") { try RemoteURL(parsing: wrong) }
      #expect(error?.message.contains("secret") == false)
    }
  }

  @Test func bucketsAreInTheHostOrInThePath() throws {
    func address(_ bucket: String, _ options: [String: String], _ settings: [String: String]) throws
      -> String
    {
      let address = try S3Address(bucket: bucket, options: options) { settings[$0] }
      return "\(address.scheme)://\(address.authority)\(address.path("a b"))"
    }
    let minio = ["AWS_ENDPOINT_URL": "http://localhost:9000"]
    #expect(
      try address("stubs", [:], ["AWS_REGION": "eu-west-1"])
        == "https://stubs.s3.eu-west-1.amazonaws.com/a%20b")
    #expect(
      try address("stubs.team", [:], [:]) == "https://s3.us-east-1.amazonaws.com/stubs.team/a%20b")
    #expect(try address("stubs", [:], minio) == "http://localhost:9000/stubs/a%20b")
    #expect(
      try address("stubs", ["style": "virtual"], minio) == "http://stubs.localhost:9000/a%20b")
    #expect(
      try address("stubs", ["endpoint": "https://r2.test/x/"], minio)
        == "https://r2.test/x/stubs/a%20b")
    #expect(throws: RemoteError.self) {
      try address("stubs", [:], ["AWS_ENDPOINT_URL": "localhost:9000"])
    }
  }

  @Test func credentialsComeFromTheEnvironmentAndFromProfiles() throws {
    let folder = TemporaryFolder()
    let files = folder.url.appendingPathComponent(".aws")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try Data(
      """
      # comment
      [default]
      aws_access_key_id = A
      aws_secret_access_key = a=b
      [team]
      aws_access_key_id=T
      aws_secret_access_key=t
      aws_session_token=s
      """.utf8
    ).write(to: files.appendingPathComponent("credentials"))
    try Data("[profile team]\nregion = eu-central-1\n  nested = x\n".utf8).write(
      to: files.appendingPathComponent("config"))
    let home = ["HOME": folder.url.path]
    func settings(_ more: [String: String]) -> AWSSettings {
      AWSSettings(environment: home.merging(more) { $1 })
    }
    #expect(settings([:]).credentials == AWSCredentials(keyID: "A", secret: "a=b"))
    let team = settings(["AWS_PROFILE": "team"])
    #expect(team.credentials == AWSCredentials(keyID: "T", secret: "t", sessionToken: "s"))
    #expect(team.value("AWS_REGION") == "eu-central-1")
    #expect(
      settings(["AWS_ACCESS_KEY_ID": "E", "AWS_SECRET_ACCESS_KEY": "e"]).credentials
        == AWSCredentials(keyID: "E", secret: "e"))
    let error = #expect(throws: RemoteError.self) {
      try AWSCredentials.found(settings(["AWS_PROFILE": "none"]), transport: BucketServer())
    }
    #expect(error?.code == .denied)
  }
}
