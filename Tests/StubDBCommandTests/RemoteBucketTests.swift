import Foundation
import StubDBTestSupport
import Testing

/// `stubdb push` and `pull` with a bucket, through the program that speaks to the network.
@Suite(.serialized)
struct RemoteBucketTests {
  private static let url = "s3://stubs/team/shop"

  /// A project with a catalog.
  private func project(_ text: String = "paid") throws -> Sandbox {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    try add("checkout/paid", text, in: box)
    return box
  }

  private func add(_ scenario: String, _ text: String, in box: Sandbox) throws {
    try box.must(
      "add", scenario, "--key", "pay", "--url", "https://api.shop.test/\(scenario)", "--text", text)
  }

  private func run(
    _ words: String..., in box: Sandbox, _ server: BucketServer
  ) throws -> CommandResult {
    let result = try box.run(
      executable: Sandbox.binary, arguments: words, environment: server.environment)
    for secret in server.environment.values where secret.contains("of-the-test") {
      #expect(!result.out.contains(secret) && !result.err.contains(secret), "\(words)")
    }
    return result
  }

  @Test func whatIsPushedIsPulledWithAsFewRequestsAsThePageSays() throws {
    let (server, ada, bea) = (try BucketServer(), try project(), try Sandbox())
    let pushed = try run("push", Self.url, in: ada, server)
    #expect(pushed.code == 0, "\(pushed)")
    #expect(server.requests.count == 8)
    #expect(try run("push", in: ada, server).code == 0)
    #expect(server.requests.count == 9)
    try add("orders/open", "open", in: ada)
    #expect(try run("push", in: ada, server).code == 0)
    #expect(server.requests.count == 17)
    #expect(server.requests.filter { $0.hasPrefix("PUT") }.count == 8)
    let pulled = try run("pull", Self.url, in: bea, server)
    #expect(pulled.code == 0, "\(pulled)")
    #expect(server.requests.count == 21)
    for words in [["pull"], ["pull", "--frozen"], ["remote", "list"]] {
      let result = try box(bea, words, server)
      #expect(result.code == 0, "\(result)")
    }
    #expect(server.requests.count == 21)
    #expect(try run("pull", "--check", in: bea, server).code == 0)
    #expect(try run("pull", "--update", in: bea, server).code == 0)
    #expect(server.requests.count == 23)
    #expect(
      try run("remote", "list", "s3://stubs/team/", in: bea, server).out
        == "shop  s3://stubs/team/shop\n")
    let log = try run("remote", "log", in: bea, server)
    #expect(log.out.split(separator: "\n").count == 2, "\(log)")
  }

  private func box(
    _ box: Sandbox, _ words: [String], _ server: BucketServer
  ) throws -> CommandResult {
    try box.run(executable: Sandbox.binary, arguments: words, environment: server.environment)
  }

  @Test func aDownloadEndsWhereTheCommitSays() throws {
    let (server, ada, bea) = (try BucketServer(.sendsTooMuch), try project(), try Sandbox())
    #expect(try run("push", Self.url, in: ada, server).code == 0)
    let result = try run("pull", Self.url, "--path", "shop.stubdb", in: bea, server)
    #expect(result.code == 1 && result.err.contains("bytes that are expected"), "\(result)")
    #expect(try bea.contents().isEmpty)
    #expect(server.requests.filter { $0.hasSuffix(".stubdb") && $0.hasPrefix("GET") }.count == 1)
    let left = try bea.shell("find ../.cache/stubdb -name '*.part'")
    #expect(left.code == 0 && left.out.isEmpty, "\(left)")
  }

  @Test func aStoreWithoutConditionsIsRefused() throws {
    let (server, ada) = (try BucketServer(.ignoresConditions), try project())
    let result = try run("push", Self.url, in: ada, server)
    #expect(result.code == 1 && result.err.contains("ignores the conditions"), "\(result)")
    #expect(result.err.contains("stubdb push s3://stubs/team/shop --last-writer-wins"))
    #expect(!server.paths.contains("/stubs/team/shop.json"))
    #expect(try run("push", Self.url, "--last-writer-wins", in: ada, server).code == 0)
    #expect(server.paths.contains("/stubs/team/shop.json"))
  }

  @Test func wrongCredentialsAreSaid() throws {
    let (server, ada) = (try BucketServer(.refusesAll), try project())
    let result = try run("push", Self.url, in: ada, server)
    #expect(result.code == 1 && result.err.contains("status 403 (SignatureDoesNotMatch)"))
    let none = try ada.run(
      "push", Self.url, environment: ["AWS_EC2_METADATA_DISABLED": "true"])
    #expect(none.code == 1 && none.err.contains("there are no credentials for S3"), "\(none)")
  }

  @Test func aStoreThatIsDownIsSaid() throws {
    let ada = try project()
    var environment = try BucketServer().environment
    // The server is gone by now, and nothing listens there.
    environment["AWS_ENDPOINT_URL"] = "http://127.0.0.1:1"
    let result = try ada.run("push", Self.url, environment: environment)
    #expect(result.code == 1, "\(result)")
    #expect(result.err.contains("cannot reach http://127.0.0.1:1"), "\(result)")
    #expect(try ada.contents().map(\.path) == ["shop.stubdb"])
  }

  @Test func ofTwoWhoPushAtOnceNoneLosesAnEdit() throws {
    let (server, ada) = (try BucketServer(), try project())
    #expect(try run("push", Self.url, in: ada, server).code == 0)
    let boxes = try (0..<3).map { number in
      let box = try Sandbox(holding: ada.contents())
      try add("orders/\(number)", "\(number)", in: box)
      return box
    }
    let started = try boxes.map { box in
      let process = Process()
      process.executableURL = Sandbox.binary
      process.arguments = ["push"]
      process.currentDirectoryURL = box.folder
      process.environment = box.base.merging(server.environment) { _, new in new }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.start()
      return process
    }
    for process in started {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    #expect(try run("pull", "--update", in: ada, server).code == 0)
    let names = try ada.run("list").out.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(names == ["checkout/paid", "orders/0", "orders/1", "orders/2"])
    let log = try run("remote", "log", in: ada, server)
    #expect(log.out.split(separator: "\n").count == 4, "\(log)")
  }

  /// A catalog that others published between the look at the store and the write is not known: it must be neither
  /// replaced, nor merged unseen, nor signed.
  @Test(arguments: [[], ["--sign"]])
  func ofTwoFirstPushesAtOnceOneIsRefused(options: [String]) throws {
    let (server, ada, bea) = (try BucketServer(), try project(), try Sandbox())
    try bea.must("init", "shop.stubdb")
    try add("orders/open", "open", in: bea)
    if !options.isEmpty { try bea.must("key", "create", "--name", "bea") }
    #expect(try run("push", Self.url, in: ada, server).code == 0)
    server.begin(.hidesPointers)
    let catalog = bea.folder.appendingPathComponent("shop.stubdb")
    let before = try Data(contentsOf: catalog)
    let push = try bea.run(
      executable: Sandbox.binary, arguments: ["push", Self.url] + options,
      environment: server.environment)
    #expect(push.code == 1, "\(push)")
    #expect(
      push.err.contains("there is a catalog at \(Self.url) already")
        && push.err.contains("stubdb pull \(Self.url) --path shop.stubdb"), "\(push)")
    #expect(try !bea.contents().contains { $0.path == "stubdb.lock" })
    #expect(try Data(contentsOf: catalog) == before)
    let log = try run("remote", "log", in: ada, server)
    #expect(log.out.split(separator: "\n").count == 1, "\(log)")

    // What the message says keeps both.
    #expect(try run("pull", Self.url, "--path", "shop.stubdb", in: bea, server).code == 0)
    #expect(try run("push", in: bea, server).code == 0)
    #expect(try run("pull", "--update", in: ada, server).code == 0)
    let names = try ada.run("list").out.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(names == ["checkout/paid", "orders/open"])
  }

  @Test func aSignedPushIsReportedOnlyWithItsSignature() throws {
    let (server, box) = (try BucketServer(.forgets(".sig")), try project())
    try box.must("key", "create", "--name", "ada")
    let push = try run("push", Self.url, "--sign", in: box, server)
    #expect(push.code == 1 && push.err.contains("did not keep the signature"), "\(push)")
    #expect(!server.paths.contains("/stubs/team/shop.json"))
    // A push of another second has another commit, whose signature would be forgotten as well.
    server.mend()
    #expect(try run("push", Self.url, "--sign", in: box, server).code == 0)
    let reader = try Sandbox()
    let pull = try run("pull", Self.url, in: reader, server)
    #expect(pull.code == 0, "\(pull)")
    // Nobody asked for a signature, so that it is said that there is one, and how to require it.
    #expect(pull.err.contains("It is signed by "), "\(pull)")
    let command = try firstMatch(of: /require it: (stubdb key trust .*)\n/, in: pull.err).1
    let trust = try reader.shell(String(command), environment: server.environment)
    #expect(trust.code == 0, "\(trust)")
    #expect(try reader.read("stubdb.lock").contains("ssh-ed25519"))
  }
}
