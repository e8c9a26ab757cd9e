import Foundation
import StubDBTestSupport
import Testing

/// `stubdb push` and `pull` with the services that are not S3, through the program that speaks to the network.
@Suite(.serialized)
struct RemoteServiceTests {
  private func run(
    _ words: [String], in box: Sandbox, _ server: ServiceServer, key: Data? = nil
  ) throws -> CommandResult {
    let environment = key.map { server.environment(key: $0) } ?? server.environment()
    return try box.run(executable: Sandbox.binary, arguments: words, environment: environment)
  }

  private func add(_ scenario: String, in box: Sandbox) throws {
    try box.must("add", scenario, "--url", "https://api.shop.test/\(scenario)", "--text", "a")
  }

  @Test(arguments: ServiceServer.Service.allCases)
  func whatIsPushedIsMergedAndPulled(service: ServiceServer.Service) throws {
    let (server, ada, bea) = (try ServiceServer(service), try Sandbox.shop(), try Sandbox())
    let url = server.url + "shop"
    func ok(_ words: String..., in box: Sandbox) throws -> CommandResult {
      let result = try run(words, in: box, server)
      #expect(result.code == 0, "\(words): \(result)")
      return result
    }
    _ = try ok("push", url, in: ada)
    _ = try ok("pull", url, "--path", "shop.stubdb", in: bea)
    try add("orders/ada", in: ada)
    try add("orders/bea", in: bea)
    _ = try ok("push", in: ada)
    // The pointer is another one by now.
    #expect(try ok("push", in: bea).out == "+ orders/ada (1 stub)\n")
    #expect(try ok("pull", "--update", in: ada).out == "+ orders/bea (1 stub)\n")
    let catalogs = try [ada, bea].map {
      try Data(contentsOf: $0.folder.appendingPathComponent("shop.stubdb"))
    }
    #expect(catalogs[0] == catalogs[1])
    for name in ["a", "b", "c"] { _ = try ok("push", server.url + name, "--as", name, in: ada) }
    // More than a page of the service.
    let list = try ok("remote", "list", server.url, in: ada)
    let names = ["a", "b", "c", "shop"]
    #expect(
      list.out.split(separator: "\n").map { $0.prefix { $0 != " " } } == names.map { $0[...] })
    #expect(try ok("remote", "log", in: bea).out.split(separator: "\n").count == 3)
    #expect(server.refusals.isEmpty)
  }

  @Test func aWrongKeyIsSaidAndShownNowhere() throws {
    let (server, ada) = (try ServiceServer(.azure), try Sandbox.shop())
    let key = Data("another key".utf8)
    let push = try run(["push", server.url + "shop"], in: ada, server, key: key)
    #expect(push.code == 1 && push.err.contains("status 403 (AuthenticationFailed)"), "\(push)")
    #expect(!push.err.contains(key.base64EncodedString()))
    #expect(server.keys.isEmpty)
    #expect(Set(server.refusals) == ["AuthenticationFailed"])
  }
}
